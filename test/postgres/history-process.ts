// One of the processes of a history: it runs its workload on the server of its environment as soon as it is told to, prunes
// the storage meanwhile, and writes every call down before it makes the next one.

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { postgresStorage, type QueryClient } from "../../adapters/postgres";
import { runWorkload } from "../s3/history-workload";

const [url, schema, name, seed, transactions] = process.argv.slice(2) as [string, string, string, string, string];
const pool = new pg.Pool({ connectionString: url, max: 4 });
pool.on("error", () => {});

/** The control: no check arrives. */
const careless: QueryClient = {
  query: (text, values) =>
    pool.query(text, values?.length === 12 ? values.map((it, i) => (i === 4 || i === 5 ? "{}" : it)) : values),
};
const isCareless = process.env.CARELESS === "true";
// What was overwritten goes soon, so that readers miss it.
const storage = postgresStorage(isCareless ? careless : pool, { schema, cacheBytes: 16 * 1024, grace: 100 });
await storage.partition("left").snapshot();
writeSync(1, "ready\n");
for await (const _ of process.stdin) break;
let isOver = false;
await Promise.all([prune(), work()]);
await storage.close();
process.exit();

async function work(): Promise<void> {
  const record = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`);
  await runWorkload(storage, { name, seed: Number(seed), transactions: Number(transactions), atOnce: 4, record });
  isOver = true;
}

/** What fails is tried again by whoever prunes next. */
async function prune(): Promise<void> {
  while (!isOver) {
    await storage.maintain().catch(() => {});
    await wait(100);
  }
}
