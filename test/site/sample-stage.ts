// The sample site on a server of its own, for tests with a browser.

import type { SiteOptions } from "octavo/site";
import { createSampleSite } from "../../cli/commands/serve/sample/create-sample-site";
import { serve } from "./served";

/** Pages of every kind. */
export const samplePaths = [
  "",
  "/write/text",
  "/write/blocks",
  "/write/code",
  "/write/tables",
  "/write/images-and-files",
  "/write/formulas-and-diagrams",
  "/write/integrations",
  "/read/variables",
  "/read/updates",
  "/api",
  "/guide/guide-first-version",
  "/~octavo/search?q=lamp",
  "/nothing/here",
];

export async function sampleStage(options: SiteOptions = {}) {
  const served = await serve(options);
  return { ...served, url: await createSampleSite(served.api, served.organization, served.user) };
}
