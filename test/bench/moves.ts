// What it takes to copy 10,000 pages from LevelDB to PostgreSQL with the command line, in processor time and memory, and how
// large a backup of them is.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import type { Pool } from "pg";
import { backup, levelStorage, outDir } from "./built";
import type { Row } from "./measure";
import { pageText } from "./page-text";
import { watchProcess } from "./processes";
import { createSubject } from "./subject";

const FEW = 2500;
const MANY = 10_000;
const BATCH = 50;

/** What the process may have for everything that it holds, in MB. */
const HEAP = 96;

/** Memory that four times as much may take more, in MB. */
const FLAT = 40;

export async function moves(pool: Pool, url: string): Promise<Row[]> {
  const few = await copied(pool, url, FEW);
  const many = await copied(pool, url, MANY);
  const growth = many.resident - few.resident;
  const size = many.backup / many.content;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return [
    {
      what: `copy of ${MANY} pages, LevelDB to PostgreSQL, ${many.wall.toFixed(1)} s`,
      against: `the time in which it (${percent(many.itself)}) or PostgreSQL (${percent(many.helpers)}) is at work`,
      measured: percent(many.any),
      budget: "at least 90 %",
      holds: many.any >= 0.9,
    },
    {
      what: `memory of the same under --max-old-space-size=${HEAP}, at the most ${many.resident} MB`,
      against: `more than for ${FEW} pages`,
      measured: `${growth} MB`,
      budget: `at most ${FLAT} MB`,
      holds: growth <= FLAT,
    },
    {
      what: `backup of ${MANY} pages, ${(many.backup / 1e6).toFixed(1)} MB`,
      against: "the bytes of their texts",
      measured: `${size.toFixed(2)} x`,
      budget: "at most 1.30 x",
      holds: size <= 1.3,
    },
  ];
}

async function copied(pool: Pool, url: string, pages: number) {
  const directory = await mkdtemp(join(tmpdir(), "octavo-bench-"));
  const schema = `moves_${pages}`;
  try {
    const content = await fill(levelStorage(directory), pages);
    const start = performance.now();
    const seen = await copyBy({ directory, url, schema, backends: () => backends(pool) });
    const wall = (performance.now() - start) / 1000;
    const from = levelStorage(directory);
    let bytes = 0;
    const sink = new WritableStream<Uint8Array>({
      write(piece) {
        bytes += piece.length;
      },
    });
    await backup(from, sink);
    await from.close();
    return { ...seen, content, wall, backup: bytes };
  } finally {
    await rm(directory, { recursive: true });
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  }
}

/** Runs `octavo copy-storage` with a limit of its heap, and looks at it from outside. */
async function copyBy(options: {
  readonly directory: string;
  readonly url: string;
  readonly schema: string;
  readonly backends: () => Promise<readonly number[]>;
}) {
  const command = [`--max-old-space-size=${HEAP}`, join(outDir, "cli.js"), "copy-storage", "--data", options.directory];
  const env = {
    ...process.env,
    TO_STORAGE: "postgres",
    TO_DATABASE_URL: options.url,
    TO_POSTGRES_SCHEMA: options.schema,
  };
  const child = spawn(process.execPath, command, { env, stdio: ["ignore", "ignore", "inherit"] });
  const watch = watchProcess(child.pid!, options.backends);
  const [code] = await once(child, "exit");
  const seen = await watch.end();
  if (code !== 0) throw new Error(`The copy ended with ${code}.`);
  return seen;
}

/** The processes of PostgreSQL that work for others than those who ask here. */
async function backends(pool: Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  return rows.map(({ pid }) => pid);
}

/** Writes pages, and gives the bytes of their texts. The storage is closed. */
async function fill(storage: Storage, pages: number): Promise<number> {
  const { path, ask, api } = await createSubject(storage);
  const { id } = JSON.parse(await ask("POST", `${path}/spaces`, { title: "Many" }));
  let bytes = 0;
  for (let at = 0; at < pages; at += BATCH) {
    const changes = Array.from({ length: BATCH }, (_, i) => {
      const markdown = pageText(at + i);
      bytes += Buffer.byteLength(markdown);
      return { operation: "insert_page", title: `Page ${at + i}`, document: { markdown } };
    });
    await ask("POST", `/v1/spaces/${id}/content`, { changes });
  }
  await api.maintain();
  await api.close();
  return bytes;
}
