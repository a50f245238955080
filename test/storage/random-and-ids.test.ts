// Random bytes from a pool: every byte is handed out once. And ids that rise with the time.

import { expect, test } from "vitest";
import { createIdGenerator, createPooledRandom } from "../../src/storage/ids";

test("random byte arrays have the requested length and share no bytes", () => {
  const random = createPooledRandom();
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

test("no array is left unfilled when the pool ends in the middle of it", () => {
  const random = createPooledRandom();
  for (let i = 0; i < 1000; i++) expect(random(31).some((byte) => byte !== 0)).toBe(true);
});

test("more than the pool holds is taken from the platform directly", () => {
  const bytes = createPooledRandom()(10_000);
  expect(bytes.length).toBe(10_000);
  expect(bytes.slice(-64).some((byte) => byte !== 0)).toBe(true);
});

test("content ids ascend with time, even while the clock stands still or goes back", () => {
  let time = Date.parse("2026-03-01T09:00:00Z");
  const random = createPooledRandom();
  const newId = createIdGenerator(() => new Date(time), random);
  const ids: string[] = [];
  for (const step of [0, 0, 1, 0, -5000, 0, 5001, 3_600_000, 0]) {
    time += step;
    ids.push(newId("page", "c".repeat(12)));
  }
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const id of ids) expect(id).toMatch(/^pag_c{12}[0-9a-z]{16}$/);
  const next = createIdGenerator(() => new Date(time), random);
  expect(next("page", "c".repeat(12)).slice(0, 25)).toBe(ids.at(-1)!.slice(0, 25));
  expect(next("page", "c".repeat(12)).slice(25)).not.toBe(ids.at(-1)!.slice(25));
});

test("ids keep ascending when a millisecond is exhausted", () => {
  const newId = createIdGenerator(
    () => new Date(1000),
    (bytes) => new Uint8Array(bytes).fill(31),
  );
  const ids = Array.from({ length: 4 }, () => newId("file", ""));
  expect(ids).toEqual([...new Set(ids)].sort());
});
