// The gate: a limited number run at once, a limited number wait, and all others are refused.

import { expect, test } from "vitest";
import { createAdmissionGate } from "../../src/utils/concurrency/admission-gate";

test("the gate admits a few callers, queues some in order, and asks the next one to return later", async () => {
  const gate = createAdmissionGate({ maxRunning: 1, maxWaiting: 1 });
  const order: string[] = [];
  let leave = () => {};
  const first = gate.tryRun(() => new Promise<void>((done) => (leave = done)));
  const second = gate.tryRun(async () => order.push("second"));
  expect(gate.tryRun(async () => order.push("third"))).toBeUndefined();
  expect([order, gate.isIdle()]).toEqual([[], false]);
  leave();
  await Promise.all([first, second]);
  expect([order, gate.isIdle()]).toEqual([["second"], true]);
});

test("a failing caller frees its place", async () => {
  const gate = createAdmissionGate({ maxRunning: 1, maxWaiting: 0 });
  await expect(gate.tryRun(() => Promise.reject(new Error("It failed.")))).rejects.toThrow("It failed.");
  expect(await gate.tryRun(async () => "done")).toBe("done");
});
