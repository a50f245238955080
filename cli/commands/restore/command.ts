// `octavo restore`: fills an empty storage from a backup.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions } from "../../storage/storage-arguments";

export const restoreCommand: Command = {
  name: "restore",
  summary: "Fill an empty storage from a backup.",
  notes: [
    "Everything is checked on the way and read again at the end; until then no server starts on the storage.",
    "A restore that was stopped goes on when the same command is given again.",
    "The storage needs the secret of the system that was backed up.",
  ].join(" "),
  args: [{ name: "path", summary: "A backup, or a folder of backups: then the newest." }],
  options: [...sourceOptions, jsonOption],
  examples: ["octavo restore ./docs.octavo --data ./new-data", "octavo restore /backups --storage postgres"],
  run: async (input, context) => (await import("./run-restore")).runRestore(input, context),
};
