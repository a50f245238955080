// Access to a site. Members have the role of the organization and the roles granted on the site, installations read the
// sites they are installed on, and everyone else sees a site as a visitor.

import { createError } from "../../errors";
import type { Role } from "../../operation/common-schemas";
import { isRoleAtLeast } from "../../operation/roles";
import type { Target, TargetContext } from "../../operation/target";
import { findActiveMember, isInstallationMember } from "../people/members/records";
import { findOrganizationPartition, type OrganizationRecord, organizations } from "../people/organizations/records";
import { loadParentOrganization, type OrganizationContext } from "../people/organizations/rules";
import { type AdmissionCredentials, admitVisitor, resolveVisit, type Visitor } from "./audience/audience";
import { type SiteRecord, sites } from "./records";
import { getSiteRole } from "./site-role";

export interface SiteMemberContext extends OrganizationContext {
  readonly site: SiteRecord;
  /** The caller's role on the site, if any. */
  readonly role: Role | null;
}

export const site: Target<SiteMemberContext, "edit" | "adapt" | "admin"> = {
  findPartition: ({ organizationId }) => findOrganizationPartition(organizationId!),
  async load(scope) {
    const parent = await loadParentOrganization(scope);
    const found = await sites.get(scope.tx, scope.params.siteId!);
    return found && { ...parent, site: found, role: await getSiteRole(scope.tx, parent.me, found.id) };
  },
  notFoundReason: "site_not_found",
  rights: {
    view: ({ role }) => isRoleAtLeast(role, "read"),
    edit: ({ role }) => isRoleAtLeast(role, "create"),
    admin: ({ role }) => isRoleAtLeast(role, "create"),
    adapt: ({ role, me }) => isRoleAtLeast(role, "create") || (isRoleAtLeast(role, "read") && isInstallationMember(me)),
  },
};

/** Loads the site for its editors. Others are refused before anything else is read, so they learn nothing. */
export async function loadEditableSite(scope: TargetContext): Promise<SiteMemberContext> {
  const found = await site.load(scope);
  if (!found || !site.rights.view(found)) throw createError("site_not_found");
  if (!site.rights.edit(found)) throw createError("forbidden");
  return found;
}

/** A site as a member or a visitor sees it. */
export interface SiteViewerContext {
  readonly organization: OrganizationRecord;
  readonly site: SiteRecord;
  readonly me: OrganizationContext["me"];
  /** Undefined for a member, who sees the whole site. */
  readonly visitor: Visitor | undefined;
}

async function findSiteAndMember({
  tx,
  params,
  actor,
}: TargetContext): Promise<Omit<SiteViewerContext, "visitor"> | undefined> {
  const organization = await organizations.get(tx, params.organizationId!);
  const found = await sites.get(tx, params.siteId!);
  return organization && found && { organization, site: found, me: await findActiveMember(tx, actor.user.id) };
}

async function admitAsVisitor(
  scope: TargetContext,
  found: Omit<SiteViewerContext, "visitor">,
): Promise<SiteViewerContext | undefined> {
  const credentials = scope.query as AdmissionCredentials;
  const { visit } = scope.actor;
  const visitor = visit
    ? await resolveVisit(scope, found.site, visit, credentials.shareKey)
    : await admitVisitor(scope, found.site, credentials);
  return visitor && { ...found, visitor };
}

/** A site as a target for everyone who may see it. Members see all of it, visitors the part that is shown to them. */
export const visibleSite: Target<SiteViewerContext, "view"> = {
  findPartition: site.findPartition,
  async load(scope) {
    const found = await findSiteAndMember(scope);
    if (!found) return undefined;
    const role = await getSiteRole(scope.tx, found.me, found.site.id);
    return isRoleAtLeast(role, "read") ? { ...found, visitor: undefined } : admitAsVisitor(scope, found);
  },
  notFoundReason: "site_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
  // The claims of a visitor expire with the visitor's token.
  isCacheable: (_, { query }) => query.visitorToken === undefined,
};

/** A site as every caller sees it as a visitor: what renderers show must not depend on their own token. */
export const publishedSite: Target<SiteViewerContext & { readonly visitor: Visitor }, "view"> = {
  ...visibleSite,
  async load(scope) {
    const found = await findSiteAndMember(scope);
    return (
      found && ((await admitAsVisitor(scope, found)) as (SiteViewerContext & { readonly visitor: Visitor }) | undefined)
    );
  },
  rights: { view: () => true },
};
