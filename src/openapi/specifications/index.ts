// Specifications of APIs, read from a text or an address within limits. Loaded when first needed.

import { type Fetched, fetchDocument, type Way } from "./fetching";
import { type InTurns, type KnownDocument, readWhole, type Source, type Specification } from "./read";
import { SpecificationRefused } from "./refused";

export type { KnownDocument, Source, Specification } from "./read";

/** How other hosts are reached, and for how long. */
export interface Reach {
  /** Undefined: not at all. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The most that reading one specification may take. */
  readonly milliseconds: number;
  /** Does what is long with turns for others; default: at once. */
  readonly inTurns?: InTurns;
}

/** Reads a specification; undefined when it has not changed. `known` is the result of an earlier reading: then every
 * document is asked for with its validators, and all are read only if one has changed. Throws
 * `SpecificationRefused`. */
export async function readSpecification(
  source: Source,
  { fetch, milliseconds, inTurns = atOnce }: Reach,
  known?: readonly KnownDocument[],
): Promise<Specification | undefined> {
  if (!fetch) return readWhole(source, undefined, inTurns);
  return within(milliseconds, async (signal) => {
    const way = { fetch, signal };
    if (!known) return readWhole(source, way, inTurns);
    const ahead = await changedIn(way, known);
    return ahead.size === 0 ? undefined : readWhole(source, way, inTurns, ahead);
  });
}

const atOnce: InTurns = async (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** The first of the documents that has changed. */
async function changedIn(way: Way, known: readonly KnownDocument[]): Promise<ReadonlyMap<string, Fetched>> {
  for (const { url, ...validators } of known) {
    const fetched = await fetchDocument(way, url, validators);
    if (fetched) return new Map([[url, fetched]]);
  }
  return new Map();
}

/** Runs with a time limit that also holds if a fetch ignores its signal. */
async function within<T>(milliseconds: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = `The specification could not be read within ${Math.ceil(milliseconds / 1000)} seconds.`;
      reject(new SpecificationRefused("FETCH_TIMEOUT", sentence));
      controller.abort();
    }, milliseconds);
  });
  try {
    return await Promise.race([run(controller.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
