// Code that is loaded when it is first needed.

import { expect, test } from "vitest";
import { loadLazily } from "../../src/utils/lazy";

test("nothing is loaded before it is needed, and concurrent callers share one load", async () => {
  let loads = 0;
  const load = loadLazily(async () => ({ number: ++loads }));
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([{ number: 1 }, { number: 1 }]);
  expect(await load()).toEqual({ number: 1 });
});

test("a failed load is retried by the next caller", async () => {
  let loads = 0;
  const load = loadLazily(async () => {
    if (++loads === 1) throw new Error("The disk is away.");
    return { number: loads };
  });
  await expect(Promise.all([load(), load()])).rejects.toThrow("The disk is away.");
  expect(await load()).toEqual({ number: 2 });
});
