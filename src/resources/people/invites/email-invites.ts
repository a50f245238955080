// Lists, resends and revokes invites by e-mail that nobody has accepted yet.

import { defineOperation } from "../../../operation/operation";
import { paginateRows } from "../../../operation/pagination";
import { checkCanGrantRole } from "../../../operation/roles";
import { organization } from "../organizations/rules";
import { findUsersById } from "../users/records";
import { sendInvite } from "./mail";
import {
  deleteInvite,
  getEmailInviteExpiry,
  getOpenInvites,
  type InviteRecord,
  listOpenEmailInvites,
  putInvite,
} from "./records";
import { emailInvite } from "./rules";
import { Invite } from "./schema";
import { presentInvite } from "./views";

export const listEmailInvites = defineOperation("GET /orgs/:organizationId/invites", {
  summary: "List the invites by e-mail that nobody has accepted",
  description: "The oldest first. One whose time is over is listed, too: it can be sent again.",
  target: organization,
  right: "admin",
  list: Invite,
  async handle({ tx, directory, organization, pageRequest, urls, ports }) {
    return paginateRows(pageRequest, await listOpenEmailInvites(tx, ports.cache, organization.id), async (keys) => {
      const openInvites = await getOpenInvites(tx, keys);
      const creatorIds = openInvites.map((it) => it.createdBy);
      const creators = await findUsersById(directory, creatorIds);
      return openInvites.map((it) => presentInvite(it, organization.id, creators, urls));
    });
  },
});

export const sendEmailInvite = defineOperation("POST /orgs/:organizationId/invites/:inviteId/send", {
  summary: "Send an invite again; its time begins anew",
  description: [
    "The answer has the link, and where the server sends mails, the person gets it. The invite is yours from now on, so",
    "it ends when you are no admin any more.",
  ].join(" "),
  target: emailInvite,
  right: "admin",
  returns: Invite,
  async handle(context) {
    const { tx, directory, organization, me, invite, actor, now, urls, secrets } = context;
    checkCanGrantRole(me!.role, invite.role);
    const renewed: InviteRecord = { ...invite, createdBy: actor.user.id, expiresAt: getEmailInviteExpiry(now) };
    sendInvite(context, await putInvite(tx, secrets, renewed));
    return presentInvite(renewed, organization.id, await findUsersById(directory, [actor.user.id]), urls);
  },
});

export const deleteEmailInvite = defineOperation("DELETE /orgs/:organizationId/invites/:inviteId", {
  summary: "Take an invite by e-mail back; nobody can accept it any more",
  target: emailInvite,
  right: "admin",
  async handle({ tx, invite }) {
    await deleteInvite(tx, invite);
  },
});
