// The sharing of origins. A script on a page can do everything that other pages of the same origin can.

import type { Urls } from "../../ports/urls";
import { parseUrl } from "../../utils/url";
import type { SiteOptions } from "./options";

/** The parties that have pages at an origin besides one organization: the API, other organizations, or nobody. */
export type OriginSharing = "api" | "organizations" | "nobody";

const LOCAL_HOSTNAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns who shares the host of a URL that was visited. Schemes do not count, because a proxy may have changed them. */
export function findOriginSharing({ api, app, sites }: Urls, { host, hostname, port }: URL): OriginSharing {
  const own = [parseUrl(api("/")), parseUrl(app("/"))];
  if (own.some((it) => it.host === host)) return "api";
  if (isLocalHostname(hostname) && own.some((it) => isLocalHostname(it.hostname) && it.port === port)) return "api";
  return sites.findByHost(host) && !sites.hasOriginPerOrganization ? "organizations" : "nobody";
}

/** Returns true if scripts of integrations may run at an origin. */
export function canRunScripts(
  sharing: OriginSharing,
  options: Pick<SiteOptions, "allowScriptsOnSharedOrigin" | "trustOrganizations">,
): boolean {
  if (sharing === "api") return options.allowScriptsOnSharedOrigin === true;
  return sharing === "nobody" || options.trustOrganizations === true;
}

/** Returns true if a host name is one of this machine. */
export function isLocalHostname(hostname: string): boolean {
  return LOCAL_HOSTNAMES.has(hostname);
}
