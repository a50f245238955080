// Descriptions of the fields of collections, spaces and grants, by type.

export const libraryFieldDescriptions: Readonly<Record<string, string>> = {
  "Space.title": "The name of the space.",
  "Space.revision": "The id of the revision that the space shows now.",
  "Space.deletedAt":
    "When it was put into the trash. It is removed for good 7 days later. Left out for a space in use.",
  "Space.visibility":
    "Who is meant to read it: `public` and `unlisted` everybody, `share-link` whoever has a key, `visitor-auth` visitors " +
    "with a JWT, `in-collection` whoever sees the collection, `private` members only.",
  "*SpaceBody.visibility":
    "Who is meant to read it: `public` and `unlisted` everybody, `share-link` whoever has a key, `visitor-auth` visitors " +
    "with a JWT, `in-collection` whoever sees the collection, `private` members only.",
  "Space.changeRequests": "How many change requests it has, whatever their status.",
  "Space.changeRequestsOpen": "How many change requests are open.",
  "Space.changeRequestsDraft": "How many change requests are drafts.",
  "Space.gitSync": "The repository that the space is synchronized with. Left out when there is none.",
  "SpacePermissions.view": "See the space: the role read.",
  "SpacePermissions.access": "Read its content: the role read.",
  "SpacePermissions.admin": "Change, move and delete the space, and who has access: the role create on it.",
  "SpacePermissions.viewInviteLinks": "See its invite links: the role create on it.",
  "SpacePermissions.edit": "Change its content: the role edit.",
  "SpacePermissions.triggerGitSync": "Import from Git and export to it: the role create on it.",
  "SpacePermissions.comment": "Take part in discussions: the role comment.",
  "SpacePermissions.merge": "Merge change requests: the role review.",
  "SpacePermissions.review": "Review change requests: the role review.",
  "SpacePermissions.installIntegration": "Install integrations on it: the role create on it.",
  "CreateSpaceBody.title": "The name of the space. Default: Untitled.",
  "CreateSpaceBody.template": "The template that gives it its first pages. Left out: it starts empty.",
  "CreateSpaceBodyTemplate.id": "The id of a template, from `GET /templates`.",
  "ApplyTemplateBody.id": "The id of a template, from `GET /templates`.",
  "*SpaceBody.emoji": "A character, or its code point in hexadecimal digits; null or an empty text removes it.",
  "Space.icon": "The name of an icon. Left out when there is none.",
  "*SpaceBody.icon": "The name of an icon; null or an empty text removes it.",
  "Space.language": "The language that it is written in. Left out when nobody has said it.",
  "*SpaceBody.language":
    "The language that it is written in; null removes it. It is told to readers and changes no text.",
  "CollectionPermissions.view": "See the collection: the role read.",
  "CollectionPermissions.admin": "Change, move and delete the collection, and who has access: the role create on it.",
  "CollectionPermissions.viewInviteLinks": "See its invite links: the role create on it.",
  "CollectionPermissions.create": "Make spaces and collections in it: the role create on it.",
  "CreateCollectionBody.title": "The name of the collection. Default: Untitled.",
  "UpdateCollectionBody.description": "A sentence or two for people; null removes it.",
  "*Transfer.organization": "The id of the organization that it goes to.",
  "Transfer*Body.organization": "The id of the organization that gets it. You need the role create there.",
  "TransferSpaceBody.collection": "The id of a collection there that takes it. Default: the top of the organization.",
  "Move*Body.parent":
    "The id of the collection that takes it; null: the top of the organization. Left out: it stays in its place.",
  "TreePosition*.type": "Whether the neighbour is a space or a collection.",
  "TreePosition*.space": "The id of the space beside which it is put.",
  "TreePosition*.collection": "The id of the collection beside which it is put.",
  "GrantOn*Body.users":
    "Users by their ids, or with the role that each gets. Whoever has a role already gets this one instead.",
  "GrantOn*BodyUserWithId.id": "The id of a member of the organization.",
  "GrantOn*BodyTeamWithId.id": "The id of a team of the organization.",
  "GrantOn*Body.role": "The role of everybody in the lists who is given none of their own. It cannot be above yours.",
  "GrantOn*BodyUserWithId.role": "The role to give. It cannot be above your own. Default: `role` of the request.",
  "GrantOn*BodyTeamWithId.role": "The role to give. It cannot be above your own. Default: `role` of the request.",
  "Update*GrantOn*Body.role": "The role to have from now on. It cannot be above your own.",
  "UserGrant.permission": "The role that the user was given, or has in the end where access is listed.",
  "UserGrant.user": "The user who has it.",
  "TeamGrant.permission": "The role that the team was given.",
  "TeamGrant.team": "The team that has it.",
};
