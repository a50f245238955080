// `octavo check`: finds the problems that readers would run into. Its status makes it usable as a build step.

import { connectionOptions, organizationOption } from "../../connection/connect";
import { type Command, jsonOption } from "../../framework/command";

export const checkCommand: Command = {
  name: "check",
  summary: "Look for broken links, pages that fail, and work that failed.",
  notes: [
    "Without --space and --site, the whole organization is checked: every space that you see, its OpenAPI specifications,",
    "translations, and jobs that were given up. Links to other websites are not followed.",
  ].join(" "),
  options: [
    { name: "space", value: "id", isMany: true, summary: "Check this space alone." },
    { name: "site", value: "id", isMany: true, summary: "Check the spaces of this site." },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo check --space spc_… --url https://docs.example.com", "octavo check --data ./data --json"],
  run: async (input, context) => (await import("./run-check")).runCheck(input, context),
};
