// Fills an empty storage from a backup.

import type { Storage } from "../../storage/storage";
import { StorageToolError } from "../errors";
import type { OnProgress } from "../progress";
import { StorageFiller, type TransferResult } from "../storage-filler";
import { type BackupHeader, type OpenBackup, openBackup } from "./read-backup";

export interface RestoreOptions {
  /** Returns the earlier backups that this one needs, by their ids. Default: there are none. */
  readonly earlier?: ((id: string) => Promise<ReadableStream<Uint8Array> | undefined>) | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fills an empty storage with the contents of a backup. Everything is checked on the way, and read again at the end; until then the API
 * does not serve the storage. A restore that was stopped continues when it is called again with the same backup. Throws
 * `StorageToolError`, with a message that says where, if the backup is cut or was changed, and if the storage is not empty.
 */
export async function restore(
  source: ReadableStream<Uint8Array>,
  storage: Storage,
  options: RestoreOptions = {},
): Promise<TransferResult> {
  const newest = await openBackup(source);
  try {
    const { id, needs } = newest.header;
    const filler = await StorageFiller.begin(storage, { source: `restore ${id}`, onProgress: options.onProgress });
    // Everything that a backup left out is present once the earlier ones are restored, the oldest first.
    for (const neededId of needs.toReversed()) {
      const earlierSource = await options.earlier?.(neededId);
      if (!earlierSource)
        throw new StorageToolError(`The backup ${id} needs the earlier backup ${neededId}, which was not given.`);
      const earlier = await openBackup(earlierSource);
      if (earlier.header.id !== neededId)
        throw new StorageToolError(`The backup ${earlier.header.id} was given in place of ${neededId}.`);
      await restoreItems(filler, earlier, options, { isLast: false });
    }
    return (await restoreItems(filler, newest, options, { isLast: true }))!;
  } catch (error) {
    // A storage that was reading the backup may have wrapped its error.
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof StorageToolError) throw cause;
    throw error;
  } finally {
    await newest.stop();
  }
}

/** Passes the items of a backup on. Only the last backup ends the restore. */
async function restoreItems(
  filler: StorageFiller,
  { items }: OpenBackup,
  { onProgress, signal }: RestoreOptions,
  { isLast }: { readonly isLast: boolean },
): Promise<TransferResult | undefined> {
  let result: TransferResult | undefined;
  let partitions = 0;
  let entries = 0;
  for await (const item of items()) {
    signal?.throwIfAborted();
    if (item.kind === "kept-blobs") {
      for (const name of item.names)
        if (!(await filler.hasBlob(name)))
          throw new StorageToolError(`The blob ${name} is in no backup that was given.`);
    } else if (item.kind !== "end" || isLast) result = await filler.addItem(item);
    if (item.kind === "entries") entries += item.entries.length;
    if (item.kind === "whole") partitions++;
    if (item.kind !== "end") onProgress?.({ step: "entries", done: partitions, total: partitions, entries });
  }
  return result;
}

/** Returns the header of a backup, without reading on. */
export async function readBackupHeader(source: ReadableStream<Uint8Array>): Promise<BackupHeader> {
  const { header, stop } = await openBackup(source);
  await stop();
  return header;
}
