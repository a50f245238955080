// Code that is loaded when it is first needed.

import { expect, test } from "vitest";
import { loadLazily } from "../../src/utils/lazy";

test("nothing is loaded before somebody asks, and many who ask are one load", async () => {
  let loads = 0;
  const load = loadLazily(async () => ({ number: ++loads }));
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([{ number: 1 }, { number: 1 }]);
  expect(await load()).toEqual({ number: 1 });
});

test("a load that fails is tried again by the next who asks", async () => {
  let loads = 0;
  const load = loadLazily(async () => {
    if (++loads === 1) throw new Error("The disk is away.");
    return { number: loads };
  });
  await expect(Promise.all([load(), load()])).rejects.toThrow("The disk is away.");
  expect(await load()).toEqual({ number: 2 });
});
