// `octavo export`: writes spaces as folders of Markdown.

import { connectionOptions, organizationOption } from "../../connection/connect";
import { UNFINISHED_MARKER } from "../../content/unfinished-marker";
import { type Command, jsonOption } from "../../framework/command";

export const exportCommand: Command = {
  name: "export",
  summary: "Write spaces as folders of Markdown with their files.",
  notes: [
    "The layout is the one that a synchronization with Git writes, with SUMMARY.md as the table of contents.",
    "One space is written into the folder itself; several, or all of an organization, into folders below it.",
    `While an export is under way the folder holds a file ${UNFINISHED_MARKER}: if it is still there afterwards,`,
    "the export was interrupted, and the same command does it again. Nothing that stood in the folder before is deleted.",
  ].join(" "),
  args: [{ name: "folder", summary: "The folder to write into. It is made if it is missing." }],
  options: [
    { name: "space", value: "id", isMany: true, summary: "Export this space alone." },
    organizationOption,
    { name: "overwrite", summary: "Write into a folder that is not empty." },
    { name: "strict", summary: "End with the status 1 if anything was left out." },
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo export ./guide --space spc_… --url https://docs.example.com", "octavo export ./all --data ./data"],
  run: async (input, context) => (await import("./run-export")).runExport(input, context),
};
