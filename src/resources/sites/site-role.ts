// The role of a member on a site.

import type { Role } from "../../operation/common-schemas";
import { getHighestRole } from "../../operation/roles";
import type { Reader } from "../../storage/transaction";
import { listGrantedRoles, listGrantees } from "../library/grants/records";
import { listTeamIds } from "../library/tree/rules";
import { installationAccess } from "../people/members/installation-access";
import { isInstallationMember, type MemberRecord } from "../people/members/records";
import type { OrganizationContext } from "../people/organizations/rules";

/**
 * Returns a member's role on a site: the highest of their role in the organization and of the roles granted to them or
 * their teams on the site. It says nothing about the spaces on the site. An installation gets `read` on its sites; its
 * scopes decide what it may do there.
 */
export async function getSiteRole(tx: Reader, me: OrganizationContext["me"], id: string): Promise<Role | null> {
  if (!me) return null;
  if (isInstallationMember(me))
    return (await installationAccess.implementation.isInstalledOn(tx, me.user, "site", id)) ? "read" : null;
  if (me.role === "admin") return me.role;
  return mergeGrantedRoles(
    me,
    (await listGrantedRoles(tx, [id], listGrantees(me.user, await listTeamIds(tx, me.user)))).get(id),
  );
}

/** Returns the highest of a person's role in the organization and the roles granted on a site. */
export function mergeGrantedRoles(
  { role }: Pick<MemberRecord, "role">,
  grantedRoles: readonly Role[] = [],
): Role | null {
  return getHighestRole([...(role === null ? [] : [role]), ...grantedRoles]);
}
