// Representative calls of the PostgreSQL engine, each with the connection lost at every message of the wire protocol: one
// place after the other, in both directions, until a run comes to its end without reaching the place.

import type { Batch } from "octavo";
import { createSeededRandom } from "../../../adapters/conformance/cases";
import { type Counts, Day, mayFail, noCounts, type Outcome, type World } from "../../stress/simulate/day";
import { inVirtualTime, VirtualTime } from "../../stress/simulate/virtual-time";
import { type BrokenProcess, emptyServer, PostgresProcess } from "./simulated";
import type { Direction, Loss, ProtocolServer, Wires } from "./wire";

/** The ways in which a connection is lost at a message. */
const losses: Readonly<Record<string, Loss>> = {
  before: { when: "before", isSilent: false },
  after: { when: "after", isSilent: false },
  "before, in silence": { when: "before", isSilent: true },
  "after, in silence": { when: "after", isSilent: true },
  // The sender is told, sends again, and then the first sending arrives.
  "after, and late": { when: "after", isSilent: false, lateMs: 3000 },
};

/** A call, and what must be true of it whatever was lost. */
interface Call {
  /** Whether the process has connected and found its tables before the call. */
  readonly isWarm?: boolean;
  readonly hasNoTables?: boolean;
  /** Whether it says itself from when on the connection may be lost. */
  readonly armsItself?: boolean;
  run(stage: Stage): Promise<unknown>;
  check?(stage: Stage): Promise<void>;
}

const put = (puts: Record<string, string>, more: Partial<Batch> = {}): Partial<Batch> => ({
  ...more,
  puts: Object.entries(puts).map(([key, value]) => ({ key, value })),
});
const BYTES = Uint8Array.from({ length: 250 }, (_, i) => i);

const calls: Readonly<Record<string, Call>> = {
  "a commit with checks, puts, deletes and adds": {
    run: ({ day, process }) =>
      day.send(process.partition, [
        put({ x1: "new" }, { checks: [{ key: "x", version: 2 }], deletes: ["y"], adds: [{ key: "count", amount: 2 }] }),
      ]),
  },
  "a commit that is refused": {
    run: ({ day, process }) =>
      day.send(process.partition, [put({ x1: "new" }, { checks: [{ key: "x", version: 1 }] })]),
  },
  "commits that only check": {
    run: ({ process }) =>
      mayFail(() => process.partition.commit({ checks: [{ key: "x", version: 2 }], puts: [], deletes: [], adds: [] })),
  },
  "several commits together, of which one is refused and one depends on another": {
    run: ({ day, process }) =>
      day.send(process.partition, [
        put({ x1: "1" }, { adds: [{ key: "count", amount: 1 }] }),
        put({ x2: "2" }, { checks: [{ key: "y", version: 1 }] }),
        put({ x3: "3" }, { checks: [{ key: "x1", version: null }] }),
        put({ x: "4" }, { adds: [{ key: "count", amount: 1 }] }),
      ]),
  },
  "a snapshot with a list and reads": { run: ({ day, process }) => mayFail(() => day.look(process.partition)) },
  "a blob that is written": {
    run: async (stage) => {
      stage.outcome = await mayFail(() => stage.process.storage.blobs.put("blob", BYTES));
    },
    check: (stage) => stage.compareBlob("blob", BYTES),
  },
  "a blob that is read": {
    armsItself: true,
    run: async (stage) => {
      await stage.other.storage.blobs.put("blob", BYTES);
      stage.arm();
      await mayFail(() => stage.readBlob(stage.process, "blob", BYTES));
    },
  },
  "a blob that is deleted": {
    armsItself: true,
    run: async (stage) => {
      await stage.other.storage.blobs.put("blob", BYTES);
      stage.arm();
      const outcome = await mayFail(() => stage.process.storage.blobs.delete("blob"));
      // Whether it is there is the question the other way round.
      stage.outcome = outcome === "done" ? "none" : outcome === "none" ? "done" : "unknown";
    },
    check: (stage) => stage.compareBlob("blob", BYTES),
  },
  "the start of a process": {
    isWarm: false,
    run: ({ day, process }) => day.send(process.partition, [put({ x1: "new" })]),
  },
  "the start that makes the schema": {
    isWarm: false,
    hasNoTables: true,
    run: ({ day, process }) => day.send(process.partition, [put({ x1: "new" })]),
  },
  maintenance: { run: ({ process }) => mayFail(() => process.storage.maintain()) },
};

/** Loses the connection once, at the message with a number. */
class Stage implements Wires, World {
  readonly time = new VirtualTime();
  readonly random = createSeededRandom(1);
  readonly counts: Counts = noCounts();
  readonly faultiness = 0;
  outageUntil = 0;
  readonly alongside = [];
  readonly server: ProtocolServer;
  readonly day = new Day(this);
  /** The process whose connections are lost, and one whose are not. */
  readonly process: PostgresProcess;
  readonly other: PostgresProcess;
  readonly #broken: BrokenProcess;
  readonly #loss: Loss;
  /** So many messages from now on. */
  #left: number;
  #isArmed = false;
  outcome: Outcome = "unknown";

  constructor(server: ProtocolServer, place: number, loss: Loss, broken: BrokenProcess) {
    this.server = server;
    this.#left = place;
    this.#loss = loss;
    this.#broken = broken;
    this.process = this.start();
    this.other = new PostgresProcess(
      {
        time: this.time,
        server,
        random: this.random,
        latency: () => 1,
        connects: () => "made",
        meets: () => undefined,
      },
      {},
    );
  }

  start(): PostgresProcess {
    // A single connection, so that one that is lost in silence is missed.
    return new PostgresProcess(
      this,
      { connections: 1, timeoutMs: 2000, chunkBytes: 100, retentionMs: 0 },
      this.#broken,
    );
  }

  arm(): void {
    this.#isArmed = true;
  }

  /** Whether the place was reached. */
  get isReached(): boolean {
    return this.#left < 0;
  }

  latency(): number {
    return 1;
  }

  connects(): "made" {
    return "made";
  }

  meets(direction: Direction): Loss | undefined {
    if (!this.#isArmed || this.isReached || this.#left-- > 0) return undefined;
    // What comes late for a client is only lost for it.
    return direction === "client" && this.#loss.lateMs !== undefined ? { ...this.#loss, lateMs: 0 } : this.#loss;
  }

  async readBlob({ storage }: PostgresProcess, name: string, bytes: Uint8Array): Promise<boolean> {
    const got = await storage.blobs.get(name);
    if (!got) return false;
    const read: Uint8Array[] = [];
    for await (const part of got.stream) read.push(part);
    if (!Buffer.concat(read).equals(Buffer.from(bytes))) throw new Error(`the blob ${name} is another one`);
    return true;
  }

  async compareBlob(name: string, bytes: Uint8Array): Promise<void> {
    const isThere = await this.readBlob(this.other, name, bytes);
    if (this.outcome !== "unknown" && isThere !== (this.outcome === "done"))
      throw new Error(`the blob ${name} ${isThere ? "is" : "is not"} there, though the call said otherwise`);
  }

  async play(call: Call): Promise<void> {
    const { day, other, process } = this;
    if (!call.hasNoTables) {
      await day.open(other.partition);
      await day.send(other.partition, [put({ x: "1", y: "1" }, { adds: [{ key: "count", amount: 1 }] })]);
    }
    if (call.isWarm !== false) await day.look(process.partition);
    if (!call.armsItself) this.arm();
    let isOver = false;
    const calling = call.run(this).finally(() => {
      isOver = true;
    });
    // Somebody reads all the time, and must never see a half of it.
    const reading = call.hasNoTables ? undefined : this.#reading(() => isOver);
    await Promise.all([calling, reading]);
    this.#isArmed = false;
    if (call.hasNoTables) await day.open(other.partition);
    await call.check?.(this);
    let [sent] = await day.send(process.partition, [put({ x: "again" })]);
    // That a connection is lost which nobody uses is noticed by the next call alone.
    if (sent!.outcome !== "done" && this.#loss.isSilent)
      [sent] = await day.send(process.partition, [put({ x: "again" })]);
    if (sent!.outcome !== "done") throw new Error(`the process does not work again by itself (${sent!.outcome})`);
    await day.look(process.partition);
    // What came late has come by now.
    await this.time.pause(10_000);
    await call.check?.(this);
    await day.audit(other.partition);
  }

  async #reading(isOver: () => boolean): Promise<void> {
    do {
      await this.day.look(this.other.partition);
      await this.time.pause(300);
    } while (!isOver());
  }
}

/** Loses the connection of one call at every message, or at every so-manyth, in every way or in one; gives how often. Throws
 * when a promise was broken. */
export async function loseAtEvery(
  name: string,
  {
    stride = 1,
    first = 0,
    way,
    broken = {},
  }: { stride?: number; first?: number; way?: number; broken?: BrokenProcess } = {},
): Promise<number> {
  const call = calls[name]!;
  let runs = 0;
  const ways = Object.entries(losses);
  for (const [how, loss] of way === undefined ? ways : [ways[way % ways.length]!])
    for (let place = first; ; place += stride) {
      const stage = new Stage(await emptyServer(!call.hasNoTables), place, loss, broken);
      await inVirtualTime(stage.time, stage.random, () => stage.play(call)).catch((error: Error) => {
        throw new Error(`${name}, lost ${how} message ${place}: ${error.message}`, { cause: error });
      });
      if (!stage.isReached) break;
      runs++;
    }
  return runs;
}

export const callNames: readonly string[] = Object.keys(calls);
