// The sharing of origins. A script on a page can do everything that other pages of the same origin can.

import type { Urls } from "../../ports/urls";
import { parseUrl } from "../../utils/url";

/** The parties that have pages at an origin besides one organization: the API, other organizations, or nobody. */
export type OriginSharing = "api" | "organizations" | "nobody";

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
