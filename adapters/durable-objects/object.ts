// The class of the objects. An object is a partition, the registry or the clock, by what it is asked for; so a Worker has
// one class and one binding.

import { Corrupt, StorageError } from "../adapter";
import { Clock } from "./clock";
import type { Failed, ObjectMethods, SentRange, SentRound } from "./protocol";
import { Registry } from "./registry";
import type { ObjectStateLike } from "./sqlite";
import { Tables } from "./tables";

/** How the objects behave. */
export interface ObjectClassOptions<Env> {
  /** For how long a snapshot can be read after others have written, in ms. Default: 15 minutes. */
  readonly grace?: number;
  /** The most that one answer holds, in characters; a longer one comes in parts. Default: 4 Mi. */
  readonly answerCharacters?: number;
  /** Does the work that waits, when an alarm rings that `wake` of the storage has set: `(env) => open(env).maintain()`.
   * Afterwards it rings again at the time that was returned. Default: nobody does. */
  readonly maintain?: (env: Env) => Promise<{ readonly next: Date }>;
}

/** A class of objects, to be exported by a Worker under the name that its settings have. */
// biome-ignore lint/suspicious/noExplicitAny: Workers make the state, and its type is theirs.
export type ObjectClass<Env> = new (state: any, env: Env) => ObjectMethods & { alarm(): Promise<void> };

/** So many pieces are pruned when an alarm rings; the rest when the next one does, which is at once. */
const PIECES = 20;

/**
 * Makes the class of the objects. `DurableObject` is the one of `cloudflare:workers`:
 * `export const OctavoObject = durableObjectClass(DurableObject)`. It must be among the `new_sqlite_classes`.
 */
export function durableObjectClass<Env = unknown>(
  // biome-ignore lint/suspicious/noExplicitAny: what a class is extended with takes anything.
  DurableObject: abstract new (...given: any[]) => object,
  options: ObjectClassOptions<Env> = {},
): ObjectClass<Env> {
  const grace = options.grace ?? 15 * 60 * 1000;
  if (!(grace >= 0)) throw new TypeError("grace: give a number of milliseconds.");

  return class extends DurableObject implements ObjectMethods {
    readonly #state: ObjectStateLike;
    readonly #env: Env;
    #made: Tables | undefined;
    #isAlarmSet = false;

    constructor(state: ObjectStateLike, env: Env) {
      super(state, env);
      this.#state = state;
      this.#env = env;
    }

    get #tables(): Tables {
      this.#made ??= new Tables(this.#state.storage, grace, options.answerCharacters);
      return this.#made;
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
      for (let piece = 1; left === "more" && piece < PIECES; piece++) {
        // Those who wait have their turn.
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

    /** Has the past pruned in a while. A failure is made good by the next commit. */
    #setAlarm(): void {
      if (this.#isAlarmSet) return;
      this.#isAlarmSet = true;
      const { storage } = this.#state;
      const setting = async () => {
        if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + grace);
      };
      setting().catch(() => {
        this.#isAlarmSet = false;
      });
    }
  };
}

/** What a method gives, or why it does not. All of it runs without a pause, so what fails has done nothing. */
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
