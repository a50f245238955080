// A visit to a system of an earlier day, which was written in the format of that day: everything is whole, every GET that was
// answered then is answered, and it can be written to.

import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Storage } from "octavo";
import { verify } from "octavo/storage-tools";
import { expect } from "vitest";
import { mute, parrot } from "../../invariants/examples";
import { web } from "../../resources/content/imports-web";
import { open, SECRET, seeded } from "../../support/setting";

export type Files = ReadonlyMap<string, Uint8Array>;

const place = (name: string) => new URL(`${name}.json.gz`, import.meta.url);

export async function keepFiles(name: string, files: Files): Promise<void> {
  const texts = [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")]);
  await writeFile(place(name), await promisify(gzip)(JSON.stringify(texts), { level: 9 }));
}

export async function keptFiles(name: string): Promise<Files> {
  const texts = JSON.parse((await promisify(gunzip)(await readFile(place(name)))).toString()) as [string, string][];
  return new Map(texts.map(([path, text]) => [path, new Uint8Array(Buffer.from(text, "latin1"))]));
}

const utf8 = {
  encode: (text: string) => new TextEncoder().encode(text),
  decode: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
};

/** A value among the files. */
export const jsonFile = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));
export const jsonIn = <T>(files: Files, path: string): T => JSON.parse(utf8.decode(files.get(path)!)) as T;

/** What was asked on the day, when, and a space that the asker may write to. */
export interface Visits {
  readonly now: string;
  readonly asks: readonly {
    readonly name: string;
    readonly token: string;
    readonly ask: string;
    readonly status: number;
  }[];
  readonly writes: { readonly token: string; readonly space: string };
}

/** All that was asked is asked on one storage; they hold the same, and the others are asked a few things. */
const FEW = 5;

export async function visit(storage: Storage, number: number, options: { asksAll?: boolean } = {}): Promise<void> {
  const { now, asks, writes } = jsonIn<Visits>(await keptFiles(`visits-${number}`), "visits.json");
  const found = await verify(storage, { secret: SECRET });
  expect(found.findings).toEqual([]);
  expect(found.records).toBeGreaterThan(100);
  const { api, clock, askWith } = open(storage, { fetch: web, translator: mute, ask: parrot, random: seeded(7) });
  clock.now = new Date(now);
  await api.ready();
  for (const { name, token, ask, status } of options.asksAll ? asks : asks.slice(0, FEW))
    expect([name, (await askWith(token, ask)).status]).toEqual([name, status]);
  const changes = [{ operation: "insert_page", title: "Today", document: { markdown: "Written today.\n" } }];
  const written = await askWith(writes.token, `POST /v1/spaces/${writes.space}/content`, { changes });
  expect(written.status).toBe(200);
  const page = written.body.changes[0].page.id;
  expect((await askWith(writes.token, `GET /v1/spaces/${writes.space}/content/page/${page}`)).body.title).toBe("Today");
  if (!options.asksAll) return;
  await api.maintain();
  expect((await verify(storage, { secret: SECRET })).findings).toEqual([]);
}
