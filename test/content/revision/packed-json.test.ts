// Bytes in less memory: they come back as they were, whatever they are.

import { createHash } from "node:crypto";
import "../../support/chance";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packJson } from "../../../src/content/packed-json";
import { runs } from "../../support/test-length";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Bytes of which some come again, next to each other or far away, and some repeat themselves. */
const repetitive = fc
  .tuple(
    fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 6 }),
    fc.array(fc.nat(), { maxLength: 60 }),
  )
  .map(([words, order]) => Uint8Array.from(order.flatMap((n) => [...words[n % words.length]!])));

test("any bytes are restored unchanged and take no more memory than before", () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), repetitive), (bytes) => {
      const before = bytes.slice();
      const it = packJson(bytes);
      expect(it.length).toBe(before.length);
      expect(it.packedLength).toBeLessThanOrEqual(before.length + 5);
      bytes.fill(0);
      expect(it.unpack()).toEqual(before);
    }),
    { numRuns: runs(4000) },
  );
});

test("repetitive and very large data is restored unchanged", () => {
  for (const text of [
    "a".repeat(1_000_000),
    "ab".repeat(20),
    `${"0123456789abcdef".repeat(2)}x`,
    "",
    "é".repeat(70_000),
  ]) {
    const it = packJson(bytesOf(text));
    expect(new TextDecoder().decode(it.unpack())).toBe(text);
    if (text.length > 1000) expect(it.packedLength).toBeLessThan(100);
  }
  const any = createHash("shake256", { outputLength: 3_000_000 }).digest();
  const it = packJson(any);
  expect(it.packedLength).toBeLessThanOrEqual(any.length + 5);
  expect(any.equals(it.unpack())).toBe(true);
});

test("each unpacking returns a new array", () => {
  const it = packJson(bytesOf("The same words. ".repeat(10)));
  it.unpack().fill(0);
  expect(new TextDecoder().decode(it.unpack())).toBe("The same words. ".repeat(10));
});
