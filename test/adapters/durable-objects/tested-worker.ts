// The Worker that runs in workerd: cases of the published suite, workloads of histories, and commits to be counted. Its
// objects are the adapter's, as they are or against it wherever an object may be.

import { DurableObject } from "cloudflare:workers";
import { buildBatch } from "../../../adapters/conformance/cases";
import { defineConformanceTests } from "../../../adapters/conformance/index";
import {
  type DurableObjectOptions,
  type DurableObjectStorage,
  durableObjectClass,
  durableObjectStorage,
  type ObjectNamespaceLike,
} from "../../../adapters/durable-objects/index";
import type { ObjectMethods, SentRound } from "../../../adapters/durable-objects/protocol";
import { type R2BucketLike, r2Blobs } from "../../../adapters/r2/index";
import { marksIn, runWorkload } from "../s3/history-workload";
import { type Fault, faulty } from "./faults";

// What single tests do with a storage, inside of workerd. Their objects keep nothing of the past, and can be looked into.

/** An object that can be looked into. */
interface OpenStub {
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

const scripts: Readonly<Record<string, Script>> = {
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

interface Env {
  readonly OBJECTS: ObjectNamespaceLike;
  readonly HOSTILE: ObjectNamespaceLike;
  readonly FLEETING: ObjectNamespaceLike;
  readonly OPEN: ObjectNamespaceLike;
  readonly BUCKET: R2BucketLike;
  /** Takes the lines of a workload, and has them when it answers. */
  readonly RECORD: { fetch(url: string, init: { method: string; body: string }): Promise<Response> };
  /** How long a call may take, in ms. */
  readonly PATIENCE: number;
}

export const OctavoObject = durableObjectClass(DurableObject);

/** What is under an object. */
interface Inner {
  readonly ctx: {
    abort(reason: string): never;
    readonly storage: {
      readonly sql: { exec(query: string): { toArray(): unknown[] } };
      sync(): Promise<void>;
      getAlarm(): Promise<number | null>;
    };
  };
}

let maintained = 0;

/** Keeps nothing of the past, can be looked into, and has its work done: the first time that fails. */
export class OpenObject extends durableObjectClass(DurableObject, {
  retentionMs: 0,
  async maintain() {
    if (++maintained === 1) throw new Error("Not today.");
    return { next: new Date(Date.now() + 1000) };
  },
}) {
  /** The rows of a statement. */
  ask(query: string): unknown[] {
    return (this as unknown as Inner).ctx.storage.sql.exec(query).toArray();
  }

  async alarmAt(): Promise<number | null> {
    return (this as unknown as Inner).ctx.storage.getAlarm();
  }

  evict(): never {
    return (this as unknown as Inner).ctx.abort("The object was evicted.");
  }

  maintained(): number {
    return maintained;
  }
}

/** Tiny answers, and an end at any time: before a round was written, while it is, and after. Those of a fleeting one forget
 * the past soon, so that readers miss it. */
export class HostileObject extends hostile(durableObjectClass(DurableObject, { answerCharacters: 50 })) {}
export class FleetingObject extends hostile(
  durableObjectClass(DurableObject, { answerCharacters: 50, retentionMs: 100 }),
) {}

function hostile(Base: ReturnType<typeof durableObjectClass>) {
  return class extends Base {
    override writeRound(round: SentRound) {
      this.#perhapsEnd();
      const written = super.writeRound(round);
      const dice = Math.random();
      if (dice < 0.05) throw new Error("The answer was lost.");
      this.#perhapsEnd();
      if (dice < 0.1) return this.#endOnceDurable();
      return written;
    }

    override currentVersion() {
      this.#perhapsEnd();
      return super.currentVersion();
    }

    override register(name: string) {
      this.#perhapsEnd();
      return super.register(name);
    }

    #perhapsEnd(): void {
      if (Math.random() < 0.03) this.#state.abort("The object was evicted.");
    }

    #endOnceDurable(): never {
      return this.#state.storage
        .sync()
        .then(() => this.#state.abort("The object was evicted after it had written.")) as never;
    }

    get #state() {
      return (this as unknown as Inner).ctx;
    }
  };
}

type Settings = "default" | "hostile" | "fleeting" | "open";

/** What a test asks for. */
export type Task =
  | {
      readonly task: "case";
      readonly settings: Settings;
      readonly name: string;
      readonly seed: number;
      readonly runs: number;
    }
  | {
      readonly task: "workload";
      readonly settings: Settings;
      readonly prefix: string;
      readonly name: string;
      readonly seed: number;
      readonly transactions: number;
      readonly fault: Fault | undefined;
    }
  | { readonly task: "marks"; readonly settings: Settings; readonly prefix: string; readonly partition: string }
  | { readonly task: "script"; readonly prefix: string; readonly script: string }
  /** A method of an object, by its name. */
  | { readonly task: "call"; readonly object: string; readonly method: string; readonly given: readonly unknown[] };

function opener(env: Env, settings: Settings, prefix: string, fault?: Fault): () => DurableObjectStorage {
  const options: Omit<DurableObjectOptions, "blobs"> = {
    prefix,
    timeoutMs: env.PATIENCE,
    ...(settings === "hostile" ? { roundCharacters: 1 } : {}),
  };
  const objects = { default: env.OBJECTS, hostile: env.HOSTILE, fleeting: env.FLEETING, open: env.OPEN }[settings];
  const binding = fault ? faulty(objects, fault) : objects;
  return () => durableObjectStorage(binding, { ...options, blobs: r2Blobs(env.BUCKET, { prefix }) });
}

let storages = 0;

async function runCase(env: Env, task: Task & { task: "case" }): Promise<void> {
  let run: (() => Promise<void>) | undefined;
  defineConformanceTests({
    test(name, its) {
      if (name === task.name) run = its;
    },
    async open() {
      const open = opener(env, task.settings, `storage-${crypto.randomUUID()}-${++storages}`);
      let storage = open();
      return {
        storage,
        another: async () => open(),
        async reopen() {
          await storage.close();
          storage = open();
          return storage;
        },
      };
    },
    seed: task.seed,
    runs: task.runs,
    timeoutMs: env.PATIENCE,
  });
  if (!run) throw new Error(`There is no case “${task.name}”.`);
  await run();
}

async function marks(env: Env, { settings, prefix, partition }: Task & { task: "marks" }): Promise<unknown> {
  return marksIn(opener(env, settings, prefix)(), partition);
}

async function work(env: Env, task: Task & { task: "workload" }): Promise<void> {
  const storage = opener(env, task.settings, task.prefix, task.fault)();
  const record = async (line: object) => {
    const answer = await env.RECORD.fetch("http://record/", { method: "POST", body: JSON.stringify(line) });
    await answer.text();
  };
  await runWorkload(storage, { ...task, atOnce: 4, record, now: Date.now });
}

async function run(env: Env, task: Task): Promise<unknown> {
  if (task.task === "case") return runCase(env, task);
  if (task.task === "marks") return marks(env, task);
  if (task.task === "workload") return work(env, task);
  if (task.task === "call") {
    const stub = env.OBJECTS.get(env.OBJECTS.idFromName(task.object));
    return (stub as Record<string, (...given: readonly unknown[]) => Promise<unknown>>)[task.method]!(...task.given);
  }
  const script = scripts[task.script];
  if (!script) throw new Error(`There is no script “${task.script}”.`);
  return script(
    opener(env, "open", task.prefix),
    (name) => env.OPEN.get(env.OPEN.idFromName(`${task.prefix}/${name}`)) as OpenStub,
  );
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      return Response.json({ result: (await run(env, await request.json())) ?? null });
    } catch (error) {
      return Response.json({ error: error instanceof Error ? `${error.stack}\n${error.cause ?? ""}` : String(error) });
    }
  },
};
