// Makes an organization of a size in a LevelDB folder, and beside it what is needed to ask it. A folder that is complete is
// left as it is.
// tsx test/stress/scale/make.ts <folder> <share>

import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { copyStorage } from "octavo/storage-tools";
import { mute, parrot, prepare } from "../../invariants/examples";
import { web } from "../../resources/content/imports-web";
import { setUp } from "../../support/setting";
import { grow } from "./grow";
import { CAST, DATA, type Kept, sizeAt, sizeText } from "./size";

const [folder, share] = [process.argv[2]!, Number(process.argv[3])];
if (existsSync(join(folder, CAST))) {
  console.error(`${folder}: is there already`);
  process.exit(0);
}
const size = sizeAt(share);
console.error(`${folder}: ${sizeText(size)}`);
const begun = performance.now();
const told = (what: string) => console.error(`  ${((performance.now() - begun) / 1000).toFixed(0)} s: ${what}`);
const storage = memoryStorage();
const cast = await prepare(await setUp(storage, { fetch: web, translator: mute, ask: parrot }));
await grow(cast, size, told);
told("maintain");
// A host calls it every minute. One call takes a piece of what waits, and seals a piece of the audit log.
for (let i = 0; i < 30; i++) {
  cast.clock.forward(60_000);
  await cast.api.maintain();
}
told("search");
// Somebody has searched it before, and so there are copies of what a search reads.
const { ask, org, plan } = cast;
const site = `/v1/orgs/${org}/sites/${plan}`;
for (const [route, send] of [
  [`GET /v1/orgs/${org}/search?query=page`],
  [`POST ${site}/publish`],
  [`POST ${site}/search`, { query: "page" }],
] as const) {
  const { status } = await ask("admin", route, send);
  if (status >= 400) throw new Error(`${route} was answered ${status}.`);
}
told("copy to LevelDB");
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const level = levelStorage(join(folder, DATA));
const { entries, blobs } = await copyStorage(storage, level);
await level.close();
const { api: _, storage: __, ask: ___, askWith: ____, clock, ...things } = cast;
const kept: Kept = { things, now: clock.now.toISOString(), size };
await writeFile(join(folder, CAST), JSON.stringify(kept));
told(`done: ${entries} entries, ${blobs} blobs`);
process.exit(0);
