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
  const delays = monitorEventLoopDelay({ resolution: 1 });
  let held = 0;
  const watched = async (calls: number) => {
    delays.reset();
    delays.enable();
    const { took } = await round(big, calls);
    // A delay is seen when the timer of the monitor runs.
    await new Promise((resolve) => setTimeout(resolve, 3));
    delays.disable();
    if (delays.count > 0) held = Math.max(held, delays.max / 1e6);
    return took;
  };
  const first = await watched(1);
  await round(small, 1);
  // The first call may have loaded and built what the others find.
  const [second, secondOfBig] = [await round(small, 1), await round(big, 1)];
  const [callsOfSmall, callsOfBig] = [callsFor(second), callsFor(secondOfBig)];
  const [smalls, bigs]: [number[], number[]] = [[], []];
  const rounds = secondOfBig.took > SLOW_MS ? 3 : ROUNDS;
  for (let i = 0; i < rounds; i++) {
    smalls.push((await round(small, callsOfSmall)).took);
    bigs.push(await watched(callsOfBig));
  }
  return { small: median(smalls), big: median(bigs), first, held };
}

function callsFor({ took, lasted }: Round): number {
  const calls = Math.min(ROUND_MS / Math.max(0.01, took), ROUND_LASTS_MS / Math.max(0.01, lasted));
  return Math.max(1, Math.min(MOST_CALLS, Math.floor(calls)));
}

/** What a call took of the processor, and how long it lasted, in milliseconds. */
interface Round {
  readonly took: number;
  readonly lasted: number;
}

async function round({ run, before }: Call, calls: number): Promise<Round> {
  let [took, lasted] = [0, 0];
  for (let i = 0; i < calls; i++) {
    await before?.();
    const [start, begun] = [process.cpuUsage(), performance.now()];
    await run();
    const { user, system } = process.cpuUsage(start);
    took += user + system;
    lasted += performance.now() - begun;
  }
  return { took: took / calls / 1000, lasted: lasted / calls };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
