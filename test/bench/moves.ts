// What it takes to copy 10,000 pages from LevelDB to PostgreSQL with the command line, in processor time and memory, and how
// large a backup of them is.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "octavo";
import type { Pool } from "pg";
import { backup, levelStorage, outDir } from "./built";
import type { Row } from "./measure";
import { pageText } from "./page-text";
import { createSubject, inFolder } from "./subject";

// Another process, looked at from outside while it runs: how much memory it takes at the most, and what share of the time it,
// and those who work for it, are at work.

interface Seen {
  /** The most memory of its own that it had, in MB: without the files that it maps, as LevelDB does with its tables. */
  readonly resident: number;
  /** Shares of the time in which it was at work; in which the helpers were; in which any of them was. */
  readonly itself: number;
  readonly helpers: number;
  readonly any: number;
}

/** Looks at a process until it is told to end. `helpers` gives the ids of those who work for it. */
function watchProcess(pid: number, helpers: () => Promise<readonly number[]>) {
  let [looks, itself, others, any, resident, isOver] = [0, 0, 0, 0, 0, false];
  let pids: readonly number[] = [];
  const watching = (async () => {
    for (; !isOver; looks++) {
      if (looks % 50 === 0) pids = await helpers();
      resident = Math.max(resident, await memoryOf(pid));
      const [own, theirs] = [await isAtWork(pid), (await Promise.all(pids.map(isAtWork))).includes(true)];
      if (own) itself++;
      if (theirs) others++;
      if (own || theirs) any++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async end(): Promise<Seen> {
      isOver = true;
      await watching;
      return { resident, itself: itself / looks, helpers: others / looks, any: any / looks };
    },
  };
}

/** Whether a thread of a process runs, waits for a processor, or waits for the disk. */
async function isAtWork(pid: number): Promise<boolean> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const states = await Promise.all(threads.map((it) => readFile(`${folder}/${it}/stat`, "latin1").catch(() => "")));
  return states.some((text) => /\) [RD] /.test(text));
}

/** The memory of a process without files, in MB; 0 when it has ended. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Math.round(Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1000);
}

const FEW = 2500;
const MANY = 10_000;
const BATCH = 50;

/** What the process may have for everything that it holds, in MB. */
const HEAP = 96;

/** Memory that four times as much may take more, in MB. */
const FLAT = 40;

export async function moves(pool: Pool, url: string): Promise<Row[]> {
  const few = await inFolder((folder) => copied(pool, url, FEW, folder));
  const many = await inFolder((folder) => copied(pool, url, MANY, folder));
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

async function copied(pool: Pool, url: string, pages: number, directory: string) {
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
