// Writes schemas as nested lists of their members. A page lists the members of a schema once: where the schema occurs again, also
// inside itself, the list says so.

import { isJsonObject } from "../../../utils/objects";
import { describeConstraints } from "./constraints";
import { describeSchemaType, hasOnlyRequired } from "./describe-type";
import { escapeInlineText, formatCode } from "./format-markdown";
import {
  countProperties,
  findKeyword,
  getElementSchema,
  getSchemaTitle,
  getTextKeyword,
  isKeywordTrue,
  listChoices,
  listProperties,
  type MergedSchema,
  mergeSchema,
  type SchemaChoice,
  type SchemaProperty,
} from "./merge-schema";
import type { PageWriter } from "./page-writer";
import { getMemberEntries, getTextMember, type Located, type ResolveReference } from "./resolve-references";

/** The depth to which members are nested. */
const MAX_DEPTH = 3;
/** The most members of one schema. */
const MAX_MEMBERS = 200;
/** The depth to which lists in lists are searched for members. */
const MAX_INSIDE = 5;

/** Writes the members of a schema as a list; empty if it has none. */
export function writeMembers(writing: PageWriter, schema: unknown, document: string | null): string {
  const lines: string[] = [];
  const { inside } = getSchemaFacts(writing.resolve, { schema, document });
  if (!inside) return "";
  if (decideListing(writing, inside, 0) === "as above") {
    const name = getSchemaTitle(schema) ?? getSchemaTitle(isJsonObject(schema) ? schema.items : undefined) ?? "it";
    return `The members of ${escapeInlineText(name)} are listed above.`;
  }
  writeMemberLines(writing, inside, 0, lines);
  return lines.join("\n");
}

/** Lists the options of choices that have their own members. */
export function listVariants(resolve: ResolveReference, whole: MergedSchema): Located<unknown>[] {
  return listChoices(resolve, whole)
    .filter(({ options }: SchemaChoice) => !options.every(({ value }) => hasOnlyRequired(value)))
    .flatMap(({ options }) => options)
    .filter(({ value, document }) => {
      const option = mergeSchema(resolve, value, document);
      return option && countProperties(option) > 0;
    });
}

/** Decides how the members of a schema are listed. */
function decideListing(writing: PageWriter, { itself }: MergedSchema, depth: number): "shown" | "as above" | "cut" {
  const known = writing.shown.get(itself);
  if (known && !(known.isCut && depth < known.depth)) return "as above";
  return depth > MAX_DEPTH || !writing.hasRoom ? "cut" : "shown";
}

function writeMemberLines(writing: PageWriter, whole: MergedSchema, depth: number, lines: string[]): void {
  const here = { depth, isCut: false };
  writing.shown.set(whole.itself, here);
  const add = (text: string) => lines.push(writing.take(indentLines(`* ${text}`, depth)));
  const properties = listProperties(whole);
  let shown = 0;
  for (const property of properties) {
    if (shown >= MAX_MEMBERS || !writing.hasRoom) break;
    shown++;
    here.isCut = writeMemberEntry(writing, formatCode(property.name), property, depth, lines) || here.isCut;
  }
  const left = countProperties(whole) - shown;
  if (left > 0 && shown < properties.length) {
    here.isCut = true;
    add(`… and ${left} more members, which are not shown here`);
    return;
  }
  for (const [pattern, schema] of listPatternProperties(whole)) {
    const property: SchemaProperty = { name: pattern, ...schema, isRequired: false };
    here.isCut =
      writeMemberEntry(writing, `names that match ${formatCode(pattern)}`, property, depth, lines) || here.isCut;
  }
  const others = findKeyword(whole, "additionalProperties");
  if (others && isJsonObject(others.value) && Object.keys(others.value).length > 0 && properties.length > 0) {
    const property: SchemaProperty = { name: "", schema: others.value, document: others.document, isRequired: false };
    here.isCut = writeMemberEntry(writing, "any other name", property, depth, lines) || here.isCut;
  }

  // The forms that a value may have, each with its members.
  const forms = listVariants(writing.resolve, whole);
  const which = describeDiscriminator(whole);
  if (which !== "") add(which);
  for (const [i, { value, document }] of forms.entries()) {
    if (!writing.hasRoom) return;
    const form = mergeSchema(writing.resolve, value, document)!;
    const name = getSchemaTitle(value);
    const unnamed = forms.length === 1 ? "If it is an object" : `In form ${i + 1} of ${forms.length}`;
    const words = name === undefined ? unnamed : `If it is **${writing.linkType(name)}**`;
    const state = form.itself === whole.itself ? "as above" : decideListing(writing, form, depth + 1);
    const behind = state === "shown" ? ":" : state === "cut" ? ": more members" : ": the members listed above";
    add(`${words}${behind}`);
    if (state === "shown") writeMemberLines(writing, form, depth + 1, lines);
  }
}

/** Lists the schemas of members whose names match a pattern. */
export function listPatternProperties({
  parts,
}: MergedSchema): [string, { schema: unknown; document: string | null }][] {
  return parts.flatMap(({ value, document }) =>
    getMemberEntries(value, "patternProperties")
      .slice(0, MAX_MEMBERS)
      .map(([name, schema]): [string, { schema: unknown; document: string | null }] => [name, { schema, document }]),
  );
}

/** Describes the member that names the form of a value. Swagger 2 has only its name. */
export function describeDiscriminator(whole: MergedSchema): string {
  const value = findKeyword(whole, "discriminator")?.value;
  const name = typeof value === "string" ? value : getTextMember(value, "propertyName");
  if (name === undefined) return "";
  const mapped = getMemberEntries(value, "mapping")
    .slice(0, MAX_MEMBERS)
    .flatMap(([key, to]) =>
      typeof to === "string" ? [`${formatCode(key)} for ${escapeInlineText(getSchemaTitle({ $ref: to })!)}`] : [],
    );
  return `${formatCode(name)} says which form it has${mapped.length === 0 ? "" : `: ${mapped.join(", ")}`}`;
}

/** The facts about a schema that lists show. */
export interface SchemaFacts {
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  readonly limits: string;
  readonly inside: MergedSchema | undefined;
}

const knownFacts = new WeakMap<MergedSchema, SchemaFacts>();

/** Returns the facts about a schema. They are computed once, because many pages have the same schema. */
export function getSchemaFacts(
  resolve: ResolveReference,
  { schema, document }: Pick<SchemaProperty, "schema" | "document">,
): SchemaFacts {
  const whole = mergeSchema(resolve, schema, document);
  const found = whole && knownFacts.get(whole);
  if (found) return found;
  // The members that are listed are those of the schema itself, or of the values in its lists and maps.
  let inside = whole;
  let element = inside && getElementSchema(inside);
  for (let depth = 1; element && depth < MAX_INSIDE; depth++) {
    inside = mergeSchema(resolve, element.value, element.document);
    element = inside && getElementSchema(inside);
  }
  const hasMembers =
    !element && inside !== undefined && (countProperties(inside) > 0 || listVariants(resolve, inside).length > 0);
  const notes: string[] = [];
  if (whole && isKeywordTrue(whole, "deprecated")) notes.push("deprecated");
  if (whole && isKeywordTrue(whole, "readOnly")) notes.push("read-only");
  if (whole && isKeywordTrue(whole, "writeOnly")) notes.push("write-only");
  const facts: SchemaFacts = {
    kind: describeSchemaType(resolve, schema, document),
    notes,
    description: whole && getTextKeyword(whole, "description"),
    limits: whole ? describeConstraints(resolve, whole) : "",
    inside: hasMembers ? inside : undefined,
  };
  if (whole) knownFacts.set(whole, facts);
  return facts;
}

/** Writes a member with its own members. Returns true if something was left out. */
function writeMemberEntry(
  writing: PageWriter,
  label: string,
  property: SchemaProperty,
  depth: number,
  lines: string[],
): boolean {
  const known = getSchemaFacts(writing.resolve, property);
  const { inside } = known;
  const state = inside && decideListing(writing, inside, depth + 1);
  const more = state === "as above" ? ["members listed above"] : state === "cut" ? ["with more members"] : [];
  const { kind, description, limits } = known;
  const notes = [...(property.isRequired ? ["required"] : []), ...known.notes, ...more];
  lines.push(writeEntry(writing, { label, kind, notes, description, limits }, depth, state === "shown"));
  if (inside && state === "shown") writeMemberLines(writing, inside, depth + 1, lines);
  return state === "cut" || (inside !== undefined && writing.shown.get(inside.itself)?.isCut === true);
}

/** The content of an entry of a list. */
export interface ListEntry {
  readonly label: string;
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  /** The constraints, as sentences. */
  readonly limits: string;
}

/** Writes an entry of a list. A description of several paragraphs stands below its name. */
export function writeEntry(
  writing: PageWriter,
  { label, kind, notes, description, limits }: ListEntry,
  depth: number,
  isFollowed: boolean,
): string {
  const notesAndType = [...(kind === "" ? [] : [writing.linkType(kind)]), ...notes].join(", ");
  const head = `* ${label}${notesAndType === "" ? "" : ` (${notesAndType})`}`;
  const { text, isParagraph, endsWithList } = writing.describe(description, "item");
  writing.take(head);
  writing.take(limits);
  if (isParagraph) {
    const isSentence = /[.!?:;…]["')*_`]*$/.test(text.slice(-10));
    const separator = text !== "" && limits !== "" && !isSentence ? "." : "";
    const words = [`${text}${separator}`, limits].filter((it) => it !== "").join(" ");
    return indentLines(words === "" ? head : `${head}: ${words}`, depth);
  }
  // A list that follows another one would continue it.
  const between = endsWithList && isFollowed && limits === "" ? "Members:" : "";
  const below = [text, limits, between].filter((it) => it !== "").map((it) => indentLines(it, 1));
  return indentLines([head, ...below].join("\n\n"), depth);
}

function indentLines(text: string, depth: number): string {
  if (depth === 0) return text;
  const space = "  ".repeat(depth);
  if (!text.includes("\n")) return space + text;
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : space + line))
    .join("\n");
}

/** Writes the constraints of a value that stands alone, as a paragraph. */
export function writeConstraints(writing: PageWriter, schema: unknown, document: string | null): string {
  const whole = mergeSchema(writing.resolve, schema, document);
  return whole ? describeConstraints(writing.resolve, whole) : "";
}
