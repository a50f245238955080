// The values that an expression can reach: plain data, by its own keys. Nothing inherited, no getter, no function.

import { FORBIDDEN_NAMES } from "../../utils/objects";

/** An error in an expression that could be parsed, such as a field of undefined. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

/** A value that compares and calculates as in JavaScript. */
export type Primitive = string | number | boolean | null | undefined;

/** The most characters of a text that an expression creates or returns. */
export const MAX_TEXT_CHARACTERS = 10_000;

/** Returns a value that is not an object. An object would run its own conversion, or hide what the author meant. */
export function toPrimitive(value: unknown): Primitive {
  if (typeof value === "object" && value !== null)
    throw new ExpressionError("A list or an object is used where a text or a number is needed.");
  return value as Primitive;
}

export function getMember(value: unknown, key: unknown): unknown {
  if (value === undefined || value === null)
    throw new ExpressionError(`${String(value)} has no members; write ?. where it may be missing.`);
  const name = String(toPrimitive(key));
  if (typeof value !== "string") return typeof value === "object" ? getOwnValue(value, name) : undefined;
  if (name === "length") return value.length;
  return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
}

/** Returns an object's own value under a key, or undefined. Functions are no values. */
export function getOwnValue(object: object, key: string): unknown {
  // Keys that lead to prototypes are undefined, even if the data has them.
  if (FORBIDDEN_NAMES.has(key)) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value;
  return ["object", "string", "number", "boolean"].includes(typeof value) ? value : undefined;
}
