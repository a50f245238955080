// Days of the engine on Durable Objects, and ways to break its protocol, which must be noticed: in Bun, which has SQLite. A
// longer run: npm run simulate -- --engine durable-objects.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { programOf } from "../simulate/engines";
import type { Asked, Told } from "../simulate/player";

const SEEDS = 15;

test("no seed loses, doubles or tears anything, and each way to break the protocol shows", async () => {
  const { execPath, execArgv } = programOf("durable-objects");
  const script = fileURLToPath(new URL("../simulate/player.ts", import.meta.url));
  const child = fork(script, ["durable-objects"], { execPath, execArgv: [...execArgv] });
  onTestFinished(() => void child.kill());
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`It ended with ${code}.`)));
  // It ends in the end, too.
  ended.catch(() => {});
  const sentences: string[] = [];
  const ask = async (asked: Asked) => {
    child.send(asked);
    for (;;) {
      const [told] = (await Promise.race([once(child, "message"), ended])) as [Told];
      if (told.what !== "sentence") return told;
      sentences.push(told.sentence);
    }
  };
  const told = await ask({ what: "batch", batch: { number: 0, seeds: SEEDS } });
  expect(told).toMatchObject({ what: "batch", played: { broken: [] } });
  if (told.what !== "batch") return;
  for (const [what, count] of Object.entries(told.played.sums)) expect(count, what).toBeGreaterThan(0);
  expect(await ask({ what: "controls" }), sentences.join("\n")).toEqual({ what: "proof", holds: true });
});
