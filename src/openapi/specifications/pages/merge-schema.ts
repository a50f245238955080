// Merges a schema with the schemas of its `allOf`, and with the keywords beside a reference. A schema that refers to itself is
// included once.

import { isJsonObject } from "../../../utils/objects";
import {
  getComponentName,
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type ResolveReference,
  type SpecificationObject,
} from "./resolve-references";

/** A schema with everything that applies. */
export interface MergedSchema {
  /** Its parts: the keywords beside the reference, the schema itself, then those of `allOf`. */
  readonly parts: readonly Located[];
  /** The object to which it was resolved. It is the same wherever the schema is referred to. */
  readonly itself: object;
  /** The number of parts that do not come from `allOf`. */
  readonly ownCount: number;
}

/** The most parts of a schema, and the most properties that are read. */
const MAX_PARTS = 100;
const MAX_PROPERTIES = 1000;

/** The merged schemas. A schema stands in one document, and is used on many pages. */
const mergedSchemas = new WeakMap<object, MergedSchema>();

/** Merges a schema with everything that applies; undefined if it leads nowhere. */
export function mergeSchema(
  resolve: ResolveReference,
  schema: unknown,
  document: string | null,
): MergedSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  const known = mergedSchemas.get(schema);
  if (known) return known;
  const parts: Located[] = [];
  const seen = new Set<unknown>();
  const addPart = (value: unknown, inside: string | null) => {
    const found = resolve(value, inside);
    if (!found || seen.has(found.value) || seen.size >= MAX_PARTS) return;
    seen.add(found.value);
    if (found.value !== value && isJsonObject(value) && Object.keys(value).length > 1)
      parts.push({ value: { ...value, $ref: undefined }, document: inside });
    parts.push(found);
    for (const part of getListMember(found.value, "allOf").slice(0, MAX_PARTS)) addPart(part, found.document);
  };
  addPart(schema, document);
  const itself = getSchemaIdentity(resolve, schema, document);
  if (itself === undefined) return undefined;
  const merged = { parts, itself, ownCount: parts.findIndex(({ value }) => value === itself) + 1 };
  mergedSchemas.set(schema, merged);
  return merged;
}

/** Returns the object that a schema stands for. A schema that only includes another one, to describe it, stands for that one. */
function getSchemaIdentity(
  resolve: ResolveReference,
  schema: unknown,
  document: string | null,
): SpecificationObject | undefined {
  let found = resolve(schema, document);
  for (let hops = 0; found && hops < MAX_PARTS; hops++) {
    const parts = getListMember(found.value, "allOf");
    const hasOwnContent = ["properties", "oneOf", "anyOf", "items"].some(
      (name) => getOwnMember(found?.value, name) !== undefined,
    );
    const inner = parts.length === 1 && !hasOwnContent ? resolve(parts[0], found.document) : undefined;
    if (!inner) return found.value;
    found = inner;
  }
  return found?.value;
}

/** Finds the first value of a keyword, with its document. */
export function findKeyword(whole: MergedSchema, name: string): Located<unknown> | undefined {
  for (const { value, document } of whole.parts) {
    const found = getOwnMember(value, name);
    if (found !== undefined) return { value: found, document };
  }
  return undefined;
}

/** Returns the value of a keyword without those of `allOf`: an example of a part is not an example of the whole. */
export function getOwnKeyword(whole: MergedSchema, name: string): unknown {
  return findKeyword({ ...whole, parts: whole.parts.slice(0, whole.ownCount) }, name)?.value;
}

/** Returns the example of a schema. */
export function getSchemaExample(whole: MergedSchema): unknown {
  const several = getOwnKeyword(whole, "examples");
  return getOwnKeyword(whole, "example") ?? (Array.isArray(several) ? several[0] : undefined);
}

/** Returns the value of a keyword that is a text. */
export function getTextKeyword(whole: MergedSchema, name: string): string | undefined {
  const found = findKeyword(whole, name)?.value;
  return typeof found === "string" ? found : undefined;
}

/** Returns true if a keyword is true. */
export function isKeywordTrue(whole: MergedSchema, name: string): boolean {
  return whole.parts.some(({ value }) => getOwnMember(value, name) === true);
}

/** A property of an object, with its schema. */
export interface SchemaProperty {
  readonly name: string;
  readonly schema: unknown;
  readonly document: string | null;
  readonly isRequired: boolean;
}

/** Lists the properties of a schema. Of those with the same name, the nearest counts. */
export function listProperties(whole: MergedSchema): SchemaProperty[] {
  const { parts, ownCount } = whole;
  const required = new Set(parts.flatMap(({ value }) => getListMember(value, "required").slice(0, MAX_PROPERTIES)));
  const found = new Map<string, SchemaProperty>();
  // Included properties come first, as one reads them, but nearer ones win.
  for (const { value, document } of [...parts.slice(ownCount), ...parts.slice(0, ownCount)])
    for (const [name, schema] of getMemberEntries(value, "properties").slice(0, MAX_PROPERTIES))
      found.set(name, { name, schema, document, isRequired: required.has(name) });
  return [...found.values()];
}

/** Counts the properties of a schema. */
export function countProperties({ parts }: MergedSchema): number {
  return parts.reduce((sum, { value }) => sum + getMemberEntries(value, "properties").length, 0);
}

/** A choice among schemas. */
export interface SchemaChoice {
  readonly options: readonly Located<unknown>[];
}

/** Lists the `oneOf` and `anyOf` of a schema, without equal options. */
export function listChoices(resolve: ResolveReference, whole: MergedSchema): SchemaChoice[] {
  return whole.parts.flatMap(({ value, document }) =>
    ["oneOf", "anyOf"].flatMap((name) => {
      const seen = new Set<unknown>();
      const options = getListMember(value, name).slice(0, MAX_PARTS);
      const distinct = options.filter((option) => {
        const itself = resolve(option, document)?.value ?? option;
        return !seen.has(itself) && seen.add(itself);
      });
      return distinct.length === 0 ? [] : [{ options: distinct.map((value) => ({ value, document })) }];
    }),
  );
}

/** Returns the name of a schema: that of its reference, or its title. */
export function getSchemaTitle(schema: unknown): string | undefined {
  const ref = getTextMember(schema, "$ref");
  if (ref !== undefined) return getComponentName(ref);
  // A reference with something beside it.
  const parts = getListMember(schema, "allOf");
  return getTextMember(schema, "title") ?? (parts.length === 1 ? getSchemaTitle(parts[0]) : undefined);
}

/** Returns the schema of the items of a list, or of the values of a map; undefined if it is neither. */
export function getElementSchema(whole: MergedSchema): Located<unknown> | undefined {
  const items = findKeyword(whole, "items");
  if (items && isJsonObject(items.value)) return items;
  if (countProperties(whole) > 0) return undefined;
  const values = findKeyword(whole, "additionalProperties");
  return values && isJsonObject(values.value) && Object.keys(values.value).length > 0 ? values : undefined;
}
