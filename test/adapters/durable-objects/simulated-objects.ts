// Durable Objects in this process, in virtual time: the adapter's class on a real SQLite. What an object writes is durable
// a while later, and answers wait for that; an object that ends before loses it, and everybody who waits is told nothing.

import { Database } from "bun:sqlite";
import { durableObjectClass, type ObjectClass, type ObjectClassOptions } from "../../../adapters/durable-objects/index";
import type { ObjectStateLike, ObjectStorageLike } from "../../../adapters/durable-objects/sqlite";
import type { VirtualTime } from "../../stress/simulate/virtual-time";

/** What objects live in. */
export interface ObjectsWorld {
  readonly time: VirtualTime;
  readonly random: (below: number) => number;
  /** Whether SQLite refuses the statement that is about to run. */
  refuses(statement: string): boolean;
  /** Whether what was written cannot be made durable. */
  loses(): boolean;
  /** The control: answers leave before what they tell is durable. */
  readonly isHasty: boolean;
}

interface Held {
  readonly answer: unknown;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

type Instance = InstanceType<ObjectClass<undefined>>;

const LOST = "Network connection lost.";
/** An alarm that has failed rings again after so long, in ms. */
const RING_AGAIN_MS = 2000;

export class SimulatedObject {
  readonly #world: ObjectsWorld;
  readonly #Class: ObjectClass<undefined>;
  readonly #database = new Database(":memory:");
  #instance: Instance | undefined;
  /** What an ended instance still does concerns nobody. */
  #life = 0;
  #held: Held[] = [];
  /** Whether something was written that is not durable. */
  #isDirty = false;
  #alarm: number | null = null;
  #durableAlarm: number | null = null;
  rung = 0;

  constructor(world: ObjectsWorld, options: ObjectClassOptions<undefined>) {
    this.#world = world;
    this.#Class = durableObjectClass(Object, options);
    this.#run("BEGIN");
  }

  #run(statement: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#database.query(statement).all(...values);
  }

  /** Calls a method. The answer comes when all that was written until then is durable. */
  call(method: string, given: readonly unknown[]): Promise<unknown> {
    const before = this.#changes();
    let answer: unknown;
    try {
      answer = (this.#living() as unknown as Record<string, (...all: readonly unknown[]) => unknown>)[method]!(
        ...given,
      );
    } finally {
      if (this.#changes() !== before) this.#written();
    }
    if (!this.#isDirty || this.#world.isHasty) return Promise.resolve(answer);
    return new Promise((resolve, reject) => {
      this.#held.push({ answer, resolve, reject });
    });
  }

  /** Ends it without a warning: what is not durable is lost. */
  crash(): void {
    this.#run("ROLLBACK");
    this.#run("BEGIN");
    this.#alarm = this.#durableAlarm;
    this.#isDirty = false;
    this.#end();
  }

  /** Ends it as somebody does who needs the room. */
  evict(): void {
    if (this.#isDirty) this.#flush();
    this.#end();
  }

  /** Does something to its tables that no object does. */
  meddle(statement: string): void {
    if (this.#run("SELECT name FROM sqlite_master WHERE name = 'past'").length > 0) this.#run(statement);
  }

  close(): void {
    this.#life++;
    this.#database.close();
  }

  #end(): void {
    this.#life++;
    this.#instance = undefined;
    const held = this.#held;
    this.#held = [];
    for (const { reject } of held) reject(new Error(LOST));
  }

  #changes(): unknown {
    return this.#run("SELECT total_changes() AS count")[0]!.count;
  }

  #living(): Instance {
    this.#instance ??= new this.#Class({ storage: this.#storage() } satisfies ObjectStateLike, undefined);
    return this.#instance;
  }

  /** The storage that an instance has for as long as it lives. */
  #storage(): ObjectStorageLike {
    const life = this.#life;
    const alive = () => {
      if (life !== this.#life) throw new Error("The object was ended.");
    };
    return {
      sql: {
        exec: (statement, ...values) => {
          alive();
          if (this.#world.refuses(statement)) throw new Error("database or disk is full: SQLITE_FULL");
          const rows = this.#run(statement, ...values);
          return { toArray: () => rows };
        },
      },
      transactionSync: (work) => {
        alive();
        this.#run("SAVEPOINT work");
        try {
          const done = work();
          this.#run("RELEASE work");
          return done;
        } catch (error) {
          this.#run("ROLLBACK TO work");
          this.#run("RELEASE work");
          throw error;
        }
      },
      getAlarm: async () => {
        alive();
        return this.#alarm;
      },
      setAlarm: async (at) => {
        alive();
        this.#alarm = at;
        this.#written();
      },
    };
  }

  /** All that is written in the next moment becomes durable together. */
  #written(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    const life = this.#life;
    const { time, random } = this.#world;
    time.alarm(1 + random(12), () => {
      if (life !== this.#life || !this.#isDirty) return;
      if (this.#world.loses()) this.crash();
      else this.#flush();
    });
  }

  #flush(): void {
    this.#run("COMMIT");
    this.#run("BEGIN");
    this.#isDirty = false;
    if (this.#alarm !== this.#durableAlarm) this.#ringAt(this.#alarm);
    const held = this.#held;
    this.#held = [];
    for (const { resolve, answer } of held) resolve(answer);
  }

  #ringAt(at: number | null): void {
    this.#durableAlarm = at;
    if (at === null) return;
    this.#world.time.alarm(at - Date.now(), () => {
      if (this.#durableAlarm === at) void this.#ring();
    });
  }

  async #ring(): Promise<void> {
    this.rung++;
    this.#alarm = null;
    this.#durableAlarm = null;
    try {
      const before = this.#changes();
      const ringing = this.#living().alarm();
      if (this.#changes() !== before) this.#written();
      await ringing;
    } catch {
      this.#alarm = Date.now() + RING_AGAIN_MS;
      this.#ringAt(this.#alarm);
    }
  }
}
