// A schema together with what `allOf` adds to it, and what stands beside a reference. Whatever refers to itself is met once.

import {
  isValues,
  listIn,
  member,
  membersIn,
  nameOfReference,
  type Placed,
  type Resolve,
  textIn,
  type Values,
} from "./pointers";

/** A schema as it applies. */
export interface Whole {
  /** Its parts: what stands beside the reference, the schema itself, then those of `allOf`. */
  readonly parts: readonly Placed[];
  /** What it was resolved to, which is the same object wherever it is referred to. */
  readonly itself: object;
}

/** The most parts of a schema, and the most properties that are looked at. */
const MAX_PARTS = 100;
const MAX_PROPERTIES = 1000;

/** Schemas that were put together. A schema stands in one document, and is met on many pages. */
const known = new WeakMap<object, Whole>();

/** A schema with everything that applies; undefined when it leads nowhere. */
export function wholeOf(resolve: Resolve, schema: unknown, document: string | null): Whole | undefined {
  if (!isValues(schema)) return undefined;
  const found = known.get(schema) ?? putTogether(resolve, schema, document);
  if (found) known.set(schema, found);
  return found;
}

function putTogether(resolve: Resolve, schema: unknown, document: string | null): Whole | undefined {
  const parts: Placed[] = [];
  const seen = new Set<unknown>();
  const add = (value: unknown, inside: string | null) => {
    const found = resolve(value, inside);
    if (!found || seen.has(found.value) || seen.size >= MAX_PARTS) return;
    seen.add(found.value);
    if (found.value !== value && isValues(value) && Object.keys(value).length > 1)
      parts.push({ value: { ...value, $ref: undefined }, document: inside });
    parts.push(found);
    for (const part of listIn(found.value, "allOf").slice(0, MAX_PARTS)) add(part, found.document);
  };
  add(schema, document);
  const itself = identityOf(resolve, schema, document);
  return itself === undefined ? undefined : { parts, itself };
}

/** What a schema stands for. One that only includes another, to say more about it, stands for that one. */
function identityOf(resolve: Resolve, schema: unknown, document: string | null): Values | undefined {
  let found = resolve(schema, document);
  for (let hops = 0; found && hops < MAX_PARTS; hops++) {
    const parts = listIn(found.value, "allOf");
    const isMore = ["properties", "oneOf", "anyOf", "items"].some((name) => member(found?.value, name) !== undefined);
    const inner = parts.length === 1 && !isMore ? resolve(parts[0], found.document) : undefined;
    if (!inner) return found.value;
    found = inner;
  }
  return found?.value;
}

/** The first that a schema says under a name, with the document in which it says so. */
export function said(whole: Whole, name: string): Placed<unknown> | undefined {
  for (const { value, document } of whole.parts) {
    const found = member(value, name);
    if (found !== undefined) return { value: found, document };
  }
  return undefined;
}

/** The same, without what `allOf` adds: an example of a part is none of the whole. */
export function saidItself(whole: Whole, name: string): unknown {
  return said({ ...whole, parts: whole.parts.slice(0, ownParts(whole)) }, name)?.value;
}

function ownParts({ parts, itself }: Whole): number {
  return parts.findIndex(({ value }) => value === itself) + 1;
}

/** The example that a schema gives. */
export function exampleIn(whole: Whole): unknown {
  const several = saidItself(whole, "examples");
  return saidItself(whole, "example") ?? (Array.isArray(several) ? several[0] : undefined);
}

/** A text that a schema says. */
export function textOf(whole: Whole, name: string): string | undefined {
  const found = said(whole, name)?.value;
  return typeof found === "string" ? found : undefined;
}

/** Whether a schema says yes to something. */
export function isSaid(whole: Whole, name: string): boolean {
  return whole.parts.some(({ value }) => member(value, name) === true);
}

/** A member of an object, as its schema has it. */
export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly document: string | null;
  readonly isRequired: boolean;
}

/** The members that a schema names; of those with the same name, the nearest. */
export function propertiesOf(whole: Whole): Property[] {
  const { parts } = whole;
  const required = new Set(parts.flatMap(({ value }) => listIn(value, "required").slice(0, MAX_PROPERTIES)));
  const found = new Map<string, Property>();
  // What is included stands first, as one reads it; but what stands nearer wins.
  const own = ownParts(whole);
  for (const { value, document } of [...parts.slice(own), ...parts.slice(0, own)])
    for (const [name, schema] of membersIn(value, "properties").slice(0, MAX_PROPERTIES))
      found.set(name, { name, schema, document, isRequired: required.has(name) });
  return [...found.values()];
}

/** How many members a schema names. */
export function countOfProperties({ parts }: Whole): number {
  return parts.reduce((sum, { value }) => sum + membersIn(value, "properties").length, 0);
}

/** A choice among schemas. */
export interface Choice {
  readonly options: readonly Placed<unknown>[];
}

/** The choices that a schema leaves, without options that are the same. */
export function choicesOf(resolve: Resolve, whole: Whole): Choice[] {
  return whole.parts.flatMap(({ value, document }) =>
    ["oneOf", "anyOf"].flatMap((name) => {
      const seen = new Set<unknown>();
      const options = listIn(value, name).slice(0, MAX_PARTS);
      const distinct = options.filter((option) => {
        const itself = resolve(option, document)?.value ?? option;
        return !seen.has(itself) && seen.add(itself);
      });
      return distinct.length === 0 ? [] : [{ options: distinct.map((value) => ({ value, document })) }];
    }),
  );
}

/** What a schema is called: by its reference, else by its title. */
export function nameOf(schema: unknown): string | undefined {
  const ref = textIn(schema, "$ref");
  if (ref !== undefined) return nameOfReference(ref);
  // A reference with something beside it.
  const parts = listIn(schema, "allOf");
  return textIn(schema, "title") ?? (parts.length === 1 ? nameOf(parts[0]) : undefined);
}

/** What is inside of a list, or of an object whose members have any names; undefined: neither. */
export function elementOf(whole: Whole): Placed<unknown> | undefined {
  const items = said(whole, "items");
  if (items && isValues(items.value)) return items;
  if (whole.parts.some(({ value }) => membersIn(value, "properties").length > 0)) return undefined;
  const values = said(whole, "additionalProperties");
  return values && isValues(values.value) && Object.keys(values.value).length > 0 ? values : undefined;
}
