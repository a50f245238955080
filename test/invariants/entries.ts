// Comparing what two storages hold.

import { expect } from "vitest";

/** Whether two dumps hold the same. */
export function isEqual(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}

/** Asserts that two dumps hold the same. Most do, and vitest takes a hundred times as long to see it. */
export function expectEqual(
  actual: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  told?: string,
): void {
  if (!isEqual(actual, wanted)) expect(actual, told).toEqual(wanted);
}
