// A few kills, to test the tool itself; `npm run stress:kills -- 1000` is the long run.

import { expect, test } from "vitest";
import { killTimes } from "./kill";

test("processes killed under a mixed load with transfers leave everything consistent", async () => {
  const { acknowledged, wrong } = await killTimes(5, 2026);
  expect(wrong).toEqual([]);
  expect(acknowledged).toBeGreaterThan(10);
});
