// Presents sites on the wire.

import type * as v from "valibot";
import type { CallContext } from "../../operation/operation";
import { getPermissions, type TargetContext } from "../../operation/target";
import type { Ports } from "../../ports/ports";
import { omitUndefined } from "../../utils/objects";
import type { OrganizationRecord } from "../people/organizations/records";
import type { DomainProof } from "../people/organizations/schema";
import { getPublishedUrl, getSiteUrlBehindProxy } from "./addresses/site-urls";
import { loadOverrides } from "./customization/customization-records";
import { listSiteHosts, type SiteRecord, siteItems } from "./records";
import { type SiteMemberContext, site as siteTarget } from "./rules";
import type { Site } from "./schema";

/** Returns the ownership proofs of a site's hosts, for callers who may change the hosts. */
export function presentDomainProofs(
  context: SiteMemberContext & { readonly ports: Pick<Ports, "domainVerifier"> },
  { proven = [], ...addresses }: SiteRecord,
): { domainProofs?: v.InferOutput<typeof DomainProof>[] } {
  if (!siteTarget.rights.edit(context)) return {};
  const { domainVerifier } = context.ports;
  const domainProofs = listSiteHosts(addresses).map((domain) => ({
    domain,
    verified: proven.includes(domain),
    record: domainVerifier.getProofRecord(context.organization.id, domain),
  }));
  return domainProofs.length === 0 ? {} : { domainProofs };
}

export interface SiteViewContext extends Pick<TargetContext, "tx">, Pick<CallContext, "urls"> {
  readonly organization: OrganizationRecord;
}

/** The customization settings that this server supports. */
const CUSTOMIZATION_FEATURES = [
  "header-logo",
  "theme-preset",
  "premium-fonts",
  "custom-icons",
  "footer-logo",
  "footer-links",
  "footer-copyright",
  "semantic-colors",
];

/** The features that this server supports. Every site has them, whatever its type. */
const FEATURE_IDS = [
  "sites-adaptive-content",
  "sites-advanced-customization",
  "sites-basic-customization",
  "sites-custom-domain",
  "sites-custom-fonts",
  "sites-custom-subdirectory",
  "sites-full-text-search",
  "sites-multivariant-site",
  "sites-page-feedback",
  "sites-preview-deployments",
  "sites-public-visibility",
  "sites-redirects",
  "sites-search-insights",
  "sites-sections",
  "sites-seo",
  "sites-share-links",
  "sites-unlisted-visibility",
  "sites-visitor-authentication",
];

const FEATURES: v.InferOutput<typeof Site>["features"] = FEATURE_IDS.map((id) => ({
  id,
  plan: "basic",
  frozen: false,
  ...omitUndefined({ customizations: id === "sites-advanced-customization" ? CUSTOMIZATION_FEATURES : undefined }),
}));

/** Presents a site. `siteSpaces` is the number of spaces that the caller sees; by default all are counted. */
export async function presentSite(
  { tx, organization, urls }: SiteViewContext,
  site: SiteRecord,
  shareKey?: string,
  siteSpaces?: number,
): Promise<v.InferOutput<typeof Site>> {
  const { id, type, title, hostname, basename, proxy, visibility, published, createdAt, ads } = site;
  const icon = (await loadOverrides(tx, id, null))?.favicon;
  const publishedUrl = getPublishedUrl({ site, organization, urls }, shareKey);
  return {
    object: "site",
    id,
    type,
    title,
    ...omitUndefined({
      icon: icon && Object.keys(icon).length > 0 ? icon : undefined,
      hostname: hostname === null ? undefined : hostname,
    }),
    basename,
    ...omitUndefined({
      proxy: proxy === null ? undefined : { origin: proxy, target: getSiteUrlBehindProxy(site, organization, urls) },
    }),
    visibility,
    published,
    siteSpaces: siteSpaces ?? (await siteItems.total(tx, "spaces", id)),
    createdAt,
    adaptiveContent: { enabled: site.adaptiveContent },
    ...omitUndefined({ ads: ads === null ? undefined : ads }),
    agentsContext: site.agentsContext,
    features: FEATURES,
    urls: {
      location: urls.api(`/orgs/${organization.id}/sites/${id}`),
      app: urls.app(`/o/${organization.id}/sites/${id}`),
      ...omitUndefined({ published: publishedUrl }),
    },
  };
}

/** Presents a site with the permissions of a member on it. */
export async function presentSiteToMember(
  context: SiteViewContext & SiteMemberContext,
  site: SiteRecord,
): Promise<v.InferOutput<typeof Site>> {
  const permissions = getPermissions(siteTarget, { ...context, site }, ["view", "edit", "admin"]);
  return { ...(await presentSite(context, site)), permissions };
}
