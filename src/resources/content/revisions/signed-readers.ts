// The readers of signed URLs. A request to such a URL has no token. The URL is created for the person who requested it, and works
// as long as that person may read the space. The right is checked on every request.

import { type Actor, ANONYMOUS } from "../../../operation/actor";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import type { SpaceContext } from "../../library/spaces/rules";
import { visits } from "../../library/spaces/space-visits";
import { isTrashed, type SpaceRecord } from "../../library/tree/records";
import { loadNode } from "../../library/tree/rules";
import { installationAccess, isInstallationId } from "../../people/members/installation-access";
import { findActiveMember, getMembershipId, type MemberRecord } from "../../people/members/records";
/** A space, with the rights of the person who requested the URL. */
export interface SignedReader extends SpaceContext {
  readonly reader: Actor;
}

/** Returns the space of a signed URL, or undefined if the person for whom it was created may no longer read the space. */
export async function enterAsReader(
  scope: TargetContext,
  { space, user }: { readonly space: string; readonly user: string },
): Promise<SignedReader | undefined> {
  // Visitors of sites have no membership.
  const [id, membership] = user.split("@") as [id: string, membership?: string];
  const reader: Actor = { ...ANONYMOUS, user: { id, displayName: "", email: "" } };
  const inTree = await loadNode({ ...scope, actor: reader }, space, "space");
  if (!inTree) return undefined;
  const mayFetchAsVisitor = await visits.implementation.mayFetch(scope, user, inTree);
  if (mayFetchAsVisitor === false || isTrashed(inTree.path)) return undefined;
  const entered = { ...inTree, space: inTree.path[0] as SpaceRecord, isDeleted: false, reader };
  if (mayFetchAsVisitor) return { ...entered, role: "read" };
  if (!isRoleAtLeast(inTree.role, "read")) return undefined;

  // If the space was moved, the URL may have been created in the organization that it came from.
  // URLs of the version before name no membership. They end within two hours.
  const hasMembership = (me: MemberRecord | undefined) =>
    membership === undefined || (me !== undefined && getMembershipId(me) === membership);
  const { forwardedFrom, peek } = scope;
  if (
    !hasMembership(inTree.me) &&
    !(forwardedFrom && hasMembership(await findActiveMember(await peek(forwardedFrom), id)))
  )
    return undefined;
  if (isInstallationId(id) && !(await installationAccess.implementation.canReadContent(scope, id))) return undefined;
  return entered;
}
