// What it takes to copy 10,000 pages from LevelDB to PostgreSQL, in processor time and memory, and how large a backup of
// them is.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import type { Pool } from "pg";
import { backup, copyStorage, levelStorage, postgresStorage } from "./built";
import type { Row } from "./measure";
import { watchMemory } from "./memory";
import { pageText } from "./page-text";
import { createSubject } from "./subject";

const FEW = 2500;
const MANY = 10_000;
const BATCH = 50;

/** Memory that four times as much may take more, in MB: what the garbage collector happens to leave. */
const FLAT = 40;

export async function moves(pool: Pool): Promise<Row[]> {
  const few = await copied(pool, FEW);
  const many = await copied(pool, MANY);
  const growth = many.heap - few.heap;
  const size = many.backup / many.content;
  const busy = many.processor / many.wall;
  return [
    {
      what: `copy of ${MANY} pages, LevelDB to PostgreSQL`,
      against: "processors that the process keeps busy",
      measured: `${busy.toFixed(2)} for ${many.wall.toFixed(1)} s`,
      budget: "about 1",
      holds: busy <= 1.5,
    },
    {
      what: `memory of the same, at the most ${many.heap} MB`,
      against: `more than for ${FEW} pages`,
      measured: `${growth} MB`,
      budget: `at most ${FLAT} MB`,
      holds: growth <= FLAT,
    },
    {
      what: `backup of ${MANY} pages, ${(many.backup / 1e6).toFixed(1)} MB`,
      against: "the bytes of the content",
      measured: `${size.toFixed(2)}×`,
      budget: "at most 1.30×",
      holds: size <= 1.3,
    },
  ];
}

async function copied(pool: Pool, pages: number) {
  const directory = await mkdtemp(join(tmpdir(), "octavo-bench-"));
  const schema = `moves_${pages}`;
  try {
    const content = await fill(levelStorage(directory), pages);
    const from = levelStorage(directory);
    const to = postgresStorage(pool, { schema });
    const memory = watchMemory();
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    await copyStorage(from, to);
    const { user, system } = process.cpuUsage(cpu);
    const wall = (performance.now() - start) / 1000;
    const { heap } = memory.end();
    let bytes = 0;
    const sink = new WritableStream<Uint8Array>({
      write(piece) {
        bytes += piece.length;
      },
    });
    await backup(from, sink);
    await from.close();
    await to.close();
    return { content, heap, wall, processor: (user + system) / 1e6, backup: bytes };
  } finally {
    await rm(directory, { recursive: true });
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  }
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
