// `octavo import`: imports a folder, a file or a website into a space.

import { connectionOptions, organizationOption } from "../../connection/connect";
import { type Command, jsonOption } from "../../framework/command";

export const importCommand: Command = {
  name: "import",
  summary: "Import a folder of Markdown, a file or a website into a space.",
  notes: [
    "Adds the content at the end of the space. It is collected in a change request and merged at the end,",
    "so readers see all of it or nothing. The command reads files and folders, and the server fetches URLs.",
  ].join(" "),
  args: [{ name: "source", summary: "A folder, a file (zip, md, html or docx), or a URL." }],
  options: [
    { name: "space", value: "id", summary: "The space to import into. By default, a new one is created." },
    { name: "title", value: "text", fallback: "the name of the source", summary: "The title of a new space." },
    organizationOption,
    {
      name: "source",
      value: "kind",
      choices: ["website", "docx", "markdown", "html", "zip", "confluence", "github-wiki", "notion", "google-docs"],
      fallback: "detected from the name",
      summary: "The type of the source.",
    },
    { name: "strict", summary: "Exit with status 1 if anything was skipped." },
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
