// Runs a storage tool in the terminal.

import { type OnProgress, StorageToolError } from "octavo/storage-tools";
import { type CommandContext, CommandError } from "../framework/command";
import { showProgress } from "./show-progress";

/** Runs a storage tool, shows its progress, and reports its refusals as sentences. */
export async function runStorageTool<T>(
  { terminal }: CommandContext,
  run: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const { onProgress, end } = showProgress(terminal);
  try {
    return await run(onProgress);
  } catch (error) {
    throw error instanceof StorageToolError ? new CommandError(error.message) : error;
  } finally {
    end();
  }
}
