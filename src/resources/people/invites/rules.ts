// The targets and rights of invites: for the people who are invited, and for admins.

import { foldText } from "../../../operation/common-schemas";
import { getRoleRank } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { grantsOfMembers } from "../members/grants-extension";
import { findActiveMember } from "../members/records";
import { type OrganizationRecord, organizations } from "../organizations/records";
import { adminRights, defineOrganizationTarget, organization } from "../organizations/rules";
import { findInvite, type InviteRecord, isOpenEmailInvite } from "./records";

/** An invite, as a person sees it who has its id. */
export interface InviteContext {
  readonly organization: OrganizationRecord;
  readonly invite: InviteRecord;
  readonly isOpen: boolean;
  readonly isForMe: boolean;
}

/**
 * An invite by its id, which is a secret: everybody who has it sees the invite while it is open. An invite is open only as
 * long as its creator could still create it. So a removed member cannot come back, or let others in, with an old invite.
 */
export const invite: Target<InviteContext, "accept"> = {
  findPartition: organization.findPartition,
  load: loadInvite,
  notFoundReason: "invite_not_found",
  rights: { view: (it) => it.isOpen, accept: () => true },
};

/** Loads the invite with an id, or undefined if there is none. */
export async function loadInvite({
  tx,
  params,
  actor,
  now,
  secrets,
}: Pick<TargetContext, "tx" | "params" | "actor" | "now" | "secrets">): Promise<InviteContext | undefined> {
  const invite = await findInvite(tx, secrets, params.inviteId!);
  const organization = await organizations.get(tx, params.organizationId!);
  if (!invite || !organization) return undefined;
  const creator = await findActiveMember(tx, invite.createdBy);
  const isOver = invite.expiresAt !== null && invite.expiresAt <= now.toISOString();
  const isSwitchedOff = invite.email === null && !organization.inviteLinks;
  const hasTarget = invite.space === undefined || (await grantsOfMembers.implementation.hasSpace(tx, invite.space));
  const isUsed = invite.acceptedBy !== null && invite.acceptedBy !== actor.user.id;
  const isCreatorAllowed = creator?.role === "admin" && getRoleRank(creator.role) >= getRoleRank(invite.role);
  return {
    organization,
    invite,
    isOpen: isCreatorAllowed && hasTarget && !isOver && !isSwitchedOff && !isUsed,
    isForMe: invite.email === null || foldText(invite.email) === foldText(actor.user.email),
  };
}

function createManagedInviteTarget(isOfKind: (invite: InviteRecord) => boolean) {
  return defineOrganizationTarget(
    "invite_not_found",
    async ({ tx, secrets, params }) => {
      const invite = await findInvite(tx, secrets, params.inviteId!);
      return invite && isOfKind(invite) ? { invite } : undefined;
    },
    adminRights,
  );
}

export const linkInvite = createManagedInviteTarget(({ email }) => email === null);

/** An invite by e-mail that nobody has accepted. */
export const emailInvite = createManagedInviteTarget(isOpenEmailInvite);
