// The engines that are simulated, and what plays their days.

import { bun } from "../../e2e/runtimes/binaries";
import type { Counts } from "./day";

/** Something that was looked at, in a sentence. */
export interface Finding {
  readonly sentence: string;
  readonly holds: boolean;
}

/** What the simulation of an engine has. */
export interface Engine<Break = object> {
  /** Plays one day; throws when a promise was broken. */
  simulate(seed: number, broken?: Break): Promise<Counts>;
  /** Each way to break the protocol that the simulation must notice. */
  controls(): Record<string, Break>;
  /** What else is proved beside the days. */
  beside?(): AsyncIterable<Finding>;
}

export const engineNames = ["s3", "postgres", "durable-objects"] as const;
export type EngineName = (typeof engineNames)[number];

export const load: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  s3: () => import("../../adapters/s3/simulation"),
  postgres: () => import("../../adapters/postgres/simulation"),
  "durable-objects": () => import("../../adapters/durable-objects/simulation"),
};

/** Days leave much behind that is soon forgotten, and have many errors whose places nobody reads. With more room, and without
 * the places, a seed takes a quarter less of the processor. */
const OPTIONS = ["--max-semi-space-size=64", "--stack-trace-limit=0"];

/** The program that plays an engine. Objects have SQLite, which Node has from version 22 on, and Bun has always had. */
export function programOf(name: EngineName): { readonly execPath: string; readonly execArgv: readonly string[] } {
  const { execPath, execArgv } = process;
  return name === "durable-objects"
    ? { execPath: bun, execArgv: [] }
    : { execPath, execArgv: [...execArgv, ...OPTIONS] };
}
