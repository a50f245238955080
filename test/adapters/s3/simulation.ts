// The days of the S3 engine: processes over a bad network on one bucket, which watches over what lies in it.

import { createSeededRandom } from "../../../adapters/conformance/cases";
import { isGarbage } from "../../../adapters/s3/compaction";
import { createObjectStorage, type ObjectStorageOptions } from "../../../adapters/s3/engine";
import { createEmptyState, encodeHead, type Head, type HeadState, parseHead } from "../../../adapters/s3/head";
import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type ObjectStore,
  type PutResult,
  StoreFailure,
} from "../../../adapters/s3/object-store";
import {
  type Counts,
  Day,
  type Faults,
  Mortal,
  never,
  noCounts,
  ofSeed,
  PARTITION,
  type SimulatedProcess,
  type World,
} from "../../stress/simulate/day";
import { VirtualTime } from "../../stress/simulate/virtual-time";
import { ObjectsInMemory } from "./objects-in-memory";

// The store as one process sees it over a bad network: answers are lost, come late or tell of a repetition, requests take
// effect after they were given up, servers are busy, and the process itself may end between any two requests.

interface Network {
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

/** A process: it sees the store through its own requests, and everything it does ends when it crashes. */
class Process extends Mortal implements ObjectStore {
  readonly name = "a bucket on a bad network";
  readonly #network: Network;

  constructor(network: Network) {
    super();
    this.#network = network;
  }

  /** The process's own clock: a dead one never wakes. */
  pause = async (ms: number): Promise<void> => {
    await this.#network.time.pause(ms);
    if (!this.isAlive) await never();
  };

  /** No alarm of a dead process rings. */
  alarm = (ms: number, ring: () => void): (() => void) =>
    this.#network.time.alarm(ms, () => {
      if (this.isAlive) ring();
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
    if (!this.isAlive) await never();
    await time.pause(this.#latency());
    if (!this.isAlive && random(2) === 0) return never();
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
    if (!this.isAlive) await never();
    await this.#network.time.pause(this.#latency());
    if (!this.isAlive) await never();
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

const HEAD = `h/${PARTITION}`;
const SEGMENTS = `s/${PARTITION}/`;

/** A way to break the protocol, to show that the simulation notices. */
export interface Break {
  /** What a process sees instead of its store. */
  readonly objects?: (objects: ObjectStore) => ObjectStore;
  readonly options?: ObjectStorageOptions;
  /** What else runs, beside everything that is right. */
  readonly alongside?: (network: Network) => Promise<void>;
}

/** What happened in a simulation. */
export interface S3Counts extends Counts {
  heads: number;
  segments: number;
  merged: number;
  deleted: number;
}

/** Runs one seed; throws when a promise was broken. */
export function simulate(seed: number, broken: Break = {}): Promise<S3Counts> {
  return ofSeed(seed, () => new Simulation(seed, broken).run());
}

/** The store, which watches over what lies in it. */
class WatchedObjects extends ObjectsInMemory {
  readonly #counts: S3Counts;
  #last: HeadState = createEmptyState(PARTITION);
  violation: string | undefined;

  constructor(counts: S3Counts) {
    super();
    this.#counts = counts;
  }

  override putNow(name: string, bytes: Uint8Array, condition?: Condition): PutResult {
    if (name.startsWith(SEGMENTS)) this.#watchSegment(name, bytes);
    const put = super.putNow(name, bytes, condition);
    if (name === HEAD && put.outcome === "stored") this.#watchHead(parseHead(name, put.etag, bytes, this.#last));
    return put;
  }

  override deleteNow(name: string): void {
    if (this.#last.head.segments.some((ref) => SEGMENTS + ref.name === name))
      this.violation ??= `${name} was deleted while head ${this.#last.head.number} named it`;
    if (name === HEAD) this.violation ??= "the head was deleted";
    if (name.startsWith(SEGMENTS)) this.#counts.deleted++;
    super.deleteNow(name);
  }

  #watchSegment(name: string, bytes: Uint8Array): void {
    this.#counts.segments++;
    const there = this.getNow(name);
    if (there.outcome === "found" && String(there.bytes) !== String(bytes))
      this.violation ??= `${name} was replaced by something else`;
  }

  #watchHead(state: HeadState): void {
    const { head } = state;
    this.#counts.heads++;
    if (head.number !== this.#last.head.number + 1 || head.version < this.#last.head.version)
      this.violation ??= `head ${head.number} of version ${head.version} came after ${this.#last.head.number} of ${this.#last.head.version}`;
    for (const ref of head.segments)
      if (this.getNow(SEGMENTS + ref.name).outcome === "absent")
        this.violation ??= `head ${head.number} names the segment ${ref.name}, which is missing`;
    this.#last = state;
  }
}

class Simulation implements World {
  /** All that follows from an event happens in microtasks. With `setImmediate` a seed takes 21.7 ms instead of 18.9. */
  readonly time = new VirtualTime(process.nextTick);
  readonly random: (below: number) => number;
  readonly counts: S3Counts = { ...noCounts(), heads: 0, segments: 0, merged: 0, deleted: 0 };
  readonly faultiness: number;
  outageUntil = 0;
  readonly alongside: World["alongside"];
  readonly #broken: Break;
  readonly objects = new WatchedObjects(this.counts);
  readonly #options: ObjectStorageOptions;
  #ids = 0;

  constructor(seed: number, broken: Break) {
    this.random = createSeededRandom(seed);
    this.#broken = broken;
    const { random } = this;
    this.faultiness = [0, 30, 80, 200][random(4)]!;
    this.alongside = broken.alongside ? [() => broken.alongside!(this)] : [];
    this.#options = {
      now: this.time.now,
      random: () => random(1000) / 1000,
      newId: () => `i${this.#ids++}`,
      inlineBytes: [150, 400, 1000][random(3)]!,
      cacheBytes: random(3) === 0 ? 0 : 1_000_000,
      retentionMs: [50, 500, 5000][random(3)]!,
      // Some are given up while their requests are still on the way.
      timeouts: { wholeMs: [80, 1000, 10_000][random(3)]! },
      testConditions: false,
      ...broken.options,
    };
  }

  get faults() {
    return this.counts.faults;
  }

  async run(): Promise<S3Counts> {
    const day = new Day(this);
    await this.time.run(day.live());
    if (this.objects.violation) throw new Error(this.objects.violation);
    const storage = createObjectStorage(this.objects, { autoMerge: false, testConditions: false });
    await day.audit(storage.partition(PARTITION));
    await this.#sweptClean();
    return this.counts;
  }

  start(): SimulatedProcess {
    const process = new Process(this);
    const objects = this.#broken.objects?.(process) ?? process;
    const storage = createObjectStorage(objects, { ...this.#options, pause: process.pause, alarm: process.alarm });
    return Object.assign(process, {
      partition: storage.partition(PARTITION),
      tidy: async () => {
        const { merged } = await storage.maintain();
        if (process.isAlive) this.counts.merged += merged;
      },
    });
  }

  /** Two calls of `maintain` long after the last writer leave only what the head names. */
  async #sweptClean(): Promise<void> {
    const later = { now: () => this.time.now() + 1e9, autoMerge: false, testConditions: false };
    for (let i = 0; i < 2; i++) await createObjectStorage(this.objects, later).maintain();
    const { head } = readHead(this.objects);
    const left = this.objects.namesNow(SEGMENTS).map((name) => name.slice(SEGMENTS.length));
    const named = new Set(head.segments.map(({ name }) => name));
    const leaked = left.filter((name) => !named.has(name) && isGarbage(head, name));
    if (leaked.length > 0) throw new Error(`segments were left behind: ${leaked}`);
    for (const name of named) if (!left.includes(name)) throw new Error(`the segment ${name} was swept while in use`);
  }
}

function readHead(objects: ObjectsInMemory): HeadState {
  const got = objects.getNow(HEAD);
  return got.outcome === "found"
    ? parseHead(HEAD, got.etag, got.bytes, createEmptyState(PARTITION))
    : createEmptyState(PARTITION);
}

/** What a put of a head says. */
function putHead(name: string, bytes: Uint8Array): Head | undefined {
  return name === HEAD ? parseHead(name, "", bytes, createEmptyState(PARTITION)).head : undefined;
}

/** A store that does all but what is given here. */
function altered(objects: ObjectStore, parts: Partial<Pick<ObjectStore, "put" | "get">>): ObjectStore {
  return {
    name: objects.name,
    put: parts.put ?? ((name, bytes, condition) => objects.put(name, bytes, condition)),
    get: parts.get ?? ((name, options) => objects.get(name, options)),
    stat: (name) => objects.stat(name),
    open: (name, range) => objects.open(name, range),
    putParts: (name, all, condition) => objects.putParts(name, all, condition),
    delete: (name) => objects.delete(name),
    list: (prefix, after) => objects.list(prefix, after),
  };
}

/** Takes a 412 at face value: our own attempt is not looked for in the head that is read after one. */
function takesRefusalsAtFaceValue(objects: ObjectStore): ObjectStore {
  let refused: string | undefined;
  return altered(objects, {
    async put(name, bytes, condition) {
      const put = await objects.put(name, bytes, condition);
      const head = putHead(name, bytes);
      if (head) refused = put.outcome === "refused" ? head.writers[0]!.id : undefined;
      return put;
    },
    async get(name, options): Promise<GetResult> {
      const got = await objects.get(name, options);
      if (name !== HEAD || got.outcome !== "found" || refused === undefined) return got;
      const { head, recent } = parseHead(name, got.etag, got.bytes, createEmptyState(PARTITION));
      const writers = head.writers.filter(({ id }) => id !== refused);
      return { ...got, bytes: encodeHead({ ...head, writers }, recent) };
    },
  });
}

/** Deletes what a compaction replaces before the head says so. */
function deletesBeforeTheSwap(objects: ObjectStore): ObjectStore {
  return altered(objects, {
    async put(name, bytes, condition) {
      for (const { name: retired } of putHead(name, bytes)?.retired ?? []) await objects.delete(SEGMENTS + retired);
      return objects.put(name, bytes, condition);
    },
  });
}

/** Deletes every segment that the head does not name, also what a writer is about to name. */
async function sweepsWhatIsNotNamed({ objects, time, random }: Network): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    await time.pause(random(40));
    const { head } = readHead(objects);
    const named = new Set([...head.segments, ...head.retired].map((ref) => SEGMENTS + ref.name));
    for (const name of objects.namesNow(SEGMENTS)) if (!named.has(name)) objects.deleteNow(name);
  }
}

/** Each way to break the protocol that the simulation must notice. */
export function controls(): Record<string, Break> {
  let ids = 0;
  return {
    "a 412 is taken at face value": { objects: takesRefusalsAtFaceValue },
    "segments are deleted before the swap": { objects: deletesBeforeTheSwap },
    "the names of segments are used again": {
      options: { newId: (what) => (what === "segment" ? "again" : `i${ids++}`) },
    },
    "a sweeper takes what is not named yet": { alongside: sweepsWhatIsNotNamed },
    "a reader may be a moment behind": { options: { maxStaleness: 100 } },
  };
}
