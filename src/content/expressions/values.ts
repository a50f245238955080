// What an expression can reach: plain data, by its own keys. Nothing inherited, no getter, no function.

/** An error in an expression that could be parsed, such as a field of undefined. */
export class ExpressionFailed extends Error {
  override readonly name = "ExpressionFailed";
}

/** A value that compares and calculates as in JavaScript. */
export type Primitive = string | number | boolean | null | undefined;

/** How long a text may be that an expression makes or gives back. */
export const MAX_TEXT = 10_000;

/** Keys that lead to prototypes are undefined, even if somebody's data has them. */
const CLOSED = new Set(["__proto__", "constructor", "prototype"]);

/** A value that is not an object. An object would run its own conversion, or hide what the author meant. */
export function primitive(value: unknown): Primitive {
  if (typeof value === "object" && value !== null)
    throw new ExpressionFailed("A list or an object is used where a text or a number is needed.");
  return value as Primitive;
}

/** A text that is not too long. */
export function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw new ExpressionFailed(`A text is longer than ${MAX_TEXT} characters.`);
  return text;
}

/** The member of a value under a key, or undefined. */
export function memberOf(value: unknown, key: unknown): unknown {
  if (value === undefined || value === null)
    throw new ExpressionFailed(`${String(value)} has no members; write ?. where it may be missing.`);
  const name = String(primitive(key));
  if (typeof value === "string") return memberOfText(value, name);
  return typeof value === "object" ? ownValue(value, name) : undefined;
}

/** Whether a list or an object has a key of its own. */
export function hasKey(value: unknown, key: unknown): boolean {
  if (typeof value !== "object" || value === null) throw new ExpressionFailed("in looks into a list or an object.");
  const name = String(primitive(key));
  return !CLOSED.has(name) && Object.hasOwn(value, name);
}

/** An object's own value under a key, or undefined. */
export function ownValue(object: object, key: string): unknown {
  if (CLOSED.has(key)) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value;
  return isData(value) ? value : undefined;
}

function memberOfText(text: string, name: string): string | number | undefined {
  return name === "length" ? text.length : /^(?:0|[1-9]\d*)$/.test(name) ? text[Number(name)] : undefined;
}

function isData(value: unknown): boolean {
  return typeof value === "object" || ["string", "number", "boolean"].includes(typeof value);
}
