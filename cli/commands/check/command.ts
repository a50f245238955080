// `octavo check`: what readers would stumble over. Its status makes it a step of a build.

import { connectionOptions } from "../../connection/connect";
import { organizationOption } from "../../connection/organization";
import type { Command } from "../../framework/command";
import { jsonOption } from "../../framework/output";

export const check: Command = {
  name: "check",
  summary: "Look for broken links, pages that fail, and work that failed.",
  notes:
    "Without --space and --site, the whole organization is checked: every space that you see, its OpenAPI specifications, translations, and jobs that were given up. Links to other websites are not followed.",
  options: [
    { name: "space", value: "id", isMany: true, summary: "Check this space alone." },
    { name: "site", value: "id", isMany: true, summary: "Check the spaces of this site." },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo check --space spc_… --url https://docs.example.com", "octavo check --data ./data --json"],
  run: async (given, surroundings) => (await import("./run-check")).runCheck(given, surroundings),
};
