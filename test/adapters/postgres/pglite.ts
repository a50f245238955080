// PostgreSQL as a library in this process. One serves all tests of a worker. What its first start writes takes seconds to
// make and is always the same, so it is kept for later runs.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { lastingFolder } from "../../support/run-folder";

let starting: Promise<PGlite> | undefined;

export function pglite(): Promise<PGlite> {
  starting ??= newPglite();
  return starting;
}

/** One of one's own. */
export async function newPglite(): Promise<PGlite> {
  const about = new URL("../../node_modules/@electric-sql/pglite/package.json", import.meta.url);
  const { version } = JSON.parse(await readFile(about, "utf8")) as { version: string };
  const file = join(lastingFolder(), `octavo-pglite-${version}.tar`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return PGlite.create({ loadDataDir: new Blob([new Uint8Array(kept)]) });
  const made = await PGlite.create();
  const written = new Uint8Array(await (await made.dumpDataDir("none")).arrayBuffer());
  // Another run may do the same.
  const own = `${file}.${crypto.randomUUID()}`;
  await writeFile(own, written);
  await rename(own, file);
  return made;
}
