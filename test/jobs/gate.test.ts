// The gate: a limited number run at once, a limited number wait, and all others are refused.

import { expect, test } from "vitest";
import { createAdmissionGate } from "../../src/utils/concurrency/gate";

test("a few run at once, some wait in the order in which they came, and the next one is told to come again", async () => {
  const gate = createAdmissionGate({ atOnce: 1, waiting: 1 });
  const order: string[] = [];
  let leave = () => {};
  const first = gate.enter(() => new Promise<void>((done) => (leave = done)));
  const second = gate.enter(async () => order.push("second"));
  expect(gate.enter(async () => order.push("third"))).toBeUndefined();
  expect([order, gate.isEmpty()]).toEqual([[], false]);
  leave();
  await Promise.all([first, second]);
  expect([order, gate.isEmpty()]).toEqual([["second"], true]);
});

test("what fails leaves its place to others", async () => {
  const gate = createAdmissionGate({ atOnce: 1, waiting: 0 });
  await expect(gate.enter(() => Promise.reject(new Error("It failed.")))).rejects.toThrow("It failed.");
  expect(await gate.enter(async () => "done")).toBe("done");
});
