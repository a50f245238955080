// Invites on the wire, with who made them.

import type * as v from "valibot";
import type { Actor } from "../../../operation/actor";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { userView } from "../users/records";
import type { InviteRecord } from "./records";
import type { Invite } from "./schema";

export function inviteView(
  { id, email, role, sso, createdAt, createdBy, expiresAt }: InviteRecord,
  organization: string,
  makers: ReadonlyMap<string, Actor["user"]>,
  urls: Urls,
): v.InferOutput<typeof Invite> {
  const maker = makers.get(createdBy);
  return {
    object: "invite",
    id,
    type: email === null ? "link" : "email",
    ...omitUndefined({ email: email === null ? undefined : email }),
    role,
    level: role,
    sso,
    createdAt,
    ...omitUndefined({
      createdBy: maker ? userView(maker, urls) : undefined,
      expiresAt: expiresAt === null ? undefined : expiresAt,
    }),
    urls: {
      location: urls.api(`/orgs/${organization}/${email === null ? "link-invites" : "invites"}/${id}`),
      app: urls.app(`/o/${organization}/invites/${id}`),
    },
  };
}
