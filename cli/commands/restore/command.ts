// `octavo restore`: fills an empty storage from a backup.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions } from "../../storage/storage-arguments";

export const restoreCommand: Command = {
  name: "restore",
  summary: "Restore a backup into an empty storage.",
  notes: [
    "All data is verified and read back at the end, and servers refuse to start on the storage until then.",
    "To resume an interrupted restore, run the same command again.",
    "The storage needs the secret of the system that was backed up.",
  ].join(" "),
  args: [{ name: "path", summary: "A backup, or a folder of backups to use the newest of." }],
  options: [...sourceOptions, jsonOption],
  examples: ["octavo restore ./docs.octavo --data ./new-data", "octavo restore /backups --storage postgres"],
  run: async (input, context) => (await import("./run-restore")).runRestore(input, context),
};
