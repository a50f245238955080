// Runs a backup into a file, or into a folder, where it leaves out what the newest backup before it has.

import { createWriteStream, existsSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { backup } from "octavo/storage-tools";
import type { CommandInput } from "../../framework/command";
import { type CommandContext, CommandError, formatCount, printResult } from "../../framework/command";
import { BACKUP_EXTENSION, listBackups, streamFile } from "../../storage/backup-files";
import { runStorageTool } from "../../storage/run-storage-tool";
import { readSourceSettings, runWithStorage } from "../../storage/storage-arguments";

export async function runBackup(input: CommandInput, context: CommandContext): Promise<undefined> {
  const { terminal, env, signal } = context;
  const source = readSourceSettings(input, env);
  const path = input.args[0]!;
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const base = isFolder && !input.isEnabled("full") ? (await listBackups(path)).at(-1)?.file : undefined;
  const time = new Date().toISOString().replaceAll(":", "-");
  const file = isFolder ? join(path, `${time}${BACKUP_EXTENSION}`) : path;
  if (existsSync(file)) throw new CommandError(`${file} already exists. Choose another name.`);
  // A backup gets its name when it is complete.
  const part = `${file}.part`;
  const result = await runStorageTool(context, (onProgress) =>
    runWithStorage(source, (storage) => {
      const sink = Writable.toWeb(createWriteStream(part, { mode: 0o600 })) as WritableStream<Uint8Array>;
      return backup(storage, sink, { onProgress, signal, base: base === undefined ? undefined : streamFile(base) });
    }),
  ).catch(async (error: unknown) => {
    await rm(part, { force: true });
    throw error;
  });
  const written = await open(part, "r+");
  await written.sync();
  await written.close();
  await rename(part, file);
  const concurrency = result.isOneMoment
    ? []
    : ["The storage was busy: each partition is consistent, but they are from different times."];
  const needs =
    result.needs.length === 0
      ? []
      : [`It requires ${formatCount(result.needs.length, "earlier backup")} in this folder.`];
  printResult(input, terminal, { file, ...result }, [
    `Wrote ${file}: ${formatCount(result.entries, "entry", "entries")}, ${formatCount(result.blobs, "blob")}, ${formatCount(result.bytes, "byte")}.`,
    ...needs,
    ...concurrency,
  ]);
  return undefined;
}
