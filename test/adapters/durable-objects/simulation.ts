// The days of the engine on Durable Objects: Workers whose calls are lost before or after they were carried out, or come
// late, and objects that end at any time, are full, or lose what they could not make durable. It runs in Bun, which has
// SQLite.

import type { Partition } from "octavo";
import { createSeededRandom } from "../../../adapters/conformance/cases";
import {
  type DurableObjectStorage,
  durableObjectStorage,
  type ObjectClassOptions,
  type ObjectNamespaceLike,
} from "../../../adapters/durable-objects/index";
import { getPartitionObjectName } from "../../../adapters/durable-objects/protocol";
import { memoryStorage } from "../../../adapters/memory/index";
import {
  type Counts,
  Day,
  Mortal,
  never,
  noCounts,
  ofSeed,
  PARTITION,
  type SimulatedProcess,
  type World,
  withoutDoubt,
} from "../../stress/simulate/day";
import type { Finding } from "../../stress/simulate/engines";
import { inVirtualTime, VirtualTime } from "../../stress/simulate/virtual-time";
import { type Fault, faulty } from "./faults";
import { type ObjectsWorld, SimulatedObject } from "./simulated-objects";

/** A way to break the protocol, to show that the simulation notices. */
export interface Break {
  readonly fault?: Fault;
  readonly isHasty?: boolean;
  readonly partition?: (partition: Partition) => Partition;
  /** A statement that SQLite refuses every second time. That breaks nothing, and must not be noticed. */
  readonly refused?: string;
  /** A statement that somebody runs in the object of the partition. */
  readonly meddling?: string;
}

/** What happened in a simulation. */
export interface ObjectCounts extends Counts {
  calls: number;
  evictions: number;
  alarms: number;
}

/** Runs one seed; throws when a promise was broken. */
export function simulate(seed: number, broken: Break = {}): Promise<ObjectCounts> {
  return ofSeed(seed, () => new Simulation(seed, broken).run());
}

/** The statements that objects have run. */
const statements = new Set<string>();

const LOST = "Network connection lost.";

class Simulation implements World, ObjectsWorld {
  readonly time = new VirtualTime();
  readonly random: (below: number) => number;
  readonly counts: ObjectCounts = { ...noCounts(), calls: 0, evictions: 0, alarms: 0 };
  readonly faultiness: number;
  outageUntil = 0;
  readonly alongside: World["alongside"];
  readonly isHasty: boolean;
  readonly #broken: Break;
  readonly #objects = new Map<string, SimulatedObject>();
  readonly #classOptions: ObjectClassOptions<undefined>;
  readonly #options: { readonly timeoutMs: number; readonly roundCharacters: number };
  readonly #processes: Isolate[] = [];
  /** Of so many statements SQLite refuses as many as the faultiness says. */
  readonly #soundness: number;
  #isCalm = false;

  constructor(seed: number, broken: Break) {
    this.random = createSeededRandom(seed);
    this.#broken = broken;
    this.isHasty = broken.isHasty ?? false;
    const { random } = this;
    this.faultiness = [0, 30, 80, 200][random(4)]!;
    this.#soundness = [20_000, 5000, 1500][random(3)]!;
    this.#classOptions = {
      retentionMs: [50, 500, 5000][random(3)]!,
      answerCharacters: random(2) === 0 ? 50 : 4_000_000,
    };
    this.#options = {
      // Some are given up while their calls are still on the way.
      timeoutMs: [80, 1000, 10_000][random(3)]!,
      roundCharacters: random(3) === 0 ? 1 : 800_000,
    };
    const contend: World["alongside"][number] = (isOver, day) => day.contend(isOver, 30);
    const readLate: World["alongside"][number] = (isOver, day) => day.readLate(isOver);
    this.alongside = [
      contend,
      contend,
      contend,
      readLate,
      readLate,
      (isOver) => this.#ends(isOver),
      (isOver) => this.#meddles(isOver),
    ];
  }

  async run(): Promise<ObjectCounts> {
    try {
      await inVirtualTime(this.time, this.random, async () => {
        const day = new Day(this);
        await day.live();
        this.#isCalm = true;
        const last = this.start();
        for (const process of this.#processes.filter(({ isAlive }) => isAlive)) {
          await day.worksAgain(process.partition);
          await process.tidy();
        }
        await day.audit(last.partition);
      });
    } finally {
      for (const object of this.#objects.values()) {
        this.counts.alarms += object.rung;
        object.close();
      }
    }
    return this.counts;
  }

  start(): Isolate {
    const isolate = new Isolate((process) => this.#bindingOf(process), this.#options, this.#broken);
    this.#processes.push(isolate);
    return isolate;
  }

  #object(name: string): SimulatedObject {
    const object = this.#objects.get(name) ?? new SimulatedObject(this, this.#classOptions);
    this.#objects.set(name, object);
    return object;
  }

  refuses(statement: string): boolean {
    statements.add(statement);
    if (this.#isCalm) return false;
    const isRefused = statement === this.#broken.refused && this.random(2) === 0;
    if (!isRefused && this.random(this.#soundness) >= this.faultiness) return false;
    this.#count("SQLite refused a statement");
    return true;
  }

  loses(): boolean {
    if (this.#isCalm || this.random(2000) >= this.faultiness) return false;
    this.#count("what was written could not be made durable");
    return true;
  }

  /** The objects as an isolate sees them. */
  #bindingOf(process: { readonly isAlive: boolean }): ObjectNamespaceLike {
    const { fault } = this.#broken;
    const objects: ObjectNamespaceLike = {
      idFromName: (name) => name,
      get: (name: string) =>
        new Proxy(
          {},
          {
            get:
              (_, method) =>
              (...given: unknown[]) =>
                this.#call(process, name, String(method), given),
          },
        ),
    };
    return fault ? faulty(objects, fault) : objects;
  }

  /** A call travels, is carried out, and its answer travels back, as far as that goes well. */
  async #call(
    process: { readonly isAlive: boolean },
    name: string,
    method: string,
    given: readonly unknown[],
  ): Promise<unknown> {
    this.counts.calls++;
    const sent = structuredClone(given);
    if (!process.isAlive) return never();
    await this.time.pause(this.#latency());
    // A call that is on its way arrives also when its sender is gone, or it does not.
    if (!process.isAlive && this.random(2) === 0) return never();
    const carryOut = () => this.#object(name).call(method, sent);
    const isOut = this.time.now() < this.outageUntil;
    const strikes = !this.#isCalm && (isOut || this.random(1000) < this.faultiness);
    const fault = strikes ? this.random(isOut ? 4 : 7) : -1;
    if (fault === 0) throw this.#failure("a call was lost on its way");
    if (fault === 1) throw Object.assign(this.#failure("an object had too much to do"), { overloaded: true });
    if (fault === 2) return this.#silence("a call was lost in silence");
    if (fault === 3) {
      // It is given up, and takes effect nevertheless, much later.
      void this.time.pause(this.random(4000)).then(() => carryOut().catch(() => {}));
      throw this.#failure("a call came late");
    }
    const answering = carryOut();
    if (fault === 6) {
      this.#count("an object ended while it was called");
      this.#object(name).crash();
    }
    const answer = structuredClone(await answering);
    if (fault === 4) throw this.#failure("the answer to a call was lost");
    if (fault === 5) return this.#silence("the answer to a call was lost in silence");
    await this.time.pause(this.#latency());
    return process.isAlive ? answer : never();
  }

  #latency(): number {
    if (this.#isCalm) return 1;
    if (this.faultiness > 0 && this.random(60) === 0) {
      this.#count("a Worker stalled");
      return this.random(5000);
    }
    return 1 + this.random(15);
  }

  #silence(what: string): Promise<never> {
    this.#count(what);
    return never();
  }

  #failure(what: string): Error {
    this.#count(what);
    return new Error(LOST);
  }

  #count(what: string): void {
    this.counts.faults[what] = (this.counts.faults[what] ?? 0) + 1;
  }

  /** Objects end between calls, in order or not, and now and then all at once. */
  async #ends(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.time.pause(this.random(this.faultiness > 0 ? 300 : 3000));
      const isOrderly = this.faultiness === 0 || this.random(2) === 0;
      for (const object of this.#objects.values()) {
        if (this.random(3) === 0) continue;
        this.counts.evictions++;
        if (isOrderly) object.evict();
        else object.crash();
      }
    }
  }

  async #meddles(isOver: () => boolean): Promise<void> {
    const { meddling } = this.#broken;
    while (meddling !== undefined && !isOver()) {
      await this.time.pause(this.random(60));
      this.#object(getPartitionObjectName(PARTITION)).meddle(meddling);
    }
  }
}

/** A Worker with a storage of its own. */
class Isolate extends Mortal implements SimulatedProcess {
  readonly partition: Partition;
  readonly #storage: DurableObjectStorage;

  constructor(
    bindingOf: (process: { readonly isAlive: boolean }) => ObjectNamespaceLike,
    options: { readonly timeoutMs: number; readonly roundCharacters: number },
    broken: Break,
  ) {
    super();
    this.#storage = durableObjectStorage(bindingOf(this), { ...options, blobs: memoryStorage().blobs });
    const partition = this.#storage.partition(PARTITION);
    this.partition = broken.partition?.(partition) ?? partition;
  }

  /** Nothing is left for a storage to tidy: alarms do it. But the partition must be among those that are listed, since its
   * accounts were opened before. */
  async tidy(): Promise<void> {
    const names: string[] = [];
    for await (const name of this.#storage.partitions()) names.push(name);
    if (String(names) !== PARTITION) throw new Error(`the partitions are ${names}`);
  }
}

/** Each way to break the protocol that the simulation must notice. */
export function controls(): Record<string, Break> {
  return {
    "no check arrives": { fault: "unchecked" },
    "a round is sent again under another token": { fault: "without tokens" },
    "a round that is sent again leaves no token when it is refused": { fault: "without doubt" },
    "answers leave before what they tell is durable": { isHasty: true },
    "a lost answer counts as none": { partition: withoutDoubt },
    "the past is deleted and the floor is not raised": { meddling: "DELETE FROM past" },
  };
}

/** So many days are played for each statement that is refused. */
const DAYS_OF_A_STATEMENT = 30;

/** Each statement of an object is refused every second time. */
export async function* beside(): AsyncGenerator<Finding> {
  for (let seed = 1; seed <= 20; seed++) await simulate(seed);
  for (const refused of [...statements]) {
    let broken: string | undefined;
    for (let seed = 1; seed <= DAYS_OF_A_STATEMENT && broken === undefined; seed++)
      broken = await simulate(seed, { refused }).then(
        () => undefined,
        (error: Error) => error.message,
      );
    const outcome = broken === undefined ? `${DAYS_OF_A_STATEMENT} days, no promise broken.` : `BROKEN ${broken}`;
    const sentence = `Refused by SQLite: ${refused.replace(/\s+/g, " ").slice(0, 60)}…: ${outcome}`;
    yield { sentence, holds: broken === undefined };
  }
}
