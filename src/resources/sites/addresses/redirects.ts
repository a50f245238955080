// The redirects of a site: the operations on them, and the lookup of a path. Redirects never form a loop. Of two that are created at
// the same time, the second is checked against the first.

import type * as v from "valibot";
import { createError, createValidationError, DocsError } from "../../../errors";
import { type CallContext, defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import type { Target, TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import type { OrganizationContext } from "../../people/organizations/rules";
import { loadEditableSite, publishedSite, type SiteMemberContext, site } from "../rules";
import { visitorQuery } from "../schema";
import { getSiteSpaces, isSiteSpace, readStructure, type Structure } from "../structure/structure";
import { getPathOnSite } from "./locate-site";
import { type RedirectRecord, redirects } from "./redirect-records";
import {
  type NewDestination,
  NewSiteRedirect,
  NewSiteRedirects,
  type RedirectDestination,
  RedirectTarget,
  SiteRedirect,
  SiteRedirectChanges,
  SiteRedirects,
  SourcePath,
} from "./redirect-schema";
import { MAX_REDIRECTS, resolveSitePath } from "./resolve-path";
import { checkTargets, type LinkTargetField, type SiteTarget } from "./targets";
import { formatUrlPath } from "./url-paths";

const redirectPath = "/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId";

const DESTINATION_FIELDS: NonNullable<LinkTargetField["names"]> = {
  space: "siteSpaceId",
  page: "pageId",
  siteSpace: "siteSpaceId",
  siteSection: "siteSectionId",
};

/** A redirect, for the editors of its site. Nobody else can see it, because it may name hidden content. */
const siteRedirect: Target<SiteMemberContext & { readonly redirect: RedirectRecord }, "edit"> = {
  findPartition: site.findPartition,
  async load(scope: TargetContext) {
    const siteContext = await loadEditableSite(scope);
    const redirect = await redirects.get(scope.tx, siteContext.site.id, scope.params.siteRedirectId!);
    return redirect && { ...siteContext, redirect };
  },
  notFoundReason: "redirect_not_found",
  rights: site.rights,
};

export const listSiteRedirects = defineOperation("GET /orgs/:organizationId/sites/:siteId/redirects", {
  summary: "List the redirects of a site, oldest first",
  target: site,
  right: "edit",
  list: SiteRedirect,
  async handle(context) {
    const { tx, site, ports } = context;
    const presentRedirect = createRedirectPresenter(context, await readStructure(tx, site, ports));
    return paginateGroup(context, redirects, "ofSite", [site.id], (records) => records.map(presentRedirect));
  },
});

export const createSiteRedirect = defineOperation("POST /orgs/:organizationId/sites/:siteId/redirects", {
  summary: "Set where a path of a site leads",
  description:
    "What shows content is never redirected: a redirect waits until nothing is shown at its source. One that would lead back to where it begins is refused.",
  target: site,
  right: "edit",
  body: NewSiteRedirect,
  returns: SiteRedirect,
  status: 201,
  async handle(context) {
    const [created] = await createRedirects(context, [context.body], () => "body");
    return created!;
  },
});

export const createSiteRedirects = defineOperation("POST /orgs/:organizationId/sites/:siteId/redirects/bulk", {
  summary: "Set where many paths of a site lead, all of them or none",
  description: "Each is set as by itself, in their order. A refusal names the first that cannot be.",
  target: site,
  right: "edit",
  body: NewSiteRedirects,
  returns: SiteRedirects,
  status: 201,
  handle: async (context) => ({
    redirects: await createRedirects(context, context.body.redirects, (i) => `body.redirects.${i}`),
  }),
});

export const getSiteRedirect = defineOperation(`GET ${redirectPath}`, {
  summary: "Get a redirect of a site",
  target: siteRedirect,
  right: "edit",
  returns: SiteRedirect,
  async handle(context) {
    return createRedirectPresenter(
      context,
      await readStructure(context.tx, context.site, context.ports),
    )(context.redirect);
  },
});

export const updateSiteRedirect = defineOperation(`PATCH ${redirectPath}`, {
  summary: "Change a redirect of a site",
  target: siteRedirect,
  right: "edit",
  body: SiteRedirectChanges,
  returns: SiteRedirect,
  async handle(context) {
    const { tx, site, body, redirect } = context;
    const structure = await readStructure(tx.unchecked, site);
    const destinations = body.destination ? [[body.destination, "body.destination"] as const] : [];
    const [destination = redirect.destination] = await checkDestinations(context, structure, destinations);
    const changed = { ...redirect, source: body.source ?? redirect.source, destination };
    await saveRedirect(context, changed, "body");
    return createRedirectPresenter(context, structure)(changed);
  },
});

export const deleteSiteRedirect = defineOperation(`DELETE ${redirectPath}`, {
  summary: "Delete a redirect of a site",
  target: siteRedirect,
  right: "edit",
  handle: ({ tx, site, redirect }) => redirects.delete(tx, site.id, redirect.id),
});

export const getSiteRedirectTarget = defineOperation("GET /orgs/:organizationId/sites/:siteId/redirect", {
  summary: "Get where a path of a published site leads, if nothing is shown there",
  description:
    "Follows redirects to their end, the paths that pages had once, and the longer forms of what has a shorter URL. What the visitor may not see is not there.",
  target: publishedSite,
  right: "view",
  query: { ...visitorQuery, source: SourcePath },
  returns: RedirectTarget,
  cache: "unless-elsewhere",
  async handle(context) {
    const { query, tx, site } = context;
    const structure = await readStructure(tx, site);
    const path = query.source.split("/").filter((segment) => segment !== "");
    const resolution = await resolveSitePath({ ...context, structure }, path);
    if (resolution?.is !== "redirect") throw createError("redirect_not_found");
    const { url, redirect: id } = resolution;
    const redirect = id === undefined ? undefined : await redirects.get(tx, site.id, id);
    const presentRedirect = createRedirectPresenter(context, structure);
    return {
      source: query.source,
      target: url,
      ...omitUndefined({ redirect: redirect && presentRedirect(redirect) }),
    };
  },
});

type RedirectSaveContext = Pick<SiteMemberContext, "site" | "organization"> & Pick<CallContext, "tx" | "urls">;
type DestinationCheckContext = Parameters<typeof checkTargets>[0];

/** Creates redirects. `getField` returns the field of the body that has the redirect with an index. */
async function createRedirects(
  context: RedirectSaveContext &
    DestinationCheckContext & { readonly now: Date; readonly newId: (kind: "siteRedirect") => string },
  newRedirects: readonly v.InferOutput<typeof NewSiteRedirect>[],
  getField: (index: number) => string,
): Promise<v.InferOutput<typeof SiteRedirect>[]> {
  const { tx, site, now, newId } = context;
  const structure = await readStructure(tx.unchecked, site);
  const destinations = await checkDestinations(
    context,
    structure,
    newRedirects.map(({ destination }, i) => [destination, `${getField(i)}.destination`]),
  );
  const created = newRedirects.map(({ source }, i) => ({
    site: site.id,
    id: newId("siteRedirect"),
    source,
    destination: destinations[i]!,
    createdAt: now.toISOString(),
  }));
  for (const [i, redirect] of created.entries()) await saveRedirect(context, redirect, getField(i));
  return created.map(createRedirectPresenter(context, structure));
}

/** Returns destinations as they are stored. Refuses targets that aren't on the site or that the caller may not see. */
async function checkDestinations(
  context: DestinationCheckContext,
  structure: Structure,
  destinations: readonly (readonly [destination: NewDestination, field: string])[],
): Promise<RedirectRecord["destination"][]> {
  const targets = destinations.map(([destination, field]) => {
    let target: SiteTarget;
    if (destination.kind === "site-section")
      target = { kind: destination.kind, siteSection: destination.siteSectionId };
    else if (destination.kind === "site-space")
      target = { kind: destination.kind, siteSpace: destination.siteSpaceId };
    else if (destination.kind !== "page") target = { kind: "url", url: destination.url };
    else {
      // A page is stored with its space and not with its site-space, so that a redirect still leads to it when the space moves to
      // another place on the site.
      const siteSpace = structure.get(destination.siteSpaceId);
      // The message is the same as for a space that the caller may not read.
      if (!isSiteSpace(siteSpace)) throw createValidationError(`${field}.siteSpaceId`, "Space not found on this site");
      target = { kind: "page", space: siteSpace.space, page: destination.pageId };
    }
    return { target, at: field, names: DESTINATION_FIELDS };
  });
  await checkTargets(context, targets);
  return targets.map(({ target }) => target);
}

/** Saves a redirect unless it forms a loop or its source is taken. The error names `field` of the body. */
async function saveRedirect(context: RedirectSaveContext, redirect: RedirectRecord, field: string): Promise<void> {
  const { tx, site } = context;
  // The redirects from its destination are followed. The commit fails if one of them changes in the meantime.
  let target = redirect.destination;
  for (let hop = 0; ; hop++) {
    if (hop === MAX_REDIRECTS)
      throw createValidationError(
        `${field}.destination`,
        `Expected at most ${MAX_REDIRECTS} redirects after each other`,
      );
    const path = target.kind === "url" ? getPathOnSite(context, target.url) : undefined;
    if (!path) break;
    if (formatUrlPath(path) === redirect.source)
      throw new DocsError("redirect_loop", {
        issues: [{ path: `${field}.destination`, message: createError("redirect_loop").message }],
      });
    const next = await redirects.find(tx, "source", site.id, formatUrlPath(path));
    if (!next || next.id === redirect.id) break;
    target = next.destination;
  }
  await rejectDuplicates(
    redirects.put(tx, redirect),
    new DocsError("redirect_taken", {
      issues: [{ path: `${field}.source`, message: createError("redirect_taken").message }],
    }),
  );
}

function createRedirectPresenter(
  { organization, urls }: Pick<OrganizationContext, "organization"> & { readonly urls: Urls },
  structure: Structure,
) {
  return ({ site, id, source, destination, createdAt }: RedirectRecord): v.InferOutput<typeof SiteRedirect> => {
    const location = urls.api(`/orgs/${organization.id}/sites/${site}/redirects/${id}`);
    let view: RedirectDestination;
    if (destination.kind === "url") view = destination;
    else if (destination.kind === "site-section")
      view = { kind: "site-section", siteSectionId: destination.siteSection };
    else if (destination.kind === "site-space") view = { kind: "site-space", siteSpaceId: destination.siteSpace };
    else {
      const siteSpace = getSiteSpaces(structure).find(({ space }) => space === destination.space);
      const siteSpaceId = siteSpace ? { siteSpaceId: siteSpace.id } : {};
      view =
        destination.kind === "space"
          ? { kind: "site-space", ...siteSpaceId }
          : { kind: "page", ...siteSpaceId, pageId: destination.page };
    }
    return { object: "site-redirect", id, source, destination: view, createdAt, urls: { location } };
  };
}
