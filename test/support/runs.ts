// How many values a property is tried with, and how long hostile texts are. The suite draws the same values every time, so
// that more of them would find little that is new. `npm run explore` tries all of them, and so does SEED=2026 with the seed
// of the suite.

import { env } from "node:process";

/** An eighth in the suite, all where a seed is given. */
export function runs(all: number): number {
  return env.SEED === undefined ? Math.ceil(all / 8) : all;
}

/** Of cases that are much alike every fourth, beginning with the one at `from`; all of them where a seed is given. */
export function someOf<Case>(all: readonly Case[], from = 0): readonly Case[] {
  return env.SEED === undefined ? all.filter((_, at) => at % 4 === from % 4) : all;
}
