// The requests of a storage: names under its prefix, a few more tries for what may be tried again, an end to all waiting,
// and every failure turned into an error of the contract.

import { Closed, Unavailable } from "../adapter";
import { type ObjectStore, StoreFailure } from "./object-store";
import { type Alarm, type TimeoutLimits, withTimeout } from "./waits";

/** Time and random numbers, passed in so that a simulation can control both. */
export interface EngineEnvironment {
  /** The time, in ms. Default: `Date.now`. */
  readonly now: () => number;
  /** Waits so many ms. Default: `setTimeout`. */
  readonly pause: (ms: number) => Promise<void>;
  /** Rings after so many ms, unless it is taken back. Default: `setTimeout` and `clearTimeout`. */
  readonly alarm: Alarm;
  /** A number from 0 up to 1. Default: `Math.random`. */
  readonly random: () => number;
  /** A name that was never used before. Default: 16 random bytes. */
  readonly newId: (what: "writer" | "attempt" | "segment" | "probe") => string;
}

/** How often a request is sent at most, when it may be sent again. */
export const MAX_ATTEMPTS = 8;

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2000;

/** For how long nothing is asked of a store that was silent, in ms. */
const REST = 1000;

/** A store is silent when it has answered nobody for this part of the time that a call may take. */
const SILENCE = 1 / 4;

export class Requests {
  readonly objects: ObjectStore;
  readonly environment: EngineEnvironment;
  readonly waits: TimeoutLimits;
  readonly #prefix: string;
  #closed = false;
  /** When the store answered last, and until when it is left alone because it did not. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(objects: ObjectStore, prefix: string, around: EngineEnvironment, waits: TimeoutLimits) {
    this.objects = objects;
    this.environment = around;
    this.waits = waits;
    this.#prefix = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  }

  /** The name of a head, of a segment, or of all segments of a partition. */
  getHeadName = (partition: string): string => `${this.#prefix}h/${partition}`;
  getSegmentName = (partition: string, name: string): string => `${this.#prefix}s/${partition}/${name}`;
  getBlobObjectName = (name: string): string => `${this.#prefix}b/${name}`;
  getProbeName = (name: string): string => `${this.#prefix}probe/${name}`;

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

  /** Waits before another try: longer each time, and by a random time, so that waiting callers spread out. */
  waitBeforeRetry(turn: number): Promise<void> {
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** turn);
    return this.environment.pause(longest * (0.25 + 0.75 * this.environment.random()));
  }

  /** Sends a request once, and remembers that the store answers. */
  async sendOnce<T>(request: Promise<T>): Promise<T> {
    const answer = await request;
    this.#answeredAt = this.environment.now();
    this.#silentUntil = Number.NEGATIVE_INFINITY;
    return answer;
  }

  /** Sends a request that may be sent twice: reads, deletes, and puts that nobody else makes. */
  async sendWithRetries<T>(send: () => Promise<T>): Promise<T> {
    await this.assertAnswering();
    const began = this.environment.now();
    for (let turn = 0; ; turn++) {
      try {
        return await this.sendOnce(send());
      } catch (error) {
        if (!(error instanceof StoreFailure) || !error.isTransient) throw toStorageError(error, "none");
        if (!this.mayRetry(turn, began)) {
          this.#gaveUp(began);
          throw toStorageError(error, "none");
        }
      }
      await this.waitBeforeRetry(turn);
    }
  }

  /** Whether a request that began at that time may be sent again after this many tries. */
  mayRetry(turn: number, began: number): boolean {
    return turn + 1 < MAX_ATTEMPTS && this.environment.now() - began < this.waits.wholeMs;
  }

  /** A call of the contract. It ends within its time whatever the store does: then the caller hears `Unavailable`, and
   * what is under way ends by the limits of its own requests. */
  async runWithTimeout<T>(work: () => Promise<T>, outcome: "none" | "unknown" = "none"): Promise<T> {
    const began = this.environment.now();
    return withTimeout(
      this.waits.wholeMs,
      work(),
      () => this.createTimeoutError(began, outcome),
      this.environment.alarm,
    );
  }

  /** The error of a call that began at that time and took too long. */
  createTimeoutError(began: number, outcome: "none" | "unknown"): Unavailable {
    this.#gaveUp(began);
    const message = `${this.#name} gave no answer within ${this.waits.wholeMs} ms; try later.`;
    return new Unavailable(message, { outcome });
  }

  /**
   * Rejects while a store that was silent rests. A request to the API takes many calls, and some that fail are noted down for
   * later: without this each of them would wait as long as the first. It takes a moment, so that nobody asks in a tight loop.
   */
  async assertAnswering(): Promise<void> {
    const rest = this.#silentUntil - this.environment.now();
    // A clock that was set back says nothing about how long to rest.
    if (!(rest > 0 && rest <= REST)) return;
    await this.environment.pause(FIRST_PAUSE);
    throw new Unavailable(`${this.#name} gave no answer a moment ago; try later.`, { outcome: "none" });
  }

  #gaveUp(began: number): void {
    const now = this.environment.now();
    const silence = now - Math.max(began, this.#answeredAt);
    if (silence >= SILENCE * this.waits.wholeMs) this.#silentUntil = now + REST;
  }

  get #name(): string {
    return this.objects.name.replace(/^t/, "T");
  }

  /** The names behind `prefix`, in order. A list that fails begins again behind the last name that came. */
  async *listNames(prefix: string, after = ""): AsyncGenerator<string> {
    let last = after === "" ? undefined : prefix + after;
    let names = this.objects.list(prefix, last)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.runWithTimeout(() =>
        this.sendWithRetries(async () => {
          try {
            return await names.next();
          } catch (error) {
            names = this.objects.list(prefix, last)[Symbol.asyncIterator]();
            throw error;
          }
        }),
      );
      this.assertOpen();
      if (next.done) return;
      last = next.value;
      yield last.slice(prefix.length);
    }
  }
}

/** A failure of the store as an error of the contract; other errors as they are. */
export function toStorageError(error: unknown, outcome: "none" | "unknown"): unknown {
  return error instanceof StoreFailure ? new Unavailable(error.message, { outcome, cause: error }) : error;
}
