// SAML providers on the wire.

import * as v from "valibot";
import {
  Id,
  MemberRole,
  namedObject,
  RedirectUrl,
  Timestamp,
  textSchema,
  UrlString,
} from "../../../operation/common-schemas";
import { Team } from "../teams/schema";

export const SamlProvider = namedObject("SamlProvider", {
  object: v.literal("saml-provider"),
  id: Id,
  label: v.string(),
  ssoURL: v.optional(v.string()),
  sloURL: v.optional(v.string()),
  entityID: v.optional(v.string()),
  certificate: v.optional(v.string()),
  defaultTeam: v.optional(Team),
  defaultRole: MemberRole,
  createdAt: Timestamp,
  status: v.picklist(["active", "pending"]),
  service: v.object({ acsURL: UrlString, startURL: UrlString, entityID: UrlString }),
  urls: v.object({ location: UrlString }),
});

const SecureUrl = v.pipe(RedirectUrl, v.regex(/^https:/i, "Expected a URL that begins with https://"));

const fields = {
  entityID: v.optional(textSchema(1, 1024)),
  certificate: v.optional(textSchema(1, 10_000)),
  ssoURL: v.optional(SecureUrl),
  sloURL: v.optional(v.nullable(SecureUrl)),
  defaultTeam: v.optional(v.nullable(Id)),
  defaultRole: v.optional(MemberRole),
};

export const NewSamlProvider = v.strictObject({ label: textSchema(1, 30), ...fields });
export const SamlProviderChanges = v.strictObject({ label: v.optional(textSchema(1, 30)), ...fields });

/** A way to sign in, for a login page. */
export const SsoProvider = namedObject("SsoProvider", { id: Id, label: v.string(), startURL: UrlString });
