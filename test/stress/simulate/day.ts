// One simulated day of a partition, on whichever engine: several processes write to it, read it and tidy it over a bad
// network, and die. Every choice follows from the seed. Afterwards all that was answered is compared with what is there.

import type { Batch, Entry, Json, Key, Partition } from "octavo";
import type { VirtualTime } from "./virtual-time";

export const PARTITION = "bank";
const ACCOUNTS = 5;
const account = (i: number): Key => `a${i}`;
const OPENING_BALANCE = 100;

/** What went wrong, and how often. */
export type Faults = Record<string, number>;

/** What happened in a simulation, on every engine. */
export interface Counts {
  commits: number;
  refused: number;
  unknown: number;
  reads: number;
  tooOld: number;
  crashes: number;
  outages: number;
  readonly faults: Faults;
}

export function noCounts(): Counts {
  return { commits: 0, refused: 0, unknown: 0, reads: 0, tooOld: 0, crashes: 0, outages: 0, faults: {} };
}

/** A process with a storage of its own. Everything it does ends when it crashes. */
export interface SimulatedProcess {
  readonly partition: Partition;
  readonly isAlive: boolean;
  /** Resolves when the process has crashed. */
  readonly crashed: Promise<"crashed">;
  crash(): void;
  /** Has the storage do what can wait. */
  tidy(): Promise<void>;
}

/** What can crash. */
export class Mortal {
  isAlive = true;
  #crash: () => void = () => {};
  readonly crashed = new Promise<"crashed">((resolve) => {
    this.#crash = () => resolve("crashed");
  });

  crash(): void {
    this.isAlive = false;
    this.#crash();
  }
}

/** Another one each time: those who wait for one promise would be remembered for ever. */
export const never = () => new Promise<never>(() => {});

/** What the processes of a day live in. */
export interface World {
  readonly time: VirtualTime;
  /** A number from 0 up to but not including `below`. */
  readonly random: (below: number) => number;
  readonly counts: Counts;
  /** How many messages in a thousand go wrong. */
  readonly faultiness: number;
  /** Until when nothing comes through, in virtual ms. */
  outageUntil: number;
  /** A new process. */
  start(): SimulatedProcess;
  /** What else goes on while somebody writes. */
  readonly alongside: readonly ((isOver: () => boolean, day: Day) => Promise<void>)[];
}

interface Sent {
  readonly batch: Batch;
  readonly marker: Key;
  /** The version, when it was acknowledged. */
  version?: number;
  outcome: "pending" | "done" | "refused" | "none" | "unknown";
}

/** Runs a seed; its failures tell which one it was. */
export async function ofSeed<T>(seed: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

export class Day {
  readonly #world: World;
  readonly #random: (below: number) => number;
  readonly #sent: Sent[] = [];
  readonly #seen: { readonly version: number; readonly balances: readonly (Json | undefined)[] }[] = [];
  #acknowledged = 0;
  #working = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random;
  }

  async live(): Promise<void> {
    await this.open(this.#world.start().partition);
    const writers = 2 + this.#random(3);
    this.#working = writers;
    const all = [this.#reader(), this.#reader(), this.#tidier(), this.#weather()];
    for (let i = 0; i < writers; i++) all.push(this.#writer(6 + this.#random(10)));
    for (const work of this.#world.alongside) all.push(work(() => this.#working === 0, this));
    await Promise.all(all);
    // What is still on its way arrives, or never will.
    await this.#world.time.pause(20_000);
  }

  /** Opens the accounts, unless they are open. */
  async open(partition: Partition): Promise<void> {
    const opening = Array.from({ length: ACCOUNTS }, (_, i) => ({ key: account(i), value: OPENING_BALANCE }));
    for (let isOpen = false; !isOpen; ) {
      const [sent] = await this.send(partition, [{ puts: opening, checks: [{ key: account(0), version: null }] }]);
      isOpen = sent!.outcome === "done" || sent!.outcome === "refused";
    }
  }

  async #writer(turns: number): Promise<void> {
    let process = this.#world.start();
    for (let turn = 0; turn < turns; turn++) {
      await this.#world.time.pause(this.#random(60));
      if (this.#world.faultiness > 0 && this.#random(12) === 0) this.#crashSoon(process);
      const work = this.#random(3) === 0 ? this.#deposits(process.partition) : this.#transfer(process.partition);
      if ((await Promise.race([work, process.crashed])) === "crashed") process = this.#world.start();
    }
    this.#working--;
  }

  /** Now and then nothing comes through, for longer than anyone is patient. */
  async #weather(): Promise<void> {
    const { time } = this.#world;
    while (this.#working > 0 && this.#world.faultiness > 100) {
      await time.pause(this.#random(4000));
      this.#world.outageUntil = time.now() + this.#random(12_000);
      this.#world.counts.outages++;
      await time.pause(15_000);
    }
    this.#world.outageUntil = 0;
  }

  #crashSoon(process: SimulatedProcess): void {
    void this.#world.time.pause(this.#random(80)).then(() => {
      if (process.isAlive) this.#world.counts.crashes++;
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
    await this.send(partition, [{ checks, puts }]);
  }

  /** Commits that wait together, and count by adding. */
  async #deposits(partition: Partition): Promise<void> {
    const count = 1 + this.#random(4);
    const batches = Array.from({ length: count }, (_, i) => ({
      adds: [{ key: "count", amount: 1 }],
      puts: [{ key: `x${this.#random(20)}`, value: `${i}`.repeat(this.#random(60)) }],
      deletes: [`y${this.#random(5)}`],
    }));
    await this.send(partition, batches);
  }

  /** Takes a key that must be free, and frees it again. Here a commit that was refused could succeed later, so one that
   * comes late after it was refused must not. */
  async contend(isOver: () => boolean, longest: number): Promise<void> {
    const { partition } = this.#world.start();
    while (!isOver()) {
      const entries = await this.#reading(async () => (await partition.snapshot()).get(["lock"]));
      const version = entries?.[0]?.version ?? null;
      const change = version === null ? { puts: [{ key: "lock", value: 1 }] } : { deletes: ["lock"] };
      if (entries) await this.send(partition, [{ checks: [{ key: "lock", version }], ...change }]);
      await this.#world.time.pause(this.#random(longest));
    }
  }

  /** Reads what may be long past. */
  async readLate(isOver: () => boolean): Promise<void> {
    const { partition } = this.#world.start();
    while (!isOver()) await this.#reading(() => this.look(partition, 4000));
  }

  /** Sends commits at once, each with a marker of its own, and notes what was answered. */
  async send(partition: Partition, parts: readonly Partial<Batch>[]): Promise<Sent[]> {
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
    let process = this.#world.start();
    while (this.#working > 0) {
      if (this.#world.faultiness > 0 && this.#random(25) === 0) this.#crashSoon(process);
      const reading = this.#reading(() => this.look(process.partition));
      if ((await Promise.race([reading, process.crashed])) === "crashed") process = this.#world.start();
      await this.#world.time.pause(this.#random(80));
    }
  }

  /** A process whose troubles are over writes and reads, without being started anew. */
  async worksAgain(partition: Partition): Promise<void> {
    const [sent] = await this.send(partition, [{}]);
    if (sent!.outcome !== "done") throw new Error(`a process does not work again by itself (${sent!.outcome})`);
    await this.look(partition);
  }

  /** Reads all accounts in two ways, with a pause between; what it sees is compared in the end. */
  async look(partition: Partition, longest = 300): Promise<void> {
    const acknowledged = this.#acknowledged;
    const snapshot = await partition.snapshot();
    if (snapshot.version < acknowledged)
      throw new Error(`a snapshot of version ${snapshot.version} was given after ${acknowledged} was acknowledged`);
    const keys = Array.from({ length: ACCOUNTS }, (_, i) => account(i));
    const listed = await snapshot.list({ under: "a", limit: 100, reverse: this.#random(2) === 0 });
    if (this.#random(2) === 0) await this.#world.time.pause(this.#random(longest));
    const got = await snapshot.get(keys);
    const balances = got.map((entry) => entry?.value);
    const again = keys.map((key) => listed.find((entry) => entry.key === key)?.value);
    if (String(balances) !== String(again)) throw new Error(`a snapshot was torn: ${again} became ${balances}`);
    this.#seen.push({ version: snapshot.version, balances });
    this.#world.counts.reads++;
  }

  /** Runs a read, which may fail as long as it says so. */
  async #reading<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (codeOf(error) !== "unavailable") throw error;
      this.#world.counts.tooOld += /grown too old/.test(String(error)) ? 1 : 0;
      await this.#world.time.pause(this.#random(3000));
      return undefined;
    }
  }

  async #tidier(): Promise<void> {
    let process = this.#world.start();
    while (this.#working > 0) {
      await this.#world.time.pause(this.#random(150));
      if (this.#world.faultiness > 0 && this.#random(8) === 0) this.#crashSoon(process);
      const tidying = this.#reading(() => process.tidy());
      if ((await Promise.race([tidying, process.crashed])) === "crashed") process = this.#world.start();
    }
  }

  /** Compares what was answered with what is there. */
  async audit(partition: Partition): Promise<void> {
    const { counts } = this.#world;
    const snapshot = await partition.snapshot();
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
      counts.commits += sent.outcome === "done" ? 1 : 0;
      counts.refused += sent.outcome === "refused" ? 1 : 0;
      counts.unknown += sent.outcome === "unknown" ? 1 : 0;
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

export type Outcome = "done" | "none" | "unknown";

/** How a call ended that may fail as long as it says so. */
export async function mayFail(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    await call();
    return "done";
  } catch (error) {
    if (codeOf(error) !== "unavailable") throw error;
    return (error as { outcome: "none" | "unknown" }).outcome;
  }
}

/** A way to break any engine: a commit without an answer is said not to have happened. */
export function withoutDoubt(partition: Partition): Partition {
  return {
    snapshot: () => partition.snapshot(),
    commit: (batch) =>
      partition.commit(batch).catch((error) => {
        if (codeOf(error) === "unavailable") Object.assign(error, { outcome: "none" });
        throw error;
      }),
  };
}
