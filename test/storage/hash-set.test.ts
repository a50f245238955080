// A set of the names of objects, compared with a set of texts.

import "../support/chance";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HashSet } from "../../src/storage/hash-set";
import { sha256Hex } from "../../src/utils/sha256";
import { runs } from "../support/test-length";

const nameOf = (n: number) => sha256Hex(new TextEncoder().encode(String(n)));

/** Names that differ in one digit, in the first or the last of them, or that are nothing but one digit. */
const anyName = fc.oneof(
  fc.nat(50).map(nameOf),
  fc.constantFrom(..."0123456789abcdef").map((digit) => digit.repeat(64)),
  fc
    .tuple(fc.nat(63), fc.constantFrom(..."0123456789abcdef"))
    .map(([at, digit]) => `${"0".repeat(at)}${digit}`.padEnd(64, "0")),
  fc.nat(5000).map((n) => `00000000${nameOf(n).slice(8)}`),
);

test("a hash set contains exactly what was added", () => {
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 300 }), fc.array(anyName, { maxLength: 50 }), (added, others) => {
      const [set, model] = [new HashSet(), new Set<string>()];
      for (const name of added) {
        set.add(name);
        model.add(name);
      }
      expect(set.size).toBe(model.size);
      for (const name of [...added, ...others]) expect(set.has(name)).toBe(model.has(name));
    }),
    { numRuns: runs(400) },
  );
});

test("a hash set grows", () => {
  const set = new HashSet();
  for (let n = 0; n < 20_000; n++) set.add(nameOf(n));
  for (let n = 0; n < 20_000; n += 7) set.add(nameOf(n));
  expect(set.size).toBe(20_000);
  for (let n = 0; n < 40_000; n++) if (set.has(nameOf(n)) !== n < 20_000) expect.unreachable(String(n));
});

test("values that are not hashes are found again too", () => {
  const set = new HashSet();
  for (const text of ["", "x", "A name", "é".repeat(80)]) {
    set.add(text);
    expect(set.has(text)).toBe(true);
  }
});
