// Fills an empty storage from a backup.

import type { Storage } from "../../storage/storage";
import { StorageToolError } from "../errors";
import type { OnProgress } from "../progress";
import { StorageFiller, type TransferResult } from "../storage-filler";
import { type BackupHeader, type OpenBackup, openBackup } from "./read-backup";

export interface RestoreOptions {
  /** Gives the earlier backups that this one needs, by their ids. Default: there are none. */
  readonly earlier?: ((id: string) => Promise<ReadableStream<Uint8Array> | undefined>) | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes an empty storage hold what a backup holds. Everything is checked on the way, and read again at the end; until then the
 * API does not serve the storage. A restore that was stopped goes on when it is called again with the same backup. Throws
 * `StorageToolError`, with a sentence that says where, when the backup is cut or was changed, and when the storage is not empty.
 */
export async function restore(
  source: ReadableStream<Uint8Array>,
  storage: Storage,
  options: RestoreOptions = {},
): Promise<TransferResult> {
  const newest = await openBackup(source);
  try {
    const { id, needs } = newest.header;
    const arrival = await StorageFiller.begin(storage, { of: `restore ${id}`, onProgress: options.onProgress });
    // What a backup left out is there when those before it have arrived, the oldest first.
    for (const need of needs.toReversed()) {
      const earlier = await options.earlier?.(need);
      if (!earlier)
        throw new StorageToolError(`The backup ${id} needs the earlier backup ${need}, which was not given.`);
      const opened = await openBackup(earlier);
      if (opened.header.id !== need)
        throw new StorageToolError(`The backup ${opened.header.id} was given in place of ${need}.`);
      await fill(arrival, opened, options, false);
    }
    return (await fill(arrival, newest, options, true))!;
  } catch (error) {
    throw refusalIn(error) ?? error;
  } finally {
    await newest.stop();
  }
}

async function fill(arrival: StorageFiller, { items }: OpenBackup, options: RestoreOptions, isLast: boolean) {
  let moved: TransferResult | undefined;
  let partitions = 0;
  let entries = 0;
  for await (const item of items()) {
    options.signal?.throwIfAborted();
    if (item.kind === "kept-blobs") {
      for (const name of item.names)
        if (!(await arrival.hasBlob(name)))
          throw new StorageToolError(`The blob ${name} is in no backup that was given.`);
    } else if (item.kind !== "end" || isLast) moved = await arrival.take(item);
    if (item.kind === "entries") entries += item.entries.length;
    if (item.kind === "whole") partitions++;
    if (item.kind !== "end") options.onProgress?.({ step: "entries", done: partitions, total: partitions, entries });
  }
  return moved;
}

/** Why the backup was refused, when a storage that was reading it has made an error of its own of that. */
function refusalIn(error: unknown): StorageToolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof StorageToolError) return cause;
  return undefined;
}

/** What a backup is, without reading on. */
export async function readBackupHeader(source: ReadableStream<Uint8Array>): Promise<BackupHeader> {
  const { header, stop } = await openBackup(source);
  await stop();
  return header;
}
