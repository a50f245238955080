// `robots.txt`. It works at the root of a host. Pages of sites that stand in a folder say in themselves whether they may be
// indexed, and so do those of all others.

import { parseUrl } from "../../utils/url";
import { textAnswer } from "../answer";
import type { KeptResponse } from "../shelf";
import type { Visit } from "../visit";
import { isIndexedSite } from "./listed";
import { machineAnswer, PLAIN } from "./text-answer";

const NOTHING = "User-agent: *\nDisallow: /\n";

export async function robotsText(visit: Visit): Promise<KeptResponse> {
  return machineAnswer(visit, robotsOf(visit), PLAIN);
}

/** What crawlers may read. */
export function robotsOf(visit: Pick<Visit, "profile" | "found" | "own" | "url">): string {
  if (!isIndexedSite(visit)) return NOTHING;
  const search = parseUrl(visit.own("~octavo/search"), visit.url).pathname;
  const root = visit.profile.site.urls.published;
  const sitemap = root === undefined ? "" : `Sitemap: ${root.replace(/\/?$/, "/")}sitemap.xml\n`;
  return `User-agent: *\nDisallow: ${search}\n${sitemap}`;
}

/** Whether an address is that of a `robots.txt`. */
export function isForRobots({ pathname }: URL): boolean {
  return pathname.endsWith("/robots.txt");
}

/** For everybody who sees nothing here, whether there is something for others or not. */
export function closedRobots(): KeptResponse {
  return textAnswer(NOTHING, { type: PLAIN, holders: "nobody" });
}
