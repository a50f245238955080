// Runs a copy of a storage, and copies the secret of a LevelDB directory with it.

import { existsSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { copyStorage } from "octavo/storage-tools";
import type { CommandInput } from "../../framework/command";
import { type CommandContext, formatCount, printResult } from "../../framework/command";
import { runStorageTool } from "../../storage/run-storage-tool";
import { readSourceSettings, readTargetSettings, runWithStorage } from "../../storage/storage-arguments";

export async function runCopyStorage(input: CommandInput, context: CommandContext): Promise<undefined> {
  const { terminal, env, signal } = context;
  const source = readSourceSettings(input, env);
  const target = readTargetSettings(input, env);
  const moved = await runStorageTool(context, (onProgress) =>
    runWithStorage(source, (from) => runWithStorage(target, (to) => copyStorage(from, to, { onProgress, signal }))),
  );
  printResult(input, terminal, moved, [
    `Copied ${formatCount(moved.entries, "entry", "entries")} and ${formatCount(moved.blobs, "blob")} of ${formatCount(moved.partitions, "partition")}.`,
  ]);

  // Another LevelDB directory gets the secret of the source. Any other storage needs it as a setting.
  const secret = source.dataDir === undefined ? undefined : join(source.dataDir, "secret");
  if (secret === undefined || !existsSync(secret)) return undefined;
  if (target.dataDir === undefined)
    terminal.tell(`The target needs the same secret: set SECRET to the content of ${secret}.`);
  else {
    const copiedSecret = join(target.dataDir, "secret");
    await copyFile(secret, copiedSecret);
    await chmod(copiedSecret, 0o600);
  }
  return undefined;
}
