// `robots.txt`, which crawlers read only at the root of a host. Pages also say themselves whether they may be indexed, for sites
// in a folder.

import { parseUrl } from "../../utils/url";
import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { isIndexedSite } from "./listed-pages";
import { createMachineResponse, PLAIN } from "./text-responses";

/** Lets crawlers read nothing. */
export const DISALLOW_ALL = "User-agent: *\nDisallow: /\n";

export async function createRobotsResponse(context: RequestContext): Promise<CacheableResponse> {
  if (!isIndexedSite(context)) return createMachineResponse(context, DISALLOW_ALL, PLAIN);
  const search = parseUrl(context.toSiteUrl("~octavo/search"), context.url).pathname;
  const root = context.profile.site.urls.published;
  const sitemap = root === undefined ? "" : `Sitemap: ${root.replace(/\/?$/, "/")}sitemap.xml\n`;
  return createMachineResponse(context, `User-agent: *\nDisallow: ${search}\n${sitemap}`, PLAIN);
}
