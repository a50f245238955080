// Who shares the origin of a site. Whatever runs on a page can do there what every other page of the origin can.

import type { Urls } from "../../ports/urls";
import { parseUrl } from "../../utils/url";
import type { SiteOptions } from "./options";

/** Who has pages at an origin besides one organization: the API, other organizations, or nobody. */
export type OriginSharing = "api" | "organizations" | "nobody";

/** Returns who shares the host of a URL that was visited. Schemes don't count: a proxy may have changed them. */
export function findOriginSharing({ api, app, sites }: Urls, { host, hostname, port }: URL): OriginSharing {
  const own = [parseUrl(api("/")), parseUrl(app("/"))];
  if (own.some((it) => it.host === host)) return "api";
  if (isLocalHostname(hostname) && own.some((it) => isLocalHostname(it.hostname) && it.port === port)) return "api";
  return sites.findByHost(host) && !sites.hasOriginPerOrganization ? "organizations" : "nobody";
}

/** Whether scripts of integrations may run at an origin. */
export function canRunScripts(
  sharing: OriginSharing,
  options: Pick<SiteOptions, "allowScriptsOnSharedOrigin" | "trustOrganizations">,
): boolean {
  if (sharing === "api") return options.allowScriptsOnSharedOrigin === true;
  return sharing === "nobody" || options.trustOrganizations === true;
}

/** Whether a host is a name of the machine itself. */
export function isLocalHostname(hostname: string): boolean {
  return LOCAL.has(hostname);
}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);
