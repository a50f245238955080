// Invites on the wire: by e-mail for one person, or a link for everybody who has it.

import * as v from "valibot";
import { type Language, languageNames } from "../../../locales/languages";
import {
  Email,
  Id,
  listSchema,
  MemberRole,
  namedObject,
  type Role,
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
  space: v.optional(
    v.pipe(Id, v.description("The space that the link leads to. `role` is the role on it. Omitted for other invites.")),
  ),
  redundant: v.optional(
    v.pipe(
      v.boolean(),
      v.description("Whether an older link that hasn't expired gives the same access. Omitted for email invites."),
    ),
  ),
  mailed: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        "Whether the server emails this invite. If `false`, send `urls.app` to the person yourself. Omitted for invite links.",
      ),
    ),
  ),
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
  invited: v.pipe(v.number(), v.description("The number of invites.")),
  /** The addresses of people who are already members. */
  members: v.array(v.string()),
  users: v.pipe(v.array(Id), v.description("The user IDs of `members`, in the same order.")),
});

const linkSettings = {
  role: v.optional(MemberRole),
  level: v.optional(v.pipe(MemberRole, v.description("An alias of `role`. Provide only one of them."))),
  expiresAt: v.optional(Expiry),
};

const isOneRole = ({ role, level }: { readonly role?: Role | null; readonly level?: Role | null }) =>
  role === undefined || level === undefined || role === level;
const ONE_ROLE = "Expected the same as in `role`, or one of the two alone";

export const NewLinkInvite = v.pipe(
  v.strictObject({
    ...linkSettings,
    space: v.optional(
      v.pipe(
        Id,
        v.description(
          "A space to invite people to. They become guests of the organization, unless they are members already, and get the role on the space.",
        ),
      ),
    ),
  }),
  v.forward(v.partialCheck([["role"], ["level"]], isOneRole, ONE_ROLE), ["level"]),
);

export const LinkInviteChanges = v.pipe(
  v.strictObject(linkSettings),
  v.forward(v.partialCheck([["role"], ["level"]], isOneRole, ONE_ROLE), ["level"]),
);
