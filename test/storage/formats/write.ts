// Writes one system in the formats of today: `npx tsx test/storage/formats/write.ts <number> <storage> …`. A format that changes gets a
// file with the next number. Files that are there are never replaced: they are what an older version has really written. The
// system is that of the first backup, so `visits-1` fits all files. With `visits` in place of storages a system of today is
// written, as a backup with its visits.

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Storage } from "octavo";
import { durableObjectStorage } from "octavo/durable-objects";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { postgresStorage } from "octavo/postgres";
import { backup, copyStorage, restore } from "octavo/storage-tools";
import { buildMigration } from "../../../adapters/postgres/schema";
import { r2Blobs } from "../../../adapters/r2/index";
import { createObjectStorage } from "../../../adapters/s3/engine";
import { startWorkerd } from "../../adapters/durable-objects/workerd";
import { pglite } from "../../adapters/postgres/pglite";
import { ObjectsInMemory } from "../../adapters/s3/objects-in-memory";
import { system } from "../../storage-tools/walk";
import { type Files, jsonFile, keepFiles } from "./visit";

const [number, ...names] = process.argv.slice(2);
const here = (name: string) => new URL(name, import.meta.url);

/** What each file is written by. */
const writers: Readonly<Record<string, (from: Storage) => Promise<unknown>>> = {
  level: async (from) => keepFiles(`level-${number}`, await level(from)),
  objects: async (from) => keepFiles(`objects-${number}`, await objects(from)),
  postgres: async (from) => keepFiles(`postgres-${number}`, await postgres(from)),
  "durable-objects": async (from) => keepFiles(`durable-objects-${number}`, await durableObjects(from)),
  backup: async (from) => writeFile(here(`backup-${number}.octavo`), await backedUp(from)),
};

if (!/^\d+$/.test(number ?? "") || names.length === 0 || !names.every((it) => it === "visits" || it in writers))
  throw new Error("Give a number and storages: npx tsx test/storage/formats/write.ts 2 level backup");

/** Changed a little after the copy, as a running system is. */
async function fill(from: Storage, to: Storage): Promise<void> {
  await copyStorage(from, to);
  await to.maintain?.();
}

async function level(from: Storage): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-format-"));
  const to = levelStorage(folder);
  await fill(from, to);
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

async function objects(from: Storage): Promise<Files> {
  const kept = new ObjectsInMemory();
  const to = createObjectStorage(kept, { inlineBytes: 16 * 1024 });
  await fill(from, to);
  await to.close();
  const files = new Map<string, Uint8Array>();
  for (const name of kept.namesNow("")) {
    const got = kept.getNow(name);
    if (got.outcome === "found") files.set(name, got.bytes);
  }
  return files;
}

async function postgres(from: Storage): Promise<Files> {
  const schema = "octavo_format";
  const database = await pglite();
  const to = postgresStorage(database, { schema });
  await fill(from, to);
  const files = new Map<string, Uint8Array>([["migration.sql", new TextEncoder().encode(buildMigration(schema))]]);
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' ORDER BY tablename`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await database.query<{ row: unknown }>(`SELECT to_jsonb(t) AS row FROM ${schema}.${name} t`);
    files.set(`${name}.json`, jsonFile(rows.map(({ row }) => row)));
  }
  return files;
}

/** The files of SQLite in which workerd keeps the objects, and what is in the bucket. */
async function durableObjects(from: Storage): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-format-"));
  const workerd = await startWorkerd({ folder });
  const { bucket } = workerd;
  const to = durableObjectStorage(workerd.objects, { blobs: r2Blobs(bucket) });
  await fill(from, to);
  const files = new Map<string, Uint8Array>();
  for (const { key } of (await bucket.list({ prefix: "" })).objects)
    files.set(
      `bucket/${key}`,
      new Uint8Array(await new Response((await bucket.get(key))!.body as BodyInit).arrayBuffer()),
    );
  await to.close();
  await workerd.stop();
  const written = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const it of written.filter((each) => each.isFile() && !each.name.endsWith("-shm"))) {
    const path = join(it.parentPath, it.name);
    files.set(relative(folder, path), await readFile(path));
  }
  await rm(folder, { recursive: true });
  return files;
}

async function backedUp(from: Storage): Promise<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const [, bytes] = await Promise.all([backup(from, writable), new Response(readable).arrayBuffer()]);
  return new Uint8Array(bytes);
}

/** The system of the first backup. */
async function first(): Promise<Storage> {
  const storage = memoryStorage();
  await restore(new Blob([await readFile(here("backup-1.octavo"))]).stream(), storage);
  return storage;
}

const isThere = (name: string) => readdir(here(".")).then((found) => found.some((it) => it.startsWith(`${name}.`)));
const wanted = names[0] === "visits" ? ["backup", "visits"] : names;
for (const name of wanted)
  if (await isThere(`${name}-${number}`)) throw new Error(`${name}-${number} is there already.`);
if (names[0] === "visits") {
  const { storage, visits } = await system();
  await writers.backup!(storage);
  await keepFiles(`visits-${number}`, new Map([["visits.json", jsonFile(visits)]]));
} else for (const name of names) await writers[name]!(await first());
process.exit(0);
