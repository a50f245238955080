// Bodies of requests and answers: their media types, what is in them, and examples. Swagger 2 names the types elsewhere.

import { omitUndefined } from "../../../utils/objects";
import { type Body, exampleBlocks } from "./examples";
import { kindOf } from "./kinds";
import { headerBlocks } from "./parameters";
import { isValues, listIn, member, membersIn, type Placed, type Resolve, textIn } from "./pointers";
import type { Use } from "./samples";
import { demands, memberList } from "./schemas";
import { code, inLine } from "./words";
import { CUT, type Writing } from "./writing";

/** The most media types of a body, answers, and links of one, that are shown. */
const MAX_SHOWN = 30;

/** The media types that an operation of Swagger 2 takes, or gives. */
export function oldTypes(operation: unknown, root: unknown, name: "consumes" | "produces"): string[] {
  const own = listIn(operation, name);
  return (own.length > 0 ? own : listIn(root, name)).filter((it): it is string => typeof it === "string");
}

/** What a request or an answer has in it. */
export interface Message extends Placed {
  readonly bodies: readonly Body[];
}

/** The body of a request; undefined if there is none. `types` are those of Swagger 2. */
export function requestOf(
  resolve: Resolve,
  operation: Placed,
  parameters: readonly Placed[],
  types: readonly string[],
): Message | undefined {
  const body = resolve(member(operation.value, "requestBody"), operation.document);
  if (body) return { ...body, bodies: bodiesIn(body, "request") };
  const old = parameters.find((it) => textIn(it.value, "in") === "body");
  if (!old) return undefined;
  const { value, document } = old;
  return { ...old, bodies: [{ schema: member(value, "schema"), document, types, use: "request" }] };
}

/** An answer with its bodies. `types` are those of Swagger 2. */
export function answerOf(answer: Placed, types: readonly string[]): Message {
  const { value, document } = answer;
  const schema = member(value, "schema");
  const byType = member(value, "examples");
  const bodies: Body[] =
    schema === undefined
      ? bodiesIn(answer, "response")
      : [
          {
            schema,
            document,
            types,
            use: "response",
            ...omitUndefined({ byType: isValues(byType) ? byType : undefined }),
          },
        ];
  return { ...answer, bodies };
}

/** The body of a request, without its heading; nothing if there is none. */
export function requestBlocks(
  writing: Writing,
  operation: Placed,
  parameters: readonly Placed[],
  types: readonly string[],
): string[] {
  const request = requestOf(writing.resolve, operation, parameters, types);
  if (!request) return [];
  return [
    writing.described(textIn(request.value, "description"), 3),
    member(request.value, "required") === true ? "Required." : "",
    ...request.bodies.flatMap((it) => bodyBlocks(writing, it)),
  ];
}

/** The bodies of a request or an answer of OpenAPI 3. Types that have the same in them stand together. */
function bodiesIn({ value, document }: Placed, use: Use): Body[] {
  const bodies: (Body & { types: string[] })[] = [];
  for (const [type, media] of membersIn(value, "content").slice(0, MAX_SHOWN)) {
    const schema = member(media, "schema") ?? member(media, "itemSchema");
    const isAlone = member(media, "example") !== undefined || member(media, "examples") !== undefined;
    const same = isAlone ? undefined : bodies.find((it) => isSame(it.schema, schema) && it.media === undefined);
    if (same) same.types.push(type);
    else
      bodies.push({ schema, document, types: [type], use, ...omitUndefined({ media: isAlone ? media : undefined }) });
  }
  return bodies;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (textIn(a, "$ref") !== undefined && textIn(a, "$ref") === textIn(b, "$ref"));
}

function bodyBlocks(writing: Writing, body: Body): string[] {
  const { schema, document, types } = body;
  const kind = writing.kind(kindOf(writing.resolve, schema, document));
  const named = types.slice(0, MAX_SHOWN).map(code).join(", ");
  const head = [named, kind].filter((it) => it !== "").join(": ");
  const about = textIn(schema, "$ref") === undefined ? writing.described(textIn(schema, "description"), 3) : "";
  if (!writing.hasRoom) return [head, CUT];
  return [
    head,
    about,
    demands(writing, schema, document),
    isValues(schema) ? memberList(writing, schema, document) : "",
    ...encodings(body),
    ...exampleBlocks(writing, body),
  ];
}

/** How the parts of a form are sent. */
function encodings({ media }: Body): string[] {
  return membersIn(media, "encoding")
    .slice(0, MAX_SHOWN)
    .flatMap(([name, it]) => {
      const type = textIn(it, "contentType");
      return type === undefined ? [] : [`${code(name)} is sent as ${code(type)}.`];
    });
}

/** Answers with their bodies, each below its status. */
export function responseBlocks(writing: Writing, { value, document }: Placed, types: readonly string[]): string[] {
  const responses = membersIn(value, "responses");
  const more = responses.length - MAX_SHOWN;
  return [
    ...responses.slice(0, MAX_SHOWN).flatMap(([status, given]) => {
      const heading = `### ${status === "default" ? "All other answers" : inLine(status.slice(0, 100))}`;
      const found = writing.resolve(given, document);
      return found ? [heading, ...answerBlocks(writing, found, types)] : [heading];
    }),
    more > 0 ? `${more} more ${more === 1 ? "answer is" : "answers are"} not shown here.` : "",
  ];
}

function answerBlocks(writing: Writing, answer: Placed, types: readonly string[]): string[] {
  const { value, bodies } = answerOf(answer, types);
  const about = textIn(value, "description") ?? textIn(value, "summary");
  return [
    writing.described(about, 3),
    ...headerBlocks(writing, answer),
    ...bodies.flatMap((it) => bodyBlocks(writing, it)),
    ...linkBlocks(writing, answer),
  ];
}

/** What can be done next with an answer. */
function linkBlocks(writing: Writing, { value, document }: Placed): string[] {
  const lines = membersIn(value, "links")
    .slice(0, MAX_SHOWN)
    .flatMap(([name, it]) => {
      const link = writing.resolve(it, document)?.value;
      if (!link) return [];
      const to = textIn(link, "operationId") ?? textIn(link, "operationRef") ?? "";
      const given = membersIn(link, "parameters")
        .slice(0, MAX_SHOWN)
        .map(([name, from]) => `${code(name)} from ${code(String(isValues(from) ? "…" : from))}`);
      const { text, isParagraph } = writing.describe(textIn(link, "description"), "item");
      const words = [to === "" ? "" : `leads to ${code(to)}`, given.length > 0 ? `with ${given.join(", ")}` : ""];
      const head = `* ${code(name)}: ${words.filter((it) => it !== "").join(" ")}`;
      return [isParagraph && text !== "" ? `${head}. ${text}` : head];
    });
  return lines.length === 0 ? [] : ["Links:", lines.join("\n")];
}
