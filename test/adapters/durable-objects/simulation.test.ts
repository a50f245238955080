// Days of the engine on Durable Objects, and ways to break its protocol, which must be noticed: in Bun, which has SQLite. A
// longer run: npm run stress:simulate -- --engine durable-objects.

import { expect, onTestFinished, test } from "vitest";
import { playing } from "../../stress/simulate/playing";

const SEEDS = 15;

test("no seed loses, duplicates or tears a write, and each way to break the protocol is detected", async () => {
  const sentences: string[] = [];
  const { child, ask } = playing("durable-objects", (sentence) => sentences.push(sentence));
  onTestFinished(() => void child.kill());
  const told = await ask({ what: "batch", batch: { number: 0, seeds: SEEDS } });
  expect(told).toMatchObject({ what: "batch", played: { broken: [] } });
  if (told.what !== "batch") return;
  for (const [what, count] of Object.entries(told.played.sums)) expect(count, what).toBeGreaterThan(0);
  expect(await ask({ what: "controls" }), sentences.join("\n")).toEqual({ what: "proof", holds: true });
});
