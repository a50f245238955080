// The backups of a folder, as files.

import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type BackupHeader, readBackupHeader } from "octavo/storage-tools";

/** The extension of the backups in a folder. */
export const BACKUP_EXTENSION = ".octavo";

/** Lists the backups of a folder, the oldest first. */
export async function listBackups(folder: string): Promise<{ readonly file: string; readonly header: BackupHeader }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(BACKUP_EXTENSION));
  const backups = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      return { file, header: await readBackupHeader(streamFile(file)) };
    }),
  );
  return backups.sort((a, b) => (a.header.createdAt < b.header.createdAt ? -1 : 1));
}

export function streamFile(file: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
}
