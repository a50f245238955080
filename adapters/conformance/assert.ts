// What the cases assert with, so that the suite depends on no test runner.

import type { StorageError } from "../adapter";

/** Fails with a message unless a condition holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails unless two values are the same JSON; the order of members does not matter, `undefined` is a value. */
export function assertEqual(actual: unknown, expected: unknown, message: string): void {
  if (!isEqual(actual, expected))
    throw new Error(`${message}: expected ${formatValue(expected)}, got ${formatValue(actual)}`);
}

/** Fails unless the call throws, at once or later, an error of the contract with this code. */
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

/** Whether two values are the same JSON. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const members = Object.keys(a);
  return (
    members.length === Object.keys(b).length &&
    members.every((name) => Object.hasOwn(b, name) && isEqual(member(a, name), member(b, name)))
  );
}

function member(object: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (inner === undefined ? "(undefined)" : inner)) ?? "undefined";
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
}
