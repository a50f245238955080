// How long a store is waited for. Every wait has a limit: for a connection, for the first byte of an answer, between two
// pieces of it, and for the whole. Timers are set inside the call that waits, and taken back when it ends.

import { concatBytes } from "../adapter";
import { PART_BYTES, StoreFailure } from "./object-store";

/** Limits of waiting, in ms. */
export interface Timeouts {
  /** Until a connection stands, or one of those that stand is free. Default: 2,000. */
  readonly connectMs?: number;
  /** From a request to the first byte of its answer; a second more for each MiB that is sent. Default: 5,000. */
  readonly firstByteMs?: number;
  /** Between two pieces of an answer. Default: 5,000. */
  readonly betweenBytesMs?: number;
  /** One request, and one call of the storage with all that is sent again for it; for a blob that is read, each 8 MiB of it.
   * Default: 10,000. */
  readonly wholeMs?: number;
}

export type TimeoutLimits = Required<Timeouts>;

const defaults: TimeoutLimits = { connectMs: 2_000, firstByteMs: 5_000, betweenBytesMs: 5_000, wholeMs: 10_000 };

/** The longest that a timer can wait; more would ring at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The limits, those that were not given by their defaults. */
export function resolveTimeouts(timeouts: Timeouts = {}): TimeoutLimits {
  const waits = { ...defaults };
  for (const [name, ms] of Object.entries(timeouts)) {
    if (ms === undefined) continue;
    if (!(name in defaults) || typeof ms !== "number" || !(ms > 0 && ms <= LONGEST_MS))
      throw new TypeError(`timeouts.${name}: a limit is a number of ms from 1 to ${LONGEST_MS}.`);
    waits[name as keyof TimeoutLimits] = ms;
  }
  return waits;
}

/** How long the first byte of an answer may take when so many bytes are sent before. */
export function getFirstByteTimeout({ firstByteMs, wholeMs }: TimeoutLimits, bytesSent: number): number {
  return Math.min(wholeMs, firstByteMs + (bytesSent / 2 ** 20) * 1000);
}

/** Calls `ring` after so many ms, unless what it gives back was called before. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** The alarm of the runtime. */
export const setTimer: Alarm = (ms, ring) => {
  const handle = setTimeout(ring, ms);
  return () => clearTimeout(handle);
};

/** Waits for work no longer than so many ms; then it rejects with what `loadLazily` gives, and nobody hears of the work any more. */
export function withTimeout<T>(ms: number, work: Promise<T>, late: () => Error, alarm: Alarm = setTimer): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = alarm(ms, () => reject(late()));
    work.then(resolve, reject).finally(stop);
  });
}

/** Reads a stream of a store piece by piece, each within its time, and none of the bytes that were announced is missing. */
export class PacedReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #waits: TimeoutLimits;
  readonly #around: { readonly now: () => number; readonly alarm: Alarm };
  readonly #source: { readonly name: string; readonly bytes: number | undefined };
  #size = 0;
  /** What was waited for the store so far, in ms. Whoever reads slowly takes their own time. */
  #waited = 0;

  /** `source` is what is read, for messages, and how many bytes it must have, where that is known. */
  constructor(
    stream: ReadableStream<Uint8Array>,
    source: { readonly name: string; readonly bytes: number | undefined },
    waits: TimeoutLimits,
    around: { readonly now: () => number; readonly alarm: Alarm } = { now: Date.now, alarm: setTimer },
  ) {
    this.#reader = stream.getReader();
    this.#waits = waits;
    this.#around = around;
    this.#source = source;
  }

  /** The next piece; undefined at the end. After a failure the stream is let go. */
  async read(): Promise<Uint8Array | undefined> {
    const { name, bytes } = this.#source;
    const { betweenBytesMs, wholeMs } = this.#waits;
    const left = wholeMs * (1 + Math.floor(this.#size / PART_BYTES)) - this.#waited;
    const began = this.#around.now();
    try {
      const late = () => createCutShortFailure(`${name} stopped in the middle; try again.`);
      const { value, done } = await withTimeout(
        Math.max(1, Math.min(betweenBytesMs, left)),
        this.#reader.read(),
        late,
        this.#around.alarm,
      );
      this.#waited += Math.max(0, this.#around.now() - began);
      this.#size += value?.length ?? 0;
      const isWrong = bytes !== undefined && (done ? this.#size < bytes : this.#size > bytes);
      if (isWrong) throw createCutShortFailure(`${name} came with ${this.#size} bytes instead of ${bytes}; try again.`);
      return done ? undefined : value;
    } catch (error) {
      this.cancel(error);
      throw error;
    }
  }

  /** All that is left. */
  async readAll(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let piece = await this.read(); piece; piece = await this.read()) pieces.push(piece);
    return concatBytes(pieces);
  }

  /** Lets the stream go. That is not waited for: what is stuck may never say that it ended. */
  cancel(reason: unknown): void {
    this.#reader.cancel(reason).catch(() => {});
  }
}

function createCutShortFailure(message: string): StoreFailure {
  return new StoreFailure(message, { outcome: "none", passing: true });
}
