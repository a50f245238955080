// What was played of a simulation, batch by batch, in a form that can be written down and gone on with.

import { readFile, rename, writeFile } from "node:fs/promises";
import type { Counts } from "./day";
import type { Engine, EngineName } from "./engines";

/** Seeds that are played in a row. The first batch begins with seed 1. */
export interface Batch {
  readonly number: number;
  readonly seeds: number;
}

/** What happened in a batch. */
export interface Played {
  readonly sums: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly broken: readonly string[];
}

/** What happened so far. */
export interface Tally {
  /** Absent in tallies of the time when there was one engine. */
  readonly engine?: EngineName;
  /** Seeds of a batch. */
  readonly batch: number;
  /** The first batch that was asked for; absent where it was the first of all. */
  readonly from?: number;
  /** From there on, all batches below this number are played, and some beyond it. */
  through: number;
  readonly beyond: number[];
  /** Of the processors. */
  seconds: number;
  readonly sums: Record<string, number>;
  readonly faults: Record<string, number>;
  readonly broken: string[];
}

export const SEEDS_OF_A_BATCH = 100;

/** `after`: so many seeds were played elsewhere. */
export const emptyTally = (engine: EngineName = "s3", after = 0): Tally => ({
  engine,
  batch: SEEDS_OF_A_BATCH,
  ...(after === 0 ? {} : { from: after / SEEDS_OF_A_BATCH }),
  through: after / SEEDS_OF_A_BATCH,
  beyond: [],
  seconds: 0,
  sums: {},
  faults: {},
  broken: [],
});

export async function play(simulate: Engine["simulate"], { number, seeds }: Batch): Promise<Played> {
  const sums: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const broken: string[] = [];
  const { user, system } = process.cpuUsage();
  const first = number * seeds + 1;
  for (let seed = first; seed < first + seeds; seed++) {
    const day = await simulate(seed).catch((error: Error) => void broken.push(error.message));
    if (day) addDay(sums, faults, day);
  }
  const used = process.cpuUsage({ user, system });
  return { sums, faults, broken, seconds: (used.user + used.system) / 1e6 };
}

function addDay(sums: Record<string, number>, faults: Record<string, number>, { faults: some, ...day }: Counts): void {
  addTo(sums, { ...day });
  addTo(faults, { ...some });
}

function addTo(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(more)) sums[what] = (sums[what] ?? 0) + count;
}

/** Adds what happened in a batch. */
export function take(tally: Tally, { number }: Batch, { sums, faults, seconds, broken }: Played): void {
  addTo(tally.sums, sums);
  addTo(tally.faults, faults);
  tally.seconds += seconds;
  tally.broken.push(...broken);
  tally.beyond.push(number);
  for (let at = tally.beyond.indexOf(tally.through); at >= 0; at = tally.beyond.indexOf(tally.through)) {
    tally.beyond.splice(at, 1);
    tally.through++;
  }
}

/** How many seeds were played. */
export function seedsOf({ from = 0, through, beyond, batch }: Tally): number {
  return (through - from + beyond.length) * batch;
}

export async function readTally(file: string): Promise<Tally | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

/** Written beside it first: a run that is killed leaves the tally of one batch or of the next one. */
export async function writeTally(file: string, tally: Tally): Promise<void> {
  writing = writing.then(async () => {
    await writeFile(`${file}.new`, JSON.stringify(tally));
    await rename(`${file}.new`, file);
  });
  await writing;
}

/** One writes at a time. */
let writing: Promise<void> = Promise.resolve();
