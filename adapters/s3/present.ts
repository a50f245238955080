// The latest head of a partition that this process knows, and the check for a newer one. The check is one conditional request, which all
// callers share that call before it is sent. So its response always contains everything that was acknowledged before a call
// (promise 2).

import { LRUCache } from "lru-cache";
import { Corrupt } from "../adapter";
import { createEmptyState, type HeadState, parseHead } from "./head";
import type { Requests } from "./requests";

/**
 * The maximum number of concurrent requests for one head. Callers that arrive in the meantime share the next request, which is sent
 * sooner with a higher number.
 */
const MAX_CONCURRENT_READS = 4;

/** The maximum pause before the next request for a head, even if a jump of the clock makes the last one seem slow. */
const MAX_PAUSE_MS = 50;

/** The cache of heads, with an approximate size in bytes. An evicted head is read again when it is needed. */
export class HeadCache {
  readonly #cache: LRUCache<Present, Present>;

  constructor(bytes: number) {
    this.#cache = new LRUCache({
      maxSize: bytes,
      dispose: (present, _, reason) => {
        if (reason === "evict") present.forget();
      },
    });
  }

  touch(present: Present, { recent, recentSize }: HeadState): void {
    this.#cache.set(present, present, { size: 1000 + 2 * recentSize + 150 * recent.size });
  }
}

export class Present {
  readonly partition: string;
  readonly #requests: Requests;
  readonly #heads: HeadCache;
  #state: HeadState;
  /** The time at which the last request was sent that confirmed the state to be the latest. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  readonly #reading = new Set<Promise<HeadState>>();
  #next: Promise<HeadState> | undefined;
  /** The duration of the last request, in milliseconds. */
  #latency = 0;

  constructor(partition: string, requests: Requests, heads: HeadCache) {
    this.partition = partition;
    this.#requests = requests;
    this.#heads = heads;
    this.#state = createEmptyState(partition);
  }

  /** The latest known state; undefined until one was read. */
  get known(): HeadState | undefined {
    return this.#checkedAt === Number.NEGATIVE_INFINITY ? undefined : this.#state;
  }

  /** Returns the state if it was confirmed to be the latest less than `staleness` milliseconds ago. */
  getIfFresh(staleness: number): HeadState | undefined {
    const age = this.#requests.environment.now() - this.#checkedAt;
    // If the clock was set back, the age is not known.
    return age >= 0 && age < staleness ? this.#state : undefined;
  }

  /** Returns the latest state by a request that is sent after this call. */
  readLatest(): Promise<HeadState> {
    if (this.#reading.size === 0) return this.#start();
    this.#next ??= this.#startSoon();
    return this.#next;
  }

  /** Sends a request for all callers that arrive before it is sent. */
  async #startSoon(): Promise<HeadState> {
    if (this.#reading.size < MAX_CONCURRENT_READS)
      await this.#requests.environment.pause(Math.min(this.#latency / MAX_CONCURRENT_READS, MAX_PAUSE_MS));
    while (this.#reading.size >= MAX_CONCURRENT_READS) await Promise.race(this.#reading).catch(() => {});
    this.#next = undefined;
    return this.#start();
  }

  /** Accepts a state that a request sent at `sentAt` has returned or created, unless a newer one is known. */
  accept(state: HeadState, sentAt: number): void {
    if (state.head.number > this.#state.head.number) this.#state = state;
    this.#checkedAt = Math.max(this.#checkedAt, sentAt);
    this.#heads.touch(this, this.#state);
  }

  /** Drops the known state, which only affects performance. */
  forget(): void {
    this.#state = createEmptyState(this.partition);
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  #start(): Promise<HeadState> {
    const { now } = this.#requests.environment;
    const startedAt = now();
    const reading = this.#read().finally(() => {
      this.#reading.delete(reading);
      this.#latency = Math.max(0, now() - startedAt);
    });
    this.#reading.add(reading);
    return reading;
  }

  async #read(): Promise<HeadState> {
    const object = this.#requests.getHeadName(this.partition);
    const before = this.#state;
    const sentAt = this.#requests.environment.now();
    const got = await this.#requests.sendWithRetries(() =>
      this.#requests.objects.get(object, { ifNoneMatch: before.etag }),
    );
    if (got.outcome === "absent" && before.etag !== undefined)
      throw new Corrupt(`${object} is gone; a head is never deleted.`);
    if (got.outcome === "found" && got.etag !== before.etag) {
      const state = parseHead(object, got.etag, got.bytes, before);
      // A head is only ever replaced by its successor. Otherwise the bucket was restored, or the store is not consistent.
      if (state.head.number <= before.head.number)
        throw new Corrupt(
          `${object} went back from head ${before.head.number} to ${state.head.number}: either the bucket was restored, ` +
            "and this process must be started again, or the store broke its promises.",
        );
      this.accept(state, sentAt);
    } else this.accept(before, sentAt);
    return this.#state;
  }
}
