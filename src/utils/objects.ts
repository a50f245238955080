// Helpers for plain objects.

type RequiredKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];

/** An object type in which members that may be undefined are optional instead. */
export type WithoutUndefined<T> = { [Key in RequiredKeys<T>]: T[Key] } & {
  [Key in Exclude<keyof T, RequiredKeys<T>>]?: Exclude<T[Key], undefined>;
};

/** Returns a copy of an object without the members that are undefined. */
export function omitUndefined<const T extends object>(object: T): WithoutUndefined<T> {
  const copy: Partial<T> = {};
  for (const key of Object.keys(object) as (keyof T)[]) if (object[key] !== undefined) copy[key] = object[key];
  return copy as WithoutUndefined<T>;
}

/** The names that have a meaning in every JavaScript object. No member from outside may have one of them. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Returns true if a value is an object with members, and not a list. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
