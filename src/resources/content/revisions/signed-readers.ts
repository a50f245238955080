// Who may fetch what a signed URL leads to. Such a request has no token, so the URL is made for the person who
// requested it, and works as long as that person may read the space. The right is checked on every request.

import { type Actor, ANONYMOUS } from "../../../operation/actor";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import type { InSpace } from "../../library/spaces/rules";
import { visits } from "../../library/spaces/visited";
import { isTrashed, type SpaceRecord } from "../../library/tree/records";
import { enterTree } from "../../library/tree/rules";
import { apps, isInstallation } from "../../people/members/apps";
import { activeMember, type MemberRecord, membershipId } from "../../people/members/records";
import { parseReaderName } from "./reader-names";

/** A space, with the rights of the person who requested the URL. */
export interface AsReader extends InSpace {
  readonly reader: Actor;
}

/** The space of a signed URL; undefined when the person it was made for may not read it any more. */
export async function enterAsReader(
  scope: TargetContext,
  { space, user }: { readonly space: string; readonly user: string },
): Promise<AsReader | undefined> {
  const { id, membership } = parseReaderName(user);
  const reader: Actor = { ...ANONYMOUS, user: { id, displayName: "", email: "" } };
  const found = await enterTree({ ...scope, actor: reader }, space, "space");
  const forVisitors = found && (await visits.implementation.mayFetch(scope, user, found));
  if (forVisitors !== undefined)
    return forVisitors && found && !isTrashed(found.path)
      ? { ...found, role: "read", space: found.path[0] as SpaceRecord, isDeleted: false, reader }
      : undefined;
  if (!found || isTrashed(found.path) || !isRoleAtLeast(found.role, "read")) return undefined;
  // Where the space was moved, the URL may have been made in the organization that it came from.
  // URLs of the version before name no membership. They end within two hours.
  const isSame = (me: MemberRecord | undefined) =>
    membership === undefined || (me !== undefined && membershipId(me) === membership);
  const { forwardedFrom, peek } = scope;
  if (!isSame(found.me) && !(forwardedFrom && isSame(await activeMember(await peek(forwardedFrom), id))))
    return undefined;
  if (isInstallation(id) && !(await apps.implementation.mayReadContent(scope, id))) return undefined;
  return { ...found, space: found.path[0] as SpaceRecord, isDeleted: false, reader };
}
