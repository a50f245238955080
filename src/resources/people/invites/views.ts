// Invites on the wire, with their creators. Links also have what else leads to the same place.

import type * as v from "valibot";
import type { Actor } from "../../../operation/actor";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { findUsersById, presentUser } from "../users/records";
import { findRedundantLinks, type InviteRecord } from "./records";
import type { Invite } from "./schema";

/** The part of a handler's context that decides how people get an invite. */
interface InviteDelivery {
  readonly urls: Urls;
  readonly ports: { readonly sendMail: unknown };
}

export function presentInvite(
  { id, email, role, space, sso, createdAt, createdBy, expiresAt }: InviteRecord,
  organization: string,
  creators: ReadonlyMap<string, Actor["user"]>,
  { urls, ports }: InviteDelivery,
): v.InferOutput<typeof Invite> {
  const creator = creators.get(createdBy);
  return {
    object: "invite",
    id,
    type: email === null ? "link" : "email",
    ...omitUndefined({ email: email ?? undefined }),
    role,
    level: role,
    ...omitUndefined({ space, mailed: email === null ? undefined : ports.sendMail !== undefined }),
    sso,
    createdAt,
    ...omitUndefined({
      createdBy: creator ? presentUser(creator, urls) : undefined,
      expiresAt: expiresAt ?? undefined,
    }),
    urls: {
      location: urls.api(`/orgs/${organization}/${email === null ? "link-invites" : "invites"}/${id}`),
      app: urls.app(`/o/${organization}/invites/${id}`),
    },
  };
}

/** Returns links as they are on the wire, in the given order. */
export async function presentLinkInvites(
  {
    tx,
    directory,
    organization,
    now,
    ...delivery
  }: InviteDelivery & {
    readonly tx: Reader;
    readonly directory: Reader;
    readonly organization: { readonly id: string };
    readonly now: Date;
  },
  links: readonly InviteRecord[],
): Promise<v.InferOutput<typeof Invite>[]> {
  const creatorIds = links.map(({ createdBy }) => createdBy);
  const creators = await findUsersById(directory, creatorIds);
  const redundant = await findRedundantLinks(tx, links, now);
  return links.map((link) => ({
    ...presentInvite(link, organization.id, creators, delivery),
    redundant: redundant.has(link.id),
  }));
}
