// `octavo export`: writes spaces as folders of Markdown.

import { connectionOptions, organizationOption } from "../../connection/connect";
import { UNFINISHED_MARKER } from "../../content/unfinished-marker";
import { type Command, jsonOption } from "../../framework/command";

export const exportCommand: Command = {
  name: "export",
  summary: "Export spaces as folders of Markdown and files.",
  notes: [
    "The layout is that of Git sync, with SUMMARY.md as the table of contents.",
    "A single space is written into the folder itself, and several spaces, or all of an organization, into subfolders.",
    `During an export, the folder contains a file ${UNFINISHED_MARKER}. If it is still there afterwards,`,
    "the export was interrupted, and you can run the same command again. Existing files are never deleted.",
  ].join(" "),
  args: [{ name: "folder", summary: "The target folder. Created if it doesn't exist." }],
  options: [
    { name: "space", value: "id", isMany: true, summary: "Export only this space." },
    organizationOption,
    { name: "overwrite", summary: "Allow a folder that is not empty." },
    { name: "strict", summary: "Exit with status 1 if anything was skipped." },
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo export ./guide --space spc_… --url https://docs.example.com", "octavo export ./all --data ./data"],
  run: async (input, context) => (await import("./run-export")).runExport(input, context),
};
