// Writes one system in the format of every storage, as it is today: `npx tsx test/formats/write.ts <number>`. A format that
// changes gets files with the next number, written by the version before the change. Files that are there are never
// replaced: they are what an older version has really written.

import { access, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { postgresStorage } from "octavo/postgres";
import { backup, copyStorage } from "octavo/storage-tools";
import { migration } from "../../adapters/postgres/schema";
import { objectStorage } from "../../adapters/s3/engine";
import { pglite } from "../postgres/pglite";
import { ObjectsInMemory } from "../s3/objects-in-memory";
import { system } from "../storage-tools/walk";
import { type Files, jsonFile, keepFiles } from "./kept-files";

const number = process.argv[2];
if (!/^\d+$/.test(number ?? "")) throw new Error("Give the number of the format: npx tsx test/formats/write.ts 2");
const here = (name: string) => new URL(name, import.meta.url);
for (const name of [`level-${number}.json.gz`, `backup-${number}.octavo`])
  if (
    await access(here(name)).then(
      () => true,
      () => false,
    )
  )
    throw new Error(`${name} is there already.`);

const { storage, visits } = await system();

/** Changed a little after the copy, as a running system is. */
async function fill(to: Storage): Promise<void> {
  await copyStorage(storage, to);
  await to.maintain?.();
}

async function level(): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-format-"));
  const to = levelStorage(folder);
  await fill(to);
  await to.close();
  // Opened again, LevelDB turns its log into a table.
  const again = levelStorage(folder);
  await (await again.partition("directory").snapshot()).list({ under: "", limit: 1 });
  await again.close();
  const files = new Map<string, Uint8Array>();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
  await rm(folder, { recursive: true });
  return files;
}

async function objects(): Promise<Files> {
  const kept = new ObjectsInMemory();
  const to = objectStorage(kept, { inlineBytes: 16 * 1024 });
  await fill(to);
  await to.close();
  const files = new Map<string, Uint8Array>();
  for (const name of kept.namesNow("")) {
    const got = kept.getNow(name);
    if (got.outcome === "found") files.set(name, got.bytes);
  }
  return files;
}

async function postgres(): Promise<Files> {
  const schema = "octavo_format";
  const database = await pglite();
  const to = postgresStorage(database, { schema });
  await fill(to);
  const files = new Map<string, Uint8Array>([["migration.sql", new TextEncoder().encode(migration(schema))]]);
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' ORDER BY tablename`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await database.query<{ row: unknown }>(`SELECT to_jsonb(t) AS row FROM ${schema}.${name} t`);
    files.set(`${name}.json`, jsonFile(rows.map(({ row }) => row)));
  }
  return files;
}

await keepFiles(`level-${number}`, await level());
await keepFiles(`objects-${number}`, await objects());
await keepFiles(`postgres-${number}`, await postgres());
const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
const [, bytes] = await Promise.all([backup(storage, writable), new Response(readable).arrayBuffer()]);
await writeFile(here(`backup-${number}.octavo`), new Uint8Array(bytes));
await keepFiles(`visits-${number}`, new Map([["visits.json", jsonFile(visits)]]));
process.exit(0);
