// The present of a partition: the newest head that this process knows, and the question whether there is a newer one.
// That is one conditional request, shared by all who asked before it was sent, so that what was acknowledged before a
// call is always in the answer (promise 2).

import { LRUCache } from "lru-cache";
import { Corrupt } from "../adapter";
import { createEmptyState, type HeadState, parseHead } from "./head";
import type { Requests } from "./requests";

/** The most requests for one head that run at once. Callers that arrive meanwhile share the next request, so with more of them it is sent sooner. */
const MAX_CONCURRENT_READS = 4;

/** The longest pause before the next request for a head, also when a jump of the clock makes the last one seem slow. */
const MAX_PAUSE_MS = 50;

/** The heads that are kept in memory, up to a size in bytes, about. A forgotten one is read again when it is needed. */
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
  readonly #kept: HeadCache;
  #state: HeadState;
  /** When the request was sent that last showed the state to be the newest. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  readonly #reading = new Set<Promise<HeadState>>();
  #next: Promise<HeadState> | undefined;
  /** How long the last request took, in ms. */
  #latency = 0;

  constructor(partition: string, requests: Requests, kept: HeadCache) {
    this.partition = partition;
    this.#requests = requests;
    this.#kept = kept;
    this.#state = createEmptyState(partition);
  }

  /** The newest state that is known; `undefined` until one was read. */
  get known(): HeadState | undefined {
    return this.#checkedAt === Number.NEGATIVE_INFINITY ? undefined : this.#state;
  }

  /** The state, if it was the newest less than so many ms ago. */
  getIfFresh(staleness: number): HeadState | undefined {
    const age = this.#requests.environment.now() - this.#checkedAt;
    // A clock that was set back says nothing about the age.
    return age >= 0 && age < staleness ? this.#state : undefined;
  }

  /** The newest state, by a request that is sent after this call. */
  readLatest(): Promise<HeadState> {
    if (this.#reading.size === 0) return this.#start();
    this.#next ??= this.#startSoon();
    return this.#next;
  }

  /** Sends a request for all who ask until then. */
  async #startSoon(): Promise<HeadState> {
    if (this.#reading.size < MAX_CONCURRENT_READS)
      await this.#requests.environment.pause(Math.min(this.#latency / MAX_CONCURRENT_READS, MAX_PAUSE_MS));
    while (this.#reading.size >= MAX_CONCURRENT_READS) await Promise.race(this.#reading).catch(() => {});
    this.#next = undefined;
    return this.#start();
  }

  /** Takes in a state that a request sent at `sentAt` has shown or made; never goes back. */
  accept(state: HeadState, sentAt: number): void {
    if (state.head.number > this.#state.head.number) this.#state = state;
    this.#checkedAt = Math.max(this.#checkedAt, sentAt);
    this.#kept.touch(this, this.#state);
  }

  /** Forgets what is known: nothing depends on it but time. */
  forget(): void {
    this.#state = createEmptyState(this.partition);
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  #start(): Promise<HeadState> {
    const { now } = this.#requests.environment;
    const began = now();
    const reading = this.#read().finally(() => {
      this.#reading.delete(reading);
      this.#latency = Math.max(0, now() - began);
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
      // No head is replaced but by its successor; a store that says otherwise was restored, or lost its order.
      if (state.head.number <= before.head.number)
        throw new Corrupt(
          `${object} went back from head ${before.head.number} to ${state.head.number}: either the bucket was restored, and this process must be started again, or the store broke its promises.`,
        );
      this.accept(state, sentAt);
    } else this.accept(before, sentAt);
    return this.#state;
  }
}
