// `robots.txt`. It works at the root of a host. Pages of sites that stand in a folder say in themselves whether they may be
// indexed, and so do those of all others.

import { parseUrl } from "../../utils/url";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { createTextResponse } from "../responses/responses";
import { isIndexedSite } from "./listed-pages";
import { createMachineResponse, PLAIN } from "./text-responses";

const DISALLOW_ALL = "User-agent: *\nDisallow: /\n";

export async function createRobotsResponse(context: RequestContext): Promise<CacheableResponse> {
  return createMachineResponse(context, renderRobots(context), PLAIN);
}

/** What crawlers may read. */
export function renderRobots(context: Pick<RequestContext, "profile" | "resolved" | "toSiteUrl" | "url">): string {
  if (!isIndexedSite(context)) return DISALLOW_ALL;
  const search = parseUrl(context.toSiteUrl("~octavo/search"), context.url).pathname;
  const root = context.profile.site.urls.published;
  const sitemap = root === undefined ? "" : `Sitemap: ${root.replace(/\/?$/, "/")}sitemap.xml\n`;
  return `User-agent: *\nDisallow: ${search}\n${sitemap}`;
}

/** Whether an address is that of a `robots.txt`. */
export function isRobotsUrl({ pathname }: URL): boolean {
  return pathname.endsWith("/robots.txt");
}

/** For everybody who sees nothing here, whether there is something for others or not. */
export function createClosedRobotsResponse(): CacheableResponse {
  return createTextResponse(DISALLOW_ALL, { type: PLAIN, holders: "nobody" });
}
