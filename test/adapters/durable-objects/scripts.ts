// What single tests do with a storage, inside of workerd. Their objects keep nothing of the past, and can be looked into.

import { buildBatch } from "../../../adapters/conformance/cases";
import type { DurableObjectStorage } from "../../../adapters/durable-objects/index";
import type { ObjectMethods } from "../../../adapters/durable-objects/protocol";

/** An object that can be looked into. */
export interface OpenStub {
  ask(query: string): Promise<unknown[]>;
  evict(): Promise<void>;
  alarmAt(): Promise<number | null>;
  maintained(): Promise<number>;
  register(name: string): Promise<ReturnType<ObjectMethods["register"]>>;
  wake(at: number): Promise<unknown>;
}

type Script = (open: () => DurableObjectStorage, object: (name: string) => OpenStub) => Promise<unknown>;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(10);
}

async function namesOf(storage: DurableObjectStorage): Promise<string[]> {
  const names: string[] = [];
  for await (const name of storage.partitions()) names.push(name);
  return names;
}

export const scripts: Readonly<Record<string, Script>> = {
  /** Overwrites and deletes, lets the alarm ring, and shows what is left. */
  async pruning(open, object) {
    const partition = open().partition("p");
    await partition.commit(buildBatch({ puts: { a: 1, b: 1 } }));
    const before = await partition.snapshot();
    await partition.commit(buildBatch({ puts: { a: 2 }, deletes: ["b"] }));
    const seen = await before.get(["a", "b"]);
    const past = () => object("p/p").ask("SELECT key FROM past UNION ALL SELECT key FROM entry WHERE value IS NULL");
    const kept = (await past()).length;
    await until(async () => (await past()).length === 0);
    const tooOld = await before.get(["a"]).catch((error) => [error.name, error.outcome, error.message]);
    const now = await partition.snapshot();
    return { seen, kept, tooOld, version: now.version, left: await now.list({ under: "", limit: 9 }) };
  },

  /** Reads where nothing is, and shows which tables that made. */
  async looking(open, object) {
    const storage = open();
    const view = await storage.partition("nobody").snapshot();
    const found = [
      view.version,
      await view.get(["a"]),
      await view.list({ under: "", limit: 9 }),
      await namesOf(storage),
    ];
    const tables = await object("p/nobody").ask(
      "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    return { found, tables };
  },

  /** Registers a partition as a client does that then ends, and commits to another. */
  async naming(open, object) {
    await object("registry").register("begun");
    const storage = open();
    await storage.partition("refused").commit(buildBatch({ checks: { a: 1 }, puts: { a: 1 } }));
    await storage.partition("done").commit(buildBatch({ puts: { a: 1 } }));
    const first = await namesOf(storage);
    await storage.partition("begun").commit(buildBatch({ puts: { a: 1 } }));
    return [first, await namesOf(storage), await object("registry").ask("SELECT name, isSure FROM name ORDER BY name")];
  },

  /** Lets the work that waits be done by alarms; the first one fails. */
  async waking(open, object) {
    const storage = open();
    await storage.wake(new Date(Date.now() + 3_600_000));
    const far = (await object("clock").alarmAt())! - Date.now();
    await storage.wake();
    await until(async () => (await object("clock").maintained()) >= 1);
    await storage.wake();
    await until(async () => (await object("clock").maintained()) >= 2);
    await until(async () => (await object("clock").maintained()) >= 3);
    return { isFar: far > 3_000_000 };
  },

  /** An object that a later version has written. */
  async later(open, object) {
    await open()
      .partition("p")
      .commit(buildBatch({ puts: { a: 1 } }));
    await object("p/p").ask("UPDATE state SET format = 2");
    await object("p/p")
      .evict()
      .catch(() => {});
    return open()
      .partition("p")
      .snapshot()
      .catch((error) => [error.name, error.message]);
  },

  /** An object that was set back, as by a restore to an earlier time. */
  async restoring(open, object) {
    const partition = open().partition("p");
    await partition.commit(buildBatch({ puts: { a: 1 } }));
    await partition.commit(buildBatch({ puts: { a: 2 } }));
    const view = await partition.snapshot();
    await object("p/p").ask("DELETE FROM round WHERE version = 2");
    await object("p/p").ask("UPDATE entry SET version = 1");
    await object("p/p")
      .evict()
      .catch(() => {});
    return view.get(["a"]).catch((error) => [error.name, error.message]);
  },
};
