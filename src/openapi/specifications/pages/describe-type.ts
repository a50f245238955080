// Describes the type of a value in a few words: `string date-time`, `array of Book`, `Card or BankAccount`.

import { isJsonObject } from "../../../utils/objects";
import {
  countProperties,
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
  getOwnMember,
  getTextMember,
  type ResolveReference,
} from "./resolve-references";

/** The depth of a description, and the most options of a choice that it names. */
const MAX_DEPTH = 3;
const MAX_NAMED = 6;

const OR_NULL = " or null";

const knownTypes = new WeakMap<object, string>();

/** Describes the type of a schema; empty if it has none. */
export function describeSchemaType(
  resolve: ResolveReference,
  schema: unknown,
  document: string | null,
  depth = 0,
): string {
  const known = depth === 0 && isJsonObject(schema) ? knownTypes.get(schema) : undefined;
  if (known !== undefined) return known;
  const whole = mergeSchema(resolve, schema, document);
  let kind = "";
  if (whole && depth <= MAX_DEPTH) {
    kind = describeWithoutNull(resolve, schema, whole, depth);
    if (isKeywordTrue(whole, "nullable") && kind !== "" && !kind.endsWith(OR_NULL)) kind += OR_NULL;
  } else {
    const ref = getTextMember(schema, "$ref");
    if (ref !== undefined) kind = getComponentName(ref);
  }
  if (depth === 0 && isJsonObject(schema)) knownTypes.set(schema, kind);
  return kind;
}

function describeWithoutNull(resolve: ResolveReference, schema: unknown, whole: MergedSchema, depth: number): string {
  const type = findKeyword(whole, "type")?.value;
  const element = getElementSchema(whole);
  const isList = type === "array" || (type === undefined && findKeyword(whole, "items") !== undefined);
  if (isList || element) {
    const of = element ? describeSchemaType(resolve, element.value, element.document, depth + 1) : "";
    if (isList) return of === "" ? "array" : `array of ${of}`;
    if (getSchemaTitle(schema) === undefined || !isJsonObject(schema)) return of === "" ? "object" : `map of ${of}`;
  }
  const isObject =
    type === undefined
      ? countProperties(whole) > 0
      : type === "object" || (Array.isArray(type) && type.includes("object"));
  const choices = listChoices(resolve, whole).flatMap(({ options }) => options);
  const named =
    getTextMember(schema, "$ref") !== undefined || getListMember(schema, "allOf").length === 1
      ? getSchemaTitle(schema)
      : undefined;
  // The name of a schema without members says less than its type.
  if (named !== undefined && (isObject || choices.length > 0)) return named;

  if (type === undefined || type === "object") {
    // The types of a choice. That a value may be null is said once, at the end.
    const kinds = choices.map(({ value, document }) => describeSchemaType(resolve, value, document, depth + 1));
    const withoutNull = kinds.map((kind) => (kind.endsWith(OR_NULL) ? kind.slice(0, -OR_NULL.length) : kind));
    const distinct = [...new Set(withoutNull)].filter((kind) => kind !== "" && kind !== "null");
    const isNullable = kinds.some((kind) => kind === "null" || kind.endsWith(OR_NULL));
    const more = distinct.length - MAX_NAMED;
    const shown = distinct.slice(0, MAX_NAMED);
    const words = more > 0 ? `${shown.join(", ")} or ${more} others` : shown.join(" or ");
    if (words !== "") return isNullable ? `${words}${OR_NULL}` : words;
  }

  const typeWords = Array.isArray(type) ? type.filter((it) => typeof it === "string").join(" or ") : type;
  if (typeof typeWords === "string") {
    const format = getTextKeyword(whole, "format");
    return format === undefined ? typeWords : `${typeWords} ${format.slice(0, 100)}`;
  }
  if (isObject) return "object";
  // Without a type, that of the listed values counts.
  const values = findKeyword(whole, "enum")?.value;
  const [first] = Array.isArray(values) ? values : [findKeyword(whole, "const")?.value];
  return ["string", "number", "boolean"].includes(typeof first) ? typeof first : (named ?? "");
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
