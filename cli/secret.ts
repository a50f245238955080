// The secret that is kept beside the data of a LevelDB directory.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DocsApi } from "octavo";
import { CommandFailed } from "./failure";
import type { StorageSettings } from "./storage-settings";

/** The secret of a storage, with the one that it replaces; undefined for a storage in memory. */
export function secretOf(
  { secret, oldSecret, dataDir }: Pick<StorageSettings, "secret" | "oldSecret" | "dataDir">,
  isFirst: boolean,
): { readonly secret?: readonly string[] } {
  const current = secret ?? (dataDir === undefined ? undefined : keptSecret(dataDir, isFirst));
  return current === undefined ? {} : { secret: oldSecret === undefined ? [current] : [current, oldSecret] };
}

/** Refuses a secret that is not the one of the data, and lets go of the data. */
export async function readyOrClosed(api: DocsApi): Promise<void> {
  try {
    await api.ready();
  } catch (error) {
    await api.close();
    throw new CommandFailed((error as Error).message.replace(/^createDocsApi: /, ""));
  }
}

/** Reads the secret of a directory. It is never made anew for data that another one may have encrypted. */
function keptSecret(dataDir: string, isFirst: boolean): string {
  const path = join(dataDir, "secret");
  if (existsSync(path)) {
    closeToOthers(path);
    return readFileSync(path, "utf8").trim();
  }
  if (!isFirst) throw new CommandFailed(`${path} is missing: put it back, or set SECRET to what it was for this data.`);
  writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
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
