// Rights on a site: members by their role in the organization and by what they were given on the site, installations on
// their sites, everybody else as the site's audience.

import { createError } from "../../errors";
import type { Role } from "../../operation/common-schemas";
import { isRoleAtLeast } from "../../operation/roles";
import type { Target, TargetContext } from "../../operation/target";
import type { Reader } from "../../storage/transaction";
import { findActiveMember, isInstallationMember } from "../people/members/records";
import { findOrganizationPartition, type OrganizationRecord, organizations } from "../people/organizations/records";
import { loadParentOrganization, type OrganizationContext } from "../people/organizations/rules";
import { admit, type Visitor, type VisitorCredentials } from "./audience/audience";
import { visitorOf } from "./audience/visits";
import { type SiteRecord, sites } from "./records";
import { roleOnSite } from "./role-on-site";

/** A site as a member of its organization sees it. */
export interface InSite extends OrganizationContext {
  readonly site: SiteRecord;
  /** The caller's role on it; null: none. */
  readonly role: Role | null;
}

const canSee = ({ role }: Pick<InSite, "role">) => isRoleAtLeast(role, "read");
const canEdit = ({ role }: InSite) => isRoleAtLeast(role, "create");

/** A site as a target for members. */
export const site: Target<InSite, "edit" | "adapt" | "admin"> = {
  findPartition: ({ organizationId }) => findOrganizationPartition(organizationId!),
  async load(scope) {
    const above = await loadParentOrganization(scope);
    const found = await sites.get(scope.tx, scope.params.siteId!);
    return found && enterSite(scope.tx, above, found);
  },
  notFoundReason: "site_not_found",
  rights: {
    view: canSee,
    edit: canEdit,
    admin: canEdit,
    adapt: (it) => canEdit(it) || (canSee(it) && isInstallationMember(it.me)),
  },
};

/** A site as a caller with a known membership sees it. */
export async function enterSite(tx: Reader, above: OrganizationContext, found: SiteRecord): Promise<InSite> {
  return { ...above, site: found, role: await roleOnSite(tx, above.me, found.id) };
}

/**
 * The site above a target that only editors see. All others are refused before anything is looked up, and learn
 * nothing.
 */
export async function siteToEdit(scope: TargetContext): Promise<InSite> {
  const found = await site.load(scope);
  if (!found || !site.rights.view(found)) throw createError("site_not_found");
  if (!site.rights.edit(found)) throw createError("forbidden");
  return found;
}

/** A site as a member or a visitor sees it. */
export interface AtSite {
  readonly organization: OrganizationRecord;
  readonly site: SiteRecord;
  readonly me: OrganizationContext["me"];
  /** Undefined for a member, who sees everything. */
  readonly visitor: Visitor | undefined;
}

async function find({ tx, params, actor }: TargetContext): Promise<Omit<AtSite, "visitor"> | undefined> {
  const organization = await organizations.get(tx, params.organizationId!);
  const found = await sites.get(tx, params.siteId!);
  return organization && found && { organization, site: found, me: await findActiveMember(tx, actor.user.id) };
}

async function asVisitor(scope: TargetContext, found: Omit<AtSite, "visitor">): Promise<AtSite | undefined> {
  const given = scope.query as VisitorCredentials;
  const { visit } = scope.actor;
  const visitor = visit
    ? await visitorOf(scope, found.site, visit, given.shareKey)
    : await admit(scope, found.site, given);
  return visitor && { ...found, visitor };
}

/** A site for everybody who may see it: members see all of it, visitors what is shown to them. */
export const visibleSite: Target<AtSite, "view"> = {
  findPartition: site.findPartition,
  async load(scope) {
    const found = await find(scope);
    if (!found) return undefined;
    const role = await roleOnSite(scope.tx, found.me, found.site.id);
    return canSee({ role }) ? { ...found, visitor: undefined } : asVisitor(scope, found);
  },
  notFoundReason: "site_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
  // The claims of a visitor's token end with the token.
  isCacheable: (_, { query }) => query.visitorToken === undefined,
};

/**
 * A site as its audience sees it, whoever calls. What a renderer shows to a visitor must not depend on the renderer's
 * token.
 */
export const publishedSite: Target<AtSite & { readonly visitor: Visitor }, "view"> = {
  ...visibleSite,
  async load(scope) {
    const found = await find(scope);
    return found && ((await asVisitor(scope, found)) as (AtSite & { readonly visitor: Visitor }) | undefined);
  },
  rights: { view: () => true },
};
