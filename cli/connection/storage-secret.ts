// The secret of a storage. That of a LevelDB directory is stored in a file beside the data.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../framework/command";
import type { StorageSettings } from "./storage-settings";

/** Returns the secrets of a storage, the current one first, as an option of the API. A storage in memory needs none. */
export function readStorageSecrets(
  { dataDir, secret, oldSecret }: StorageSettings,
  isFirst: boolean,
): { readonly secret?: readonly string[] } {
  let current = secret;
  if (current === undefined && dataDir) {
    const path = join(dataDir, "secret");
    if (existsSync(path)) {
      if ((statSync(path).mode & 0o077) !== 0)
        try {
          chmodSync(path, 0o600);
        } catch {
          // Some file systems, such as those of Windows, have no such permissions. Then those of the directory apply.
        }
      current = readFileSync(path, "utf8").trim();
    } else {
      // A secret is created only for the first start, because existing data may be encrypted with another.
      if (!isFirst) throw new CommandError(`${path} is missing. Restore it, or set SECRET to the secret of this data.`);
      try {
        writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
        renameSync(`${path}.new`, path);
      } catch (error) {
        throw new CommandError(`Cannot write ${path}: ${(error as Error).message}.`);
      }
      current = readFileSync(path, "utf8");
    }
  }
  return current ? { secret: [current, ...(oldSecret ? [oldSecret] : [])] } : {};
}
