// The days of the PostgreSQL engine: processes with pools of the real client library, whose connections are lost at any
// message, in either direction, and a server that is restarted. What is written there is PostgreSQL's own work.

import type { PostgresOptions, QueryClient } from "octavo/postgres";
import { createSeededRandom } from "../../../adapters/conformance/cases";
import {
  type Counts,
  Day,
  mayFail,
  noCounts,
  type Outcome,
  ofSeed,
  type World,
  withoutDoubt,
} from "../../stress/simulate/day";
import type { Finding } from "../../stress/simulate/engines";
import { inVirtualTime, VirtualTime } from "../../stress/simulate/virtual-time";
import { callNames, loseAtEvery } from "./cuts";
import { type BrokenProcess, emptyServer, PostgresProcess, SCHEMA } from "./simulated";
import type { Direction, Loss, ProtocolServer, Wires } from "./wire";

/** A way to break the protocol, to show that the simulation notices. */
export interface Break extends BrokenProcess {
  /** What else runs, beside everything that is right. */
  readonly alongside?: (server: ProtocolServer) => void;
}

/** What happened in a simulation. */
export interface PostgresCounts extends Counts {
  connections: number;
  statements: number;
  messages: number;
  pruned: number;
  blobs: number;
  restarts: number;
  emptyStarts: number;
}

interface SentBlob {
  readonly name: string;
  readonly bytes: Uint8Array;
  outcome: Outcome;
}

/** The first day of a process. What is loaded in it takes real time, so that its seed could make another day later. */
let warmUp: Promise<unknown> | undefined;

/** Runs one seed; throws when a promise was broken. */
export function simulate(seed: number, broken: Break = {}): Promise<PostgresCounts> {
  return ofSeed(seed, async () => {
    warmUp ??= new Simulation(0, {}).run();
    await warmUp;
    return new Simulation(seed, broken).run();
  });
}

class Simulation implements World, Wires {
  readonly time = new VirtualTime();
  readonly random: (below: number) => number;
  readonly counts: PostgresCounts = {
    ...noCounts(),
    connections: 0,
    statements: 0,
    messages: 0,
    pruned: 0,
    blobs: 0,
    restarts: 0,
    emptyStarts: 0,
  };
  readonly faultiness: number;
  outageUntil = 0;
  readonly alongside: World["alongside"];
  server!: ProtocolServer;
  readonly #broken: Break;
  readonly #options: PostgresOptions;
  readonly #processes: PostgresProcess[] = [];
  readonly #blobs: SentBlob[] = [];
  #isCalm = false;

  constructor(seed: number, broken: Break) {
    this.random = createSeededRandom(seed);
    this.#broken = broken;
    const { random } = this;
    this.faultiness = [0, 30, 80, 200][random(4)]!;
    this.#options = {
      connections: 1 + random(4),
      // Some are given up while their statements are still on the way.
      timeoutMs: [200, 1000, 10_000][random(3)]!,
      cacheBytes: random(3) === 0 ? 0 : 1_000_000,
      roundBytes: random(3) === 0 ? 1 : 4_000_000,
      retentionMs: [50, 500, 5000][random(3)]!,
      chunkBytes: [7, 100, 1000][random(3)]!,
    };
    const all: World["alongside"][number][] = [
      (isOver, day) => day.readLate(isOver),
      (isOver, day) => day.contend(isOver, 200),
      (isOver, day) => day.contend(isOver, 200),
      (isOver) => this.#writeBlobs(isOver),
      (isOver) => this.#restarts(isOver),
    ];
    if (broken.alongside) all.push((isOver) => this.#breaks(isOver));
    this.alongside = all;
  }

  async run(): Promise<PostgresCounts> {
    const hasTables = this.random(25) !== 0;
    this.counts.emptyStarts += hasTables ? 0 : 1;
    this.server = await emptyServer(hasTables);
    await inVirtualTime(this.time, this.random, async () => {
      const day = new Day(this);
      await day.live();
      this.#isCalm = true;
      const last = this.start();
      for (const process of this.#processes.filter(({ isAlive }) => isAlive)) {
        await day.worksAgain(process.partition);
      }
      await this.#auditBlobs(last);
      await day.audit(last.partition);
    });
    for (const { connections } of this.#processes) this.counts.connections += connections;
    return this.counts;
  }

  start(): PostgresProcess {
    const process = new PostgresProcess(this, this.#options, this.#broken);
    process.tidy = async () => {
      const { pruned } = await process.storage.maintain();
      this.counts.pruned += pruned;
    };
    this.#processes.push(process);
    return process;
  }

  latency(): number {
    if (this.#isCalm) return 1;
    if (this.faultiness > 0 && this.random(150) === 0) {
      this.#count("a connection stalled");
      return this.random(5000);
    }
    return 1 + this.random(8);
  }

  connects(): "made" | "refused" | "never" {
    const isOut = this.time.now() < this.outageUntil;
    if (this.#isCalm || (!isOut && this.random(1000) >= this.faultiness)) return "made";
    const outcome = this.random(2) === 0 ? "refused" : "never";
    this.#count(outcome === "refused" ? "a connection was refused" : "a connection was never made");
    return outcome;
  }

  /** A statement is about ten messages, of which each may be the last. */
  meets(direction: Direction, message: Buffer): Loss | undefined {
    this.counts.messages++;
    const type = String.fromCharCode(message[0]!);
    if (direction === "server" && (type === "S" || type === "Q")) this.counts.statements++;
    if (this.#isCalm) return undefined;
    const isOut = this.time.now() < this.outageUntil;
    if (!isOut && this.random(10_000) >= this.faultiness) return undefined;
    const isSilent = this.random(4) === 0;
    const isLate = direction === "server" && !isSilent && this.random(3) === 0;
    const to = `on its way to the ${direction}`;
    this.#count(`a connection was lost ${isSilent ? "in silence " : ""}${to}`);
    if (isLate) this.#count("what was sent came late");
    return {
      when: isOut || this.random(2) === 0 ? "before" : "after",
      isSilent,
      ...(isLate ? { when: "after", lateMs: this.random(4000) } : {}),
    };
  }

  #count(what: string): void {
    this.counts.faults[what] = (this.counts.faults[what] ?? 0) + 1;
  }

  async #restarts(isOver: () => boolean): Promise<void> {
    while (!isOver() && this.faultiness > 50) {
      await this.time.pause(this.random(6000));
      this.counts.restarts++;
      for (const process of this.#processes) if (process.isAlive) process.shutDown();
    }
  }

  async #breaks(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.time.pause(this.random(60));
      this.#broken.alongside!(this.server);
    }
  }

  /** Blobs are written by a process of their own, and read by it at once. */
  async #writeBlobs(isOver: () => boolean): Promise<void> {
    const process = this.start();
    while (!isOver() && this.#blobs.length < 4) {
      const bytes = Uint8Array.from({ length: this.random(40) }, () => this.random(256));
      const blob: SentBlob = { name: `b${this.#blobs.length}`, bytes, outcome: "unknown" };
      this.#blobs.push(blob);
      blob.outcome = await mayFail(() => process.storage.blobs.put(blob.name, bytes));
      await mayFail(() => this.#compareBlob(process, blob));
      await this.time.pause(this.random(500));
    }
  }

  async #compareBlob(process: PostgresProcess, { name, bytes, outcome }: SentBlob): Promise<void> {
    const got = await process.storage.blobs.get(name);
    if (!got && outcome === "done") throw new Error(`the blob ${name} was acknowledged and is lost`);
    if (got && outcome === "none") throw new Error(`the blob ${name} did not happen and is there`);
    if (!got) return;
    const read: Uint8Array[] = [];
    for await (const part of got.stream) read.push(part);
    if (String(Buffer.concat(read)) !== String(Buffer.from(bytes))) throw new Error(`the blob ${name} is another one`);
    this.counts.blobs++;
  }

  async #auditBlobs(process: PostgresProcess): Promise<void> {
    for (const blob of this.#blobs) await this.#compareBlob(process, blob);
  }
}

/** A client that sends a round, and what comes back of everything, as it is told. */
function altered(
  client: QueryClient,
  round: (
    values: string[],
    send: (values: string[]) => ReturnType<QueryClient["query"]>,
  ) => ReturnType<QueryClient["query"]>,
): QueryClient {
  return {
    query: (text, values) =>
      /\.commit_\d+\(/.test(text) && values
        ? round(values, (changed) => client.query(text, changed))
        : client.query(text, values),
  };
}

/** The places of the parameters of a round. */
const [TOKEN, IS_AGAIN, COMMITS, CHECK_KEYS, PUT_KEYS] = [1, 2, 3, 4, 6] as const;

const replaced = (values: readonly string[], changes: Readonly<Record<number, string>>) =>
  values.map((value, i) => changes[i] ?? value);

const NOTHING = "{}";
const without = (values: readonly string[], first: number, count: number) =>
  values.map((value, i) => (i >= first && i < first + count ? NOTHING : value));

/** The writes are one transaction, and their version is another. */
function commitsTwice(client: QueryClient): QueryClient {
  return altered(client, async (values, send) => {
    const token = crypto.randomUUID();
    const written = await send(replaced(values, { [TOKEN]: token, [COMMITS]: "0" }));
    const rows = ("rows" in written ? written.rows : written) as readonly { readonly outcome: string }[];
    if (!rows.some(({ outcome }) => outcome === "written")) return written;
    const counted = without(without(values, CHECK_KEYS, 2), PUT_KEYS, 6);
    return send(counted);
  });
}

/** What others have changed is not told to a process that remembers it. */
function forgetsNothing(client: QueryClient): QueryClient {
  return {
    async query(text, values) {
      const answer = await client.query(text, values);
      if (!/q \(name, since\)/.test(text) || !("rows" in answer)) return answer;
      return { rows: [{ ...(answer.rows[0] as object), key: null }] };
    },
  };
}

/** Each way to break the protocol that the simulation must notice. */
export function controls(): Record<string, Break> {
  let tokens = 0;
  return {
    "no check is compared": {
      client: (client) => altered(client, (values, send) => send(without(values, CHECK_KEYS, 2))),
    },
    "a round is sent again under another token": {
      client: (client) => altered(client, (values, send) => send(replaced(values, { [TOKEN]: `another ${tokens++}` }))),
    },
    "a round that is sent again leaves no token when it is refused": {
      client: (client) => altered(client, (values, send) => send(replaced(values, { [IS_AGAIN]: "false" }))),
    },
    "a commit is two transactions": { client: commitsTwice },
    "a lost answer counts as none": { partition: withoutDoubt },
    "the past is deleted before the floor is raised": {
      alongside: (server) => server.run(`DELETE FROM ${SCHEMA}.past`),
    },
    "a process remembers what others have changed": { client: forgetsNothing },
  };
}

/** The connection is lost at every message of representative calls. */
export async function* beside(): AsyncGenerator<Finding> {
  for (const name of callNames)
    yield await loseAtEvery(name).then(
      (count) => ({ sentence: `Lost at every message: ${name}: ${count} losses, no promise broken.`, holds: true }),
      (error: Error) => ({ sentence: `BROKEN ${error.message}`, holds: false }),
    );
}
