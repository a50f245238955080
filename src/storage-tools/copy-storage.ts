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
  /** Stops the copy. The same call continues it later. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies everything that a storage holds into an empty one: every entry, every blob, and versions that are not lower. The copy is read
 * again at the end; until then the API does not serve the target. A copy that was stopped continues when it is called again with the
 * same two storages. Throws `StorageToolError` if the target holds something else.
 */
export async function copyStorage(from: Storage, to: Storage, options: CopyOptions = {}): Promise<TransferResult> {
  const { onProgress, signal } = options;
  // The digest of its secret tells a storage from others.
  const [record] = await (await from.partition(DIRECTORY).snapshot()).get([SECRET_KEY]);
  const { check } = (record?.value ?? {}) as { readonly check?: string };
  const sourceId = sha256Hex(`storage ${check ?? ""}`).slice(0, 32);

  const filler = await StorageFiller.begin(to, { source: `copy ${sourceId}`, onProgress });
  const hasBlob = (name: string) => filler.hasBlob(name);
  for await (const item of readContents(from, { onProgress, signal, hasBlob })) {
    const result = await filler.addItem(item);
    if (result) return result;
  }
  throw new Error("The contents of a storage have no end.");
}
