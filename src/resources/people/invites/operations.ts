// Invites people by e-mail address or by link, and accepts invites.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { foldText, type Role } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { checkCanGrantRole } from "../../../operation/roles";
import { omitUndefined } from "../../../utils/objects";
import { addMember, members, syncMembership } from "../members/records";
import { Member } from "../members/schema";
import { memberViews } from "../members/views";
import { organization } from "../organizations/rules";
import { users, usersById } from "../users/records";
import { sendInvite } from "./mail";
import { deleteInvite, emailExpiry, type InviteRecord, invites, putInvite } from "./records";
import { checkIsForMe, invite, linkInvite } from "./rules";
import { Invite, InvitesMade, LinkInviteChanges, NewInvites, NewLinkInvite } from "./schema";
import { inviteView } from "./views";

export * from "./email-invites";

export const inviteByEmail = defineOperation("POST /orgs/:organizationId/invites", {
  summary: "Invite people by their e-mail addresses",
  description:
    "The answer has the links. Where the server sends mails, each person gets theirs. An open invite for the same address is renewed.",
  target: organization,
  right: "admin",
  body: NewInvites,
  returns: InvitesMade,
  async handle(context) {
    const { tx, directory, organization, me, actor, body, now, urls, newId, secrets } = context;
    const role = body.role === undefined ? organization.defaultRole : body.role;
    checkCanGrantRole(me!.role, role);
    const expiresAt = emailExpiry(now);
    const made: InviteRecord[] = [];
    const already: string[] = [];
    for (const email of new Set(body.emails.map(foldText))) {
      const known = await users.find(directory, "email", email);
      if (known && (await members.get(tx, known.id))) {
        already.push(email);
        continue;
      }
      const open = await invites.find(tx, "email", email);
      const renewed: InviteRecord = {
        id: open?.id ?? newId("invite"),
        ...omitUndefined({ digest: open?.digest === undefined ? undefined : open.digest }),
        email,
        role,
        sso: body.sso ?? false,
        createdAt: now.toISOString(),
        createdBy: actor.user.id,
        expiresAt,
        acceptedBy: null,
        ...omitUndefined({ language: body.language }),
      };
      sendInvite(context, await putInvite(tx, secrets, renewed));
      made.push(renewed);
    }
    const maker = await usersById(directory, [actor.user.id]);
    return { invites: made.map((it) => inviteView(it, organization.id, maker, urls)), members: already };
  },
});

export const acceptInvite = defineOperation("POST /orgs/:organizationId/invites/:inviteId", {
  summary: "Accept an invite and become a member",
  description: "Works for both kinds of invites. Who is a member already stays one, with the role they have.",
  target: invite,
  right: "accept",
  returns: Member,
  async handle(context) {
    const { tx, organization, invite, actor, now, enqueueJob, secrets } = context;
    checkIsForMe(context);
    const user = actor.user.id;
    const known = await members.get(tx, user);
    const joinedAt = now.toISOString();
    const joined = known ?? { user, role: invite.role, disabled: false, sso: invite.sso, joinedAt, lastSeenAt: null };
    if (!known) {
      await addMember(tx, joined);
      enqueueJob(syncMembership, { organization: organization.id, user });
    }
    if (invite.email !== null) await putInvite(tx, secrets, { ...invite, acceptedBy: user });
    return (await memberViews([joined], context))[0]!;
  },
});

export const listLinkInvites = defineOperation("GET /orgs/:organizationId/link-invites", {
  summary: "List the invite links of an organization",
  target: organization,
  right: "admin",
  list: Invite,
  async handle({ tx, directory, organization, pageRequest, urls }) {
    return paginateGroup({ tx, pageRequest }, invites, "links", [], async (found) => {
      const makers = await usersById(
        directory,
        found.map((it) => it.createdBy),
      );
      return found.map((it) => inviteView(it, organization.id, makers, urls));
    });
  },
});

export const createLinkInvite = defineOperation("POST /orgs/:organizationId/link-invites", {
  summary: "Make an invite link",
  target: organization,
  right: "admin",
  body: NewLinkInvite,
  returns: Invite,
  status: 201,
  async handle({ tx, directory, organization, me, actor, body, now, urls, newId, secrets }) {
    if (!organization.inviteLinks) throw createError("invite_links_disabled");
    const created: InviteRecord = {
      id: newId("invite"),
      email: null,
      role: wantedRole(body, organization.defaultRole),
      sso: false,
      createdAt: now.toISOString(),
      createdBy: actor.user.id,
      expiresAt: expiry(body.expiresAt ?? null, now),
      acceptedBy: null,
    };
    checkCanGrantRole(me!.role, created.role);
    await putInvite(tx, secrets, created);
    return inviteView(created, organization.id, await usersById(directory, [actor.user.id]), urls);
  },
});

export const getLinkInvite = defineOperation("GET /orgs/:organizationId/link-invites/:inviteId", {
  summary: "Get an invite link",
  target: linkInvite,
  right: "admin",
  returns: Invite,
  async handle({ directory, organization, invite, urls }) {
    return inviteView(invite, organization.id, await usersById(directory, [invite.createdBy]), urls);
  },
});

export const updateLinkInvite = defineOperation("PATCH /orgs/:organizationId/link-invites/:inviteId", {
  summary: "Change the role that an invite link gives, or when it ends",
  target: linkInvite,
  right: "admin",
  body: LinkInviteChanges,
  returns: Invite,
  async handle({ tx, directory, organization, me, invite, body, now, urls, secrets }) {
    const changed: InviteRecord = {
      ...invite,
      role: wantedRole(body, invite.role),
      expiresAt: body.expiresAt === undefined ? invite.expiresAt : expiry(body.expiresAt, now),
    };
    checkCanGrantRole(me!.role, changed.role);
    await putInvite(tx, secrets, changed);
    return inviteView(changed, organization.id, await usersById(directory, [invite.createdBy]), urls);
  },
});

export const deleteLinkInvite = defineOperation("DELETE /orgs/:organizationId/link-invites/:inviteId", {
  summary: "Delete an invite link; nobody can use it any more",
  target: linkInvite,
  right: "admin",
  async handle({ tx, invite }) {
    await deleteInvite(tx, invite);
  },
});

/** The role that a link is to give, by either of its names. Null is a guest, so it counts as given. */
function wantedRole({ role, level }: v.InferOutput<typeof NewLinkInvite>, otherwise: Role | null): Role | null {
  if (role !== undefined) return role;
  return level === undefined ? otherwise : level;
}

function expiry(wanted: string | null, now: Date): string | null {
  if (wanted === null) return null;
  const expiresAt = new Date(wanted).toISOString();
  if (expiresAt <= now.toISOString()) throw createValidationError("body.expiresAt", "Expected a time in the future");
  return expiresAt;
}
