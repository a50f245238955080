// `octavo backup` and `octavo restore`: everything that a storage holds, as a file.

import type { Command } from "../../framework/command";
import { jsonOption } from "../../framework/output";
import { sourceOptions } from "./storage-arguments";

export const backupCommand: Command = {
  name: "backup",
  summary: "Write everything that a storage holds into a file, or add it to a folder of backups.",
  notes:
    "In a folder, a backup leaves out what the newest one before it has: to restore it, keep the earlier ones. Servers on PostgreSQL or a bucket may run meanwhile. A LevelDB directory belongs to one process: stop the server, or call `backup` of octavo/storage-tools in it. The secret is not part of a backup: keep it elsewhere.",
  args: [{ name: "path", summary: "A file to write, or a folder that is there." }],
  options: [
    { name: "full", summary: "In a folder: leave nothing out, so that the backup stands alone." },
    ...sourceOptions,
    jsonOption,
  ],
  examples: ["octavo backup ./docs.octavo --data ./data", "octavo backup /backups --storage postgres"],
  run: async (given, surroundings) => (await import("./run-storage-tools")).runBackup(given, surroundings),
};

export const restoreCommand: Command = {
  name: "restore",
  summary: "Fill an empty storage from a backup.",
  notes:
    "Everything is checked on the way and read again at the end; until then no server starts on the storage. A restore that was stopped goes on when the same command is given again. The storage needs the secret of the system that was backed up.",
  args: [{ name: "path", summary: "A backup, or a folder of backups: then the newest." }],
  options: [...sourceOptions, jsonOption],
  examples: ["octavo restore ./docs.octavo --data ./new-data", "octavo restore /backups --storage postgres"],
  run: async (given, surroundings) => (await import("./run-storage-tools")).runRestore(given, surroundings),
};
