// Parameters and headers: what they are, where they go, and how lists of values are written.

import { constraints, exampleSentence } from "./constraints";
import { isOfType, kindOf } from "./kinds";
import { member, membersIn, type Placed, type Resolve, textIn } from "./pointers";
import { entry, memberList } from "./schemas";
import { exampleIn, isSaid, said, type Whole, wholeOf } from "./whole";
import { code } from "./words";
import type { Writing } from "./writing";

/** Where parameters go, with what those of a place are called. */
export const PLACES = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["querystring", "Query"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
  ["formData", "Form"],
] as const;

/** The most parameters of one place. */
const MAX_SHOWN = 200;

/** Parameters as blocks, by the place where they go. `level` is that of the headings. */
export function parameterBlocks(writing: Writing, parameters: readonly Placed[], level: "##" | "####"): string[] {
  return PLACES.flatMap(([place, heading]) => {
    const here = parameters.filter(({ value }) => textIn(value, "in") === place);
    if (here.length === 0) return [];
    return [
      `${level} ${heading}`,
      parameterList(
        writing,
        here.map((it) => [textIn(it.value, "name") ?? "", it]),
      ),
    ];
  });
}

/** The headers of an answer. */
export function headerBlocks(writing: Writing, answer: Placed): string[] {
  const headers = membersIn(answer.value, "headers").flatMap(([name, header]): [string, Placed][] => {
    const found = writing.resolve(header, answer.document);
    return found ? [[name, found]] : [];
  });
  return headers.length === 0 ? [] : ["Headers:", parameterList(writing, headers)];
}

function parameterList(writing: Writing, named: readonly (readonly [string, Placed])[]): string {
  const lines = named.slice(0, MAX_SHOWN).map(([name, parameter]) => parameterEntry(writing, name, parameter));
  const more = named.length - lines.length;
  return [...lines, ...(more > 0 ? [`* … and ${more} more, which are not shown here`] : [])].join("\n");
}

/** What is known of a parameter or a header. */
export interface ParameterFacts {
  readonly schema: unknown;
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  /** What is demanded, as sentences in Markdown. */
  readonly limits: string;
  /** Whether it has members of its own. */
  readonly isObject: boolean;
  readonly example: unknown;
}

export function parameterFacts(resolve: Resolve, name: string, parameter: Placed): ParameterFacts {
  const { value, document } = parameter;
  const [type, media] = membersIn(value, "content")[0] ?? [];
  // Swagger 2 says in the parameter itself what a schema says.
  const schema = member(media, "schema") ?? member(value, "schema") ?? value;
  const whole = wholeOf(resolve, schema, document);
  const description = textIn(value, "description") ?? (whole && textIn(whole.itself, "description"));
  const isDeprecated = member(value, "deprecated") === true || (whole && isSaid(whole, "deprecated"));
  const notes = [...(member(value, "required") === true ? ["required"] : []), ...(isDeprecated ? ["deprecated"] : [])];
  const example = exampleOf(resolve, parameter, whole);
  const limits = [
    type === undefined ? "" : `Written as ${code(type)}.`,
    whole ? constraints(resolve, whole) : "",
    whole ? listWords(value, whole, name) : "",
    exampleSentence(example),
  ];
  return {
    schema,
    kind: kindOf(resolve, schema, document),
    notes,
    description,
    limits: limits.filter((it) => it !== "").join(" "),
    isObject: whole !== undefined && isOfType(whole, "object"),
    example,
  };
}

function parameterEntry(writing: Writing, name: string, parameter: Placed): string {
  const { schema, isObject, ...facts } = parameterFacts(writing.resolve, name, parameter);
  const told = { label: code(name), ...facts };
  const members = isObject ? memberList(writing, schema, parameter.document) : "";
  const line = entry(writing, told, 0, members !== "");
  return members === "" ? line : `${line}\n${members.replaceAll(/^(?=.)/gm, "  ")}`;
}

/** An example: one that stands beside the schema, else that of the schema. */
function exampleOf(resolve: Resolve, { value, document }: Placed, whole: Whole | undefined): unknown {
  const [, first] = membersIn(value, "examples")[0] ?? [];
  const given = member(value, "example") ?? member(resolve(first, document)?.value, "value");
  return given ?? (whole && exampleIn(whole));
}

const BETWEEN: Readonly<Record<string, string>> = {
  csv: "commas",
  ssv: "spaces",
  tsv: "tabs",
  pipes: "`|`",
  form: "commas",
  simple: "commas",
  spaceDelimited: "spaces",
  pipeDelimited: "`|`",
};

/** How several values are written. */
function listWords(value: unknown, whole: Whole, name: string): string {
  const place = textIn(value, "in");
  const style = textIn(value, "style") ?? (place === "query" || place === "cookie" ? "form" : "simple");
  if (style === "deepObject") return `Written as ${code(`${name}[member]=value`)}.`;
  if (!isOfType(whole, "array") || said(whole, "items") === undefined) return "";
  const isOld = member(value, "schema") === undefined;
  if (isOld && member(value, "content") !== undefined) return "";
  const format = isOld ? (textIn(value, "collectionFormat") ?? "csv") : style;
  const isRepeated = isOld ? format === "multi" : style === "form" && member(value, "explode") !== false;
  if (isRepeated) return place === "header" ? "" : `Several are written as ${code(`${name}=a&${name}=b`)}.`;
  return Object.hasOwn(BETWEEN, format) ? `Several are separated by ${BETWEEN[format]}.` : "";
}
