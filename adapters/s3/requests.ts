// The requests of a storage: object names with its prefix, retries of requests that can be repeated, timeouts, and the conversion of
// failures to errors of the contract.

import { Closed, Unavailable } from "../adapter";
import { type ObjectStore, StoreFailure } from "./object-store";
import { type Alarm, enforceTimeout, type TimeoutLimits } from "./waits";

/** The sources of time and randomness, so that a simulation controls both. */
export interface EngineEnvironment {
  /** Returns the time in milliseconds. Default: `Date.now`. */
  readonly now: () => number;
  /** Waits `ms` milliseconds. Default: `setTimeout`. */
  readonly pause: (ms: number) => Promise<void>;
  /** Sets a timer that can be cancelled. Default: `setTimeout` and `clearTimeout`. */
  readonly alarm: Alarm;
  /** Returns a number from 0 up to 1. Default: `Math.random`. */
  readonly random: () => number;
  /** Returns a unique name. Default: 16 random bytes. */
  readonly newId: (what: "writer" | "attempt" | "segment" | "probe") => string;
}

/** The maximum number of times that a repeatable request is sent. */
export const MAX_ATTEMPTS = 8;

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2000;

/** The time for which no requests are sent to a store that was silent, in milliseconds. */
const REST_MS = 1000;

/** A store counts as silent if it has answered no request for this fraction of a call's timeout. */
const SILENCE_FRACTION = 1 / 4;

export class Requests {
  readonly objects: ObjectStore;
  readonly environment: EngineEnvironment;
  readonly waits: TimeoutLimits;
  readonly #prefix: string;
  #closed = false;
  /** The time of the store's last response, and the time until which it rests because it was silent. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(objects: ObjectStore, prefix: string, environment: EngineEnvironment, waits: TimeoutLimits) {
    this.objects = objects;
    this.environment = environment;
    this.waits = waits;
    this.#prefix = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  }

  /** Return the names of objects. With an empty name, they return the prefix of all objects of a kind. */
  getHeadName = (partition: string): string => `${this.#prefix}h/${partition}`;
  getSegmentName = (partition: string, name: string): string => `${this.#prefix}s/${partition}/${name}`;
  getBlobObjectName = (name: string): string => `${this.#prefix}b/${name}`;
  getProbeName = (name: string): string => `${this.#prefix}probe/${name}`;

  /** Throws if `close` has been called. */
  assertOpen(): void {
    if (this.#closed) throw new Closed("The storage was closed.");
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** Waits before a retry. The time increases with each attempt and is random, so that waiting callers spread out. */
  waitBeforeRetry(retry: number): Promise<void> {
    const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** retry);
    return this.environment.pause(longest * (0.25 + 0.75 * this.environment.random()));
  }

  /** Waits for a request that is sent once, and records the response time of the store. */
  async sendOnce<T>(request: Promise<T>): Promise<T> {
    const answer = await request;
    this.#answeredAt = this.environment.now();
    this.#silentUntil = Number.NEGATIVE_INFINITY;
    return answer;
  }

  /** Sends a request that can be repeated: a read, a delete, or a put under a name that no other process uses. */
  async sendWithRetries<T>(send: () => Promise<T>): Promise<T> {
    await this.assertAnswering();
    const startedAt = this.environment.now();
    for (let retry = 0; ; retry++) {
      try {
        return await this.sendOnce(send());
      } catch (error) {
        if (!(error instanceof StoreFailure) || !error.isTransient) throw toStorageError(error, "none");
        if (!this.mayRetry(retry, startedAt)) {
          this.#recordSilence(startedAt);
          throw toStorageError(error, "none");
        }
      }
      await this.waitBeforeRetry(retry);
    }
  }

  /** Returns whether a request can be retried, given its number of retries and its start time. */
  mayRetry(retry: number, startedAt: number): boolean {
    return retry + 1 < MAX_ATTEMPTS && this.environment.now() - startedAt < this.waits.wholeMs;
  }

  /** Runs a call of the contract with a timeout, after which it throws `Unavailable`. Pending requests end by their own timeouts. */
  async runWithTimeout<T>(work: () => Promise<T>, outcome: "none" | "unknown" = "none"): Promise<T> {
    const startedAt = this.environment.now();
    return enforceTimeout(
      this.waits.wholeMs,
      work(),
      () => this.createTimeoutError(startedAt, outcome),
      this.environment.alarm,
    );
  }

  /** Creates the error of a call that has timed out, given its start time. */
  createTimeoutError(startedAt: number, outcome: "none" | "unknown"): Unavailable {
    this.#recordSilence(startedAt);
    const message = `${this.#name} gave no answer within ${this.waits.wholeMs} ms; try later.`;
    return new Unavailable(message, { outcome });
  }

  /**
   * Rejects while the store rests because it was silent. A request to the API makes many calls, some of which are retried later if they
   * fail: without this, each of them would wait as long as the first one. A short pause prevents tight retry loops.
   */
  async assertAnswering(): Promise<void> {
    const rest = this.#silentUntil - this.environment.now();
    // If the clock was set back, the rest time is not known.
    if (!(rest > 0 && rest <= REST_MS)) return;
    await this.environment.pause(MIN_PAUSE_MS);
    throw new Unavailable(`${this.#name} gave no answer a moment ago; try later.`, { outcome: "none" });
  }

  #recordSilence(startedAt: number): void {
    const now = this.environment.now();
    const silence = now - Math.max(startedAt, this.#answeredAt);
    if (silence >= SILENCE_FRACTION * this.waits.wholeMs) this.#silentUntil = now + REST_MS;
  }

  get #name(): string {
    return this.objects.name.replace(/^t/, "T");
  }

  /** Lists the names after `prefix` in order. After a failure the listing continues after the last name. */
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

/** Converts a failure of the store to an error of the contract. Returns other errors as they are. */
export function toStorageError(error: unknown, outcome: "none" | "unknown"): unknown {
  return error instanceof StoreFailure ? new Unavailable(error.message, { outcome, cause: error }) : error;
}
