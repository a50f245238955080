// The facts that a list says of a schema, of its members, and of parameters and headers.

import { describeConstraints, formatScalar } from "./constraints";
import { getMemberEntries, getOwnMember, getTextMember, type Located } from "./document";
import { escapeInlineText, formatCode } from "./format-markdown";
import {
  describeSchemaType,
  getSchemaTitle,
  hasOnlyRequired,
  type MergedSchema,
  mergeSchema,
  type SchemaProperty,
} from "./schema";

/** The most members of one schema that have no name, and the most values of a discriminator. */
const MAX_MEMBERS = 200;
/** The depth to which lists in lists are searched for members. */
const MAX_INSIDE = 5;

export interface ValueFacts {
  /** Its type, in a few words. */
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  /** Its constraints, as sentences in Markdown. */
  readonly limits: string;
}

export interface SchemaFacts extends ValueFacts {
  /** The schema whose members are listed: itself, or that of the values in its lists and maps. */
  readonly inside: MergedSchema | undefined;
}

const knownFacts = new WeakMap<MergedSchema, SchemaFacts>();

/** Returns the facts about a schema. They are computed once, because many pages have the same schema. */
export function getSchemaFacts(schema: Located<unknown>): SchemaFacts {
  const whole = mergeSchema(schema);
  const found = whole && knownFacts.get(whole);
  if (found) return found;
  let inside = whole;
  let element = inside?.getElement();
  for (let depth = 1; element && depth < MAX_INSIDE; depth++) {
    inside = mergeSchema(element);
    element = inside?.getElement();
  }
  const hasMembers = !element && inside !== undefined && (inside.propertyCount > 0 || listVariants(inside).length > 0);
  const notes = [
    ["deprecated", "deprecated"],
    ["readOnly", "read-only"],
    ["writeOnly", "write-only"],
  ] as const;
  const facts: SchemaFacts = {
    kind: describeSchemaType(schema),
    notes: notes.filter(([keyword]) => whole?.isTrue(keyword)).map(([, note]) => note),
    description: whole?.getText("description"),
    limits: describeConstraints(whole),
    inside: hasMembers ? inside : undefined,
  };
  if (whole) knownFacts.set(whole, facts);
  return facts;
}

export function listVariants(whole: MergedSchema): Located<unknown>[] {
  return whole
    .listChoices()
    .filter(({ options }) => !options.every(({ value }) => hasOnlyRequired(value)))
    .flatMap(({ options }) => options)
    .filter((option) => (mergeSchema(option)?.propertyCount ?? 0) > 0);
}

/** Lists the members that have no name: those whose names match a pattern, then those with any other name, whose name is empty. */
export function listUnnamedMembers(whole: MergedSchema): SchemaProperty[] {
  const matching = whole.parts.flatMap(({ value: part, document }) =>
    getMemberEntries(part, "patternProperties").map(([name, value]) => ({ name, value, document, isRequired: false })),
  );
  const others = whole.propertyCount > 0 ? whole.getOtherMembers() : undefined;
  return [...matching.slice(0, MAX_MEMBERS), ...(others ? [{ ...others, name: "", isRequired: false }] : [])];
}

/** Describes the member that names the form of a value. Swagger 2 has only its name. */
export function describeDiscriminator(whole: MergedSchema): string {
  const value = whole.get("discriminator");
  const name = typeof value === "string" ? value : getTextMember(value, "propertyName");
  if (name === undefined) return "";
  const mapped = getMemberEntries(value, "mapping")
    .slice(0, MAX_MEMBERS)
    .flatMap(([key, to]) =>
      typeof to === "string" ? [`${formatCode(key)} for ${escapeInlineText(getSchemaTitle({ $ref: to })!)}`] : [],
    );
  return `${formatCode(name)} says which form it has${mapped.length === 0 ? "" : `: ${mapped.join(", ")}`}`;
}

const NAME = /[\p{L}\p{N}_.-]+/gu;
/** A word behind one of these is a format, not a name. */
const BEFORE_FORMAT = /(?:string|number|integer) $/;

/** Splits the description of a type into texts and the names of schemas that `findLink` has links for. */
export function splitType(kind: string, findLink: (name: string) => string | undefined) {
  const parts: { readonly text: string; readonly href?: string }[] = [];
  let position = 0;
  for (const { 0: text, index } of kind.matchAll(NAME)) {
    const href = BEFORE_FORMAT.test(kind.slice(0, index)) ? undefined : findLink(text);
    if (href === undefined) continue;
    parts.push({ text: kind.slice(position, index) }, { text, href });
    position = index + text.length;
  }
  parts.push({ text: kind.slice(position) });
  return parts;
}

export interface ParameterFacts extends ValueFacts {
  readonly schema: Located<unknown>;
  readonly isObject: boolean;
  readonly isList: boolean;
  /** The separator of the items of a list; undefined if each item is sent as a parameter of its own. */
  readonly separator: string | undefined;
  readonly example: unknown;
}

/** The separators of the styles of OpenAPI 3 and the collection formats of Swagger 2. */
const SEPARATORS: Readonly<Record<string, string>> = {
  csv: ",",
  ssv: " ",
  tsv: "\t",
  pipes: "|",
  simple: ",",
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};
const SEPARATOR_WORDS: Readonly<Record<string, string>> = { ",": "commas", " ": "spaces", "\t": "tabs", "|": "`|`" };

export function getParameterFacts(name: string, { value, document }: Located): ParameterFacts {
  const [type, media] = getMemberEntries(value, "content")[0] ?? [];
  // Swagger 2 says in the parameter itself what a schema says.
  const isSwagger = getOwnMember(value, "schema") === undefined;
  const schema = { value: getOwnMember(media, "schema") ?? getOwnMember(value, "schema") ?? value, document };
  const whole = mergeSchema(schema);
  const notes = getOwnMember(value, "required") === true ? ["required"] : [];
  if (getOwnMember(value, "deprecated") === true || whole?.isTrue("deprecated")) notes.push("deprecated");
  // An example beside the schema comes before that of the schema.
  const [, firstExample] = getMemberEntries(value, "examples")[0] ?? [];
  const given = getOwnMember(value, "example") ?? getOwnMember(document.resolve(firstExample)?.value, "value");
  const example = given ?? whole?.example;

  const place = getTextMember(value, "in");
  const style = getTextMember(value, "style") ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const format = isSwagger ? (getTextMember(value, "collectionFormat") ?? "csv") : style;
  const isRepeated = isSwagger ? format === "multi" : format === "form" && getOwnMember(value, "explode") !== false;
  const separator = Object.hasOwn(SEPARATORS, format) ? SEPARATORS[format]! : undefined;
  const isList = whole?.allowsType("array") === true;
  let notation = "";
  if (whole && style === "deepObject") notation = `Written as ${formatCode(`${name}[member]=value`)}.`;
  else if (isList && whole?.find("items") && !(isSwagger && getOwnMember(value, "content") !== undefined)) {
    if (!isRepeated)
      notation = separator === undefined ? "" : `Several are separated by ${SEPARATOR_WORDS[separator]}.`;
    else if (place !== "header") notation = `Several are written as ${formatCode(`${name}=a&${name}=b`)}.`;
  }

  const shownExample = formatScalar(example) ?? "";
  const limits = [
    type === undefined ? "" : `Written as ${formatCode(type)}.`,
    describeConstraints(whole),
    notation,
    shownExample === "" ? "" : `For example ${shownExample}.`,
  ];
  return {
    schema,
    kind: describeSchemaType(schema),
    notes,
    description: getTextMember(value, "description") ?? getTextMember(whole?.itself, "description"),
    limits: limits.filter((it) => it !== "").join(" "),
    isObject: whole?.allowsType("object") === true,
    isList,
    separator: isRepeated && isList && place === "query" ? undefined : (separator ?? ","),
    example,
  };
}
