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
import { findLiveRedirect, type RedirectRecord, redirects } from "./redirect-records";
import {
  type NewDestination,
  NewSiteRedirect,
  NewSiteRedirects,
  type RedirectDestination,
  RedirectTarget,
  SiteRedirect,
  SiteRedirectChanges,
  SiteRedirectResults,
  SiteRedirects,
  SiteRedirectUpserts,
  SourcePath,
} from "./redirect-schema";
import { MAX_REDIRECTS, resolveSitePath } from "./resolve-path";
import { findTargetRefusals, type LinkTargetField, type SiteTarget } from "./targets";
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
  summary: "List redirects",
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
  summary: "Create a redirect",
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
  summary: "Create redirects in bulk",
  target: site,
  right: "edit",
  body: NewSiteRedirects,
  returns: SiteRedirects,
  status: 201,
  handle: async (context) => ({
    redirects: await createRedirects(context, context.body.redirects, (i) => `body.redirects.${i}`),
  }),
});

export const upsertSiteRedirects = defineOperation("PUT /orgs/:organizationId/sites/:siteId/redirects", {
  summary: "Update redirects in bulk",
  target: site,
  right: "edit",
  body: SiteRedirectUpserts,
  returns: SiteRedirectResults,
  async handle(context) {
    const { tx, site, body, now, newId } = context;
    const structure = await readStructure(tx.unchecked, site);
    const presentRedirect = createRedirectPresenter(context, structure);
    const destinations = await resolveDestinations(
      context,
      structure,
      body.redirects.flatMap(({ destination }, i) =>
        destination ? [[destination, `body.redirects.${i}.destination`] as const] : [],
      ),
    );
    const results: v.InferInput<typeof SiteRedirectResults>["results"] = [];
    for (const [i, { source, destination, intent }] of body.redirects.entries()) {
      const resolved = destination ? destinations.shift()! : undefined;
      try {
        if (resolved instanceof DocsError) throw resolved;
        const existing = await redirects.find(tx, "source", site.id, source);
        if (destination === null) {
          if (existing) await redirects.delete(tx, site.id, existing.id);
          results.push({ source, status: "deleted" });
          continue;
        }
        const { draft, ...before } = existing ?? {
          ...{ site: site.id, id: newId("siteRedirect"), source, createdAt: now.toISOString(), draft: undefined },
          destination: undefined,
        };
        const target = resolved ?? before.destination;
        if (!target)
          throw createValidationError(
            `body.redirects.${i}.destination`,
            "Expected a destination, because no redirect has this source",
          );
        const isDraft = intent === undefined ? draft === true : intent === "draft";
        const changed = { ...before, destination: target, ...(isDraft ? { draft: true as const } : {}) };
        await saveRedirect(context, changed, `body.redirects.${i}`);
        results.push({ source, status: existing ? "updated" : "created", redirect: presentRedirect(changed) });
      } catch (error) {
        if (!(error instanceof DocsError)) throw error;
        const { status: code, reason, issues, message } = error;
        results.push({ source, status: "failed", error: { code, reason, message: issues?.[0]?.message ?? message } });
      }
    }
    return { results };
  },
});

export const getSiteRedirect = defineOperation(`GET ${redirectPath}`, {
  summary: "Get a redirect",
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
  summary: "Update a redirect",
  target: siteRedirect,
  right: "edit",
  body: SiteRedirectChanges,
  returns: SiteRedirect,
  async handle(context) {
    const { tx, site, body, redirect } = context;
    const structure = await readStructure(tx.unchecked, site);
    const destinations = body.destination ? [[body.destination, "body.destination"] as const] : [];
    const [destination = redirect.destination] = await checkDestinations(context, structure, destinations);
    const { draft, ...before } = redirect;
    const changed = {
      ...before,
      source: body.source ?? redirect.source,
      destination,
      ...((body.draft ?? draft) ? { draft: true as const } : {}),
    };
    await saveRedirect(context, changed, "body");
    return createRedirectPresenter(context, structure)(changed);
  },
});

export const deleteSiteRedirect = defineOperation(`DELETE ${redirectPath}`, {
  summary: "Delete a redirect",
  target: siteRedirect,
  right: "edit",
  handle: ({ tx, site, redirect }) => redirects.delete(tx, site.id, redirect.id),
});

export const getSiteRedirectTarget = defineOperation("GET /orgs/:organizationId/sites/:siteId/redirect", {
  summary: "Resolve a redirect",
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
type DestinationCheckContext = Parameters<typeof findTargetRefusals>[0];

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
  const created = newRedirects.map(({ source, draft }, i) => ({
    site: site.id,
    id: newId("siteRedirect"),
    source,
    destination: destinations[i]!,
    ...(draft ? { draft } : {}),
    createdAt: now.toISOString(),
  }));
  for (const [i, redirect] of created.entries()) await saveRedirect(context, redirect, getField(i));
  return created.map(createRedirectPresenter(context, structure));
}

/** Returns destinations as they are stored. Refuses targets that aren't on the site or that the caller may not see. */
async function checkDestinations(
  ...args: Parameters<typeof resolveDestinations>
): Promise<RedirectRecord["destination"][]> {
  return (await resolveDestinations(...args)).map((resolved) => {
    if (resolved instanceof DocsError) throw resolved;
    return resolved;
  });
}

/** Returns each destination as it is stored, or the error with which it is refused. */
async function resolveDestinations(
  context: DestinationCheckContext,
  structure: Structure,
  destinations: readonly (readonly [destination: NewDestination, field: string])[],
): Promise<(RedirectRecord["destination"] | DocsError)[]> {
  const targets = destinations.map(([destination, field]) => {
    let target: SiteTarget;
    if (destination.kind === "site-section")
      target = { kind: destination.kind, siteSection: destination.siteSectionId };
    else if (destination.kind === "site-space") target = { kind: destination.kind, siteSpace: destination.siteSpaceId };
    else if (destination.kind !== "page") target = { kind: "url", url: destination.url };
    else {
      // A page is stored with its space and not with its site-space, so that a redirect still leads to it when the space moves to
      // another place on the site. An id of no space is refused as a space that the caller may not read.
      const siteSpace = structure.get(destination.siteSpaceId);
      target = { kind: "page", space: isSiteSpace(siteSpace) ? siteSpace.space : "", page: destination.pageId };
    }
    return { target, at: field, names: DESTINATION_FIELDS };
  });
  const refusals = await findTargetRefusals(context, targets);
  return targets.map(({ target }, i) => refusals[i] ?? target);
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
    const next = await findLiveRedirect(tx, site.id, formatUrlPath(path));
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
  return ({ site, id, source, destination, draft, createdAt }: RedirectRecord): v.InferOutput<typeof SiteRedirect> => {
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
    return {
      object: "site-redirect",
      id,
      source,
      destination: view,
      draft: draft === true,
      createdAt,
      urls: { location },
    };
  };
}
