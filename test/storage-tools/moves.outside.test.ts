// A system moves from LevelDB to PostgreSQL to S3 and back to LevelDB. It is written to before and after each copy, answers everything
// that can be read as before, to everybody, and is whole each time. Then a backup is taken under load and restored elsewhere. It
// must answer like a system to which the same was written and no more, in every answer.

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
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../adapters/postgres/server";
import { s3Server } from "../adapters/s3/server";
import { open, SECRET, seeded } from "../support/setting";
import { type Answers, system } from "./walk";

const { storage: prepared, cast, walk } = await system();

/** Writes a page. With the same chance the same page is written, on any storage. */
async function write(storage: Storage, { token, space, title, chance }: Written): Promise<void> {
  const { clock, askWith } = open(storage, { random: seeded(chance) });
  clock.now = cast.clock.now;
  const changes = [{ operation: "insert_page", title, document: { markdown: `${title}, for everybody.` } }];
  const { status } = await askWith(token, `POST /v1/spaces/${space}/content`, { changes });
  if (status !== 200) throw new Error(`Writing "${title}" was answered ${status}.`);
}

interface Written {
  readonly token: string;
  readonly space: string;
  readonly title: string;
  readonly chance: number;
}

let moves = 100;
const oneMore = (title: string): Written => ({
  token: cast.tokens.admin,
  space: cast.innerSpace,
  title,
  chance: ++moves,
});

/** Who writes under load: one in each of two organizations. */
const writers = [
  { token: cast.tokens.admin, space: cast.innerSpace, name: "Load here", from: 10_000 },
  { token: cast.tokens.rival, space: cast.foreignSpace, name: "Load there", from: 20_000 },
] as const;
type Writer = (typeof writers)[number];

const nth = ({ token, space, name, from }: Writer, n: number): Written => ({
  token,
  space,
  title: `${name} ${n}`,
  chance: from + n,
});

/** How many pages of a writer a system has. They must be the first ones, without a gap. */
async function countOf(storage: Storage, { token, space, name }: Writer): Promise<number> {
  const { clock, askWith } = open(storage);
  clock.now = cast.clock.now;
  const { body } = await askWith(token, `GET /v1/spaces/${space}/content`);
  const found = [...JSON.stringify(body).matchAll(new RegExp(`"title":"${name} (\\d+)"`, "g"))].map(([, n]) =>
    Number(n),
  );
  const numbers = [...new Set(found)].sort((a, b) => a - b);
  if (numbers.some((n, i) => n !== i + 1)) throw new Error(`Pages of "${name}" are missing: ${numbers.join(" ")}.`);
  return numbers.length;
}

async function mustBeWhole(what: string, storage: Storage): Promise<void> {
  const { findings, entries, objects } = await verify(storage, { secret: SECRET });
  expect(findings.slice(0, 5), what).toEqual([]);
  console.log(`${what}: whole, ${entries} entries, ${objects} objects`);
}

function mustBeEqual(what: string, a: Answers, b: Answers): void {
  for (const [name, answer] of a) expect(b.get(name), `${what}: ${name}`).toEqual(answer);
  console.log(`${what}: ${a.size} answers are equal`);
}

/** Answers without what names versions of partitions: the ETag of a PDF, and the places in a stream of events. Versions count
 * every commit. A copy keeps them. A backup under load may have a write, and not yet the commit of the work that follows it. */
function unversioned(answers: Answers): Answers {
  const shown = (answer: unknown) => ((answer as Partial<Shown>).headers ? withoutVersions(answer as Shown) : answer);
  return new Map([...answers].map(([name, answer]) => [name, shown(answer)]));
}

function withoutVersions(answer: Shown): Shown {
  const type = answer.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  if (type.startsWith("text/event-stream"))
    return { ...answer, body: String(answer.body).replace(/^id: .*$/gm, "id:") };
  if (type !== "application/pdf") return answer;
  const isTag = (name: string) => name === "etag";
  const headers = answer.headers.map(([name, value]) => [name, isTag(name) ? value.split("~")[0]! : value] as const);
  return { ...answer, headers };
}

interface Shown {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** A copy in memory, with what was written afterwards. */
async function aside(storage: Storage, written: readonly Written[] = []): Promise<Storage> {
  const copy = memoryStorage();
  await copyStorage(storage, copy);
  for (const each of written) await write(copy, each);
  return copy;
}

test("a system moves between all storages and through a backup under load, and answers as before", async () => {
  const folder = await mkdtemp(join(tmpdir(), "octavo-moves-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startServer({ isDurable: true });
  if ("leftOut" in postgres) throw new Error(postgres.leftOut);
  onTestFinished(() => postgres.stop());
  const s3 = await s3Server();
  if ("leftOut" in s3) throw new Error(s3.leftOut);
  const { bucket, ...config } = s3;
  const stations: readonly (readonly [name: string, open: () => Storage])[] = [
    ["LevelDB", () => levelStorage(join(folder, "first"))],
    ["PostgreSQL", () => postgresStorage(postgres.url, { schema: "moves" })],
    ["S3", () => s3Storage({ bucket, config, prefix: `moves-${process.pid}/` })],
    ["LevelDB again", () => levelStorage(join(folder, "second"))],
  ];
  let from: Storage = prepared;
  for (const [name, openStation] of stations) {
    const to = openStation();
    await write(from, oneMore(`Before ${name}`));
    const moved = await copyStorage(from, to);
    console.log(`to ${name}: ${moved.entries} entries, ${moved.blobs} blobs`);
    await mustBeWhole(name, to);
    const asked = { asEverybody: true, chance: ++moves };
    mustBeEqual(name, await walk(from, asked), await walk(to, asked));
    await write(to, oneMore(`After ${name}`));
    await mustBeWhole(`${name}, written to`, to);
    await from.close();
    from = to;
  }

  const before = await aside(from);
  let isOver = false;
  const written = new Map<Writer, number>(writers.map((it) => [it, 0]));
  const load = writers.map(async (writer) => {
    for (let n = 1; !isOver; n++) {
      await write(from, nth(writer, n));
      written.set(writer, n);
    }
  });
  const least = () => Math.min(...written.values());
  while (least() < 10) await Promise.race([new Promise((resolve) => setTimeout(resolve, 10)), ...load]);
  const acknowledged = new Map(written);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const elsewhere = memoryStorage();
  const [made] = await Promise.all([backup(from, writable), restore(readable, elsewhere)]);
  const during = new Map(written);
  isOver = true;
  await Promise.all(load);
  console.log(`backup under load: ${made.bytes} bytes, of one moment: ${made.isOneMoment}`);
  await mustBeWhole("restored", elsewhere);

  const same: Written[] = [];
  for (const writer of writers) {
    const count = await countOf(elsewhere, writer);
    const [least, most] = [acknowledged.get(writer)!, during.get(writer)! + 1];
    if (count < least || count > most) throw new Error(`${count} of "${writer.name}", not ${least} to ${most}.`);
    for (let n = 1; n <= count; n++) same.push(nth(writer, n));
    console.log(`${writer.name}: ${least} pages before the backup, ${count} in it, ${most} at its end`);
  }
  const asked = { asEverybody: true, chance: ++moves };
  const inPeace = await aside(before, same);
  const expected = unversioned(await walk(inPeace, asked));
  mustBeEqual("restored, against the same written in peace", expected, unversioned(await walk(elsewhere, asked)));
  const late = unversioned(await walk(await aside(from), asked));
  if ([...late].every(([name, answer]) => isDeepStrictEqual(answer, expected.get(name))))
    throw new Error("Nothing differs after more was written: the comparison sees nothing.");
  await from.close();
});
