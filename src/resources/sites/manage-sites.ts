// Sites: creating, changing, publishing and deleting them.

import * as v from "valibot";
import { BooleanParam, foldText, Id, textSchema } from "../../operation/common-schemas";
import { defineOperation } from "../../operation/operation";
import { paginateFiltered, paginateList } from "../../operation/pagination";
import { rejectDuplicates } from "../../operation/reject-duplicates";
import { getNextVerification } from "../../ports/domain-verification";
import { omitUndefined } from "../../utils/objects";
import { contentFrom } from "../content/templates/records";
import { foundSpace } from "../library/spaces/records";
import { organizations } from "../people/organizations/records";
import { organization } from "../people/organizations/rules";
import { freeBasename } from "./addresses/basenames";
import {
  checkAddresses,
  checkHosts,
  holdHosts,
  proveHosts,
  provenHosts,
  releaseHost,
  releaseHosts,
  reserveHosts,
  unprovenHosts,
} from "./addresses/hosts";
import { checkShowing, checkShowingAll, letsMoreIn } from "./audience/right-to-show";
import { makeFirstKey } from "./audience/signing-key";
import { clearSite } from "./clear-site";
import { type Ads, hostsOf, type SiteRecord, sites } from "./records";
import { site } from "./rules";
import { AdsRequest, NewSite, Site, SiteChanges } from "./schema";
import { chooseDefaults } from "./structure/defaults";
import { withSiteSpace } from "./structure/edits";
import { sitesOf, spacesToPublish } from "./structure/publishable";
import { readStructure, saveStructure, spacesOf, structureOf } from "./structure/structure";
import { siteProofs, siteView } from "./views";

/** The templates of the `sample` site. */
const SAMPLE = "product-docs";
/** The longest title of a space. */
const SPACE_TITLE = 50;

export const listSites = defineOperation("GET /orgs/:organizationId/sites", {
  summary: "List the sites of an organization, oldest first",
  description: "`space` lists only those that a space is on, `title` those whose title contains it.",
  target: organization,
  right: "listSites",
  query: { space: v.optional(Id), title: v.optional(textSchema(0, 128)), published: v.optional(BooleanParam) },
  list: Site,
  async handle(context) {
    const { tx, query, pageRequest } = context;
    const walk = (slice: { after?: string | undefined; limit: number }) => sites.list(tx, "byAge", slice);
    const view = (found: readonly SiteRecord[]) => Promise.all(found.map((it) => siteView(context, it)));
    const { space, published } = query;
    if (space === undefined && !query.title && published === undefined)
      return paginateList(pageRequest, walk, await sites.total(tx, "all"), view);
    const withSpace = space === undefined ? undefined : await sitesOf(context, space);
    const title = foldText(query.title ?? "");
    const passes = (it: SiteRecord) =>
      (withSpace?.has(it.id) ?? true) &&
      foldText(it.title).includes(title) &&
      (published === undefined || it.published === published);
    return paginateFiltered(pageRequest, walk, passes, view);
  },
});

export const createSite = defineOperation("POST /orgs/:organizationId/sites", {
  summary: "Create a site",
  description:
    "`spaces` are put on it in their order; `sample` and `empty` make a new space for it, with some pages or with none. A site is not published before it is told to be.",
  target: organization,
  right: "createContent",
  body: NewSite,
  returns: Site,
  status: 201,
  async prepare(context) {
    const { spaces } = context.body;
    if (spaces !== "sample" && spaces !== "empty") return undefined;
    return contentFrom(context, spaces === "sample" ? { id: SAMPLE } : undefined, "body.spaces");
  },
  async handle(context) {
    const { tx, body, now, newId, prepared } = context;
    const title = body.title ?? "Untitled";
    const settings = { emoji: null, visibility: "private", editMode: "live", parent: null } as const;
    const spaces = prepared
      ? [await foundSpace(context, prepared, { ...settings, title: [...title].slice(0, SPACE_TITLE).join("") })]
      : await spacesToPublish(context, Array.isArray(body.spaces) ? body.spaces : [], "body.spaces");
    const id = newId("site");
    const structure = spaces.reduce(
      (before, { id: space, title }) => withSiteSpace(before, { site: id, id: newId("siteSpace"), space, title }),
      structureOf([], null),
    );
    const created: SiteRecord = {
      id,
      title,
      type: body.type ?? "basic",
      visibility: body.visibility ?? "public",
      published: false,
      hostname: null,
      basename: await freeBasename(tx, title),
      proxy: null,
      adaptiveContent: false,
      agentsContext: "included",
      ads: null,
      defaultItem: structure.defaultItem,
      createdAt: now.toISOString(),
    };
    await sites.put(tx, created);
    await makeFirstKey(context, created);
    await saveStructure(tx, created, structureOf([], structure.defaultItem), structure);
    return siteView(context, created);
  },
});

export const getSite = defineOperation("GET /orgs/:organizationId/sites/:siteId", {
  summary: "Get a site",
  target: site,
  right: "view",
  returns: Site,
  async handle(context) {
    return { ...(await siteView(context, context.site)), ...siteProofs(context, context.site) };
  },
});

export const updateSite = defineOperation("PATCH /orgs/:organizationId/sites/:siteId", {
  summary: "Change the settings of a site",
  description:
    "While the site is published, another `visibility` that lets in somebody who was not, and another `adaptiveContent`, take the role create on every space on it. `hostname` and `proxy` say where readers find it; null gives them up. A host counts once it is proven to be the organization's: `domainProofs` says how. It is looked at now, again for three days, and whenever it is sent again. It carries one site by its hostname, or sites in directories that do not lie in each other.",
  target: site,
  right: "edit",
  body: SiteChanges,
  returns: Site,
  async gather({ site, organization, body, ports, urls }) {
    const named = namedHosts(site, body);
    checkHosts(urls, named);
    return provenHosts(ports, organization.id, named);
  },
  async prepare(context) {
    const named = namedHosts(context.site, context.body);
    return reserveHosts(
      context,
      context.gathered.filter((host) => named.includes(host)),
    );
  },
  async handle(context) {
    const { tx, organization, site, body, prepared, now, ports, enqueueJob } = context;
    const before = await readStructure(tx, site);
    const after = chooseDefaults(before, body);
    const addresses = addressesAfter(site, body);
    const proven = await holdHosts(tx, site, addresses, prepared);
    const isNamed = namedHosts(site, body).some((host) => !proven.includes(host));
    const changed: SiteRecord = {
      ...site,
      ...addresses,
      proven,
      ...omitUndefined({ namedAt: isNamed ? now.toISOString() : undefined }),
      title: body.title ?? site.title,
      visibility: body.visibility ?? site.visibility,
      basename: body.basename ?? site.basename,
      adaptiveContent: body.adaptiveContent?.enabled ?? site.adaptiveContent,
      agentsContext: body.agentsContext ?? site.agentsContext,
      defaultItem: after.defaultItem,
    };
    if (letsMoreIn(site, changed)) await checkShowing(context, spacesOf(before));
    await checkAddresses(tx, changed);
    await rejectDuplicates(sites.put(tx, changed), "basename_taken");
    if (changed.visibility !== site.visibility) await makeFirstKey(context, changed);
    if (after !== before) await saveStructure(tx, changed, before, after);
    for (const host of await releaseHosts(tx, site, changed))
      enqueueJob(releaseHost, { organization: organization.id, host });
    if (isNamed && ports.domainVerifier.canVerify) {
      const named = { organization: organization.id, site: site.id, namedAt: changed.namedAt! };
      enqueueJob(proveHosts, named, getNextVerification(named.namedAt, now));
    }
    return { ...(await siteView(context, changed)), ...siteProofs(context, changed) };
  },
});

export const deleteSite = defineOperation("DELETE /orgs/:organizationId/sites/:siteId", {
  summary: "Delete a site; the spaces on it stay",
  target: site,
  right: "edit",
  async handle({ tx, organization, site, emit, enqueueJob }) {
    await sites.delete(tx, site.id);
    if (organization.defaultSite === site.id) await organizations.put(tx, { ...organization, defaultSite: null });
    for (const host of await releaseHosts(tx, site, { hostname: null, proxy: null }))
      enqueueJob(releaseHost, { organization: organization.id, host });
    if (site.published) emit({ type: "site_unpublished", siteId: site.id });
    enqueueJob(clearSite, { organization: organization.id, site: site.id });
  },
});

export const publishSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/publish", {
  summary: "Publish a site: its audience reaches it from now on",
  description: "You need the role create on every space on it, and on the sources of translations.",
  target: site,
  right: "edit",
  returns: Site,
  async handle(context) {
    const { tx, site, emit } = context;
    const changed = { ...site, published: true };
    if (letsMoreIn(site, changed)) await checkShowingAll(context, changed);
    await sites.put(tx, changed);
    if (!site.published) emit({ type: "site_published", siteId: site.id });
    return siteView(context, changed);
  },
});

export const unpublishSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/unpublish", {
  summary: "Take a site off: nobody but the organization's own people sees it any more",
  target: site,
  right: "edit",
  returns: Site,
  async handle(context) {
    const { tx, site, emit } = context;
    const changed = { ...site, published: false };
    await sites.put(tx, changed);
    if (site.published) emit({ type: "site_unpublished", siteId: site.id });
    return siteView(context, changed);
  },
});

export const updateSiteAds = defineOperation("POST /orgs/:organizationId/sites/:siteId/ads", {
  summary: "Ask for ads on a site, or switch them off",
  description:
    "`in-review` asks for them; ads that are shown already stay as they are, with another topic they are looked at again. `disabled` switches off those that were shown, and takes back what was only asked for.",
  target: site,
  right: "edit",
  body: AdsRequest,
  async handle({ tx, site, body }) {
    await sites.put(tx, { ...site, ads: adsAfter(site.ads, body) });
  },
});

function addressesAfter(
  site: SiteRecord,
  { hostname = site.hostname, proxy = site.proxy }: v.InferOutput<typeof SiteChanges>,
): Pick<SiteRecord, "hostname" | "proxy"> {
  return { hostname, proxy };
}

/** The unproven hosts that a change names, whether they are new or not. */
function namedHosts(site: SiteRecord, body: v.InferOutput<typeof SiteChanges>): string[] {
  if (body.hostname === undefined && body.proxy === undefined) return [];
  return unprovenHosts({
    ...addressesAfter(site, body),
    proven: hostsOf(site).filter((it) => site.proven?.includes(it)),
  });
}

function adsAfter(ads: Ads | null, { status, topic }: v.InferOutput<typeof AdsRequest>): Ads {
  const zoneId = ads && "zoneId" in ads ? ads.zoneId : undefined;
  if (status === "disabled")
    return zoneId === undefined ? { status: "pending", submittable: true } : { status: "disabled", topic, zoneId };
  return ads?.status === "live" && ads.topic === topic ? ads : { status: "in-review", topic };
}
