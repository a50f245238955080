// `octavo verify`: checks the content of a storage for damage.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions } from "../../storage/storage-arguments";

export const verifyCommand: Command = {
  name: "verify",
  summary: "Verify the integrity of a storage.",
  notes: [
    "Reads every record, index, total and object. With the secret, sealed fields and audit logs are verified too.",
    "Servers on PostgreSQL or a bucket can keep running. Exits with status 1 if there are problems that weren't repaired.",
  ].join(" "),
  options: [
    { name: "repair", summary: "Repair data that can be derived: indexes, unique names, totals." },
    ...sourceOptions,
    jsonOption,
  ],
  examples: ["octavo verify --data ./data", "octavo verify --storage postgres --repair"],
  run: async (input, context) => (await import("./run-verify")).runVerify(input, context),
};
