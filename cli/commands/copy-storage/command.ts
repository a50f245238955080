// `octavo copy-storage`: copies the content of a storage into another one.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions, targetOptions } from "../../storage/storage-arguments";

export const copyStorageCommand: Command = {
  name: "copy-storage",
  summary: "Copy a storage to another one.",
  notes: [
    "The target must be empty. It is read back at the end, and servers refuse to start on it until then.",
    "To resume an interrupted copy, run the same command again.",
    "Stop the server first, because concurrent writes aren't copied. The target needs the secret of the source.",
    "Between LevelDB directories, it is copied too. Otherwise set SECRET.",
  ].join(" "),
  options: [...sourceOptions, ...targetOptions, jsonOption],
  examples: [
    "TO_DATABASE_URL=postgres://… octavo copy-storage --data ./data --to-storage postgres",
    "DATABASE_URL=postgres://… octavo copy-storage --storage postgres --to-storage s3 --to-s3-bucket docs",
  ],
  run: async (input, context) => (await import("./run-copy-storage")).runCopyStorage(input, context),
};
