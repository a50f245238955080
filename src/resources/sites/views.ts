// Sites on the wire.

import type * as v from "valibot";
import type { Ports } from "../../ports/ports";
import type { Urls } from "../../ports/urls";
import type { Reader } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { OrganizationRecord } from "../people/organizations/records";
import type { DomainProof } from "../people/organizations/schema";
import { publishedUrl, siteUrlBehindProxy } from "./addresses/addresses";
import { overridesOf } from "./look/customization-records";
import { hostsOf, type SiteRecord, siteItems } from "./records";
import { type InSite, site as siteTarget } from "./rules";
import type { Site } from "./schema";

/** How the hosts of a site are proven, for those who may change them. */
export function siteProofs(
  context: InSite & { readonly ports: Pick<Ports, "domainVerifier"> },
  { proven = [], ...addresses }: SiteRecord,
): { domainProofs?: v.InferOutput<typeof DomainProof>[] } {
  if (!siteTarget.rights.edit(context)) return {};
  const { domainVerifier: domains } = context.ports;
  const domainProofs = hostsOf(addresses).map((domain) => ({
    domain,
    verified: proven.includes(domain),
    record: domains.getProofRecord(context.organization.id, domain),
  }));
  return domainProofs.length === 0 ? {} : { domainProofs };
}

export interface Answering {
  readonly tx: Reader;
  readonly organization: OrganizationRecord;
  readonly urls: Urls;
}

/** The settings of a site's look that can be changed. */
const CUSTOMIZATIONS = [
  "header-logo",
  "theme-preset",
  "premium-fonts",
  "custom-icons",
  "footer-logo",
  "footer-links",
  "footer-copyright",
  "semantic-colors",
];

/** The features of the interface that are here. On your own server every site has them, whatever its type. */
const HERE = [
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

const FEATURES: v.InferOutput<typeof Site>["features"] = HERE.map((id) => ({
  id,
  plan: "basic",
  frozen: false,
  ...omitUndefined({ customizations: id === "sites-advanced-customization" ? CUSTOMIZATIONS : undefined }),
}));

/** A site on the wire. For a visitor `siteSpaces` are the visible ones; without it all are counted. */
export async function siteView(
  { tx, organization, urls }: Answering,
  site: SiteRecord,
  shareKey?: string,
  siteSpaces?: number,
): Promise<v.InferOutput<typeof Site>> {
  const { id, type, title, hostname, basename, proxy, visibility, published, createdAt, ads } = site;
  const icon = (await overridesOf(tx, id, null))?.favicon;
  const shown = publishedUrl({ site, organization, urls }, shareKey);
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
      proxy: proxy === null ? undefined : { origin: proxy, target: siteUrlBehindProxy(site, organization, urls) },
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
      ...omitUndefined({ published: shown }),
    },
  };
}
