// Who may use an invite, and who may manage them.

import { createError } from "../../../errors";
import { foldText } from "../../../operation/common-schemas";
import { getRoleRank } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { activeMember } from "../members/records";
import { type OrganizationRecord, organizations } from "../organizations/records";
import { type InOrganization, organization, organizationAbove } from "../organizations/rules";
import { type InviteRecord, inviteWith } from "./records";

/** An invite, seen by somebody who may accept it. */
export interface InInvite {
  readonly organization: OrganizationRecord;
  readonly invite: InviteRecord;
  readonly isOpen: boolean;
  readonly isForMe: boolean;
}

/**
 * An invite by its id, which is the secret: whoever has it sees the invite while it is open. An invite is open only as
 * long as the member who made it could still make it. So a removed member cannot come back, or let others in, with an
 * old invite.
 */
export const invite: Target<InInvite, "accept"> = {
  findPartition: organization.findPartition,
  load: seenInvite,
  notFoundReason: "invite_not_found",
  rights: { view: (it) => it.isOpen, accept: () => true },
};

/** An invite as somebody sees it who has its id. Undefined: there is none. */
export async function seenInvite({
  tx,
  params,
  actor,
  now,
  secrets,
}: Pick<TargetContext, "tx" | "params" | "actor" | "now" | "secrets">): Promise<InInvite | undefined> {
  const found = await inviteWith(tx, secrets, params.inviteId!);
  const into = await organizations.get(tx, params.organizationId!);
  if (!found || !into) return undefined;
  const maker = await activeMember(tx, found.createdBy);
  const isOver = found.expiresAt !== null && found.expiresAt <= now.toISOString();
  const isSwitchedOff = found.email === null && !into.inviteLinks;
  const isUsed = found.acceptedBy !== null && found.acceptedBy !== actor.user.id;
  return {
    organization: into,
    invite: found,
    isOpen:
      maker?.role === "admin" &&
      getRoleRank(maker.role) >= getRoleRank(found.role) &&
      !isOver &&
      !isSwitchedOff &&
      !isUsed,
    isForMe: found.email === null || foldText(found.email) === foldText(actor.user.email),
  };
}

/** An invite of one kind, for those who manage them. */
function managed(
  isIt: (invite: InviteRecord) => boolean,
): Target<InOrganization & { readonly invite: InviteRecord }, "admin"> {
  return {
    findPartition: organization.findPartition,
    async load(scope) {
      const above = await organizationAbove(scope);
      const found = await inviteWith(scope.tx, scope.secrets, scope.params.inviteId!);
      return found && isIt(found) ? { ...above, invite: found } : undefined;
    },
    notFoundReason: "invite_not_found",
    rights: { view: organization.rights.admin, admin: organization.rights.admin },
  };
}

export const linkInvite = managed(({ email }) => email === null);

/** An invite by e-mail that nobody has accepted. */
export const emailInvite = managed(({ email, acceptedBy }) => email !== null && acceptedBy === null);

/** An invite by e-mail is valid for one address only. */
export function checkIsForMe({ isForMe }: InInvite): void {
  if (!isForMe) throw createError("invite_for_someone_else");
}
