// The context that all requests of one `createSite` share, and the parties that share the origin of a page: a script on it can do
// everything that other pages of the same origin can.

import type { ApiInternals } from "../../api/internals";
import type { PublishedContentSite } from "../../generated/resources";
import type { Urls } from "../../ports/urls";
import { parseUrl } from "../../utils/url";
import type { CacheableResponse, SiteCache } from "../cache/site-cache";
import type { SiteOptions } from "./options";

export interface SiteContext {
  readonly internals: ApiInternals;
  readonly options: SiteOptions;
  /** Returns true if scripts of integrations run on pages at a URL. */
  readonly canRunScripts: (url: URL) => boolean;
  readonly pageCache: SiteCache<CacheableResponse>;
  /** Search results. There are as many as people can type, so they do not share the memory of the pages. */
  readonly searchCache: SiteCache<CacheableResponse>;
  readonly profileCache: SiteCache<PublishedContentSite>;
  /** The asset that draws diagrams, if the host has provided one. */
  readonly diagramAsset: string | undefined;
}

/** The parties that have pages at an origin besides one organization: the API, other organizations, or nobody. */
type OriginSharing = "api" | "organizations" | "nobody";

/** The host names of this machine. */
export const LOCAL_HOSTNAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns who shares the host of a URL that was visited. Schemes do not count, because a proxy may have changed them. */
export function findOriginSharing({ api, app, sites }: Urls, { host, hostname, port }: URL): OriginSharing {
  const own = [parseUrl(api("/")), parseUrl(app("/"))];
  if (own.some((it) => it.host === host)) return "api";
  if (LOCAL_HOSTNAMES.has(hostname) && own.some((it) => LOCAL_HOSTNAMES.has(it.hostname) && it.port === port))
    return "api";
  return sites.findByHost(host) && !sites.hasOriginPerOrganization ? "organizations" : "nobody";
}
