// `octavo verify`: checks the content of a storage for damage.

import { type Command, jsonOption } from "../../framework/command";
import { sourceOptions } from "../../storage/storage-arguments";

export const verifyCommand: Command = {
  name: "verify",
  summary: "Check that everything in a storage is whole.",
  notes: [
    "Every record, index, total and object is read. With the secret, sealed fields and audit logs are looked into as well.",
    "Servers on PostgreSQL or a bucket may run meanwhile. The status is 1 when something is wrong and was not put right.",
  ].join(" "),
  options: [
    { name: "repair", summary: "Put right what follows from the rest: indexes, unique names, totals." },
    ...sourceOptions,
    jsonOption,
  ],
  examples: ["octavo verify --data ./data", "octavo verify --storage postgres --repair"],
  run: async (input, context) => (await import("./run-verify")).runVerify(input, context),
};
