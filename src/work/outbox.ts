// What must happen after a commit in another partition. An entry is written in the same commit as its cause, so a crash
// in between loses nothing; the process that wrote it runs it at once, and `maintain()` runs what was left behind.
//
// A step may run more than once and beside itself. It reads the state as it is, not as it was when it was put here, and
// makes the other side agree: the entry says what to look at, never what to write.

import { randomText } from "../store/ids";
import { key } from "../store/key";
import type { Json, Key } from "../store/storage";
import type { Store } from "../store/store";
import type { Transaction } from "../store/transaction";

/** What a step may use. */
export interface Work {
  readonly store: Store;
  /** Hears of a step that failed; its entry stays for the next `maintain()`. */
  readonly onError: (error: unknown) => void;
}

/** A kind of work, known by its name in the entries that wait for it. */
export interface Step<Payload extends Json = Json> {
  readonly name: string;
  readonly run: (work: Work, payload: Payload) => Promise<void>;
}

/** Declares a step. */
export function step<Payload extends Json>(name: string, run: Step<Payload>["run"]): Step<Payload> {
  return { name, run };
}

/** Puts a step into the transaction: it runs once the commit holds, in this process or in a later one. */
export function later<Payload extends Json>(
  work: Work,
  partition: string,
  tx: Transaction,
  step: Step<Payload>,
  payload: Payload,
): void {
  const entry = key("outbox", work.store.now().getTime(), randomText(work.store.random, 16));
  tx.put(entry, { step: step.name, payload });
  tx.afterCommit(async () => {
    try {
      await finish(work, partition, entry, step, payload);
    } catch (error) {
      work.onError(error);
    }
  });
}

/** Runs the entries that wait in a partition, oldest first. One that fails stays and does not stop the others. */
export async function runOutbox(
  work: Work,
  partition: string,
  steps: ReadonlyMap<string, Step<never>>,
): Promise<number> {
  const view = await work.store.read(partition);
  let done = 0;
  for (const entry of await view.list({ under: key("outbox"), limit: 200 })) {
    const { step: name, payload } = entry.value as { step: string; payload: Json };
    try {
      const step = steps.get(name);
      if (!step) throw new Error(`No step is called "${name}": was this store written by a newer version?`);
      await finish(work, partition, entry.key, step, payload as never);
      done++;
    } catch (error) {
      work.onError(error);
    }
  }
  return done;
}

async function finish<Payload extends Json>(
  work: Work,
  partition: string,
  entry: Key,
  step: Step<Payload>,
  payload: Payload,
): Promise<void> {
  await step.run(work, payload);
  await work.store.write(partition, async (tx) => tx.delete(entry));
}
