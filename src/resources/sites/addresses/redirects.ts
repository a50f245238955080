// Redirects of a site: managing them, and looking up a path. Redirects never form a cycle. Of two that are made at
// once, the second is checked against the first.

import type * as v from "valibot";
import { createError, createValidationError, DocsError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import type { Target, TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { DuplicateError } from "../../../storage/records";
import type { Transaction } from "../../../storage/transaction";
import type { OrganizationContext } from "../../people/organizations/rules";
import { loadEditableSite, publishedSite, type SiteMemberContext, site } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure } from "../structure/structure";
import { getPathOnSite } from "./locate-site";
import { DESTINATION_FIELDS, presentDestination, toStoredDestination } from "./redirect-destinations";
import { type RedirectRecord, redirects } from "./redirect-records";
import {
  type NewDestination,
  NewSiteRedirect,
  NewSiteRedirects,
  RedirectTarget,
  SiteRedirect,
  SiteRedirectChanges,
  SiteRedirects,
  SourcePath,
} from "./redirect-schema";
import { MAX_REDIRECTS, resolveSitePath } from "./resolve-path";
import { checkTargets } from "./targets";
import { formatUrlPath } from "./url-paths";

/**
 * A redirect, for those who edit its site. Others do not see it, because it may name things that are hidden from them.
 */
const siteRedirect: Target<SiteMemberContext & { readonly redirect: RedirectRecord }, "edit"> = {
  findPartition: site.findPartition,
  async load(scope: TargetContext) {
    const found = await loadEditableSite(scope);
    const redirect = await redirects.get(scope.tx, found.site.id, scope.params.siteRedirectId!);
    return redirect && { ...found, redirect };
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
    const view = createRedirectPresenter(context, await readStructure(tx, site, ports));
    return paginateGroup(context, redirects, "ofSite", [site.id], (found) => found.map(view));
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
  async handle(context) {
    return { redirects: await createRedirects(context, context.body.redirects, (i) => `body.redirects.${i}`) };
  },
});

export const getSiteRedirect = defineOperation("GET /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId", {
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

export const updateSiteRedirect = defineOperation(
  "PATCH /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId",
  {
    summary: "Change a redirect of a site",
    target: siteRedirect,
    right: "edit",
    body: SiteRedirectChanges,
    returns: SiteRedirect,
    async handle(context) {
      const { tx, site, body, redirect } = context;
      const structure = await readStructure(tx.unchecked, site);
      const given = body.destination ? [[body.destination, "body.destination"] as const] : [];
      const [destination = redirect.destination] = await readDestinations(context, structure, given);
      const changed = { ...redirect, source: body.source ?? redirect.source, destination };
      await saveRedirect(context, changed, "body");
      return createRedirectPresenter(context, structure)(changed);
    },
  },
);

export const deleteSiteRedirect = defineOperation(
  "DELETE /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId",
  {
    summary: "Delete a redirect of a site",
    target: siteRedirect,
    right: "edit",
    async handle({ tx, site, redirect }) {
      await redirects.delete(tx, site.id, redirect.id);
    },
  },
);

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
    const found = await resolveSitePath(
      { ...context, structure },
      query.source.split("/").filter((part) => part !== ""),
    );
    if (found?.is !== "redirect") throw createError("redirect_not_found");
    return { source: query.source, target: found.url };
  },
});

type Saving = Pick<SiteMemberContext, "site" | "organization"> & { readonly tx: Transaction; readonly urls: Urls };
type Setting = Parameters<typeof checkTargets>[0];
type Creating = Saving & Setting & { readonly now: Date; readonly newId: (kind: "siteRedirect") => string };

async function createRedirects(
  context: Creating,
  wanted: readonly v.InferOutput<typeof NewSiteRedirect>[],
  placeOf: (i: number) => string,
): Promise<v.InferOutput<typeof SiteRedirect>[]> {
  const { tx, site, now, newId } = context;
  const structure = await readStructure(tx.unchecked, site);
  const destinations = await readDestinations(
    context,
    structure,
    wanted.map(({ destination }, i) => [destination, `${placeOf(i)}.destination`]),
  );
  const created = wanted.map(({ source }, i) => ({
    site: site.id,
    id: newId("siteRedirect"),
    source,
    destination: destinations[i]!,
    createdAt: now.toISOString(),
  }));
  for (const [i, redirect] of created.entries()) await saveRedirect(context, redirect, placeOf(i));
  return created.map(createRedirectPresenter(context, structure));
}

/** Destinations in their stored form. Refused: what is not on the site, or what the caller may not see. */
async function readDestinations(
  context: Setting,
  structure: Structure,
  given: readonly (readonly [destination: NewDestination, at: string])[],
): Promise<RedirectRecord["destination"][]> {
  const found = given.map(([destination, at]) => ({
    target: toStoredDestination(structure, destination, at),
    at,
    names: DESTINATION_FIELDS,
  }));
  await checkTargets(context, found);
  return found.map(({ target }) => target);
}

/** Saves a redirect. A refusal names the field of the body at `at`. */
async function saveRedirect(context: Saving, redirect: RedirectRecord, at: string): Promise<void> {
  await rejectRedirectLoop(context, redirect, at);
  try {
    await redirects.put(context.tx, redirect);
  } catch (error) {
    throw error instanceof DuplicateError ? createRedirectError("redirect_taken", `${at}.source`) : error;
  }
}

function createRedirectError(reason: "redirect_taken" | "redirect_loop", path: string): DocsError {
  return new DocsError(reason, { issues: [{ path, message: createError(reason).message }] });
}

/**
 * Follows the redirects from a destination. They are read with checks, so a concurrent change of one of them is
 * noticed.
 */
async function rejectRedirectLoop(
  context: Saving,
  { id, source, destination }: RedirectRecord,
  at: string,
): Promise<void> {
  let next: RedirectRecord["destination"] = destination;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const own = next.kind === "url" ? getPathOnSite(context, next.url) : undefined;
    if (!own) return;
    if (formatUrlPath(own) === source) throw createRedirectError("redirect_loop", `${at}.destination`);
    const following = await redirects.find(context.tx, "source", context.site.id, formatUrlPath(own));
    if (!following || following.id === id) return;
    next = following.destination;
  }
  throw createValidationError(`${at}.destination`, `Expected at most ${MAX_REDIRECTS} redirects after each other`);
}

function createRedirectPresenter(
  { organization, urls }: Pick<OrganizationContext, "organization"> & { readonly urls: Urls },
  structure: Structure,
) {
  return ({ site, id, source, destination, createdAt }: RedirectRecord): v.InferOutput<typeof SiteRedirect> => {
    const location = urls.api(`/orgs/${organization.id}/sites/${site}/redirects/${id}`);
    const shown = presentDestination(structure, destination);
    return { object: "site-redirect", id, source, destination: shown, createdAt, urls: { location } };
  };
}
