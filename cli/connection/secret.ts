// The secret that is kept beside the data of a LevelDB directory.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed } from "../framework/errors";
import type { StorageSettings } from "./storage-settings";

/** The secrets of a storage, the present one first, as an option of the API; none for a storage in memory. */
export function secretsOf(
  { dataDir, secret, oldSecret }: StorageSettings,
  isFirst: boolean,
): { readonly secret?: readonly string[] } {
  const present = secret ?? (dataDir && keptSecret(dataDir, isFirst));
  return present ? { secret: [present, ...(oldSecret ? [oldSecret] : [])] } : {};
}

/** Reads the secret of a directory. It is never made anew for data that another one may have encrypted. */
function keptSecret(dataDir: string, isFirst: boolean): string {
  const path = join(dataDir, "secret");
  if (existsSync(path)) {
    closeToOthers(path);
    return readFileSync(path, "utf8").trim();
  }
  if (!isFirst) throw new CommandFailed(`${path} is missing: put it back, or set SECRET to what it was for this data.`);
  try {
    writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new CommandFailed(`${path} could not be written: ${(error as Error).message}.`);
  }
  return readFileSync(path, "utf8");
}

/** Only the owner reads it. Some file systems, such as those of Windows, know no such rights: then the folder's count. */
function closeToOthers(path: string): void {
  if ((statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch {
    // The secret can still be used.
  }
}
