// Random bytes from a pool: every byte is handed out once.

import { expect, test } from "vitest";
import { pooledRandom } from "../../src/store/ids";

test("pieces have the length that was asked for, and none shares its bytes with another", () => {
  const random = pooledRandom();
  const lengths = Array.from({ length: 2000 }, (_, i) => i % 40);
  const pieces = lengths.map(random);
  expect(pieces.map((piece) => piece.length)).toEqual(lengths);
  const long = pieces.filter((piece) => piece.length >= 16).map((piece) => piece.join());
  expect(new Set(long).size).toBe(long.length);
  const [first, second] = [random(16), random(16)];
  const before = second.slice();
  first.fill(0);
  expect(second).toEqual(before);
});

test("no piece is left empty when the pool ends in the middle of it", () => {
  const random = pooledRandom();
  for (let i = 0; i < 1000; i++) expect(random(31).some((byte) => byte !== 0)).toBe(true);
});

test("more than the pool holds is taken from the platform at once", () => {
  const bytes = pooledRandom()(10_000);
  expect(bytes.length).toBe(10_000);
  expect(bytes.slice(-64).some((byte) => byte !== 0)).toBe(true);
});
