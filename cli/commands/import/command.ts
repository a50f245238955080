// `octavo import`: imports a folder, a file or a website into a space.

import { connectionOptions, organizationOption } from "../../connection/connect";
import { type Command, jsonOption } from "../../framework/command";

export const importCommand: Command = {
  name: "import",
  summary: "Import a folder of Markdown, a file or a website into a space.",
  notes: [
    "Everything is added at the end of what the space holds. It is collected in a change request and merged at the end,",
    "so readers see all of it or nothing. A file or a folder is read here; an address is fetched by the server.",
  ].join(" "),
  args: [{ name: "source", summary: "A folder, a file (zip, md, html or docx), or an address that begins with http." }],
  options: [
    { name: "space", value: "id", summary: "The space. Without it, a new one is made." },
    { name: "title", value: "text", fallback: "the name of the source", summary: "The title of a new space." },
    organizationOption,
    {
      name: "source",
      value: "kind",
      choices: ["website", "docx", "markdown", "html", "zip", "confluence", "github-wiki", "notion", "google-docs"],
      fallback: "what the name says",
      summary: "What the source is.",
    },
    { name: "strict", summary: "End with the status 1 if anything was left out." },
    ...connectionOptions,
    jsonOption,
  ],
  examples: [
    "octavo import ./docs --title Guide --url https://docs.example.com",
    "octavo import export.zip --source notion --space spc_… --data ./data",
    "octavo import https://old.example.com/docs/ --source website --space spc_…",
  ],
  run: async (input, context) => (await import("./run-import")).runImport(input, context),
};
