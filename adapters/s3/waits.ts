// Timeouts for the store. Every wait has a limit: for a connection, for the first byte of a response, between two of its pieces, and for
// the whole. Timers are set inside the call that waits, and cleared when it ends.

import { concatBytes } from "../adapter";
import { PART_BYTES, StoreFailure } from "./object-store";

/** Timeouts in milliseconds. */
export interface Timeouts {
  /** Until a connection is established, or an existing one is free. Default: 2,000. */
  readonly connectMs?: number;
  /** From a request to the first byte of its response, plus a second for each MiB that is sent. Default: 5,000. */
  readonly firstByteMs?: number;
  /** Between two pieces of a response. Default: 5,000. */
  readonly betweenBytesMs?: number;
  /** For one request, for one call of the storage including retries, and for each 8 MiB of a blob that is read. Default: 10,000. */
  readonly wholeMs?: number;
}

export type TimeoutLimits = Required<Timeouts>;

const defaults: TimeoutLimits = { connectMs: 2_000, firstByteMs: 5_000, betweenBytesMs: 5_000, wholeMs: 10_000 };

/** The maximum delay of a timer. A longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Returns the timeouts with defaults for those that are not given. Throws if one is invalid. */
export function resolveTimeouts(timeouts: Timeouts = {}): TimeoutLimits {
  const waits = { ...defaults };
  for (const [name, ms] of Object.entries(timeouts)) {
    if (ms === undefined) continue;
    if (!(name in defaults) || typeof ms !== "number" || !(ms > 0 && ms <= MAX_TIMER_MS))
      throw new TypeError(`timeouts.${name}: a limit is a number of ms from 1 to ${MAX_TIMER_MS}.`);
    waits[name as keyof TimeoutLimits] = ms;
  }
  return waits;
}

/** Returns the timeout for the first byte of a response to a request that sends this many bytes. */
export function getFirstByteTimeout({ firstByteMs, wholeMs }: TimeoutLimits, bytesSent: number): number {
  return Math.min(wholeMs, firstByteMs + (bytesSent / 2 ** 20) * 1000);
}

/** Calls `ring` after `ms` milliseconds. Returns a function that cancels the timer. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** Sets a timer of the runtime. */
export const setTimer: Alarm = (ms, ring) => {
  const handle = setTimeout(ring, ms);
  return () => clearTimeout(handle);
};

/** Waits for work with a timeout. After it, the promise rejects with the result of `createError`, and the work's result is ignored. */
export function enforceTimeout<T>(
  ms: number,
  work: Promise<T>,
  createError: () => Error,
  alarm: Alarm = setTimer,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = alarm(ms, () => reject(createError()));
    work.then(resolve, reject).finally(stop);
  });
}

/** Reads a stream of a store with a timeout for each piece, and verifies the announced number of bytes. */
export class PacedReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #waits: TimeoutLimits;
  readonly #environment: { readonly now: () => number; readonly alarm: Alarm };
  readonly #source: { readonly name: string; readonly bytes: number | undefined };
  #size = 0;
  /** The time spent waiting for the store so far, in milliseconds. The time that a slow reader takes does not count. */
  #waited = 0;

  /** `source` contains the name of the stream, for messages, and its number of bytes if that is known. */
  constructor(
    stream: ReadableStream<Uint8Array>,
    source: { readonly name: string; readonly bytes: number | undefined },
    waits: TimeoutLimits,
    environment: { readonly now: () => number; readonly alarm: Alarm } = { now: Date.now, alarm: setTimer },
  ) {
    this.#reader = stream.getReader();
    this.#waits = waits;
    this.#environment = environment;
    this.#source = source;
  }

  /** Returns the next piece; undefined at the end. After a failure the stream is cancelled. */
  async read(): Promise<Uint8Array | undefined> {
    const { name, bytes } = this.#source;
    const { betweenBytesMs, wholeMs } = this.#waits;
    const left = wholeMs * (1 + Math.floor(this.#size / PART_BYTES)) - this.#waited;
    const startedAt = this.#environment.now();
    try {
      const createError = () =>
        new StoreFailure(`${name} stopped in the middle; try again.`, { outcome: "none", isTransient: true });
      const { value, done } = await enforceTimeout(
        Math.max(1, Math.min(betweenBytesMs, left)),
        this.#reader.read(),
        createError,
        this.#environment.alarm,
      );
      this.#waited += Math.max(0, this.#environment.now() - startedAt);
      this.#size += value?.length ?? 0;
      const isWrong = bytes !== undefined && (done ? this.#size < bytes : this.#size > bytes);
      if (isWrong) {
        const message = `${name} came with ${this.#size} bytes instead of ${bytes}; try again.`;
        throw new StoreFailure(message, { outcome: "none", isTransient: true });
      }
      return done ? undefined : value;
    } catch (error) {
      this.cancel(error);
      throw error;
    }
  }

  /** Returns all remaining bytes. */
  async readAll(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let piece = await this.read(); piece; piece = await this.read()) pieces.push(piece);
    return concatBytes(pieces);
  }

  /** Cancels the stream without waiting for it, because a stalled stream may never settle. */
  cancel(reason: unknown): void {
    this.#reader.cancel(reason).catch(() => {});
  }
}
