// Invites on the wire, with their creators.

import type * as v from "valibot";
import type { Actor } from "../../../operation/actor";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { presentUser } from "../users/records";
import type { InviteRecord } from "./records";
import type { Invite } from "./schema";

export function presentInvite(
  { id, email, role, sso, createdAt, createdBy, expiresAt }: InviteRecord,
  organization: string,
  creators: ReadonlyMap<string, Actor["user"]>,
  urls: Urls,
): v.InferOutput<typeof Invite> {
  const creator = creators.get(createdBy);
  return {
    object: "invite",
    id,
    type: email === null ? "link" : "email",
    ...omitUndefined({ email: email ?? undefined }),
    role,
    level: role,
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
