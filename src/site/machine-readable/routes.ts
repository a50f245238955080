// What machines ask a site for, by its path below the site. The answers are kept like pages.

import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { renderLlmsFullText, renderLlmsText } from "./llms";
import { createRobotsResponse } from "./robots";
import { createSitemapResponse } from "./sitemap";

type Route = (context: RequestContext) => Promise<CacheableResponse>;

const machineRoutes: Readonly<Record<string, Route>> = {
  "robots.txt": createRobotsResponse,
  "sitemap.xml": (context) => createSitemapResponse(context),
  "llms.txt": renderLlmsText,
  "llms-full.txt": renderLlmsFullText,
};

/** What answers a path; undefined: nothing for machines is there. */
export function findMachineRoute(path: string): Route | undefined {
  const part = /^sitemap-([1-9]\d{0,5})\.xml$/.exec(path)?.[1];
  if (part !== undefined) return (context) => createSitemapResponse(context, Number(part));
  return Object.hasOwn(machineRoutes, path) ? machineRoutes[path] : undefined;
}
