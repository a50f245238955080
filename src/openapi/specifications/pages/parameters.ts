// Writes parameters and headers: their types, their places, and the notation of lists of values.

import { describeConstraints, formatScalar } from "./constraints";
import { allowsType, describeSchemaType } from "./describe-type";
import { formatCode } from "./format-markdown";
import { findKeyword, getSchemaExample, isKeywordTrue, type MergedSchema, mergeSchema } from "./merge-schema";
import type { PageWriter } from "./page-writer";
import {
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type ResolveReference,
} from "./resolve-references";
import { writeEntry, writeMembers } from "./schemas";

/** The places of parameters, with their headings. */
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

/** Writes parameters as lists, one for each place. `level` is that of the headings. */
export function writeParameterLists(
  writing: PageWriter,
  parameters: readonly Located[],
  level: "##" | "####",
): string[] {
  return PLACES.flatMap(([place, heading]) => {
    const here = parameters.filter(({ value }) => getTextMember(value, "in") === place);
    if (here.length === 0) return [];
    return [
      `${level} ${heading}`,
      writeParameterList(
        writing,
        here.map((it) => [getTextMember(it.value, "name") ?? "", it]),
      ),
    ];
  });
}

/** Writes a list of parameters or headers, each with its name. */
export function writeParameterList(writing: PageWriter, named: readonly (readonly [string, Located])[]): string {
  const lines = named.slice(0, MAX_SHOWN).map(([name, parameter]) => {
    const { schema, isObject, ...facts } = getParameterFacts(writing.resolve, name, parameter);
    const members = isObject ? writeMembers(writing, schema, parameter.document) : "";
    const line = writeEntry(writing, { label: formatCode(name), ...facts }, 0, members !== "");
    return members === "" ? line : `${line}\n${members.replaceAll(/^(?=.)/gm, "  ")}`;
  });
  const more = named.length - lines.length;
  return [...lines, ...(more > 0 ? [`* … and ${more} more, which are not shown here`] : [])].join("\n");
}

/** The facts about a parameter or a header. */
export interface ParameterFacts {
  readonly schema: unknown;
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  /** The constraints, as sentences in Markdown. */
  readonly limits: string;
  /** True if it has its own members. */
  readonly isObject: boolean;
  readonly example: unknown;
}

/** Returns the facts about a parameter or a header. */
export function getParameterFacts(resolve: ResolveReference, name: string, parameter: Located): ParameterFacts {
  const { value, document } = parameter;
  const [type, media] = getMemberEntries(value, "content")[0] ?? [];
  // Swagger 2 says in the parameter itself what a schema says.
  const schema = getOwnMember(media, "schema") ?? getOwnMember(value, "schema") ?? value;
  const whole = mergeSchema(resolve, schema, document);
  const description = getTextMember(value, "description") ?? (whole && getTextMember(whole.itself, "description"));
  const isDeprecated = getOwnMember(value, "deprecated") === true || (whole && isKeywordTrue(whole, "deprecated"));
  const notes = [
    ...(getOwnMember(value, "required") === true ? ["required"] : []),
    ...(isDeprecated ? ["deprecated"] : []),
  ];
  // An example beside the schema comes before that of the schema.
  const [, firstExample] = getMemberEntries(value, "examples")[0] ?? [];
  const given = getOwnMember(value, "example") ?? getOwnMember(resolve(firstExample, document)?.value, "value");
  const example = given ?? (whole && getSchemaExample(whole));
  const shownExample = formatScalar(example);
  const limits = [
    type === undefined ? "" : `Written as ${formatCode(type)}.`,
    whole ? describeConstraints(resolve, whole) : "",
    whole ? describeListStyle(value, whole, name) : "",
    shownExample === undefined || shownExample === "" ? "" : `For example ${shownExample}.`,
  ];
  return {
    schema,
    kind: describeSchemaType(resolve, schema, document),
    notes,
    description,
    limits: limits.filter((it) => it !== "").join(" "),
    isObject: whole !== undefined && allowsType(whole, "object"),
    example,
  };
}

/** The separators of list styles, in words. */
const SEPARATORS: Readonly<Record<string, string>> = {
  csv: "commas",
  ssv: "spaces",
  tsv: "tabs",
  pipes: "`|`",
  form: "commas",
  simple: "commas",
  spaceDelimited: "spaces",
  pipeDelimited: "`|`",
};

/** Describes the notation of several values. */
function describeListStyle(value: unknown, whole: MergedSchema, name: string): string {
  const place = getTextMember(value, "in");
  const style = getTextMember(value, "style") ?? (place === "query" || place === "cookie" ? "form" : "simple");
  if (style === "deepObject") return `Written as ${formatCode(`${name}[member]=value`)}.`;
  if (!allowsType(whole, "array") || findKeyword(whole, "items") === undefined) return "";
  const isOld = getOwnMember(value, "schema") === undefined;
  if (isOld && getOwnMember(value, "content") !== undefined) return "";
  const format = isOld ? (getTextMember(value, "collectionFormat") ?? "csv") : style;
  const isRepeated = isOld ? format === "multi" : style === "form" && getOwnMember(value, "explode") !== false;
  if (isRepeated) return place === "header" ? "" : `Several are written as ${formatCode(`${name}=a&${name}=b`)}.`;
  return Object.hasOwn(SEPARATORS, format) ? `Several are separated by ${SEPARATORS[format]}.` : "";
}
