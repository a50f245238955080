// Sites and their items: site-spaces, sections of them, and groups of sections. All items are one set of records,
// because they are siblings and are moved among each other.

import { defineRecordSet } from "../../storage/records";
import type { Reader } from "../../storage/transaction";

export type SiteVisibility = "public" | "unlisted" | "share-link" | "visitor-auth";

/** The state of a site with ads. Each state has its own fields. */
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
  readonly visibility: SiteVisibility;
  readonly published: boolean;
  /** Its own host: `docs.example.com`. */
  readonly hostname: string | null;
  /** Its name in URLs, unique in the organization. */
  readonly basename: string;
  /** A directory of another host: `example.com/docs`. */
  readonly proxy: string | null;
  /** The hosts that are proven. The site is found at no other. */
  readonly proven?: readonly string[];
  /** When the last unproven hosts were named. */
  readonly namedAt?: string;
  readonly adaptiveContent: boolean;
  readonly agentsContext: "excluded" | "included";
  readonly ads: Ads | null;
  /** The section, or the site-space at the root, that the site's own URL shows; null while the site is empty. */
  readonly defaultItem: string | null;
  readonly createdAt: string;
};

export const sites = defineRecordSet("site", {
  key: (site: SiteRecord) => [site.id],
  indexes: { byAge: (site) => [site.createdAt], proxiesOn },
  unique: {
    basename: (site) => [site.basename],
    hostname: (site) => (site.hostname === null ? undefined : [site.hostname]),
    proxy: (site) => (site.proxy === null ? undefined : [site.proxy]),
  },
  totals: { all: () => [], proxiesOn },
  guards: { proxiesOn },
});

/** The host in whose directory a site is shown. */
function proxiesOn({ proxy }: SiteRecord): readonly string[] | undefined {
  return proxy === null ? undefined : [hostOfProxy(proxy)];
}

export function hostOfProxy(proxy: string): string {
  return proxy.slice(0, proxy.indexOf("/"));
}

/** All hosts of a site. */
export function hostsOf({ hostname, proxy }: Pick<SiteRecord, "hostname" | "proxy">): string[] {
  return [...new Set([...(hostname === null ? [] : [hostname]), ...(proxy === null ? [] : [hostOfProxy(proxy)])])];
}

/** The addresses of a site whose hosts are proven. Readers find it only there. */
export function provenAddresses({ hostname, proxy, proven = [] }: SiteRecord): Pick<SiteRecord, "hostname" | "proxy"> {
  return {
    hostname: hostname !== null && proven.includes(hostname) ? hostname : null,
    proxy: proxy !== null && proven.includes(hostOfProxy(proxy)) ? proxy : null,
  };
}

interface Item {
  readonly site: string;
  readonly id: string;
  /** Its position among siblings. Groups and sections without a group are siblings. */
  readonly position: string;
}

/** A section: variants of the same content under one path. */
export type SectionRecord = Item & {
  readonly type: "site-section";
  /** The group that it is in. */
  readonly parent: string | null;
  readonly title: string;
  readonly path: string;
  readonly icon: string | null;
  readonly description: string | null;
  readonly condition: string | null;
  /** The site-space that the section's own URL shows. */
  readonly defaultItem: string;
};

/** A group: a heading over sections. It is not part of any URL. */
export type GroupRecord = Item & {
  readonly type: "site-section-group";
  readonly parent: null;
  readonly title: string;
  readonly icon: string | null;
};

/** A space on a site. */
export type SiteSpaceRecord = Item & {
  readonly type: "site-space";
  /** The section that it is in; null: the root of a site without sections. */
  readonly parent: string | null;
  readonly space: string;
  readonly path: string;
  readonly condition: string | null;
};

export type ItemRecord = SectionRecord | GroupRecord | SiteSpaceRecord;

/** Paths are unique among the sections of a site, and among the site-spaces of a section or of the root. */
function pathOf(item: ItemRecord) {
  if (item.type === "site-section-group") return undefined;
  return [item.site, item.type, item.type === "site-space" ? item.parent : null, item.path];
}

export const siteItems = defineRecordSet("site-item", {
  key: (item: ItemRecord) => [item.site, item.id],
  indexes: {
    ofSite: (item) => [item.site],
    ofSpace: (item) => (item.type === "site-space" ? [item.space] : undefined),
  },
  unique: {
    path: pathOf,
    /** A space is on a site only once, so its pages have one URL there. */
    space: (item) => (item.type === "site-space" ? [item.site, item.space] : undefined),
  },
  totals: { spaces: (item) => (item.type === "site-space" ? [item.site] : undefined) },
});

/**
 * Counts the changes of a site's structure. Decisions by the structure read it, and every change writes it. So one
 * check covers more items than one commit could check.
 */
export const editions = defineRecordSet("site-edition", {
  key: (edition: { readonly site: string; readonly number: number }) => [edition.site],
});

/** The most items of a site. More would slow down every answer with the structure. */
export const MAX_ITEMS = 2000;
/** The most siblings: they are moved and deleted in one commit. */
export const MAX_SIBLINGS = 65;

/** Every item of a site, in any order. */
export async function itemsOf(tx: Reader, site: string): Promise<ItemRecord[]> {
  return (await siteItems.list(tx, "ofSite", { under: [site], limit: MAX_ITEMS + 1 })).map(({ record }) => record);
}
