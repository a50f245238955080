// What the storage says: whether it can be opened and written, and whether the secret beside it is there.

import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "octavo";
import { openApi } from "../../connection/open-direct-connection";
import { openStorage, type StorageSettings } from "../../connection/storage-settings";
import { type Diagnosis, fail, ok, warn } from "./diagnosis";

const GIB = 1024 ** 3;

export async function storage(settings: StorageSettings): Promise<Diagnosis[]> {
  const { dataDir } = settings;
  if (dataDir === undefined) return [await opened(settings)];
  if (!existsSync(dataDir))
    return [fail("data", `There is no folder ${dataDir}: octavo serve --data ${dataDir} makes it.`)];
  const rights = await folderRights(dataDir);
  if (rights.state === "fail") return [rights];
  return [rights, await diskSpace(dataDir), secretFile(settings, dataDir), await opened(settings)];
}

async function folderRights(dataDir: string): Promise<Diagnosis> {
  if (!statSync(dataDir).isDirectory()) return fail("data", `${dataDir} is no folder: name another with --data.`);
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail("data", `${dataDir} cannot be read and written by this user: change its owner or its rights.`);
  }
  const isOpen = process.platform !== "win32" && (statSync(dataDir).mode & 0o077) !== 0;
  if (isOpen) return warn("data", `Other users of this machine can look into ${dataDir}: chmod 700 ${dataDir}`);
  return ok("data", `${dataDir} can be read and written`);
}

async function diskSpace(dataDir: string): Promise<Diagnosis> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const says = `${(free / GIB).toFixed(1)} GiB free`;
  if (free < GIB / 10) return fail("disk", `${says}: make room before anything is lost.`);
  return free < GIB ? warn("disk", `${says}: make room soon.`) : ok("disk", says);
}

function secretFile({ secret }: StorageSettings, dataDir: string): Diagnosis {
  if (secret !== undefined) return ok("secret", "from SECRET");
  const path = join(dataDir, "secret");
  if (!existsSync(path)) return fail("secret", `${path} is missing: put it back, or set SECRET to what it was.`);
  const isOpen = process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
  return isOpen
    ? warn("secret", `Other users of this machine can read ${path}: chmod 600 ${path}`)
    : ok("secret", path);
}

/** Opens the storage, writes a few bytes beside everything else and takes them away. A bucket is tried for conditional writes. */
async function opened(settings: StorageSettings): Promise<Diagnosis> {
  let storage: Storage | undefined;
  try {
    storage = await openStorage(settings);
    for await (const _ of storage.partitions()) break;
    const name = randomBytes(32).toString("hex");
    await storage.blobs.put(name, new Uint8Array([1]));
    await storage.blobs.delete(name);
    await storage.close();
    await withUsers(settings);
    return ok("storage", "can be opened, read and written");
  } catch (error) {
    const { message } = error as Error;
    if (/is in use by another process/.test(message))
      return warn("storage", `${message} If that is your server, all is well.`);
    return fail("storage", message);
  } finally {
    await storage?.close().catch(() => undefined);
  }
}

/** Reads the users, which the API does only with the right secret where it checks it. */
async function withUsers(settings: StorageSettings): Promise<void> {
  const api = await openApi(settings);
  try {
    for await (const _ of api.users()) break;
  } finally {
    await api.close();
  }
}
