// `octavo backup`: writes the content of a storage into a file.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions } from "../../storage/storage-arguments";

export const backupCommand: Command = {
  name: "backup",
  summary: "Write everything that a storage holds into a file, or add it to a folder of backups.",
  notes: [
    "In a folder, a backup leaves out what the newest one before it has: to restore it, keep the earlier ones.",
    "Servers on PostgreSQL or a bucket may run meanwhile. A LevelDB directory belongs to one process: stop the server,",
    "or call `backup` of octavo/storage-tools in it. The secret is not part of a backup: keep it elsewhere.",
  ].join(" "),
  args: [{ name: "path", summary: "A file to write, or a folder that is there." }],
  options: [
    { name: "full", summary: "In a folder: leave nothing out, so that the backup stands alone." },
    ...sourceOptions,
    jsonOption,
  ],
  examples: ["octavo backup ./docs.octavo --data ./data", "octavo backup /backups --storage postgres"],
  run: async (input, context) => (await import("./run-backup")).runBackup(input, context),
};
