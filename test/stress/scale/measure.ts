// The processor time of a request at two sizes, in turns, so that other load on the machine meets both. And how long the
// event loop was held meanwhile at the larger size.

import { monitorEventLoopDelay } from "node:perf_hooks";

/** What a request took at both sizes: milliseconds of the processor for each call, the median of the rounds. */
export interface Measured {
  readonly small: number;
  readonly big: number;
  /** The first call at the larger size. */
  readonly first: number;
  /** The longest time that nothing else could run. */
  readonly held: number;
}

/** One call; `before` is not counted. */
export interface Call {
  readonly run: () => Promise<unknown>;
  readonly before?: () => Promise<unknown>;
}

const ROUNDS = 7;
/** A round takes so much of the processor at most, and so long, unless a single call does. */
const ROUND_MS = 30;
const ROUND_LASTS_MS = 200;
const MOST_CALLS = 20;
/** From here on three rounds are enough. */
const SLOW_MS = 300;

export async function measure(small: Call, big: Call): Promise<Measured> {
  const { took: first, held: firstHeld } = await watched(big, 1);
  await watched(small, 1);
  // The first call may have loaded and built what the others find.
  const [second, secondOfBig] = [await watched(small, 1), await watched(big, 1)];
  const [callsOfSmall, callsOfBig] = [callsFor(second), callsFor(secondOfBig)];
  const [smalls, bigs]: [Round[], Round[]] = [[], []];
  const rounds = secondOfBig.took > SLOW_MS ? 3 : ROUNDS;
  for (let i = 0; i < rounds; i++) {
    smalls.push(await watched(small, callsOfSmall));
    bigs.push(await watched(big, callsOfBig));
  }
  const held = Math.max(firstHeld, ...bigs.map((it) => it.held));
  return { small: median(smalls.map((it) => it.took)), big: median(bigs.map((it) => it.took)), first, held };
}

function callsFor({ took, lasted }: Round): number {
  const calls = Math.min(ROUND_MS / Math.max(0.01, took), ROUND_LASTS_MS / Math.max(0.01, lasted));
  return Math.max(1, Math.min(MOST_CALLS, Math.floor(calls)));
}

/** What a call took of the processor, how long it lasted, and how long it held the event loop, in milliseconds. */
interface Round {
  readonly took: number;
  readonly lasted: number;
  readonly held: number;
}

const delays = monitorEventLoopDelay({ resolution: 1 });

/** Both sizes are watched: the monitor takes a part of the processor, too. */
async function watched({ run, before }: Call, calls: number): Promise<Round> {
  let [took, lasted] = [0, 0];
  delays.reset();
  delays.enable();
  for (let i = 0; i < calls; i++) {
    await before?.();
    const [start, begun] = [process.cpuUsage(), performance.now()];
    await run();
    const { user, system } = process.cpuUsage(start);
    took += user + system;
    lasted += performance.now() - begun;
  }
  // A delay is seen when the timer of the monitor runs.
  await new Promise((resolve) => setTimeout(resolve, 3));
  delays.disable();
  return { took: took / calls / 1000, lasted: lasted / calls, held: delays.count > 0 ? delays.max / 1e6 : 0 };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
