// `octavo copy-storage`: copies the content of a storage into another one.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions, targetOptions } from "../../storage/storage-arguments";

export const copyStorageCommand: Command = {
  name: "copy-storage",
  summary: "Copy everything that a storage holds into another one.",
  notes: [
    "The target must be empty. It is read again at the end; until then no server starts on it.",
    "A copy that was stopped goes on when the same command is given again.",
    "Stop the server first: what is written meanwhile is not copied. The target needs the secret of the source.",
    "From one LevelDB directory to another it goes along; otherwise set SECRET.",
  ].join(" "),
  options: [...sourceOptions, ...targetOptions, jsonOption],
  examples: [
    "TO_DATABASE_URL=postgres://… octavo copy-storage --data ./data --to-storage postgres",
    "DATABASE_URL=postgres://… octavo copy-storage --storage postgres --to-storage s3 --to-s3-bucket docs",
  ],
  run: async (input, context) => (await import("./run-copy-storage")).runCopyStorage(input, context),
};
