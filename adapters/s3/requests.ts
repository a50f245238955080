// The requests of a storage: names under its prefix, a few more tries for what may be tried again, and every failure
// turned into an error of the contract.

import { Closed, Unavailable } from "../../src/store/storage";
import { type ObjectStore, StoreFailure } from "./object-store";

/** Time and chance, passed in so that a simulation can decide both. */
export interface Surroundings {
  /** The time, in ms. Default: `Date.now`. */
  readonly now: () => number;
  /** Waits so many ms. Default: `setTimeout`. */
  readonly pause: (ms: number) => Promise<void>;
  /** A number from 0 up to 1. Default: `Math.random`. */
  readonly random: () => number;
  /** A name that was never used before. Default: 16 random bytes. */
  readonly newId: (what: "writer" | "attempt" | "segment" | "probe") => string;
}

/** How often a request is sent at most, when it may be sent again. */
export const TRIES = 8;

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2000;

export class Requests {
  readonly objects: ObjectStore;
  readonly around: Surroundings;
  readonly #prefix: string;
  #closed = false;

  constructor(objects: ObjectStore, prefix: string, around: Surroundings) {
    this.objects = objects;
    this.around = around;
    this.#prefix = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  }

  /** The name of a head, of a segment, or of all segments of a partition. */
  head = (partition: string): string => `${this.#prefix}h/${partition}`;
  segment = (partition: string, name: string): string => `${this.#prefix}s/${partition}/${name}`;
  blob = (name: string): string => `${this.#prefix}b/${name}`;
  probe = (name: string): string => `${this.#prefix}probe/${name}`;

  /** Throws once `close` was called. */
  assertOpen(): void {
    if (this.#closed) throw new Closed("The storage was closed.");
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** Waits before a try: longer each time, and never as long as the others who wait. */
  backOff(turn: number): Promise<void> {
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** turn);
    return this.around.pause(longest * (0.25 + 0.75 * this.around.random()));
  }

  /** Sends what may be sent twice: reads, deletes, and puts of what nobody else writes. */
  async repeated<T>(send: () => Promise<T>): Promise<T> {
    for (let turn = 0; ; turn++) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof StoreFailure) || !error.passing || turn + 1 >= TRIES)
          throw asStorageError(error, "none");
      }
      await this.backOff(turn);
    }
  }

  /** The names behind `prefix`, in order. A list that fails begins again behind the last name that came. */
  async *names(prefix: string, after = ""): AsyncGenerator<string> {
    let last = after === "" ? undefined : prefix + after;
    let names = this.objects.list(prefix, last)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.repeated(async () => {
        try {
          return await names.next();
        } catch (error) {
          names = this.objects.list(prefix, last)[Symbol.asyncIterator]();
          throw error;
        }
      });
      this.assertOpen();
      if (next.done) return;
      last = next.value;
      yield last.slice(prefix.length);
    }
  }
}

/** A failure of the store as an error of the contract; other errors as they are. */
export function asStorageError(error: unknown, outcome: "none" | "unknown"): unknown {
  return error instanceof StoreFailure ? new Unavailable(error.message, { outcome, cause: error }) : error;
}
