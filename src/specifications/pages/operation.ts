// An operation of an API as Markdown: where it is, what it takes, what it answers. Swagger 2 says some of it elsewhere.

import { isValues, listIn, member, membersIn, type Placed, textIn, type Values } from "./pointers";
import { schemaList, typeOf } from "./schemas";
import { behind, blocks, code, described, fenced, inLine } from "./words";

type Resolve = (value: unknown, document: string | null) => Placed | undefined;

/** An operation with what it stands in. */
export interface Operation {
  readonly title: string;
  readonly method: string;
  /** The path; of a webhook its name. */
  readonly path: string;
  readonly isWebhook: boolean;
  readonly value: Values;
  readonly document: string | null;
  /** Parameters of all operations of the path. */
  readonly shared: readonly Placed[];
  /** What the path begins with. */
  readonly server: string;
}

/** The most media types of a body, and the most answers, that are shown. */
const MAX_SHOWN = 20;

export function operationMarkdown(resolve: Resolve, operation: Operation): string {
  const { title, method, path, isWebhook, value, document, server } = operation;
  const parameters = parametersOf(resolve, operation);
  const sent = isWebhook ? `${method.toUpperCase()} (webhook ${path})` : `${method.toUpperCase()} ${server}${path}`;
  return blocks([
    `# ${inLine(title)}`,
    fenced("http", sent.replaceAll(/[\r\n]+/g, " ")),
    member(value, "deprecated") === true ? "**Deprecated.**" : "",
    described(textIn(value, "description")),
    ...parameterBlocks(resolve, parameters),
    ...bodyBlocks(resolve, operation, parameters),
    ...responseBlocks(resolve, value, document),
  ]);
}

/** The parameters of an operation: its own, and those of its path that it does not state again. */
function parametersOf(resolve: Resolve, { value, document, shared }: Operation): Placed[] {
  const found = new Map<string, Placed>();
  const own = listIn(value, "parameters").flatMap((it) => resolve(it, document) ?? []);
  for (const parameter of [...shared, ...own])
    found.set(`${textIn(parameter.value, "in")} ${textIn(parameter.value, "name")}`, parameter);
  return [...found.values()];
}

const PLACES = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
  ["formData", "Form"],
] as const;

function parameterBlocks(resolve: Resolve, parameters: readonly Placed[]): string[] {
  return PLACES.flatMap(([place, heading]) => {
    const here = parameters.filter(({ value }) => textIn(value, "in") === place);
    if (here.length === 0) return [];
    const lines = here.map(({ value, document }) => {
      const schema = member(value, "schema") ?? value;
      const kind = [typeOf(resolve, schema, document), member(value, "required") === true ? "required" : ""];
      const told = kind.filter((it) => it !== "").join(", ");
      const words = behind(textIn(value, "description"));
      return `* ${code(textIn(value, "name") ?? "")}${told === "" ? "" : ` (${inLine(told)})`}${words}`;
    });
    return [`## ${heading}`, lines.join("\n")];
  });
}

function bodyBlocks(resolve: Resolve, { value, document }: Operation, parameters: readonly Placed[]): string[] {
  const body = resolve(member(value, "requestBody"), document);
  if (body) {
    const isRequired = member(body.value, "required") === true ? "Required." : "";
    const about = described(textIn(body.value, "description"));
    return ["## Request body", about, isRequired, ...mediaBlocks(resolve, body.value, body.document)];
  }
  const old = parameters.find((it) => textIn(it.value, "in") === "body");
  if (!old) return [];
  const schema = member(old.value, "schema");
  return [
    "## Request body",
    described(textIn(old.value, "description")),
    inLine(typeOf(resolve, schema, old.document)),
    schemaList(resolve, schema, old.document),
  ];
}

function mediaBlocks(resolve: Resolve, value: Values, document: string | null): string[] {
  return membersIn(value, "content")
    .slice(0, MAX_SHOWN)
    .flatMap(([type, media]) => {
      const schema = member(media, "schema");
      const kind = typeOf(resolve, schema, document);
      const words = `${code(type)}${kind === "" ? "" : ` ${inLine(kind)}`}`;
      return [words, isValues(schema) ? schemaList(resolve, schema, document) : ""];
    });
}

function responseBlocks(resolve: Resolve, value: Values, document: string | null): string[] {
  const responses = membersIn(value, "responses").slice(0, MAX_SHOWN);
  if (responses.length === 0) return [];
  return [
    "## Responses",
    ...responses.flatMap(([status, given]) => {
      const found = resolve(given, document);
      if (!found) return [`### ${inLine(status)}`];
      const schema = member(found.value, "schema");
      return [
        `### ${inLine(status)}`,
        described(textIn(found.value, "description")),
        ...mediaBlocks(resolve, found.value, found.document),
        ...(schema === undefined
          ? []
          : [inLine(typeOf(resolve, schema, found.document)), schemaList(resolve, schema, found.document)]),
      ];
    }),
  ];
}
