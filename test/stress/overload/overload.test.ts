// A small overload, to test the tool itself; `npm run stress:overload` is the long run.

import { expect, test } from "vitest";
import { overload } from "./overload";

test("an overloaded server says so, cuts no one off and keeps what it acknowledged", async () => {
  const { calm, half, full } = await overload({ connections: 200, seconds: 2, seed: 2026, thinkMs: 100 });
  const stages = [calm, half, full];
  for (const { wrong, lost } of stages) expect([wrong, lost]).toEqual([{}, []]);
  // However busy the machine is, somebody was served, and somebody wrote.
  expect((half.counts.served ?? 0) + (full.counts.served ?? 0)).toBeGreaterThan(0);
  expect(stages.flatMap(({ written }) => written).length).toBeGreaterThan(0);
});
