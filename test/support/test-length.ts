// The length of a test run, and the seed of its random values.
//
// `npm test` runs the short form of tests that have two: an eighth of the values of a property, every fourth of many similar
// cases, a fault at some of the calls. `npm run test:long -- [files]` runs all of them, and on PostgreSQL too. Both draw the
// same random values every time, so that only a change of the code makes a test fail. `SEED=… npm run test:long` draws others,
// and `npm run test:explore` a new seed for every run.

import { env } from "node:process";

/** True in runs of `npm run test:long`. */
export const isLongRun = env.OCTAVO_TESTS === "long";

const randomSeed = Math.floor(Math.random() * 2 ** 31);

/** The seed of property tests: the same in every run, unless `SEED` says otherwise. */
export const seed = env.SEED === "any" ? randomSeed : Number(env.SEED ?? 2026);

/** The seed of tests that play another history in every run and print its seed: `SEED` repeats one. */
export const historySeed = env.SEED === undefined ? randomSeed : seed;

/** Returns how often to try a property that deserves `all` tries: an eighth of them in the suite. */
export function runs(all: number): number {
  return isLongRun ? all : Math.ceil(all / 8);
}

/** Returns every fourth of many similar cases, beginning with the one at `from`; all of them in a long run. */
export function someOf<Case>(all: readonly Case[], from = 0): readonly Case[] {
  return isLongRun ? all : all.filter((_, at) => at % 4 === from % 4);
}
