// The role of a member on a site.

import type { Role } from "../../operation/common-schemas";
import { getHighestRole } from "../../operation/roles";
import type { Reader } from "../../storage/transaction";
import { granteesOf, rolesGivenOn } from "../library/grants/records";
import { teamsOf } from "../library/tree/rules";
import { installationAccess } from "../people/members/installation-access";
import { isInstallationMember, type MemberRecord } from "../people/members/records";
import type { OrganizationContext } from "../people/organizations/rules";

/**
 * A member's role on a site: the highest of their role in the organization and what they or their teams were given on
 * the site. It says nothing about the spaces on it. An installation reads its sites; its scopes decide what it may read
 * and do there.
 */
export async function roleOnSite(tx: Reader, me: OrganizationContext["me"], id: string): Promise<Role | null> {
  if (!me) return null;
  if (isInstallationMember(me))
    return (await installationAccess.implementation.isInstalledOn(tx, me.user, "site", id)) ? "read" : null;
  if (me.role === "admin") return me.role;
  return withGrants(me, (await rolesGivenOn(tx, [id], granteesOf(me.user, await teamsOf(tx, me.user)))).get(id));
}

/** The role of a person, with what they and their teams were given on the site. */
export function withGrants({ role }: Pick<MemberRecord, "role">, given: readonly Role[] = []): Role | null {
  return getHighestRole([...(role === null ? [] : [role]), ...given]);
}
