// Runs a restore from a backup, or from the newest backup of a folder.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { restore } from "octavo/storage-tools";
import type { CommandInput } from "../../framework/command";
import { type CommandContext, CommandError, formatCount, printResult } from "../../framework/command";
import { listBackups, streamFile } from "../../storage/backup-files";
import { runStorageTool } from "../../storage/run-storage-tool";
import { readSourceSettings, runWithStorage } from "../../storage/storage-arguments";

export async function runRestore(input: CommandInput, context: CommandContext): Promise<undefined> {
  const { terminal, env, signal } = context;
  const path = input.args[0]!;
  if (!existsSync(path)) throw new CommandError(`Backup not found: ${path}`);
  // The command does not need a secret, so a wrong one is not refused.
  const withoutSecret: CommandInput = { ...input, text: (name) => (name === "secret" ? undefined : input.text(name)) };
  const target = readSourceSettings(withoutSecret, env, { mayBeMissing: true });
  const moved = await runStorageTool(context, async (onProgress) => {
    const isFolder = statSync(path).isDirectory();
    const backups = await listBackups(isFolder ? path : join(path, ".."));
    const file = isFolder ? backups.at(-1)?.file : path;
    if (file === undefined) throw new CommandError(`No backup found in ${path}.`);
    const earlier = async (id: string) => {
      const match = backups.find(({ header }) => header.id === id);
      return match && streamFile(match.file);
    };
    return runWithStorage(target, (storage) => restore(streamFile(file), storage, { earlier, onProgress, signal }));
  });
  printResult(input, terminal, moved, [
    `Restored ${formatCount(moved.entries, "entry", "entries")} and ${formatCount(moved.blobs, "blob")} of ${formatCount(moved.partitions, "partition")}.`,
  ]);
  if (target.dataDir !== undefined && !existsSync(join(target.dataDir, "secret")))
    terminal.tell(`Write the secret of the original system to ${join(target.dataDir, "secret")}, or set SECRET.`);
  return undefined;
}
