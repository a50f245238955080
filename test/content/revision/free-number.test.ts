// Free numbers: never a taken one, the lowest where few are taken, and few lookups however many are taken.

import { expect, test } from "vitest";
import { addNumberToPath, findFreeNumber } from "../../../src/content/free-number";

async function asked(taken: (n: number) => boolean): Promise<{ number: number; questions: number }> {
  let questions = 0;
  const number = await findFreeNumber(async (n) => {
    questions++;
    return taken(n);
  });
  return { number, questions };
}

test("the free number is the lowest one if few are taken", async () => {
  for (let count = 0; count <= 8; count++) expect((await asked((n) => n < count)).number).toBe(count);
  expect((await asked((n) => n !== 3)).number).toBe(3);
});

test("the free number after a long row is found with a few lookups", async () => {
  for (const count of [9, 17, 1_000, 99_999]) {
    const { number, questions } = await asked((n) => n < count);
    expect(number).toBe(count);
    expect(questions).toBeLessThan(50);
  }
});

test("the free number is never taken, whatever numbers exist", async () => {
  for (let seed = 1; seed < 200; seed++) {
    const isTaken = (n: number) => n <= 8 || (n < 5_000 && (n * 31 * seed) % 7 < 4);
    expect(isTaken((await asked(isTaken)).number)).toBe(false);
  }
});

test("the number precedes the extension of a path", () => {
  expect(["a/logo.png", "a.b/logo", "a/.env", "a/b.tar.gz"].map((it) => addNumberToPath(it, 2))).toEqual([
    "a/logo-2.png",
    "a.b/logo-2",
    "a/.env-2",
    "a/b.tar-2.gz",
  ]);
  expect(addNumberToPath("a.png", 0)).toBe("a.png");
});
