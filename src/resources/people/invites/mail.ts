// Sends invites by mail after the commit that created them. A mail that could not be sent is retried, like every job.

import { defineJob } from "../../../jobs/jobs";
import { findLanguage } from "../../../locales/languages";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import { loadLazily } from "../../../utils/lazy";
import { organizations } from "../organizations/records";
import { users } from "../users/records";
import { type InviteRecord, invites } from "./records";

const loadMails = loadLazily(() => import("../../../mail/mails"));

/** The part of a handler's context that sending an invite needs. */
interface InviteMailContext {
  readonly organization: { readonly id: string };
  readonly ports: { readonly sendMail: unknown };
  readonly enqueueJob: (job: typeof mailInvite, payload: MailInvitePayload) => string;
}

type MailInvitePayload = {
  readonly organization: string;
  /** The key of the invite, with which nobody can accept it. */
  readonly invite: string;
};

/** Enqueues the mail of an invite if the host sends mails. The invite must be stored, so that it has a digest. */
export function sendInvite({ organization, ports, enqueueJob }: InviteMailContext, { digest }: InviteRecord): void {
  if (ports.sendMail && digest !== undefined) enqueueJob(mailInvite, { organization: organization.id, invite: digest });
}

/** Sends the mail of an invite that is still open. */
export const mailInvite = defineJob<MailInvitePayload>(
  "mail-invite",
  async ({ store, ports }, { organization: id, invite }) => {
    const view = await store.read(getOrganizationPartition(id));
    const [organization, found] = [await organizations.get(view, id), await invites.get(view, invite)];
    const isOpen = found?.acceptedBy === null && (found.expiresAt ?? "") > store.now().toISOString();
    if (!organization || !isOpen || !found.email || !ports.sendMail) return;
    const maker = await users.get(await store.read(DIRECTORY), found.createdBy);
    if (!maker) return;
    const { renderInviteMail } = await loadMails();
    await ports.sendMail(
      await renderInviteMail({
        to: found.email,
        language: findLanguage(found.language) ?? "en",
        organization: organization.title,
        by: maker.displayName,
        link: ports.integrations.urls.app(`/o/${id}/invites/${found.id}`),
        until: new Date(found.expiresAt!),
      }),
    );
  },
  { isLong: true },
);
