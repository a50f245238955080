// The options that name a storage. `serve` and every command that works on a storage directly have them.

import { addVariables, type CommandOption } from "../framework/command";

export const storageOptions: readonly CommandOption[] = addVariables([
  {
    name: "storage",
    value: "kind",
    choices: ["level", "memory", "postgres", "s3"],
    fallback: "level",
    summary:
      "Where data is stored: in a LevelDB directory, in memory until the process ends, in PostgreSQL, or in a bucket.",
  },
  { name: "data", value: "folder", variable: "DATA_DIR", fallback: "./data", summary: "The LevelDB directory." },
  {
    name: "database-url",
    isVariableOnly: true,
    value: "url",
    summary: "The PostgreSQL database: postgres://user:password@host/database.",
  },
  {
    name: "postgres-schema",
    value: "name",
    fallback: "octavo",
    summary: "The schema for the tables. Created on the first start.",
  },
  { name: "s3-bucket", value: "name", summary: "The S3 bucket." },
  {
    name: "s3-prefix",
    value: "prefix",
    fallback: "none",
    summary: "The prefix for the names of all objects in the bucket.",
  },
  {
    name: "s3-endpoint",
    value: "url",
    fallback: "Amazon's",
    summary: "The endpoint of the S3 server. Region and credentials come from the usual AWS_… variables.",
  },
  { name: "s3-force-path-style", summary: "Use path-style URLs: the bucket in the path instead of the hostname." },
  {
    name: "secret",
    isVariableOnly: true,
    value: "text",
    fallback: "created on the first start, in the file secret of the LevelDB directory",
    summary: [
      "Encrypts stored credentials and signs URLs and tokens: at least 32 characters.",
      "Required with postgres and s3, where all processes share it.",
    ].join(" "),
  },
  {
    name: "old-secret",
    isVariableOnly: true,
    value: "text",
    fallback: "none",
    summary: "The previous secret, during a rotation.",
  },
]);
