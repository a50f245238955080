// The sample site on a server of its own, for tests with a browser.

import type { SiteOptions } from "octavo/site";
import { createSampleSite } from "../../cli/commands/serve/sample/create-sample-site";
import { serve } from "./served";

/** Pages of every kind. */
export const samplePaths = [
  "",
  "/quick-start",
  "/concepts/shipments",
  "/concepts/delivery-windows",
  "/concepts/events",
  "/build/create-shipments",
  "/build/create-shipments/import-orders",
  "/build/tracking-page",
  "/build/receive-webhooks",
  "/dispatch/handle-exceptions",
  "/reference/upgrade",
  "/api/introduction",
  "/api/shipments/create",
  "/api/objects",
  "/changelog/2026",
  "/version-1/quick-start",
  "/deutsch/quick-start",
  "/~octavo/search?q=window",
  "/nothing/here",
];

export async function sampleStage(options: SiteOptions = {}) {
  const served = await serve(options);
  return { ...served, url: await createSampleSite(served.api, served.organization, served.user) };
}
