// Invites to an organization. Their ids are the secret that lets people in, so they are long and are never listed to
// anybody but admins.

import { fold, type Role } from "../../shapes";
import { records } from "../../store/records";

export type InviteRecord = {
  readonly id: string;
  /** The address that an e-mail invite was made for; null for a link. */
  readonly email: string | null;
  /** Null: a guest. */
  readonly role: Role | null;
  readonly sso: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  /** Who has used an e-mail invite. */
  readonly acceptedBy: string | null;
};

export const invites = records("invite", {
  key: (invite: InviteRecord) => [invite.id],
  indexes: { links: (invite) => (invite.email === null ? [invite.createdAt] : undefined) },
  unique: {
    email: (invite) => (invite.email !== null && invite.acceptedBy === null ? [fold(invite.email)] : undefined),
  },
  totals: { links: (invite) => (invite.email === null ? [] : undefined) },
});

/** How long an invite by e-mail stays open. */
export const EMAIL_INVITE_DAYS = 14;
