// Sites and their items: site-spaces, sections of them, groups of sections, and links to other sites. All items are one set of
// records, because they are siblings and are moved among each other.

import { defineRecordSet } from "../../storage/records";

/** The state of ads on a site. Each state has its own fields. */
export type Ads =
  | { readonly status: "pending"; readonly submittable: boolean }
  | { readonly status: "in-review"; readonly topic: AdsTopic }
  | { readonly status: "rejected"; readonly reason?: string }
  | { readonly status: "live" | "disabled"; readonly topic: AdsTopic; readonly zoneId: string };
export type AdsTopic = "webdev" | "crypto";

export type SiteRecord = {
  readonly id: string;
  readonly title: string;
  readonly type: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
  readonly visibility: "public" | "unlisted" | "share-link" | "visitor-auth";
  readonly published: boolean;
  /** The custom domain of the site: `docs.example.com`. */
  readonly hostname: string | null;
  /** The name of the site in URLs, unique in the organization. */
  readonly basename: string;
  /** The subdirectory of another domain under which the site is published: `example.com/docs`. */
  readonly proxy: string | null;
  /** The hosts whose ownership is proven. The site is reachable at no other host. */
  readonly proven?: readonly string[];
  /** The time at which unproven hosts were last set. */
  readonly namedAt?: string;
  readonly adaptiveContent: boolean;
  readonly agentsContext: "excluded" | "included";
  readonly ads: Ads | null;
  /** The section, or the site-space at the root, that the root URL of the site shows; null while the site is empty. */
  readonly defaultItem: string | null;
  readonly createdAt: string;
};

export const sites = defineRecordSet("site", {
  key: (site: SiteRecord) => [site.id],
  indexes: { byAge: (site) => [site.createdAt], proxiesOn: getProxyHostKey },
  unique: {
    basename: (site) => [site.basename],
    hostname: (site) => (site.hostname === null ? undefined : [site.hostname]),
    proxy: (site) => (site.proxy === null ? undefined : [site.proxy]),
  },
  totals: { all: () => [], proxiesOn: getProxyHostKey },
  guards: { proxiesOn: getProxyHostKey },
});

function getProxyHostKey({ proxy }: SiteRecord): readonly string[] | undefined {
  return proxy === null ? undefined : [getProxyHost(proxy)];
}

/** Returns the host of a proxy address such as `example.com/docs`. */
export function getProxyHost(proxy: string): string {
  return proxy.slice(0, proxy.indexOf("/"));
}

export function listSiteHosts({ hostname, proxy }: Pick<SiteRecord, "hostname" | "proxy">): string[] {
  return [...new Set([...(hostname === null ? [] : [hostname]), ...(proxy === null ? [] : [getProxyHost(proxy)])])];
}

/** Returns the addresses of a site whose hosts are proven. The site is reachable only there. */
export function getProvenAddresses({
  hostname,
  proxy,
  proven = [],
}: SiteRecord): Pick<SiteRecord, "hostname" | "proxy"> {
  return {
    hostname: hostname !== null && proven.includes(hostname) ? hostname : null,
    proxy: proxy !== null && proven.includes(getProxyHost(proxy)) ? proxy : null,
  };
}

interface SiteItemFields {
  readonly site: string;
  readonly id: string;
  /** The position among siblings. Groups and sections without a group are siblings. */
  readonly position: string;
}

/** A section, which holds variants of the same content under one path. */
export type SectionRecord = SiteItemFields & {
  readonly type: "site-section";
  /** The id of the group that contains the section. */
  readonly parent: string | null;
  readonly title: string;
  readonly path: string;
  readonly icon: string | null;
  readonly description: string | null;
  readonly condition: string | null;
  /** The site-space that the URL of the section shows. */
  readonly defaultItem: string;
};

/** A group, which is a heading over sections and not part of any URL. */
export type GroupRecord = SiteItemFields & {
  readonly type: "site-section-group";
  readonly parent: null;
  readonly title: string;
  readonly icon: string | null;
};

export type SiteSpaceRecord = SiteItemFields & {
  readonly type: "site-space";
  /** The id of the section that contains the space; null at the root of a site without sections. */
  readonly parent: string | null;
  readonly space: string;
  readonly path: string;
  readonly condition: string | null;
};

/** A link to another site among the sections, or among the sections of a group. It isn't part of any URL of the site. */
export type ExternalLinkRecord = SiteItemFields & {
  readonly type: "site-external-link";
  /** The id of the group that contains the link. */
  readonly parent: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly url: string;
  /** Visitors don't see a draft. */
  readonly draft: boolean;
  readonly condition: string | null;
};

export type ItemRecord = SectionRecord | GroupRecord | SiteSpaceRecord | ExternalLinkRecord;

export const siteItems = defineRecordSet("site-item", {
  key: (item: ItemRecord) => [item.site, item.id],
  indexes: {
    ofSite: (item) => [item.site],
    ofSpace: (item) => (item.type === "site-space" ? [item.space] : undefined),
  },
  unique: {
    /** Paths are unique among the sections of a site, and among the site-spaces of a section or of the root. */
    path: (item) =>
      item.type === "site-section" || item.type === "site-space"
        ? [item.site, item.type, item.type === "site-space" ? item.parent : null, item.path]
        : undefined,
    /** A space is on a site at most once, so each of its pages has one URL there. */
    space: (item) => (item.type === "site-space" ? [item.site, item.space] : undefined),
  },
  totals: { spaces: (item) => (item.type === "site-space" ? [item.site] : undefined) },
});

/**
 * The number of changes made to the structure of each site. Transactions that depend on the structure read it, and every
 * change writes it, so a single conflict check covers more items than one commit could check.
 */
export const editions = defineRecordSet("site-edition", {
  key: (edition: { readonly site: string; readonly number: number }) => [edition.site],
});

/** Maximum number of items of a site. More would slow down every response that contains the structure. */
export const MAX_ITEMS = 2000;
/** Maximum number of siblings, which are moved and deleted in one commit. */
export const MAX_SIBLINGS = 65;
