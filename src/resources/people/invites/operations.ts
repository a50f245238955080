// Invites people by e-mail address or by link, lists, resends and revokes invites, and accepts them.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { foldText, type Role } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup, paginateRows } from "../../../operation/pagination";
import { checkCanGrantRole } from "../../../operation/roles";
import { omitUndefined } from "../../../utils/objects";
import { grantsOfMembers } from "../members/grants-extension";
import { addMember, members, syncMembership } from "../members/records";
import { Member } from "../members/schema";
import { presentMembers } from "../members/views";
import { organization } from "../organizations/rules";
import { findUsersById, users } from "../users/records";
import { sendInvite } from "./mail";
import {
  deleteInvite,
  getEmailInviteExpiry,
  type InviteRecord,
  invites,
  isOpenEmailInvite,
  listOpenEmailInvites,
  putInvite,
} from "./records";
import { emailInvite, invite, linkInvite } from "./rules";
import { Invite, InvitesMade, LinkInviteChanges, NewInvites, NewLinkInvite } from "./schema";
import { presentInvite, presentLinkInvites } from "./views";

export const inviteByEmail = defineOperation("POST /orgs/:organizationId/invites", {
  summary: "Invite people by email",
  target: organization,
  right: "admin",
  body: NewInvites,
  returns: InvitesMade,
  async handle(context) {
    const { tx, directory, organization, me, actor, body, now, newId, secrets } = context;
    const role = body.role === undefined ? organization.defaultRole : body.role;
    checkCanGrantRole(me!.role, role);
    const expiresAt = getEmailInviteExpiry(now);
    const sentInvites: InviteRecord[] = [];
    const memberEmails: string[] = [];
    const memberIds: string[] = [];
    for (const email of new Set(body.emails.map(foldText))) {
      const user = await users.find(directory, "email", email);
      if (user && (await members.get(tx, user.id))) {
        memberEmails.push(email);
        memberIds.push(user.id);
        continue;
      }
      const openInvite = await invites.find(tx, "email", email);
      const invite: InviteRecord = {
        id: openInvite?.id ?? newId("invite"),
        ...omitUndefined({ digest: openInvite?.digest }),
        email,
        role,
        sso: body.sso ?? false,
        createdAt: now.toISOString(),
        createdBy: actor.user.id,
        expiresAt,
        acceptedBy: null,
        ...omitUndefined({ language: body.language }),
      };
      sendInvite(context, await putInvite(tx, secrets, invite));
      sentInvites.push(invite);
    }
    const creators = await findUsersById(directory, [actor.user.id]);
    return {
      invites: sentInvites.map((it) => presentInvite(it, organization.id, creators, context)),
      invited: sentInvites.length,
      members: memberEmails,
      users: memberIds,
    };
  },
});

export const acceptInvite = defineOperation("POST /orgs/:organizationId/invites/:inviteId", {
  summary: "Accept an invite",
  target: invite,
  right: "accept",
  returns: Member,
  async handle(context) {
    const { tx, organization, invite, actor, now, enqueueJob, secrets } = context;
    // An invite by e-mail is only for its address.
    if (!context.isForMe) throw createError("invite_for_someone_else");
    const user = actor.user.id;
    const existingMember = await members.get(tx, user);
    const joinedAt = now.toISOString();
    const { space, role } = invite;
    const member = existingMember ?? {
      user,
      role: space === undefined ? role : null,
      disabled: false,
      sso: invite.sso,
      joinedAt,
      lastSeenAt: null,
    };
    if (!existingMember) {
      await addMember(tx, member);
      enqueueJob(syncMembership, { organization: organization.id, user });
    }
    if (space !== undefined && role !== null)
      await grantsOfMembers.implementation.grantOnSpace(tx, { space, user, role, createdAt: joinedAt });
    if (invite.email !== null) await putInvite(tx, secrets, { ...invite, acceptedBy: user });
    return (await presentMembers([member], context))[0]!;
  },
});

export const listLinkInvites = defineOperation("GET /orgs/:organizationId/link-invites", {
  summary: "List invite links",
  target: organization,
  right: "admin",
  list: Invite,
  handle: async (context) =>
    paginateGroup(context, invites, "links", [], (links) => presentLinkInvites(context, links)),
});

export const createLinkInvite = defineOperation("POST /orgs/:organizationId/link-invites", {
  summary: "Create an invite link",
  target: organization,
  right: "admin",
  body: NewLinkInvite,
  returns: Invite,
  status: 201,
  async handle(context) {
    const { tx, organization, me, actor, body, now, newId, secrets } = context;
    const { space } = body;
    if (!organization.inviteLinks) throw createError("invite_links_disabled");
    if (space !== undefined && !(await grantsOfMembers.implementation.hasSpace(tx, space)))
      throw createValidationError("body.space", "The organization has no such space");
    const role = chooseLinkRole(body, space === undefined ? organization.defaultRole : null);
    if (space !== undefined && role === null)
      throw createValidationError("body.level", "A role is required for a link to a space");
    const created: InviteRecord = {
      id: newId("invite"),
      email: null,
      role,
      ...omitUndefined({ space }),
      sso: false,
      createdAt: now.toISOString(),
      createdBy: actor.user.id,
      expiresAt: parseExpiry(body.expiresAt ?? null, now),
      acceptedBy: null,
    };
    checkCanGrantRole(me!.role, created.role);
    await putInvite(tx, secrets, created);
    return (await presentLinkInvites(context, [created]))[0]!;
  },
});

export const getLinkInvite = defineOperation("GET /orgs/:organizationId/link-invites/:inviteId", {
  summary: "Get an invite link",
  target: linkInvite,
  right: "admin",
  returns: Invite,
  handle: async (context) => (await presentLinkInvites(context, [context.invite]))[0]!,
});

export const updateLinkInvite = defineOperation("PATCH /orgs/:organizationId/link-invites/:inviteId", {
  summary: "Update an invite link",
  target: linkInvite,
  right: "admin",
  body: LinkInviteChanges,
  returns: Invite,
  async handle(context) {
    const { tx, me, invite, body, now, secrets } = context;
    const role = chooseLinkRole(body, invite.role);
    if (invite.space !== undefined && role === null)
      throw createValidationError("body.level", "A role is required for a link to a space");
    const changed: InviteRecord = {
      ...invite,
      role,
      expiresAt: body.expiresAt === undefined ? invite.expiresAt : parseExpiry(body.expiresAt, now),
    };
    checkCanGrantRole(me!.role, changed.role);
    await putInvite(tx, secrets, changed);
    return (await presentLinkInvites(context, [changed]))[0]!;
  },
});

export const deleteLinkInvite = defineOperation("DELETE /orgs/:organizationId/link-invites/:inviteId", {
  summary: "Delete an invite link",
  target: linkInvite,
  right: "admin",
  handle: ({ tx, invite }) => deleteInvite(tx, invite),
});

/** Returns the role of a link, by either of its names. Null is a guest, so it does not count as missing. */
function chooseLinkRole({ role, level }: v.InferOutput<typeof NewLinkInvite>, defaultRole: Role | null): Role | null {
  if (role !== undefined) return role;
  return level === undefined ? defaultRole : level;
}

function parseExpiry(time: string | null, now: Date): string | null {
  if (time === null) return null;
  const expiresAt = new Date(time).toISOString();
  if (expiresAt <= now.toISOString()) throw createValidationError("body.expiresAt", "Expected a time in the future");
  return expiresAt;
}

export const listEmailInvites = defineOperation("GET /orgs/:organizationId/invites", {
  summary: "List email invites",
  target: organization,
  right: "admin",
  list: Invite,
  async handle(context) {
    const { tx, directory, organization, pageRequest, ports } = context;
    return paginateRows(pageRequest, await listOpenEmailInvites(tx, ports.cache, organization.id), async (keys) => {
      const found = await invites.getMany(tx, keys);
      const openInvites = found.flatMap((it) => (it && isOpenEmailInvite(it) ? [it] : []));
      const creatorIds = openInvites.map((it) => it.createdBy);
      const creators = await findUsersById(directory, creatorIds);
      return openInvites.map((it) => presentInvite(it, organization.id, creators, context));
    });
  },
});

export const sendEmailInvite = defineOperation("POST /orgs/:organizationId/invites/:inviteId/send", {
  summary: "Resend an email invite",
  target: emailInvite,
  right: "admin",
  returns: Invite,
  async handle(context) {
    const { tx, directory, organization, me, invite, actor, now, secrets } = context;
    checkCanGrantRole(me!.role, invite.role);
    const renewed: InviteRecord = { ...invite, createdBy: actor.user.id, expiresAt: getEmailInviteExpiry(now) };
    sendInvite(context, await putInvite(tx, secrets, renewed));
    return presentInvite(renewed, organization.id, await findUsersById(directory, [actor.user.id]), context);
  },
});

export const deleteEmailInvite = defineOperation("DELETE /orgs/:organizationId/invites/:inviteId", {
  summary: "Revoke an email invite",
  target: emailInvite,
  right: "admin",
  handle: ({ tx, invite }) => deleteInvite(tx, invite),
});
