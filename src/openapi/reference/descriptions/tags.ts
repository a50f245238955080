// Descriptions of the resources, for the table of contents.

export const tagDescriptions: Readonly<Record<string, string>> = {
  service: "What the API says of itself. Open to everybody.",
  users: "People. The host makes them; they belong to no organization.",
  tokens: "API tokens of the caller. A token can be limited to scopes and to a time.",
  sessions: "Browsers in which the caller is signed in. They begin with `octavo/sign-in`.",
  organizations: "An organization holds everything else. Whoever founds one is its admin.",
  members: "The people in an organization, each with a role.",
  invites: "Invites to an organization: by e-mail for one address, by link for whoever has it.",
  teams: "Groups of members that are given roles together.",
  saml: "SAML providers, through which members sign in.",
  scim: "Tokens with which the directory of a company manages members and teams.",
  audit: "What happened in an organization, for its admins: who did what, when, from where and with which credential.",
  collections: "Folders of spaces. What is given on a collection holds for everything in it.",
  spaces: "A space holds pages and files. A deleted one waits in the trash for 7 days.",
  revisions:
    "The content of a space: pages, files, reusable contents and variables. A revision never changes; a space shows one of them.",
  "change-requests": "Proposed changes of a space: a second line of revisions beside it, reviewed and merged.",
  imports: "Content from elsewhere: websites, archives, documents, and exports of other systems.",
  "git-sync": "Keeps a space and a branch of a Git repository in step, in both directions.",
  comments: "Discussions of spaces and change requests, with replies and reactions.",
  search: "Search in a space, and in all spaces of an organization that the caller may read.",
  ask: "Questions about content, answered by a model of the host from what the caller may see.",
  templates: "Pages to begin a space with.",
  sites: "A site shows spaces to an audience: its structure, who is let in, how it looks, and where it is found.",
  translations: "Spaces that follow another space in another language.",
  grants: "Roles that users and teams were given on a space or a collection.",
  integrations:
    "Scripts or servers of others that hear what happens and call the API back. An organization installs one and agrees to its scopes.",
  "openapi-specs": "OpenAPI specifications with their versions, for pages that are computed from them.",
  events: "What happens in an organization, while it happens.",
  jobs: "Work that waits in an organization, and work that was given up.",
};
