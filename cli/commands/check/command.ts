// `octavo check`: finds the problems that readers would run into. Its status makes it usable as a build step.

import { connectionOptions, organizationOption } from "../../connection/connect";
import { type Command, jsonOption } from "../../framework/command";

export const checkCommand: Command = {
  name: "check",
  summary: "Find broken links, failing pages and failed jobs.",
  notes: [
    "Without --space and --site, checks the whole organization: every space that you can see, its OpenAPI specifications,",
    "translations and parked jobs. Links to other websites aren't followed.",
  ].join(" "),
  options: [
    { name: "space", value: "id", isMany: true, summary: "Check only this space." },
    { name: "site", value: "id", isMany: true, summary: "Check only the spaces of this site." },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo check --space spc_… --url https://docs.example.com", "octavo check --data ./data --json"],
  run: async (input, context) => (await import("./run-check")).runCheck(input, context),
};
