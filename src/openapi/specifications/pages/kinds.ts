// What a value is, in a few words: `string date-time`, `array of Book`, `Card or BankAccount`.

import { isValues, listIn, member, membersIn, nameOfReference, type Resolve, textIn } from "./pointers";
import { choicesOf, elementOf, isSaid, nameOf, said, textOf, type Whole, wholeOf } from "./whole";

/** How deep the name of a type goes, and how many of a choice it names. */
const MAX_DEPTH = 3;
const MAX_NAMED = 6;

const known = new WeakMap<object, string>();

/** What a schema is; empty when it does not say. */
export function kindOf(resolve: Resolve, schema: unknown, document: string | null): string {
  if (!isValues(schema)) return "";
  const kind = known.get(schema) ?? kindAt(resolve, schema, document, 0);
  known.set(schema, kind);
  return kind;
}

function kindAt(resolve: Resolve, schema: unknown, document: string | null, depth: number): string {
  const ref = textIn(schema, "$ref");
  const whole = wholeOf(resolve, schema, document);
  if (!whole || depth > MAX_DEPTH) return ref === undefined ? "" : nameOfReference(ref);
  const kind = bareKind(resolve, schema, whole, depth);
  return isSaid(whole, "nullable") && kind !== "" && !kind.endsWith(OR_NULL) ? `${kind}${OR_NULL}` : kind;
}

function bareKind(resolve: Resolve, schema: unknown, whole: Whole, depth: number): string {
  const type = said(whole, "type")?.value;
  const element = elementOf(whole);
  const isList = type === "array" || (type === undefined && said(whole, "items") !== undefined);
  if (isList || element) {
    const of = element ? kindAt(resolve, element.value, element.document, depth + 1) : "";
    if (isList) return of === "" ? "array" : `array of ${of}`;
    if (nameOf(schema) === undefined || !isValues(schema)) return of === "" ? "object" : `map of ${of}`;
  }
  const choices = choicesOf(resolve, whole).flatMap(({ options }) => options);
  const named =
    textIn(schema, "$ref") !== undefined || listIn(schema, "allOf").length === 1 ? nameOf(schema) : undefined;
  // The name of something without members says less than what it is.
  if (named !== undefined && (isObject(whole, type) || choices.length > 0)) return named;
  const among = oneOfKinds(choices.map(({ value, document }) => kindAt(resolve, value, document, depth + 1)));
  if (among !== "" && (type === undefined || type === "object")) return among;
  if (typeof type === "string") return withFormat(type, whole);
  if (Array.isArray(type)) return withFormat(type.filter((it) => typeof it === "string").join(" or "), whole);
  return isObject(whole, type) ? "object" : (kindOfValues(whole) ?? named ?? "");
}

const OR_NULL = " or null";

/** Several kinds as one; that a value may be null is said once, at the end. */
function oneOfKinds(kinds: readonly string[]): string {
  const withoutNull = kinds.map((kind) => (kind.endsWith(OR_NULL) ? kind.slice(0, -OR_NULL.length) : kind));
  const distinct = [...new Set(withoutNull)].filter((kind) => kind !== "" && kind !== "null");
  const isNullable = kinds.some((kind) => kind === "null" || kind.endsWith(OR_NULL));
  const more = distinct.length - MAX_NAMED;
  const named = distinct.slice(0, MAX_NAMED);
  const words = more > 0 ? `${named.join(", ")} or ${more} others` : named.join(" or ");
  return isNullable && words !== "" ? `${words}${OR_NULL}` : words;
}

function isObject(whole: Whole, type: unknown): boolean {
  if (type === "object" || (Array.isArray(type) && type.includes("object"))) return true;
  return type === undefined && whole.parts.some(({ value }) => membersIn(value, "properties").length > 0);
}

/** The type of the values that are listed, where no type is given. */
function kindOfValues(whole: Whole): string | undefined {
  const values = said(whole, "enum")?.value;
  const [first] = Array.isArray(values) ? values : [said(whole, "const")?.value];
  return ["string", "number", "boolean"].includes(typeof first) ? typeof first : undefined;
}

function withFormat(type: string, whole: Whole): string {
  const format = textOf(whole, "format");
  return format === undefined ? type : `${type} ${format.slice(0, 100)}`;
}

/** Whether a value may be of a type. */
export function isOfType(whole: Whole, name: string): boolean {
  const type = said(whole, "type")?.value;
  return type === name || (Array.isArray(type) && type.includes(name));
}

/** Whether a schema only says which members are needed. */
export function onlyRequires(schema: unknown): boolean {
  return (
    isValues(schema) &&
    Object.keys(schema).every((name) => name === "required" || name === "title") &&
    member(schema, "required") !== undefined
  );
}
