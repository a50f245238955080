// The options that name a storage. `serve` and every command that works on a storage directly have them.

import { addVariables, type CommandOption } from "../framework/command";

export const storageOptions: readonly CommandOption[] = addVariables([
  {
    name: "storage",
    value: "kind",
    choices: ["level", "memory", "postgres", "s3"],
    fallback: "level",
    summary:
      "Where data is kept: in a LevelDB directory, in memory until the process ends, in PostgreSQL, or in a bucket.",
  },
  { name: "data", value: "folder", variable: "DATA_DIR", fallback: "./data", summary: "The LevelDB directory." },
  {
    name: "database-url",
    isVariableOnly: true,
    value: "url",
    summary: "The PostgreSQL database, with postgres: postgres://user:password@host/database.",
  },
  {
    name: "postgres-schema",
    value: "name",
    fallback: "octavo",
    summary: "The schema that holds the tables. It is made at the first start.",
  },
  { name: "s3-bucket", value: "name", summary: "The bucket, with s3." },
  {
    name: "s3-prefix",
    value: "prefix",
    fallback: "none",
    summary: "What the names of all objects in the bucket begin with.",
  },
  {
    name: "s3-endpoint",
    value: "url",
    fallback: "Amazon's",
    summary: "The server of the bucket. The usual AWS_… variables have the region and the credentials.",
  },
  { name: "s3-force-path-style", summary: "The bucket stands in the path of a URL, not in the host name." },
  {
    name: "secret",
    isVariableOnly: true,
    value: "text",
    fallback: "made at the first start and kept in the file secret of the LevelDB directory",
    summary: [
      "Seals cursors, signs URLs and encrypts what must be read back: at least 32 characters.",
      "Required with postgres and s3, where all processes share it.",
    ].join(" "),
  },
  {
    name: "old-secret",
    isVariableOnly: true,
    value: "text",
    fallback: "none",
    summary: "The secret from before, while it is replaced by another one.",
  },
]);
