// Copies a storage into another one, of the same kind or any other.

import { SECRET_KEY } from "../api/secret-check";
import { DIRECTORY } from "../storage/ids";
import type { Storage } from "../storage/storage";
import { sha256Hex } from "../utils/sha256";
import type { OnProgress } from "./progress";
import { readContents } from "./read-contents";
import { StorageFiller, type TransferResult } from "./storage-filler";

export interface CopyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Stops the copy. The same call goes on with it later. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes an empty storage hold what another one holds: every entry, every blob, and versions that are not lower. What was
 * written is read again at the end; until then the API does not serve the target. A copy that was stopped goes on when it is
 * called again with the same two storages. Throws `StorageToolError` when the target holds something else.
 */
export async function copyStorage(from: Storage, to: Storage, options: CopyOptions = {}): Promise<TransferResult> {
  const { onProgress, signal } = options;
  const arrival = await StorageFiller.begin(to, { of: `copy ${await nameOf(from)}`, onProgress });
  const hasBlob = (name: string) => arrival.hasBlob(name);
  for await (const item of readContents(from, { onProgress, signal, hasBlob })) {
    const moved = await arrival.take(item);
    if (moved) return moved;
  }
  throw new Error("The contents of a storage have no end.");
}

/** What tells a storage from others: what it knows of its secret. */
async function nameOf(storage: Storage): Promise<string> {
  const [secret] = await (await storage.partition(DIRECTORY).snapshot()).get([SECRET_KEY]);
  const { check } = (secret?.value ?? {}) as { readonly check?: string };
  return sha256Hex(`storage ${check ?? ""}`).slice(0, 32);
}
