// The class of the objects. An object is a partition, the registry or the clock, depending on the methods that are called on it. So a
// Worker needs only one class and one binding.

import { Corrupt, StorageError } from "../adapter";
import { Clock } from "./clock";
import type { Failed, ObjectMethods, SentRange, SentRound } from "./protocol";
import { Registry } from "./registry";
import type { ObjectStateLike } from "./sqlite";
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
