// Invites on the wire: by e-mail for one person, or a link for everybody who has it.

import * as v from "valibot";
import { type Language, languageNames } from "../../../locales/languages";
import {
  Email,
  Id,
  listSchema,
  MemberRole,
  namedObject,
  Timestamp,
  UrlString,
  User,
} from "../../../operation/common-schemas";

const Expiry = v.nullable(v.pipe(v.string(), v.isoTimestamp("Expected an ISO 8601 date-time")));

export const Invite = namedObject("Invite", {
  object: v.literal("invite"),
  id: Id,
  type: v.picklist(["email", "link"]),
  email: v.optional(v.string()),
  role: MemberRole,
  level: v.pipe(MemberRole, v.description("An alias of `role`.")),
  sso: v.boolean(),
  createdAt: Timestamp,
  createdBy: v.optional(User),
  expiresAt: v.optional(Timestamp),
  urls: v.object({ location: UrlString, app: UrlString }),
});

export const NewInvites = v.strictObject({
  emails: v.pipe(
    listSchema(Email, 50, "Expected at most 50 addresses"),
    v.minLength(1, "Expected at least one address"),
  ),
  role: v.optional(MemberRole),
  sso: v.optional(v.boolean()),
  language: v.optional(v.picklist(Object.keys(languageNames) as Language[], "Expected the code of a language")),
});

export const InvitesMade = v.object({
  invites: v.array(Invite),
  /** The addresses of people who are already members. */
  members: v.array(v.string()),
});

export const NewLinkInvite = v.pipe(
  v.strictObject({
    role: v.optional(MemberRole),
    level: v.optional(v.pipe(MemberRole, v.description("An alias of `role`. Provide only one of them."))),
    expiresAt: v.optional(Expiry),
  }),
  v.forward(
    v.partialCheck(
      [["role"], ["level"]],
      ({ role, level }) => role === undefined || level === undefined || role === level,
      "Expected the same as in `role`, or one of the two alone",
    ),
    ["level"],
  ),
);
export const LinkInviteChanges = NewLinkInvite;
