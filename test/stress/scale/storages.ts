// The storages that an organization is asked on: each gets a copy of a kept one, which is gone afterwards.

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { postgresStorage } from "octavo/postgres";
import { s3Storage } from "octavo/s3";
import { copyStorage } from "octavo/storage-tools";
import { postgresServer } from "../../adapters/postgres/server";
import { removeAll, s3Server } from "../../adapters/s3/server";
import type { Opened } from "../../support/storages";
import { DATA } from "./size";

let copies = 0;
/** Those that use the server of PostgreSQL: the last one stops it. */
let onServer = 0;

/** By name: opens a copy of what a folder keeps. */
export const storages: Readonly<Record<string, (folder: string) => Promise<Opened>>> = {
  async memory(folder) {
    const storage = memoryStorage();
    await fill(folder, storage);
    return { storage, cleanUp: async () => {} };
  },
  async level(folder) {
    const aside = await mkdtemp(join(tmpdir(), "octavo-scale-"));
    await cp(join(folder, DATA), aside, { recursive: true });
    return { storage: levelStorage(aside), cleanUp: () => rm(aside, { recursive: true, force: true }) };
  },
  async postgres(folder) {
    const server = await postgresServer();
    if ("leftOut" in server) throw new Error(server.leftOut);
    const storage = postgresStorage(server.url, { schema: `scale_${++copies}` });
    await fill(folder, storage);
    onServer++;
    return { storage, cleanUp: async () => (--onServer === 0 ? server.stop() : undefined) };
  },
  async s3(folder) {
    const server = await s3Server();
    if ("leftOut" in server) throw new Error(server.leftOut);
    const { bucket, ...config } = server;
    const prefix = `scale-${process.pid}-${++copies}/`;
    const storage = s3Storage({ bucket, config, prefix });
    await fill(folder, storage);
    return { storage, cleanUp: () => removeAll(server, prefix) };
  },
};

async function fill(folder: string, to: Storage): Promise<void> {
  const from = levelStorage(join(folder, DATA));
  await copyStorage(from, to);
  await from.close();
}
