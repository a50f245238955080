// Assertions for the cases, so that the suite depends on no test runner.

import type { StorageError } from "../adapter";

/** Throws an error with this message unless the condition is true. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Throws unless two values are equal as JSON. The order of members does not matter, and `undefined` counts as a value. */
export function assertEqual(actual: unknown, expected: unknown, message: string): void {
  if (!isEqual(actual, expected))
    throw new Error(`${message}: expected ${formatValue(expected)}, got ${formatValue(actual)}`);
}

/** Throws unless the call fails, synchronously or not, with a storage error that has this code. */
export async function assertRefuses(code: StorageError["code"], call: () => unknown, message: string): Promise<void> {
  let answer: unknown;
  try {
    answer = await call();
  } catch (error) {
    const thrown = (error as Partial<StorageError>).code;
    if (thrown !== code) throw new Error(`${message}: expected the error "${code}", got ${String(error)}`);
    return;
  }
  throw new Error(`${message}: expected the error "${code}", got ${formatValue(answer)}`);
}

/** Returns whether two values are equal as JSON. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const members = Object.keys(a);
  return (
    members.length === Object.keys(b).length &&
    members.every((name) => {
      // A descriptor, because `a.__proto__` would not return a member of that name.
      const [own, other] = [a, b].map((object) => Object.getOwnPropertyDescriptor(object, name));
      return other !== undefined && isEqual(own?.value, other.value);
    })
  );
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (inner === undefined ? "(undefined)" : inner)) ?? "undefined";
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
}
