// `octavo export-site`: writes a published site as a folder of pages.

import { existingStorageOptions } from "../../connection/connect";
import { UNFINISHED_MARKER } from "../../content/unfinished-marker";
import { type Command, jsonOption } from "../../framework/command";

export const exportSiteCommand: Command = {
  name: "export-site",
  summary: "Export a published site as static files.",
  notes: [
    "Exports the pages that everyone can see, so the site must be public or unlisted. Links in the folder are relative:",
    "you can open it from disk, or serve it from any path of a static host.",
    `During an export, the folder contains a file ${UNFINISHED_MARKER}. If it is still there afterwards,`,
    "the export was interrupted, and you can run the same command again. Existing files are never deleted.",
  ].join(" "),
  args: [
    { name: "site", summary: "The site's id or URL." },
    { name: "folder", summary: "The target folder. Created if it doesn't exist." },
  ],
  options: [
    {
      name: "home",
      value: "url",
      summary: "The public URL of the exported site. Adds a sitemap, feeds and canonical URLs.",
    },
    { name: "overwrite", summary: "Allow a folder that is not empty." },
    ...existingStorageOptions,
    jsonOption,
  ],
  examples: [
    "octavo export-site sit_… ./public --data ./data",
    "octavo export-site sit_… ./public --data ./data --home https://docs.example.com/",
  ],
  run: async (input, context) => (await import("./run-export-site")).runExportSite(input, context),
};
