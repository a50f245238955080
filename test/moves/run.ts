// `npm run moves`: a system moves from LevelDB to PostgreSQL to S3 and back to LevelDB. It is written to before and after each
// copy, answers every GET as before, and is whole each time. Then a backup is taken under load and restored elsewhere.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { postgresStorage } from "octavo/postgres";
import { s3Storage } from "octavo/s3";
import { backup, copyStorage, restore, verify } from "octavo/storage-tools";
import { startServer } from "../postgres/server";
import { s3Server } from "../s3/server";
import { open, SECRET, seeded } from "../setting";
import { system } from "../storage-tools/walk";

const folder = await mkdtemp(join(tmpdir(), "octavo-moves-"));
const postgres = await startServer({ isDurable: true });
if ("leftOut" in postgres) throw new Error(postgres.leftOut);
const s3 = await s3Server();
if ("leftOut" in s3) throw new Error(s3.leftOut);
const { bucket, ...config } = s3;
const { storage: prepared, cast, walk } = await system();

let chance = 100;
async function write(storage: Storage, token: string, space: string, title: string): Promise<void> {
  const { clock, askWith } = open(storage, { random: seeded(++chance) });
  clock.now = cast.clock.now;
  const changes = [{ operation: "insert_page", title, document: { markdown: `${title}, for everybody.` } }];
  const { status } = await askWith(token, `POST /v1/spaces/${space}/content`, { changes });
  if (status !== 200) throw new Error(`Writing "${title}" was answered ${status}.`);
}

async function mustBeWhole(what: string, storage: Storage): Promise<void> {
  const { findings, entries, objects } = await verify(storage, { secret: SECRET });
  if (findings.length > 0) throw new Error(`${what}: ${JSON.stringify(findings.slice(0, 5), null, 2)}`);
  console.log(`${what}: whole, ${entries} entries, ${objects} objects`);
}

function mustBeEqual(what: string, a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): void {
  for (const [name, answer] of a)
    if (!isDeepStrictEqual(answer, b.get(name))) throw new Error(`${what}: ${name} is answered in another way.`);
  console.log(`${what}: ${a.size} answers are equal`);
}

/** A copy in memory: the walk itself builds search indexes. */
async function answersOf(storage: Storage): Promise<ReadonlyMap<string, unknown>> {
  const aside = memoryStorage();
  await copyStorage(storage, aside);
  return walk(aside);
}

const stations: readonly (readonly [name: string, open: () => Storage])[] = [
  ["LevelDB", () => levelStorage(join(folder, "first"))],
  ["PostgreSQL", () => postgresStorage(postgres.url, { schema: "moves" })],
  ["S3", () => s3Storage({ bucket, config, prefix: `moves-${process.pid}/` })],
  ["LevelDB again", () => levelStorage(join(folder, "second"))],
];

try {
  let from: Storage = prepared;
  for (const [name, openStation] of stations) {
    const to = openStation();
    await write(from, cast.tokens.admin, cast.innerSpace, `Before ${name}`);
    const moved = await copyStorage(from, to);
    console.log(`to ${name}: ${moved.entries} entries, ${moved.blobs} blobs`);
    await mustBeWhole(name, to);
    mustBeEqual(name, await walk(from), await walk(to));
    await write(to, cast.tokens.admin, cast.innerSpace, `After ${name}`);
    await mustBeWhole(`${name}, written to`, to);
    await from.close();
    from = to;
  }

  const before = await answersOf(from);
  let [isOver, writes] = [false, 0];
  const load = (async () => {
    while (!isOver) await write(from, cast.tokens.rival, cast.foreignSpace, `Load ${++writes}`);
  })();
  while (writes < 20) await new Promise((resolve) => setTimeout(resolve, 10));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const elsewhere = memoryStorage();
  const acknowledged = writes - 1;
  const [made] = await Promise.all([backup(from, writable), restore(readable, elsewhere)]);
  isOver = true;
  await load;
  console.log(`backup under load: ${made.bytes} bytes, ${writes} writes, of one moment: ${made.isOneMoment}`);
  await mustBeWhole("restored", elsewhere);
  const after = await answersOf(from);
  const untouched = new Map([...before].filter(([name, answer]) => isDeepStrictEqual(answer, after.get(name))));
  mustBeEqual(
    `restored, but for ${before.size - untouched.size} that the load has changed`,
    untouched,
    await walk(elsewhere),
  );
  const { askWith, clock } = open(elsewhere);
  clock.now = cast.clock.now;
  const { body } = await askWith(cast.tokens.rival, `GET /v1/spaces/${cast.foreignSpace}/content`);
  const text = JSON.stringify(body);
  for (let i = 1; i <= acknowledged; i++)
    if (!text.includes(`"Load ${i}"`))
      throw new Error(`The page "Load ${i}" was acknowledged before the backup, and is not in it.`);
  console.log(`restored: all ${acknowledged} pages that were acknowledged before are there`);
  await from.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
