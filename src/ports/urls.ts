// The URLs in answers.

import { parseUrl, trimTrailingSlashes } from "../utils/url";

/** Absolute URLs on the configured origins; a path begins with a slash. */
export interface Urls {
  api(path: string): string;
  app(path: string): string;
  /** Where sites without a host of their own are published. */
  readonly sites: SitesUrl;
}

/** The URL under which sites without a host of their own are published: one for all organizations, or one host for each. */
export interface SitesUrl {
  /** The origin; where each organization has its own, with `*` in place of the organization. */
  readonly origin: string;
  /** Whether the sites of each organization have an origin of their own. */
  readonly hasOriginPerOrganization: boolean;
  /** Returns the URL above the sites of an organization. `name`: its id or host name; undefined when a host cannot have it. */
  getOrganizationUrl(name: string): string | undefined;
  /** Returns the URL above all sites at a host, and the organization that the host names; undefined for other hosts. */
  findByHost(host: string): { readonly url: string; readonly organization?: string } | undefined;
}

/** Where the name of the organization stands in a URL. */
const WILDCARD = "://*.";

/** Returns a URL with a name in place of its wildcard. */
export function replaceWildcard(url: string, name: string): string {
  return url.replace(WILDCARD, `://${name}.`);
}

/** Makes the URLs of sites. `reserved`: hosts of the server itself, which no organization gets. */
export function createSitesUrl(url: string, reserved: readonly string[]): SitesUrl {
  if (!url.includes(WILDCARD)) {
    const { href, host, origin } = parseUrl(url);
    const base = trimTrailingSlashes(href);
    return {
      origin,
      hasOriginPerOrganization: false,
      getOrganizationUrl: (name) => `${base}/${name}`,
      findByHost: (asked) => (asked === host ? { url: base } : undefined),
    };
  }
  const { protocol, host, pathname } = parseUrl(replaceWildcard(url, "x"));
  const parent = host.slice("x".length);
  const path = trimTrailingSlashes(pathname);
  const isFree = (label: string) => !reserved.includes(label + parent);
  return {
    origin: `${protocol}//*${parent}`,
    hasOriginPerOrganization: true,
    getOrganizationUrl(name) {
      const label = toLabel(name);
      return label !== undefined && isFree(label) ? `${protocol}//${label}${parent}${path}` : undefined;
    },
    findByHost(asked) {
      const label = asked.endsWith(parent) ? asked.slice(0, -parent.length) : "";
      const organization = label.replace(/^org-/, "org_");
      if (toLabel(organization) !== label || !isFree(label)) return undefined;
      return { url: `${protocol}//${asked}${path}`, organization };
    },
  };
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/**
 * Returns the label of an organization in a host, by its id (`org_…` becomes `org-…`) or its host name. A host name that looks
 * like an id or like an international one has none.
 */
function toLabel(name: string): string | undefined {
  const label = name.replace(/^org_/, "org-");
  const isHostname = label === name;
  return LABEL.test(label) && !(isHostname && /^(?:org-|..--)/.test(label)) ? label : undefined;
}
