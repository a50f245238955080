// Describes the type of a value in a few words: `string date-time`, `array of Book`, `Card or BankAccount`.

import { isJsonObject } from "../../../utils/objects";
import {
  findKeyword,
  getElementSchema,
  getSchemaTitle,
  getTextKeyword,
  isKeywordTrue,
  listChoices,
  type MergedSchema,
  mergeSchema,
} from "./merge-schema";
import {
  getComponentName,
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type ResolveReference,
} from "./resolve-references";

/** The depth of a description, and the most options of a choice that it names. */
const MAX_DEPTH = 3;
const MAX_NAMED = 6;

const knownTypes = new WeakMap<object, string>();

/** Describes the type of a schema; empty if it has none. */
export function describeSchemaType(resolve: ResolveReference, schema: unknown, document: string | null): string {
  if (!isJsonObject(schema)) return "";
  const kind = knownTypes.get(schema) ?? describeAtDepth(resolve, schema, document, 0);
  knownTypes.set(schema, kind);
  return kind;
}

function describeAtDepth(resolve: ResolveReference, schema: unknown, document: string | null, depth: number): string {
  const ref = getTextMember(schema, "$ref");
  const whole = mergeSchema(resolve, schema, document);
  if (!whole || depth > MAX_DEPTH) return ref === undefined ? "" : getComponentName(ref);
  const kind = describeWithoutNull(resolve, schema, whole, depth);
  return isKeywordTrue(whole, "nullable") && kind !== "" && !kind.endsWith(OR_NULL) ? `${kind}${OR_NULL}` : kind;
}

function describeWithoutNull(resolve: ResolveReference, schema: unknown, whole: MergedSchema, depth: number): string {
  const type = findKeyword(whole, "type")?.value;
  const element = getElementSchema(whole);
  const isList = type === "array" || (type === undefined && findKeyword(whole, "items") !== undefined);
  if (isList || element) {
    const of = element ? describeAtDepth(resolve, element.value, element.document, depth + 1) : "";
    if (isList) return of === "" ? "array" : `array of ${of}`;
    if (getSchemaTitle(schema) === undefined || !isJsonObject(schema)) return of === "" ? "object" : `map of ${of}`;
  }
  const choices = listChoices(resolve, whole).flatMap(({ options }) => options);
  const named =
    getTextMember(schema, "$ref") !== undefined || getListMember(schema, "allOf").length === 1
      ? getSchemaTitle(schema)
      : undefined;
  // The name of a schema without members says less than its type.
  if (named !== undefined && (isObjectSchema(whole, type) || choices.length > 0)) return named;
  const options = joinTypes(choices.map(({ value, document }) => describeAtDepth(resolve, value, document, depth + 1)));
  if (options !== "" && (type === undefined || type === "object")) return options;
  if (typeof type === "string") return appendFormat(type, whole);
  if (Array.isArray(type)) return appendFormat(type.filter((it) => typeof it === "string").join(" or "), whole);
  if (isObjectSchema(whole, type)) return "object";
  // Without a type, that of the listed values counts.
  const values = findKeyword(whole, "enum")?.value;
  const [first] = Array.isArray(values) ? values : [findKeyword(whole, "const")?.value];
  return ["string", "number", "boolean"].includes(typeof first) ? typeof first : (named ?? "");
}

const OR_NULL = " or null";

/** Joins several types. That a value may be null is said once, at the end. */
function joinTypes(kinds: readonly string[]): string {
  const withoutNull = kinds.map((kind) => (kind.endsWith(OR_NULL) ? kind.slice(0, -OR_NULL.length) : kind));
  const distinct = [...new Set(withoutNull)].filter((kind) => kind !== "" && kind !== "null");
  const isNullable = kinds.some((kind) => kind === "null" || kind.endsWith(OR_NULL));
  const more = distinct.length - MAX_NAMED;
  const named = distinct.slice(0, MAX_NAMED);
  const words = more > 0 ? `${named.join(", ")} or ${more} others` : named.join(" or ");
  return isNullable && words !== "" ? `${words}${OR_NULL}` : words;
}

function isObjectSchema(whole: MergedSchema, type: unknown): boolean {
  if (type === "object" || (Array.isArray(type) && type.includes("object"))) return true;
  return type === undefined && whole.parts.some(({ value }) => getMemberEntries(value, "properties").length > 0);
}

function appendFormat(type: string, whole: MergedSchema): string {
  const format = getTextKeyword(whole, "format");
  return format === undefined ? type : `${type} ${format.slice(0, 100)}`;
}

/** Returns true if a value may be of a type. */
export function allowsType(whole: MergedSchema, name: string): boolean {
  const type = findKeyword(whole, "type")?.value;
  return type === name || (Array.isArray(type) && type.includes(name));
}

/** Returns true if a schema only says which members are required. */
export function hasOnlyRequired(schema: unknown): boolean {
  return (
    isJsonObject(schema) &&
    Object.keys(schema).every((name) => name === "required" || name === "title") &&
    getOwnMember(schema, "required") !== undefined
  );
}
