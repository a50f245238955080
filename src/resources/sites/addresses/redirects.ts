// Redirects of a site: managing them, and looking up a path. Redirects never form a cycle. Of two that are made at
// once, the second is checked against the first.

import type * as v from "valibot";
import { failure, invalid } from "../../../errors";
import { operation, type Scope, type Target } from "../../../operation/operation";
import { groupPage } from "../../../operation/pages";
import { unlessTaken } from "../../../operation/taken";
import type { Transaction } from "../../../store/transaction";
import type { Urls } from "../../../urls";
import type { InOrganization } from "../../people/organizations/rules";
import { type InSite, publishedSite, site, siteToEdit } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { ownParts } from "./locate-site";
import { lookUp, MAX_HOPS } from "./look-up-path";
import { type RedirectRecord, redirects } from "./redirect-records";
import { NewSiteRedirect, RedirectTarget, SiteRedirect, SiteRedirectChanges, SourcePath } from "./redirect-schema";
import { checkTargets } from "./targets";
import { joined } from "./url-paths";

/**
 * A redirect, for those who edit its site. Others do not see it, because it may name things that are hidden from them.
 */
const siteRedirect: Target<InSite & { readonly redirect: RedirectRecord }, "edit"> = {
  partition: site.partition,
  async load(scope: Scope) {
    const found = await siteToEdit(scope);
    const redirect = await redirects.get(scope.tx, found.site.id, scope.params.siteRedirectId!);
    return redirect && { ...found, redirect };
  },
  absent: "redirect_not_found",
  rights: site.rights,
};

export const listSiteRedirects = operation("GET /orgs/:organizationId/sites/:siteId/redirects", {
  summary: "List the redirects of a site, oldest first",
  on: site,
  right: "edit",
  list: SiteRedirect,
  async handle(context) {
    const { site } = context;
    return groupPage(context, redirects, "ofSite", [site.id], (found) => found.map((it) => redirectView(context, it)));
  },
});

export const createSiteRedirect = operation("POST /orgs/:organizationId/sites/:siteId/redirects", {
  summary: "Set where a path of a site leads",
  description:
    "What shows content is never redirected: a redirect waits until nothing is shown at its source. One that would lead back to where it begins is refused.",
  on: site,
  right: "edit",
  body: NewSiteRedirect,
  returns: SiteRedirect,
  status: 201,
  async handle(context) {
    const { body, site, now, newId } = context;
    const created = { site: site.id, id: newId("siteRedirect"), ...body, createdAt: now.toISOString() };
    await checkTargets(context, [{ target: body.destination, at: "body.destination" }]);
    return save(context, created);
  },
});

export const getSiteRedirect = operation("GET /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId", {
  summary: "Get a redirect of a site",
  on: siteRedirect,
  right: "edit",
  returns: SiteRedirect,
  async handle(context) {
    return redirectView(context, context.redirect);
  },
});

export const updateSiteRedirect = operation("PATCH /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId", {
  summary: "Change a redirect of a site",
  on: siteRedirect,
  right: "edit",
  body: SiteRedirectChanges,
  returns: SiteRedirect,
  async handle(context) {
    const { body, redirect } = context;
    if (body.destination) await checkTargets(context, [{ target: body.destination, at: "body.destination" }]);
    const { source = redirect.source, destination = redirect.destination } = body;
    return save(context, { ...redirect, source, destination });
  },
});

export const deleteSiteRedirect = operation("DELETE /orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId", {
  summary: "Delete a redirect of a site",
  on: siteRedirect,
  right: "edit",
  async handle({ tx, site, redirect }) {
    await redirects.delete(tx, site.id, redirect.id);
  },
});

export const getSiteRedirectTarget = operation("GET /orgs/:organizationId/sites/:siteId/redirect", {
  summary: "Get where a path of a published site leads, if nothing is shown there",
  description:
    "Follows redirects to their end, the paths that pages had once, and the longer forms of what has a shorter URL. What the visitor may not see is not there.",
  on: publishedSite,
  right: "view",
  query: { ...visitorQuery, source: SourcePath },
  returns: RedirectTarget,
  kept: "unless-elsewhere",
  async handle(context) {
    const { query, tx, site } = context;
    const structure = await readStructure(tx, site);
    const found = await lookUp(
      { ...context, structure },
      query.source.split("/").filter((part) => part !== ""),
    );
    if (found?.is !== "redirect") throw failure("redirect_not_found");
    return { source: query.source, target: found.url };
  },
});

type Saving = Pick<InSite, "site" | "organization"> & { readonly tx: Transaction; readonly urls: Urls };

async function save(context: Saving, redirect: RedirectRecord): Promise<v.InferOutput<typeof SiteRedirect>> {
  await checkLoop(context, redirect);
  await unlessTaken(redirects.put(context.tx, redirect), "redirect_taken");
  return redirectView(context, redirect);
}

/**
 * Follows the redirects from a destination. They are read with checks, so a concurrent change of one of them is
 * noticed.
 */
async function checkLoop(context: Saving, { id, source, destination }: RedirectRecord): Promise<void> {
  let next: RedirectRecord["destination"] = destination;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const at = next.kind === "url" ? ownParts(context, next.url) : undefined;
    if (!at) return;
    if (joined(at) === source) throw failure("redirect_loop");
    const following = await redirects.find(context.tx, "source", context.site.id, joined(at));
    if (!following || following.id === id) return;
    next = following.destination;
  }
  throw invalid("body.destination", `Expected at most ${MAX_HOPS} redirects after each other`);
}

function redirectView(
  { organization, urls }: Pick<InOrganization, "organization"> & { readonly urls: Urls },
  { site, id, source, destination, createdAt }: RedirectRecord,
): v.InferOutput<typeof SiteRedirect> {
  const location = urls.api(`/orgs/${organization.id}/sites/${site}/redirects/${id}`);
  return { object: "site-redirect", id, source, destination, createdAt, urls: { location } };
}
