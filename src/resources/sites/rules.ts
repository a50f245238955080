// Who may do what with a site: people of the organization by their role in it, everybody else as the site's audience.

import { failure } from "../../errors";
import type { Scope, Target } from "../../operation";
import { atLeast } from "../../roles";
import { activeMember } from "../members/records";
import { type OrganizationRecord, organizations, partitionOf } from "../organizations/records";
import { type InOrganization, organizationAbove } from "../organizations/rules";
import { admit, type Visitor, type VisitorCredentials } from "./audience";
import { type SiteRecord, sites } from "./records";

/** A site, seen by somebody of its organization. */
export interface InSite extends InOrganization {
  readonly site: SiteRecord;
}

const canSee = ({ me }: Pick<InSite, "me">) => atLeast(me?.role ?? null, "read");

/** A site as the organization's own people know it. */
export const site: Target<InSite, "edit"> = {
  partition: ({ organizationId }) => partitionOf(organizationId!),
  async load(scope) {
    const above = await organizationAbove(scope);
    const found = await sites.get(scope.tx, scope.params.siteId!);
    return found && { ...above, site: found };
  },
  absent: "site_not_found",
  rights: { view: canSee, edit: ({ me }) => atLeast(me?.role ?? null, "create") },
};

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
    return canSee(found) ? { ...found, visitor: undefined } : asVisitor(scope, found);
  },
  absent: "site_not_found",
  rights: { view: () => true },
  open: true,
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
