// The store as one process sees it over a bad network: answers are lost, come late or tell of a repetition, requests take
// effect after they were given up, servers are busy, and the process itself may end between any two requests.

import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type ObjectStore,
  type PutResult,
  StoreFailure,
} from "../../../adapters/s3/object-store";
import type { Faults } from "../../stress/simulate/day";
import type { VirtualTime } from "../../stress/simulate/virtual-time";
import type { ObjectsInMemory } from "./objects-in-memory";

export interface Network {
  readonly objects: ObjectsInMemory;
  readonly time: VirtualTime;
  /** A number from 0 up to but not including `below`. */
  readonly random: (below: number) => number;
  /** How many requests in a thousand go wrong. */
  readonly faultiness: number;
  readonly faults: Faults;
  /** Until when nothing comes through, in virtual ms. */
  outageUntil: number;
}

/** Another one each time: those who wait for one promise would be remembered for ever. */
const never = () => new Promise<never>(() => {});

/** A process: it sees the store through its own requests, and everything it does ends when it crashes. */
export class Process implements ObjectStore {
  readonly name = "a bucket on a bad network";
  readonly #network: Network;
  #alive = true;
  #crash: () => void = () => {};
  /** Resolves when the process has crashed. */
  readonly crashed: Promise<"crashed">;

  constructor(network: Network) {
    this.#network = network;
    this.crashed = new Promise((resolve) => {
      this.#crash = () => resolve("crashed");
    });
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  crash(): void {
    this.#alive = false;
    this.#crash();
  }

  /** The process's own clock: a dead one never wakes. */
  pause = async (ms: number): Promise<void> => {
    await this.#network.time.pause(ms);
    if (!this.#alive) await never();
  };

  /** No alarm of a dead process rings. */
  alarm = (ms: number, ring: () => void): (() => void) =>
    this.#network.time.alarm(ms, () => {
      if (this.#alive) ring();
    });

  put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult> {
    const copy = bytes.slice();
    return this.#write(() => this.#network.objects.putNow(name, copy, condition), condition !== undefined);
  }

  get(
    name: string,
    options?: { ifNoneMatch?: string | undefined; range?: ObjectRange | undefined },
  ): Promise<GetResult> {
    return this.#read(() => this.#network.objects.getNow(name, options));
  }

  stat(name: string) {
    return this.#read(() => {
      const got = this.#network.objects.getNow(name);
      return got.outcome === "found" ? { size: got.bytes.length } : undefined;
    });
  }

  async open(): Promise<never> {
    throw new Error("The simulation reads no blobs.");
  }

  async putParts(name: string, parts: AsyncIterable<Uint8Array>): Promise<PutResult> {
    const held: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of parts) held.push(new Uint8Array(part));
    return this.put(name, new Uint8Array(await new Blob(held).arrayBuffer()));
  }

  delete(name: string): Promise<void> {
    return this.#write(() => this.#network.objects.deleteNow(name), false);
  }

  async *list(prefix: string, after?: string): AsyncGenerator<string> {
    yield* await this.#read(() => this.#network.objects.namesNow(prefix, after));
  }

  async #read<T>(read: () => T): Promise<T> {
    await this.#travel();
    const answer = read();
    if (this.#strikes()) throw this.#failure("an answer to a read was lost", "unknown");
    await this.#travel();
    return answer;
  }

  async #write<T>(apply: () => T, isConditional: boolean): Promise<T> {
    const { random, time } = this.#network;
    // A request that is on its way arrives also when its sender is gone, or it does not.
    if (!this.#alive) await never();
    await time.pause(this.#latency());
    if (!this.#alive && random(2) === 0) return never();
    const isOut = time.now() < this.#network.outageUntil;
    const fault = this.#strikes() ? random(isOut ? 6 : 8) : -1;
    if (fault === 0) throw this.#failure("a write was lost on its way", "unknown");
    if (fault === 1) throw this.#failure("a server was throttled", "none");
    if (fault === 2 && isConditional) {
      this.#count("a server was busy");
      return { outcome: "busy" } as T;
    }
    if (fault === 3) {
      // It is given up, and takes effect nevertheless, much later.
      void time.pause(random(4000)).then(() => apply());
      throw this.#failure("a write came late", "unknown");
    }
    let answer = apply();
    if (fault === 4 || fault === 5) throw this.#failure("the answer to a write was lost", "unknown");
    if (fault === 6) {
      this.#count("a write was repeated on its way");
      answer = apply();
    }
    if (fault === 7) {
      this.#count("a write was repeated later");
      void time.pause(random(3000)).then(() => apply());
    }
    await this.#travel();
    return answer;
  }

  async #travel(): Promise<void> {
    if (!this.#alive) await never();
    await this.#network.time.pause(this.#latency());
    if (!this.#alive) await never();
  }

  #latency(): number {
    const { random } = this.#network;
    if (this.#network.faultiness > 0 && random(60) === 0) {
      this.#count("a process stalled");
      return random(5000);
    }
    return 1 + random(15);
  }

  #strikes(): boolean {
    const { outageUntil, time, random, faultiness } = this.#network;
    return time.now() < outageUntil || random(1000) < faultiness;
  }

  #failure(what: string, outcome: "none" | "unknown"): StoreFailure {
    this.#count(what);
    return new StoreFailure(what, { outcome, isTransient: true });
  }

  #count(what: string): void {
    this.#network.faults[what] = (this.#network.faults[what] ?? 0) + 1;
  }
}
