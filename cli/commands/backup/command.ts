// `octavo backup`: writes the content of a storage into a file.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions } from "../../storage/storage-arguments";

export const backupCommand: Command = {
  name: "backup",
  summary: "Back up a storage to a file or a folder of backups.",
  notes: [
    "In a folder, a backup contains only the changes since the previous one, so keep the earlier ones.",
    "Servers on PostgreSQL or a bucket can keep running. A LevelDB directory belongs to one process: stop the server,",
    "or call `backup` of octavo/storage-tools in it. A backup doesn't contain the secret: store it elsewhere.",
  ].join(" "),
  args: [{ name: "path", summary: "A new file, or an existing folder." }],
  options: [
    { name: "full", summary: "In a folder: make a full backup that doesn't need earlier ones." },
    ...sourceOptions,
    jsonOption,
  ],
  examples: ["octavo backup ./docs.octavo --data ./data", "octavo backup /backups --storage postgres"],
  run: async (input, context) => (await import("./run-backup")).runBackup(input, context),
};
