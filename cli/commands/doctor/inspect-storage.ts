// Inspects a storage: it must open and accept writes, and have its secret.

import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "octavo";
import { openApi } from "../../connection/direct-transport";
import { isHeldByAnotherProcess, openStorage, type StorageSettings } from "../../connection/storage-settings";
import { type Diagnosis, report } from "./diagnosis";

const GIB = 1024 ** 3;

export async function inspectStorage(settings: StorageSettings): Promise<Diagnosis[]> {
  const { dataDir } = settings;
  if (dataDir === undefined) return [await inspectStorageAccess(settings)];
  if (!existsSync(dataDir))
    return [report.failure("data", `Folder not found: ${dataDir}. octavo serve --data ${dataDir} creates it.`)];
  if (!statSync(dataDir).isDirectory())
    return [report.failure("data", `${dataDir} is not a folder. Choose another with --data.`)];
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const says = `${dataDir} is not readable and writable for this user. Change its owner or permissions.`;
    return [report.failure("data", says)];
  }
  const permissions = isAccessibleToOthers(dataDir)
    ? report.warning("data", `Other users of this machine can access ${dataDir}: chmod 700 ${dataDir}`)
    : report.ok("data", `${dataDir} is readable and writable`);

  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  const free = `${(freeBytes / GIB).toFixed(1)} GiB free`;
  let disk = report.ok("disk", free);
  if (freeBytes < GIB / 10) disk = report.failure("disk", `${free}. Free up space now.`);
  else if (freeBytes < GIB) disk = report.warning("disk", `${free}. Free up space soon.`);

  const path = join(dataDir, "secret");
  let secret = report.ok("secret", path);
  if (settings.secret !== undefined) secret = report.ok("secret", "from SECRET");
  else if (!existsSync(path))
    secret = report.failure("secret", `${path} is missing. Restore it, or set SECRET to its content.`);
  else if (isAccessibleToOthers(path))
    secret = report.warning("secret", `Other users of this machine can read ${path}: chmod 600 ${path}`);

  return [permissions, disk, secret, await inspectStorageAccess(settings)];
}

function isAccessibleToOthers(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
}

/** Opens the storage, and writes and deletes a test blob. Opening a bucket tests its conditional writes. */
async function inspectStorageAccess(settings: StorageSettings): Promise<Diagnosis> {
  let storage: Storage | undefined;
  try {
    storage = await openStorage(settings);
    for await (const _ of storage.partitions()) break;
    const name = randomBytes(32).toString("hex");
    await storage.blobs.put(name, new Uint8Array([1]));
    await storage.blobs.delete(name);
    await storage.close();
    // Reading the users fails with a wrong secret, if the storage verifies it.
    const api = await openApi(settings);
    try {
      for await (const _ of api.users()) break;
    } finally {
      await api.close();
    }
    return report.ok("storage", "opened, read and written");
  } catch (error) {
    if (isHeldByAnotherProcess(error))
      return report.warning("storage", `${error.message} If that is your server, this is expected.`);
    return report.failure("storage", (error as Error).message);
  } finally {
    await storage?.close().catch(() => undefined);
  }
}
