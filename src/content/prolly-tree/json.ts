// The values of a map. Equal values have the same JSON text, whatever the order of their members, so that equal maps
// consist of equal nodes.

/** A JSON value. Values that the map returns are frozen. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** The deepest nesting of a value. */
export const MAX_VALUE_DEPTH = 64;

/**
 * Returns a copy of a value with its members in canonical order: integer names first, as in JavaScript, then the others
 * by their characters. Parsing its text and serializing it again gives the same text. Undefined members are left out, as
 * in JSON. Throws a `RangeError` for a value that is not JSON or is nested too deeply.
 */
export function canonicalizeJson(value: unknown, depth = MAX_VALUE_DEPTH): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") throw new RangeError(`A value holds ${String(value)}, which is not JSON.`);
  if (depth === 0) throw new RangeError(`A value is nested deeper than ${MAX_VALUE_DEPTH}.`);
  if (Array.isArray(value)) return value.map((item) => canonicalizeJson(item, depth - 1));
  // Without a prototype, `__proto__` is a member like any other.
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) copy[name] = canonicalizeJson(member, depth - 1);
  }
  return copy;
}

export function deepFreeze(value: JsonValue): JsonValue {
  if (value === null || typeof value !== "object") return value;
  for (const name in value) {
    const member = (value as Record<string, JsonValue>)[name]!;
    if (typeof member === "object") deepFreeze(member);
  }
  return Object.freeze(value);
}
