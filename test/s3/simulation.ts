// One simulated day of a partition: several processes write to it, read it and tidy it over a bad network, and die.
// Every choice follows from the seed. Afterwards all that was answered is compared with what is there.

import type { Batch, Entry, Json, Key, Partition } from "octavo";
import { randomly } from "../../adapters/conformance/cases";
import { isGarbage } from "../../adapters/s3/compaction";
import { type ObjectStorageOptions, objectStorage } from "../../adapters/s3/engine";
import { emptyState, encodeHead, type Head, parseHead, type State } from "../../adapters/s3/head";
import type { Condition, Got, ObjectStore, Put } from "../../adapters/s3/object-store";
import { type Faults, type Network, Process } from "./faulty-objects";
import { ObjectsInMemory } from "./objects-in-memory";
import { VirtualTime } from "./virtual-time";

const PARTITION = "bank";
const HEAD = `h/${PARTITION}`;
const SEGMENTS = `s/${PARTITION}/`;
const ACCOUNTS = 5;
const account = (i: number): Key => `a${i}`;
const OPENING_BALANCE = 100;

/** A way to break the protocol, to show that the simulation notices. */
export interface Break {
  /** What a process sees instead of its store. */
  readonly objects?: (objects: ObjectStore) => ObjectStore;
  readonly options?: ObjectStorageOptions;
  /** What else runs, beside everything that is right. */
  readonly alongside?: (network: Network) => Promise<void>;
}

/** What happened in a simulation. */
export interface Day {
  commits: number;
  refused: number;
  unknown: number;
  reads: number;
  tooOld: number;
  heads: number;
  segments: number;
  merged: number;
  deleted: number;
  crashes: number;
  outages: number;
  readonly faults: Faults;
}

interface Sent {
  readonly batch: Batch;
  readonly marker: Key;
  /** The version, when it was acknowledged. */
  version?: number;
  outcome: "pending" | "done" | "refused" | "none" | "unknown";
}

/** Runs one seed; throws when a promise was broken. */
export async function simulate(seed: number, broken: Break = {}): Promise<Day> {
  const simulation = new Simulation(seed, broken);
  try {
    return await simulation.run();
  } catch (error) {
    throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** The store, which watches over what lies in it. */
class WatchedObjects extends ObjectsInMemory {
  readonly #day: Day;
  #last: State = emptyState(PARTITION);
  violation: string | undefined;

  constructor(day: Day) {
    super();
    this.#day = day;
  }

  override putNow(name: string, bytes: Uint8Array, condition?: Condition): Put {
    if (name.startsWith(SEGMENTS)) this.#watchSegment(name, bytes);
    const put = super.putNow(name, bytes, condition);
    if (name === HEAD && put.outcome === "stored") this.#watchHead(parseHead(name, put.etag, bytes, this.#last));
    return put;
  }

  override deleteNow(name: string): void {
    if (this.#last.head.segments.some((ref) => SEGMENTS + ref.name === name))
      this.violation ??= `${name} was deleted while head ${this.#last.head.number} named it`;
    if (name === HEAD) this.violation ??= "the head was deleted";
    if (name.startsWith(SEGMENTS)) this.#day.deleted++;
    super.deleteNow(name);
  }

  #watchSegment(name: string, bytes: Uint8Array): void {
    this.#day.segments++;
    const there = this.getNow(name);
    if (there.outcome === "found" && String(there.bytes) !== String(bytes))
      this.violation ??= `${name} was replaced by something else`;
  }

  #watchHead(state: State): void {
    const { head } = state;
    this.#day.heads++;
    if (head.number !== this.#last.head.number + 1 || head.version < this.#last.head.version)
      this.violation ??= `head ${head.number} of version ${head.version} came after ${this.#last.head.number} of ${this.#last.head.version}`;
    for (const ref of head.segments)
      if (this.getNow(SEGMENTS + ref.name).outcome === "absent")
        this.violation ??= `head ${head.number} names the segment ${ref.name}, which is missing`;
    this.#last = state;
  }
}

class Simulation {
  readonly #random: (below: number) => number;
  readonly #time = new VirtualTime();
  readonly #broken: Break;
  readonly #day: Day = {
    commits: 0,
    refused: 0,
    unknown: 0,
    reads: 0,
    tooOld: 0,
    heads: 0,
    segments: 0,
    merged: 0,
    deleted: 0,
    crashes: 0,
    outages: 0,
    faults: {},
  };
  readonly #objects = new WatchedObjects(this.#day);
  readonly #network: Network;
  readonly #options: ObjectStorageOptions;
  readonly #sent: Sent[] = [];
  readonly #seen: { readonly version: number; readonly balances: readonly (Json | undefined)[] }[] = [];
  #ids = 0;
  #acknowledged = 0;
  #working = 0;

  constructor(seed: number, broken: Break) {
    this.#random = randomly(seed);
    this.#broken = broken;
    const random = this.#random;
    this.#network = {
      objects: this.#objects,
      time: this.#time,
      random,
      faultiness: [0, 30, 80, 200][random(4)]!,
      faults: this.#day.faults,
      outageUntil: 0,
    };
    this.#options = {
      now: this.#time.now,
      random: () => random(1000) / 1000,
      newId: () => `i${this.#ids++}`,
      inlineBytes: [150, 400, 1000][random(3)]!,
      cacheBytes: random(3) === 0 ? 0 : 1_000_000,
      grace: [50, 500, 5000][random(3)]!,
      // Some are given up while their requests are still on the way.
      timeouts: { wholeMs: [80, 1000, 10_000][random(3)]! },
      probes: false,
      ...broken.options,
    };
  }

  async run(): Promise<Day> {
    await this.#time.run(this.#live());
    await this.#audit();
    return this.#day;
  }

  async #live(): Promise<void> {
    const [partition] = this.#start();
    const opening = Array.from({ length: ACCOUNTS }, (_, i) => ({ key: account(i), value: OPENING_BALANCE }));
    for (let isOpen = false; !isOpen; ) {
      const [sent] = await this.#send(partition, [{ puts: opening, checks: [{ key: account(0), version: null }] }]);
      isOpen = sent!.outcome === "done" || sent!.outcome === "refused";
    }
    const writers = 2 + this.#random(3);
    this.#working = writers;
    const all = [this.#reader(), this.#reader(), this.#tidier(), this.#weather()];
    for (let i = 0; i < writers; i++) all.push(this.#writer(6 + this.#random(10)));
    if (this.#broken.alongside) all.push(this.#broken.alongside(this.#network));
    await Promise.all(all);
    // What is still on its way arrives, or never will.
    await this.#time.pause(20_000);
  }

  /** A new process with a storage of its own. */
  #start(): [Partition, Process, ReturnType<typeof objectStorage>] {
    const process = new Process(this.#network);
    const objects = this.#broken.objects?.(process) ?? process;
    const storage = objectStorage(objects, { ...this.#options, pause: process.pause, alarm: process.alarm });
    return [storage.partition(PARTITION), process, storage];
  }

  async #writer(turns: number): Promise<void> {
    let [partition, process] = this.#start();
    for (let turn = 0; turn < turns; turn++) {
      await this.#time.pause(this.#random(60));
      if (this.#network.faultiness > 0 && this.#random(12) === 0) this.#crashSoon(process);
      const work = this.#random(3) === 0 ? this.#deposits(partition) : this.#transfer(partition);
      if ((await Promise.race([work, process.crashed])) === "crashed") [partition, process] = this.#start();
    }
    this.#working--;
  }

  /** Now and then nothing comes through, for longer than anyone is patient. */
  async #weather(): Promise<void> {
    while (this.#working > 0 && this.#network.faultiness > 100) {
      await this.#time.pause(this.#random(4000));
      this.#network.outageUntil = this.#time.now() + this.#random(12_000);
      this.#day.outages++;
      await this.#time.pause(15_000);
    }
    this.#network.outageUntil = 0;
  }

  #crashSoon(process: Process): void {
    void this.#time.pause(this.#random(80)).then(() => {
      if (process.isAlive) this.#day.crashes++;
      process.crash();
    });
  }

  /** Moves money by check and put: all is lost when two do so at once. */
  async #transfer(partition: Partition): Promise<void> {
    const from = this.#random(ACCOUNTS);
    const to = (from + 1 + this.#random(ACCOUNTS - 1)) % ACCOUNTS;
    const keys = [account(from), account(to)];
    const entries = await this.#reading(async () => (await partition.snapshot()).get(keys));
    if (!entries?.[0] || !entries[1]) return;
    const amount = 1 + this.#random(9);
    const [source, target] = entries as Entry[];
    const checks = entries.map((entry) => ({ key: entry!.key, version: entry!.version }));
    const puts = [
      { key: source!.key, value: (source!.value as number) - amount },
      { key: target!.key, value: (target!.value as number) + amount },
    ];
    await this.#send(partition, [{ checks, puts }]);
  }

  /** Commits that wait together, and count by adding. */
  async #deposits(partition: Partition): Promise<void> {
    const count = 1 + this.#random(4);
    const batches = Array.from({ length: count }, (_, i) => ({
      adds: [{ key: "count", amount: 1 }],
      puts: [{ key: `x${this.#random(20)}`, value: `${i}`.repeat(this.#random(60)) }],
      deletes: [`y${this.#random(5)}`],
    }));
    await this.#send(partition, batches);
  }

  /** Sends commits at once, each with a marker of its own, and notes what was answered. */
  async #send(partition: Partition, parts: readonly Partial<Batch>[]): Promise<Sent[]> {
    const sending = parts.map(async (part) => {
      const marker = `m${String(this.#sent.length).padStart(4, "0")}`;
      const puts = [...(part.puts ?? []), { key: marker, value: 1 }];
      const batch = { checks: [], deletes: [], adds: [], ...part, puts };
      const sent: Sent = { batch, marker, outcome: "pending" };
      this.#sent.push(sent);
      try {
        const committed = await partition.commit(batch);
        sent.outcome = committed.ok ? "done" : "refused";
        if (committed.ok) {
          sent.version = committed.version;
          this.#acknowledged = Math.max(this.#acknowledged, committed.version);
        }
      } catch (error) {
        if (codeOf(error) !== "unavailable") throw error;
        sent.outcome = (error as { outcome: "none" | "unknown" }).outcome;
      }
      return sent;
    });
    return Promise.all(sending);
  }

  async #reader(): Promise<void> {
    let [partition, process] = this.#start();
    while (this.#working > 0) {
      if (this.#network.faultiness > 0 && this.#random(25) === 0) this.#crashSoon(process);
      const reading = this.#reading(() => this.#look(partition));
      if ((await Promise.race([reading, process.crashed])) === "crashed") [partition, process] = this.#start();
      await this.#time.pause(this.#random(80));
    }
  }

  async #look(partition: Partition): Promise<void> {
    const acknowledged = this.#acknowledged;
    const snapshot = await partition.snapshot();
    if (snapshot.version < acknowledged)
      throw new Error(`a snapshot of version ${snapshot.version} was given after ${acknowledged} was acknowledged`);
    const keys = Array.from({ length: ACCOUNTS }, (_, i) => account(i));
    const listed = await snapshot.list({ under: "a", limit: 100, reverse: this.#random(2) === 0 });
    if (this.#random(2) === 0) await this.#time.pause(this.#random(300));
    const got = await snapshot.get(keys);
    const balances = got.map((entry) => entry?.value);
    const again = keys.map((key) => listed.find((entry) => entry.key === key)?.value);
    if (String(balances) !== String(again)) throw new Error(`a snapshot was torn: ${again} became ${balances}`);
    this.#seen.push({ version: snapshot.version, balances });
    this.#day.reads++;
  }

  /** Runs a read, which may fail as long as it says so. */
  async #reading<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (codeOf(error) !== "unavailable") throw error;
      this.#day.tooOld += /grown too old/.test(String(error)) ? 1 : 0;
      await this.#time.pause(this.#random(3000));
      return undefined;
    }
  }

  async #tidier(): Promise<void> {
    let [, process, storage] = this.#start();
    while (this.#working > 0) {
      await this.#time.pause(this.#random(150));
      if (this.#network.faultiness > 0 && this.#random(8) === 0) this.#crashSoon(process);
      const tidying = this.#reading(() => storage.maintain());
      const done = await Promise.race([tidying, process.crashed]);
      if (done === "crashed") [, process, storage] = this.#start();
      else this.#day.merged += done?.merged ?? 0;
    }
  }

  /** Compares what was answered with what is there. */
  async #audit(): Promise<void> {
    if (this.#objects.violation) throw new Error(this.#objects.violation);
    const storage = objectStorage(this.#objects, { merges: false, probes: false });
    const snapshot = await storage.partition(PARTITION).snapshot();
    const entries = await snapshot.list({ under: "", limit: Number.POSITIVE_INFINITY });
    const there = new Map(entries.map((entry) => [entry.key, entry]));

    const inOrder: Sent[] = [];
    for (const sent of this.#sent) {
      const version = there.get(sent.marker)?.version;
      if (sent.outcome === "done" && version === undefined)
        throw new Error(`the commit ${sent.marker} was acknowledged and is lost`);
      if (sent.outcome === "done" && version !== sent.version)
        throw new Error(`the commit ${sent.marker} was acknowledged as ${sent.version} and is there as ${version}`);
      if ((sent.outcome === "none" || sent.outcome === "refused") && version !== undefined)
        throw new Error(`the commit ${sent.marker} did not happen (${sent.outcome}) and is there`);
      this.#day.commits += sent.outcome === "done" ? 1 : 0;
      this.#day.refused += sent.outcome === "refused" ? 1 : 0;
      this.#day.unknown += sent.outcome === "unknown" ? 1 : 0;
      if (version === undefined) continue;
      if (inOrder[version]) throw new Error(`two commits have the version ${version}`);
      inOrder[version] = sent;
    }

    // Every version is a commit that we know: one that happened twice would have left a version without a marker.
    const model = new Map<Key, { value: Json; version: number }>();
    const balances: (Json | undefined)[][] = [Array.from({ length: ACCOUNTS }, () => undefined)];
    for (let version = 1; version <= snapshot.version; version++) {
      const sent = inOrder[version];
      if (!sent) throw new Error(`the version ${version} is no commit that was sent, or one that happened twice`);
      replay(model, sent.batch, version);
      balances.push(Array.from({ length: ACCOUNTS }, (_, i) => model.get(account(i))?.value));
    }
    const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => ({ key, ...entry }));
    if (JSON.stringify(expected.map(shape)) !== JSON.stringify(entries.map(shape)))
      throw new Error("the entries are not those that the commits have written");
    for (const seen of this.#seen)
      if (String(seen.balances) !== String(balances[seen.version]))
        throw new Error(`a snapshot of ${seen.version} had ${seen.balances} and not ${balances[seen.version]}`);
    const sum = balances.at(-1)!.reduce<number>((total, value) => total + (value as number), 0);
    if (snapshot.version > 0 && sum !== ACCOUNTS * OPENING_BALANCE) throw new Error(`the bank holds ${sum}`);
    await this.#sweptClean();
  }

  /** Two calls of `maintain` long after the last writer leave only what the head names. */
  async #sweptClean(): Promise<void> {
    const later = { now: () => this.#time.now() + 1e9, merges: false, probes: false };
    for (let i = 0; i < 2; i++) await objectStorage(this.#objects, later).maintain();
    const { head } = readHead(this.#objects);
    const left = this.#objects.namesNow(SEGMENTS).map((name) => name.slice(SEGMENTS.length));
    const named = new Set(head.segments.map(({ name }) => name));
    const leaked = left.filter((name) => !named.has(name) && isGarbage(head, name));
    if (leaked.length > 0) throw new Error(`segments were left behind: ${leaked}`);
    for (const name of named) if (!left.includes(name)) throw new Error(`the segment ${name} was swept while in use`);
  }
}

const shape = ({ key, value, version }: { key: Key; value: Json; version: number }) => [key, value, version];

function replay(model: Map<Key, { value: Json; version: number }>, batch: Batch, version: number): void {
  for (const check of batch.checks)
    if ((model.get(check.key)?.version ?? null) !== check.version)
      throw new Error(`the commit of version ${version} was accepted though its check of ${check.key} fails`);
  for (const { key, value } of batch.puts) model.set(key, { value, version });
  for (const key of batch.deletes) model.delete(key);
  for (const { key, amount } of batch.adds)
    model.set(key, { value: ((model.get(key)?.value as number | undefined) ?? 0) + amount, version });
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function readHead(objects: ObjectsInMemory): State {
  const got = objects.getNow(HEAD);
  return got.outcome === "found" ? parseHead(HEAD, got.etag, got.bytes, emptyState(PARTITION)) : emptyState(PARTITION);
}

/** What a put of a head says. */
function putHead(name: string, bytes: Uint8Array): Head | undefined {
  return name === HEAD ? parseHead(name, "", bytes, emptyState(PARTITION)).head : undefined;
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
    async get(name, options): Promise<Got> {
      const got = await objects.get(name, options);
      if (name !== HEAD || got.outcome !== "found" || refused === undefined) return got;
      const { head, recent } = parseHead(name, got.etag, got.bytes, emptyState(PARTITION));
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
