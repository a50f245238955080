// Who may do what with a site: people of the organization by their role in it, installations on the sites that they are on,
// everybody else as the site's audience.

import { failure } from "../../errors";
import type { Scope, Target } from "../../operation/operation";
import { atLeast } from "../../roles";
import type { Role } from "../../shapes";
import type { Reader } from "../../store/transaction";
import { apps } from "../people/members/apps";
import { activeMember, isApp } from "../people/members/records";
import { type OrganizationRecord, organizations, partitionOf } from "../people/organizations/records";
import { type InOrganization, organizationAbove } from "../people/organizations/rules";
import { admit, type Visitor, type VisitorCredentials } from "./audience/audience";
import { type SiteRecord, sites } from "./records";

/** A site, seen by somebody of its organization. */
export interface InSite extends InOrganization {
  readonly site: SiteRecord;
  /** The caller's role on it; null: none. */
  readonly role: Role | null;
}

const canSee = ({ role }: Pick<InSite, "role">) => atLeast(role, "read");
const canEdit = ({ role }: InSite) => atLeast(role, "create");

/** A site as the organization's own people know it. */
export const site: Target<InSite, "edit" | "adapt"> = {
  partition: ({ organizationId }) => partitionOf(organizationId!),
  async load(scope) {
    const above = await organizationAbove(scope);
    const found = await sites.get(scope.tx, scope.params.siteId!);
    return found && enterSite(scope.tx, above, found);
  },
  absent: "site_not_found",
  rights: {
    view: canSee,
    edit: canEdit,
    adapt: (it) => canEdit(it) || (canSee(it) && isApp(it.me)),
  },
};

/** A site, seen by somebody whose place in the organization is known. */
export async function enterSite(tx: Reader, above: InOrganization, found: SiteRecord): Promise<InSite> {
  return { ...above, site: found, role: await roleOnSite(tx, above.me, found.id) };
}

/** Somebody has the role on a site that they have in the organization. An installation reads the sites that it is on; the
 * scopes of its token say what of that, and what more. */
async function roleOnSite(tx: Reader, me: InOrganization["me"], id: string): Promise<Role | null> {
  if (!me || !isApp(me)) return me?.role ?? null;
  return (await apps.filling.isOn(tx, me.user, "site", id)) ? "read" : null;
}

/** The site above a target that only those see who edit the site: everybody else hears so before anything is looked for,
 * and learns nothing of what is there. */
export async function siteToEdit(scope: Scope): Promise<InSite> {
  const found = await site.load(scope);
  if (!found || !site.rights.view(found)) throw failure("site_not_found");
  if (!site.rights.edit(found)) throw failure("forbidden");
  return found;
}

/** A site, seen by somebody of its organization, or by a visitor. */
export interface AtSite {
  readonly organization: OrganizationRecord;
  readonly site: SiteRecord;
  readonly me: InOrganization["me"];
  /** Undefined for somebody of the organization, who sees everything. */
  readonly visitor: Visitor | undefined;
}

async function find({ tx, params, actor }: Scope): Promise<Omit<AtSite, "visitor"> | undefined> {
  const organization = await organizations.get(tx, params.organizationId!);
  const found = await sites.get(tx, params.siteId!);
  return organization && found && { organization, site: found, me: await activeMember(tx, actor.user.id) };
}

async function asVisitor(scope: Scope, found: Omit<AtSite, "visitor">): Promise<AtSite | undefined> {
  const visitor = await admit(scope, found.site, scope.query as VisitorCredentials);
  return visitor && { ...found, visitor };
}

/** A site for whoever may see it: people of the organization see all of it, its audience what is shown to them. */
export const visibleSite: Target<AtSite, "view"> = {
  partition: site.partition,
  async load(scope) {
    const found = await find(scope);
    if (!found) return undefined;
    const role = await roleOnSite(scope.tx, found.me, found.site.id);
    return canSee({ role }) ? { ...found, visitor: undefined } : asVisitor(scope, found);
  },
  absent: "site_not_found",
  rights: { view: () => true },
  open: true,
  // What a token says of a visitor ends with the token.
  isKept: (_, { query }) => query.visitorToken === undefined,
};

/** A site as its audience sees it, whoever asks: what a renderer shows to a visitor may not depend on the renderer's token. */
export const publishedSite: Target<AtSite & { readonly visitor: Visitor }, "view"> = {
  ...visibleSite,
  async load(scope) {
    const found = await find(scope);
    return found && ((await asVisitor(scope, found)) as (AtSite & { readonly visitor: Visitor }) | undefined);
  },
  rights: { view: () => true },
};
