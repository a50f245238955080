// Operations that create, change, publish and delete sites.

import * as v from "valibot";
import { findFreeNumber } from "../../content/free-number";
import { addNumberToSlug, createSlug } from "../../content/slugs";
import { createError, createValidationError } from "../../errors";
import { BooleanParam, foldText, Id, textSchema } from "../../operation/common-schemas";
import { defineOperation } from "../../operation/operation";
import { paginateFiltered, paginateList } from "../../operation/pagination";
import { rejectDuplicates } from "../../operation/reject-duplicates";
import { getNextVerification } from "../../ports/domain-verification";
import { replaceWildcard } from "../../ports/urls";
import { omitUndefined } from "../../utils/objects";
import { parseUrl } from "../../utils/url";
import { prepareTemplateContent } from "../content/templates/records";
import type { PreparedContent, SpaceCreation } from "../library/spaces/content";
import { createSpaceRecord } from "../library/spaces/records";
import type { SpaceRecord } from "../library/tree/records";
import { organizations, verifyDomains } from "../people/organizations/records";
import { organization } from "../people/organizations/rules";
import {
  confirmHosts,
  listUnprovenHosts,
  proveHosts,
  rejectOverlappingAddresses,
  releaseHost,
  releaseHosts,
  reserveHost,
} from "./addresses/hosts";
import { checkMayShowSite, checkMayShowSpaces, isAudienceWidened } from "./audience/right-to-show";
import { createFirstSigningKey } from "./audience/signing-key";
import { clearSite } from "./clear-site";
import { type Ads, listSiteHosts, type SiteRecord, sites } from "./records";
import { site } from "./rules";
import { AdsRequest, NewSite, Site, SiteChanges, SiteStructure } from "./schema";
import { addSiteSpace, setDefaultItem } from "./structure/edit-structure";
import { siteWithStructure } from "./structure/item-rules";
import { getPublishableSpaces, listSitesWithSpace } from "./structure/publishable-spaces";
import { saveAndPresent } from "./structure/save-changes";
import {
  createStructure,
  getSpaceIds,
  isSection,
  isSiteSpace,
  readStructure,
  type Structure,
  saveStructure,
} from "./structure/structure";
import { presentDomainProofs, presentSite, presentSiteToMember } from "./views";

const SAMPLE_TEMPLATE = "product-docs";
/** Maximum number of characters in the title of a space. */
const MAX_SPACE_TITLE = 50;

export const listSites = defineOperation("GET /orgs/:organizationId/sites", {
  summary: "List sites",
  target: organization,
  right: "listSites",
  query: { space: v.optional(Id), title: v.optional(textSchema(0, 128)), published: v.optional(BooleanParam) },
  list: Site,
  async handle(context) {
    const { tx, query, pageRequest } = context;
    const readRows = (slice: { after?: string | undefined; limit: number }) => sites.list(tx, "byAge", slice);
    const present = (records: readonly SiteRecord[]) => Promise.all(records.map((site) => presentSite(context, site)));
    const { space, published } = query;
    if (space === undefined && !query.title && published === undefined)
      return paginateList(pageRequest, readRows, await sites.total(tx, "all"), present);
    const sitesWithSpace = space === undefined ? undefined : await listSitesWithSpace(context, space);
    const searchText = foldText(query.title ?? "");
    const matches = (site: SiteRecord) =>
      (sitesWithSpace?.has(site.id) ?? true) &&
      foldText(site.title).includes(searchText) &&
      (published === undefined || site.published === published);
    return paginateFiltered(pageRequest, readRows, matches, present);
  },
});

export const createSite = defineOperation("POST /orgs/:organizationId/sites", {
  summary: "Create a site",
  target: organization,
  right: "createContent",
  body: NewSite,
  returns: Site,
  status: 201,
  async prepare(context) {
    const { spaces } = context.body;
    if (spaces !== "sample" && spaces !== "empty") return undefined;
    return prepareTemplateContent(context, spaces === "sample" ? { id: SAMPLE_TEMPLATE } : undefined, "body.spaces");
  },
  async handle(context) {
    const { tx, body, now, newId, prepared } = context;
    const title = body.title ?? "Untitled";
    const spaces = prepared
      ? [await createFirstSpace(context, prepared, title)]
      : await getPublishableSpaces(context, Array.isArray(body.spaces) ? body.spaces : [], "body.spaces");
    const id = newId("site");
    const slug = createSlug(title);
    const getBasename = (number: number) => (number === 0 ? slug : addNumberToSlug(slug, number));
    const isTaken = async (number: number) => (await sites.find(tx, "basename", getBasename(number))) !== undefined;
    const structure = spaces.reduce(
      (structure, { id: space, title }) => addSiteSpace(structure, { site: id, id: newId("siteSpace"), space, title }),
      createStructure([], null),
    );
    const created: SiteRecord = {
      id,
      title,
      type: body.type ?? "basic",
      visibility: body.visibility ?? "public",
      published: false,
      hostname: null,
      basename: getBasename(await findFreeNumber(isTaken)),
      proxy: null,
      adaptiveContent: false,
      agentsContext: "included",
      ads: null,
      defaultItem: structure.defaultItem,
      createdAt: now.toISOString(),
    };
    await sites.put(tx, created);
    await createFirstSigningKey(context, created);
    await saveStructure(tx, created, createStructure([], structure.defaultItem), structure);
    return presentSiteToMember({ ...context, site: created, role: context.me!.role }, created);
  },
});

export const applySiteTemplate = defineOperation("POST /orgs/:organizationId/sites/:siteId/template", {
  summary: "Apply a template to a site",
  target: siteWithStructure,
  right: "edit",
  returns: SiteStructure,
  async prepare(context) {
    checkIsEmpty(context.structure);
    return prepareTemplateContent(context, { id: SAMPLE_TEMPLATE }, "body");
  },
  async handle(context) {
    const { site, structure, newId } = context;
    checkIsEmpty(structure);
    const { id: space, title } = await createFirstSpace(context, context.prepared, site.title);
    const added = { site: site.id, id: newId("siteSpace"), space, title };
    return (await saveAndPresent(context, addSiteSpace(structure, added))).presentStructure();
  },
});

function checkIsEmpty(structure: Structure): void {
  if (getSpaceIds(structure).length > 0) throw createError("site_not_empty");
}

/** Creates the first space of a site at the top of the organization. It has the title of the site. */
function createFirstSpace(context: SpaceCreation, content: PreparedContent, title: string): Promise<SpaceRecord> {
  const settings = { emoji: null, visibility: "private", editMode: "live", parent: null } as const;
  return createSpaceRecord(context, content, {
    ...settings,
    title: [...title].slice(0, MAX_SPACE_TITLE).join(""),
  });
}

export const getSite = defineOperation("GET /orgs/:organizationId/sites/:siteId", {
  summary: "Get a site",
  target: site,
  right: "view",
  returns: Site,
  handle: async (context) => ({
    ...(await presentSiteToMember(context, context.site)),
    ...presentDomainProofs(context, context.site),
  }),
});

export const updateSite = defineOperation("PATCH /orgs/:organizationId/sites/:siteId", {
  summary: "Update a site",
  target: site,
  right: "edit",
  body: SiteChanges,
  returns: Site,
  async gather({ site, organization, body, ports, urls }) {
    const hosts = listHostsToProve(site, body);
    // Nobody can claim the hosts of the server itself.
    const ownSites = parseUrl(replaceWildcard(urls.sites.origin, "x"));
    const serverHosts = [urls.app("/"), urls.api("/")].map((url) => parseUrl(url).hostname).concat(ownSites.hostname);
    // Cookies are shared by all ports of a host.
    const port = ownSites.port && `:${ownSites.port}`;
    if (hosts.some((host) => serverHosts.includes(host) || urls.sites.findByHost(host + port) !== undefined))
      throw createError("site_host_taken");
    return verifyDomains(ports, organization.id, "site", hosts);
  },
  async prepare(context) {
    const hosts = listHostsToProve(context.site, context.body);
    // Each proven host has an attempt that the transaction confirms.
    const attempts = new Map<string, string>();
    for (const host of context.gathered) {
      if (!hosts.includes(host)) continue;
      const attempt = await reserveHost(context, host);
      if (attempt === undefined) throw createError("site_host_taken");
      attempts.set(host, attempt);
    }
    return attempts;
  },
  async handle(context) {
    const { tx, organization, site, body, prepared, now, ports, enqueueJob } = context;
    const before = await readStructure(tx, site);
    let after = before;
    if (body.defaultSiteSection !== undefined) {
      const section = before.get(body.defaultSiteSection);
      if (!isSection(section)) throw createValidationError("body.defaultSiteSection", "Section not found on this site");
      after = setDefaultItem(after, section);
    }
    if (body.defaultSiteSpace !== undefined) {
      const siteSpace = after.get(body.defaultSiteSpace);
      if (!isSiteSpace(siteSpace) || (siteSpace.parent !== null && siteSpace.parent !== after.defaultItem))
        throw createValidationError(
          "body.defaultSiteSpace",
          "Site-space not found at the root of this site or in its default section",
        );
      after = setDefaultItem(after, siteSpace);
    }
    const { hostname = site.hostname, proxy = site.proxy } = body;
    const addresses = { hostname, proxy };
    const proven = await confirmHosts(tx, site, addresses, prepared);
    const hasUnprovenHosts = listHostsToProve(site, body).some((host) => !proven.includes(host));
    const changed: SiteRecord = {
      ...site,
      ...addresses,
      proven,
      ...omitUndefined({ namedAt: hasUnprovenHosts ? now.toISOString() : undefined }),
      title: body.title ?? site.title,
      visibility: body.visibility ?? site.visibility,
      basename: body.basename ?? site.basename,
      adaptiveContent: body.adaptiveContent?.enabled ?? site.adaptiveContent,
      agentsContext: body.agentsContext ?? site.agentsContext,
      defaultItem: after.defaultItem,
    };
    if (isAudienceWidened(site, changed)) await checkMayShowSpaces(context, getSpaceIds(before));
    await rejectOverlappingAddresses(tx, changed);
    await rejectDuplicates(sites.put(tx, changed), "basename_taken");
    if (changed.visibility !== site.visibility) await createFirstSigningKey(context, changed);
    if (after !== before) await saveStructure(tx, changed, before, after);
    for (const host of await releaseHosts(tx, site, changed))
      enqueueJob(releaseHost, { organization: organization.id, host });
    if (hasUnprovenHosts && ports.domainVerifier.canVerify) {
      const proof = { organization: organization.id, site: site.id, namedAt: changed.namedAt! };
      enqueueJob(proveHosts, proof, getNextVerification(proof.namedAt, now));
    }
    return { ...(await presentSiteToMember(context, changed)), ...presentDomainProofs(context, changed) };
  },
});

export const deleteSite = defineOperation("DELETE /orgs/:organizationId/sites/:siteId", {
  summary: "Delete a site",
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
  summary: "Publish a site",
  target: site,
  right: "edit",
  returns: Site,
  async handle(context) {
    const { tx, site, emit } = context;
    const changed = { ...site, published: true };
    if (isAudienceWidened(site, changed)) await checkMayShowSite(context, changed);
    await sites.put(tx, changed);
    if (!site.published) emit({ type: "site_published", siteId: site.id });
    return presentSiteToMember(context, changed);
  },
});

export const unpublishSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/unpublish", {
  summary: "Unpublish a site",
  target: site,
  right: "edit",
  returns: Site,
  async handle(context) {
    const { tx, site, emit } = context;
    const changed = { ...site, published: false };
    await sites.put(tx, changed);
    if (site.published) emit({ type: "site_unpublished", siteId: site.id });
    return presentSiteToMember(context, changed);
  },
});

export const updateSiteAds = defineOperation("POST /orgs/:organizationId/sites/:siteId/ads", {
  summary: "Update the ads of a site",
  target: site,
  right: "edit",
  body: AdsRequest,
  async handle({ tx, site, body }) {
    const { status, topic } = body;
    const { ads } = site;
    const zoneId = ads && "zoneId" in ads ? ads.zoneId : undefined;
    let changed: Ads;
    if (status === "disabled" && zoneId === undefined) changed = { status: "pending", submittable: true };
    else if (status === "disabled") changed = { status, topic, zoneId: zoneId! };
    else if (ads?.status === "live" && ads.topic === topic) changed = ads;
    else changed = { status, topic };
    await sites.put(tx, { ...site, ads: changed });
  },
});

/** Returns the unproven hosts in the body of a change, whether they are new to the site or not. */
function listHostsToProve(site: SiteRecord, body: v.InferOutput<typeof SiteChanges>): string[] {
  if (body.hostname === undefined && body.proxy === undefined) return [];
  const { hostname = site.hostname, proxy = site.proxy } = body;
  return listUnprovenHosts({
    hostname,
    proxy,
    proven: listSiteHosts(site).filter((host) => site.proven?.includes(host)),
  });
}
