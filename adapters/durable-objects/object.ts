// The class of the objects. An object is a partition, the registry or the clock, depending on the methods that are called on it. So a
// Worker needs only one class and one binding.

import { Corrupt, StorageError } from "../adapter";
import type { Failed, ObjectMethods, SentRange, SentRound } from "./protocol";
import { type ObjectStateLike, type ObjectStorageLike, queryRows } from "./sqlite";
import { Tables } from "./tables";

export interface ObjectClassOptions<Env> {
  /** The time for which a snapshot can be read after later commits, in milliseconds. Default: 15 minutes. */
  readonly retentionMs?: number;
  /** The maximum size of one response, in characters. A longer one is divided. Default: 4 Mi. */
  readonly answerCharacters?: number;
  /**
   * Runs the background work when the alarm rings that `wake` of the storage has set: `(env) => open(env).maintain()`. The alarm rings
   * again at the time that it returns. Default: no background work runs.
   */
  readonly maintain?: (env: Env) => Promise<{ readonly next: Date }>;
}

/** The class of the objects. A Worker exports it under the name in its settings. */
// biome-ignore lint/suspicious/noExplicitAny: Workers create the state, and define its type.
export type ObjectClass<Env> = new (state: any, env: Env) => ObjectMethods & { alarm(): Promise<void> };

/** The maximum number of pruning steps per alarm. The next alarm, which is immediate, continues. */
const MAX_PRUNE_STEPS = 20;

/**
 * Creates the class of the objects. `DurableObject` is that of `cloudflare:workers`:
 * `export const OctavoObject = durableObjectClass(DurableObject)`. The class must be listed in `new_sqlite_classes`.
 */
export function durableObjectClass<Env = unknown>(
  // biome-ignore lint/suspicious/noExplicitAny: a base class can have any constructor arguments.
  DurableObject: abstract new (...args: any[]) => object,
  options: ObjectClassOptions<Env> = {},
): ObjectClass<Env> {
  const retentionMs = options.retentionMs ?? 15 * 60 * 1000;
  if (!(retentionMs >= 0)) throw new TypeError("retentionMs: expected a number of milliseconds.");

  return class extends DurableObject implements ObjectMethods {
    readonly #state: ObjectStateLike;
    readonly #env: Env;
    #openTables: Tables | undefined;
    #isAlarmSet = false;

    constructor(state: ObjectStateLike, env: Env) {
      super(state, env);
      this.#state = state;
      this.#env = env;
    }

    get #tables(): Tables {
      this.#openTables ??= new Tables(this.#state.storage, retentionMs, options.answerCharacters);
      return this.#openTables;
    }

    writeRound(round: SentRound) {
      return captureFailure(() => {
        const written = this.#tables.write(round, Date.now());
        this.#setAlarm();
        return written;
      });
    }

    currentVersion() {
      return captureFailure(() => ({ version: this.#tables.version }));
    }

    readEntries(version: number, keys: readonly string[]) {
      return captureFailure(() => ({ entries: this.#tables.read(version, keys) }));
    }

    listEntries(range: SentRange) {
      return captureFailure(() => this.#tables.list(range));
    }

    register(name: string) {
      return captureFailure(() => new Registry(this.#state.storage).register(name));
    }

    confirm(names: readonly string[]) {
      return captureFailure(() => new Registry(this.#state.storage).confirm(names));
    }

    names(after: string, limit: number) {
      return captureFailure(() => ({ names: new Registry(this.#state.storage).names(after, limit) }));
    }

    async wake(at: number) {
      if (!options.maintain)
        return { failed: "unavailable", message: "durableObjectClass() was given no `maintain`." } as const;
      await this.#clock(options.maintain).wake(at);
      return undefined;
    }

    async alarm(): Promise<void> {
      if (Clock.existsIn(this.#state.storage)) {
        if (options.maintain) await this.#clock(options.maintain).ring();
        return;
      }
      let left = this.#tables.prune(Date.now());
      for (let step = 1; left === "more" && step < MAX_PRUNE_STEPS; step++) {
        // Waiting calls run in between.
        await new Promise((resolve) => setTimeout(resolve, 0));
        left = this.#tables.prune(Date.now());
      }
      const next = left === "more" ? Date.now() : left.next;
      this.#isAlarmSet = next !== undefined;
      if (next !== undefined) await this.#state.storage.setAlarm(next);
    }

    #clock(maintain: (env: Env) => Promise<{ readonly next: Date }>): Clock {
      return new Clock(this.#state.storage, () => maintain(this.#env));
    }

    /** Schedules the pruning of past versions. If that fails, the next commit does it again. */
    #setAlarm(): void {
      if (this.#isAlarmSet) return;
      this.#isAlarmSet = true;
      const { storage } = this.#state;
      const setting = async () => {
        if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + retentionMs);
      };
      setting().catch(() => {
        this.#isAlarmSet = false;
      });
    }
  };
}

/** Returns the result of a method, or its error as data. The work is synchronous, so a method that fails has had no effect. */
function captureFailure<T>(work: () => T): T | Failed {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof StorageError) return { failed: error instanceof Corrupt ? "corrupt" : "unavailable", message };
    if (/SQLITE_(CORRUPT|NOTADB)/.test(message))
      return { failed: "corrupt", message: `SQLite reports damage: ${message}` };
    const what = /SQLITE_FULL/.test(message) ? "The object of a partition is full" : "SQLite refused a statement";
    return { failed: "unavailable", message: `${what}. (${message})` };
  }
}

/**
 * The names of the partitions. A name is registered before the first commit of its partition, so no committed partition is missing.
 * It is listed once a commit is known to have been made.
 */
class Registry {
  readonly #storage: ObjectStorageLike;

  constructor(storage: ObjectStorageLike) {
    this.#storage = storage;
  }

  register(name: string): undefined {
    this.#createTable();
    this.#storage.sql.exec("INSERT INTO name VALUES (?, 0) ON CONFLICT (name) DO NOTHING", name);
  }

  confirm(names: readonly string[]): undefined {
    this.#createTable();
    for (const name of names) this.#storage.sql.exec("UPDATE name SET isSure = 1 WHERE name = ?", name);
  }

  names(after: string, limit: number): [name: string, isSure: boolean][] {
    if (queryRows(this.#storage.sql, "SELECT name FROM sqlite_master WHERE name = 'name'").length === 0) return [];
    const query = "SELECT name, isSure FROM name WHERE name > ? ORDER BY name LIMIT ?";
    const rows = queryRows<{ name: string; isSure: number }>(this.#storage.sql, query, after, limit);
    return rows.map(({ name, isSure }) => [name, isSure === 1]);
  }

  #createTable(): void {
    this.#storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS name (name TEXT PRIMARY KEY, isSure INTEGER NOT NULL) WITHOUT ROWID",
    );
  }
}

/** Runs the background work, and returns when it should run next: `maintain()` of an API. */
type Maintain = () => Promise<{ readonly next: Date }>;

/** The time after which interrupted work continues, in milliseconds. */
const RETRY_MS = 60_000;

/** An object whose alarm runs the background work. The next alarm is always set, even if the work fails or is stopped by a limit. */
class Clock {
  readonly #storage: ObjectStorageLike;
  readonly #maintain: Maintain;

  constructor(storage: ObjectStorageLike, maintain: Maintain) {
    this.#storage = storage;
    this.#maintain = maintain;
  }

  /** Returns whether the object is a clock, which means that `wake` has been called on it. */
  static existsIn({ sql }: ObjectStorageLike): boolean {
    return queryRows(sql, "SELECT name FROM sqlite_master WHERE name = 'clock'").length > 0;
  }

  /** Sets the alarm to a time, unless it is already set to an earlier one. */
  async wake(at: number): Promise<void> {
    this.#storage.sql.exec("CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY)");
    const current = await this.#storage.getAlarm();
    if (current === null || current > at) await this.#storage.setAlarm(at);
  }

  /** Runs the work and sets the next alarm. */
  async ring(): Promise<void> {
    await this.#storage.setAlarm(Date.now() + RETRY_MS);
    const { next } = await this.#maintain();
    await this.wake(next.getTime());
  }
}
