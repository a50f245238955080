// Spaces on the wire.

import * as v from "valibot";
import {
  Id,
  namedObject,
  permissionsSchema,
  Timestamp,
  TranslationLanguage,
  textSchema,
  UrlString,
  Variables,
} from "../../../operation/common-schemas";
import { DefaultLevel, Title, Transfer } from "../tree/schema";

const visibilities = ["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"] as const;
export const SpaceVisibility = v.pipe(
  v.picklist(visibilities, `Expected one of ${visibilities.join(", ")}`),
  v.title("SpaceVisibility"),
);
const EditMode = v.picklist(["live", "locked"], "Expected live or locked");

/** The supported Git hosting services. */
export const GitProvider = v.picklist(
  ["github", "gitlab", "github-legacy"],
  "Expected github, gitlab or github-legacy",
);

/** The repository that a space is synchronized with. */
export const GitSync = namedObject("GitSync", {
  repoName: v.string(),
  installationProvider: v.optional(GitProvider),
  integration: v.optional(v.pipe(v.string(), v.description("The name of the integration that synchronizes them."))),
  url: v.pipe(v.string(), v.description("The URL of the repository, without credentials.")),
  updatedAt: Timestamp,
});

export const spacePermissions = [
  "view",
  "access",
  "admin",
  "viewInviteLinks",
  "edit",
  "triggerGitSync",
  "comment",
  "merge",
  "review",
  "installIntegration",
] as const;

export const Space = namedObject("Space", {
  object: v.literal("space"),
  id: Id,
  title: v.string(),
  emoji: v.pipe(
    v.string(),
    v.description("An emoji, as a character or as a hexadecimal code point such as `1f4d8`. Empty if there is none."),
  ),
  icon: v.optional(v.string()),
  language: v.optional(TranslationLanguage),
  visibility: SpaceVisibility,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: v.optional(Timestamp),
  editMode: EditMode,
  organization: Id,
  parent: v.optional(Id),
  revision: Id,
  defaultLevel: DefaultLevel,
  comments: v.number(),
  changeRequests: v.number(),
  changeRequestsOpen: v.number(),
  changeRequestsDraft: v.number(),
  urls: v.object({ location: UrlString, app: UrlString }),
  gitSync: v.optional(GitSync),
  transfer: v.optional(Transfer),
  permissions: permissionsSchema(spacePermissions),
});

/** The emoji, icon and language of a space. Empty text and null remove them. */
const labels = {
  emoji: v.optional(v.nullable(textSchema(0, 50))),
  icon: v.optional(v.nullable(textSchema(0, 50))),
  language: v.optional(v.nullable(TranslationLanguage)),
};

/** The variables with which the pages of a template are created. */
export const TemplateParams = v.optional(
  v.pipe(Variables, v.description("The variables of the space, by name. They override the variables of the template.")),
);

export const NewSpace = v.strictObject({
  title: v.optional(Title),
  ...labels,
  parent: v.optional(v.nullable(Id)),
  editMode: v.optional(EditMode),
  visibility: v.optional(SpaceVisibility),
  template: v.optional(v.strictObject({ id: Id, params: TemplateParams })),
});

export const SpaceChanges = v.strictObject({
  title: v.optional(Title),
  ...labels,
  editMode: v.optional(EditMode),
  defaultLevel: v.optional(DefaultLevel),
  visibility: v.optional(SpaceVisibility),
});
