// The URLs in responses.

import { parseUrl, trimTrailingSlashes } from "../utils/url";

/** Creates absolute URLs on the configured origins. A path begins with a slash. */
export interface Urls {
  api(path: string): string;
  app(path: string): string;
  /** The URLs of sites without a custom domain. */
  readonly sites: SitesUrl;
}

/** The URL under which sites without a custom domain are published: one for all organizations, or one host for each. */
export interface SitesUrl {
  /** The origin; with `*` in place of the organization if each has its own. */
  readonly origin: string;
  /** True if the sites of each organization have an origin of their own. */
  readonly hasOriginPerOrganization: boolean;
  /** Returns the URL above the sites of an organization, by its id or host name; undefined if a host cannot have that name. */
  getOrganizationUrl(name: string): string | undefined;
  /** Returns the URL above all sites at a host, and the organization that the host names; undefined for other hosts. */
  findByHost(host: string): { readonly url: string; readonly organization?: string } | undefined;
}

/** The place of the organization's name in a URL. */
const WILDCARD = "://*.";

/** Returns a URL with a name in place of its wildcard. */
export function replaceWildcard(url: string, name: string): string {
  return url.replace(WILDCARD, `://${name}.`);
}

/** Creates the URLs of sites. `reservedHosts` are hosts of the server itself, which no organization gets. */
export function createSitesUrl(url: string, reservedHosts: readonly string[]): SitesUrl {
  if (!url.includes(WILDCARD)) {
    const { href, host: sitesHost, origin } = parseUrl(url);
    const base = trimTrailingSlashes(href);
    return {
      origin,
      hasOriginPerOrganization: false,
      getOrganizationUrl: (name) => `${base}/${name}`,
      findByHost: (host) => (host === sitesHost ? { url: base } : undefined),
    };
  }

  const { protocol, host: exampleHost, pathname } = parseUrl(replaceWildcard(url, "x"));
  const parentHost = exampleHost.slice("x".length);
  const path = trimTrailingSlashes(pathname);
  return {
    origin: `${protocol}//*${parentHost}`,
    hasOriginPerOrganization: true,
    getOrganizationUrl(name) {
      const label = getHostLabel(name);
      if (label === undefined || reservedHosts.includes(label + parentHost)) return undefined;
      return `${protocol}//${label}${parentHost}${path}`;
    },
    findByHost(host) {
      const label = host.endsWith(parentHost) ? host.slice(0, -parentHost.length) : "";
      const organization = label.replace(/^org-/, "org_");
      if (getHostLabel(organization) !== label || reservedHosts.includes(label + parentHost)) return undefined;
      return { url: `${protocol}//${host}${path}`, organization };
    },
  };
}

const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/**
 * Returns the label of an organization in a host, by its id (`org_…` becomes `org-…`) or its host name. Returns undefined for a
 * host name that looks like an id or like an internationalized name.
 */
function getHostLabel(name: string): string | undefined {
  const label = name.replace(/^org_/, "org-");
  const isHostname = label === name;
  return HOST_LABEL.test(label) && !(isHostname && /^(?:org-|..--)/.test(label)) ? label : undefined;
}
