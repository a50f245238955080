// The resources of a site for crawlers and agents, by their path below the site. Their responses are cached like pages.

import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { createLlmsResponse } from "./llms";
import { createRobotsResponse } from "./robots";
import { createSitemapResponse } from "./sitemap";

type MachineRoute = (context: RequestContext) => Promise<CacheableResponse>;

const machineRoutes: Readonly<Record<string, MachineRoute>> = {
  "robots.txt": createRobotsResponse,
  "sitemap.xml": (context) => createSitemapResponse(context),
  "llms.txt": (context) => createLlmsResponse(context, "llms.txt"),
  "llms-full.txt": (context) => createLlmsResponse(context, "llms-full.txt"),
};

/** Returns the handler of a path, or undefined if there is no such resource. */
export function findMachineRoute(path: string): MachineRoute | undefined {
  const part = /^sitemap-([1-9]\d{0,5})\.xml$/.exec(path)?.[1];
  if (part !== undefined) return (context) => createSitemapResponse(context, Number(part));
  return Object.hasOwn(machineRoutes, path) ? machineRoutes[path] : undefined;
}
