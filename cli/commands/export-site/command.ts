// `octavo export-site`: writes a published site as a folder of pages.

import { existingStorageOptions } from "../../connection/connect";
import { UNFINISHED_MARKER } from "../../content/unfinished-marker";
import { type Command, jsonOption } from "../../framework/command";

export const exportSiteCommand: Command = {
  name: "export-site",
  summary: "Write a published site as a folder of pages that need no server.",
  notes: [
    "The pages are those that everybody sees, so the site must be public or unlisted. Links in the folder are relative:",
    "it can be opened from the disk, and be put anywhere on a host of files.",
    `While an export is under way the folder holds a file ${UNFINISHED_MARKER}: if it is still there afterwards,`,
    "the export was interrupted, and the same command does it again. Nothing that stood in the folder before is deleted.",
  ].join(" "),
  args: [
    { name: "site", summary: "The id of the site, or its URL." },
    { name: "folder", summary: "The folder to write into. It is made if it is missing." },
  ],
  options: [
    {
      name: "home",
      value: "url",
      summary: "Where the folder will be published. With it there are a sitemap, feeds and canonical addresses.",
    },
    { name: "overwrite", summary: "Write into a folder that is not empty." },
    ...existingStorageOptions,
    jsonOption,
  ],
  examples: [
    "octavo export-site sit_… ./public --data ./data",
    "octavo export-site sit_… ./public --data ./data --home https://docs.example.com/",
  ],
  run: async (input, context) => (await import("./run-export-site")).runExportSite(input, context),
};
