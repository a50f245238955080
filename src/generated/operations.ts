// What every operation takes and answers. Written by `npm run types`; a test fails when it is stale.

import type { Envelope, Paging } from "../operation/operation";
import type { Sent } from "../sent";
import type {
  ChangeBatch,
  ChangeOutcome,
  ChangeRequest,
  ChangeRequestRequestedReviewer,
  ChangeRequestReview,
  Collection,
  Comment,
  CommentBody,
  CommentReply,
  ContentChanges,
  ContentLink,
  ContentReference,
  CustomizationChangesInput,
  DefaultLevel,
  File,
  FoundOnSite,
  FoundPage,
  FoundSpace,
  GitInfo,
  ImportOutcome,
  ImportReport,
  ImportSource,
  Integration,
  IntegrationBlock,
  IntegrationCategory,
  IntegrationConfigurations,
  IntegrationContentSource,
  IntegrationEvent,
  IntegrationInstallation,
  IntegrationInstallationToken,
  IntegrationScope,
  IntegrationSiteInstallation,
  IntegrationSpaceInstallation,
  IntegrationTarget,
  IntegrationTask,
  IntegrationVisibility,
  Invite,
  Job,
  LinkStats,
  Member,
  MergeOutcome,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  Organization,
  OrganizationUseCase,
  Page,
  PageInTree,
  PdfUrl,
  PublishedContentSite,
  PublishedPage,
  PublishedPageInTree,
  PublishedUrl,
  PublishingAuth,
  RegeneratedPublishingAuth,
  ReusableContent,
  Revision,
  RevisionSummary,
  Role,
  SamlProvider,
  ShareLink,
  Site,
  SiteAdaptiveSchema,
  SiteCustomization,
  SiteRedirect,
  SiteRedirectDestination,
  SiteRedirectTarget,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteSpaceCustomization,
  SiteStructure,
  SiteVisibility,
  Space,
  SpaceVisibility,
  SsoProvider,
  Subdomain,
  Team,
  TeamGrant,
  TeamMember,
  TeamRole,
  Template,
  Token,
  Translation,
  TranslationLanguage,
  TreePosition,
  UpdateOutcome,
  User,
  UserGrant,
} from "./resources";

/** Members that the queries of several operations have in common. */
export interface Query {
  /** False leaves out what is computed. Default: true. */
  computed?: "true" | "false";
  /** True puts in variables, reusable contents and conditions. Default: false. */
  evaluated?: "true" | "false";
  /** The form of the text. Default: markdown. */
  format?: "document" | "markdown";
  /** False leaves out where things came from in Git. Default: true. */
  metadata?: "true" | "false";
  /** The key of a share link. */
  shareKey?: string;
  /** What the visitor says of themselves, as a JSON object; the adaptive schema's `unsigned`. */
  unsignedClaims?: string;
  /** A JWT that says who the visitor is, signed with the site's key. */
  visitorToken?: string;
}

/** The operations by their names: what `call` takes (`params`, `query` and `body`) and what it answers (`result`). */
export interface Operations {
  /** Ask whether the service is up, and which version it is. */
  getService: { result: { version: string } };
  /** Ask whether the process answers. */
  getHealth: { result: { status: "up" } };
  /** Get the OpenAPI 3.1 description of this API. */
  getOpenApi: { result: { openapi: string; [name: string]: unknown } };
  /** Ask whether the process can answer requests. */
  getReadiness: { result: { status: "ready" } };
  /** Get the user that the token belongs to. */
  getCurrentUser: { result: User };
  /** Get a user: yourself, or somebody in an organization whose members you may list. */
  getUser: { params: { userId: string }; result: User };
  /** List your API tokens. */
  listTokens: { query?: Paging; result: Envelope<Token> };
  /** Issue an API token; its value is shown in this answer and never again. */
  createToken: { body: { label: string; scopes?: string[] | null; expiresAt?: string | null }; result: Token };
  /** Revoke an API token at once. */
  revokeToken: { params: { tokenId: string }; result: undefined };
  /** List the organizations that an e-mail domain leads to. */
  listOrganizationsByEmailDomain: { params: { emailDomain: string }; result: { organizations: Organization[] } };
  /** List the organizations that you are in. */
  listOrganizations: { query?: Paging; result: Envelope<Organization> };
  /** Found an organization; you become its admin. */
  createOrganization: {
    body: {
      title: string;
      emailDomains?: string[];
      hostname?: string;
      defaultRole?: Role | null;
      type?: "business" | "community";
      useCase?: OrganizationUseCase;
      communityType?: "nonProfit" | "openSource" | "education";
    };
    result: Organization;
  };
  /** Get an organization. */
  getOrganization: { params: { organizationId: string }; result: Organization };
  /** Change the settings of an organization. */
  updateOrganization: {
    params: { organizationId: string };
    body?: {
      title?: string;
      emailDomains?: string[];
      hostname?: string;
      defaultRole?: Role | null;
      defaultContent?: { type: "site"; site: string } | null;
      logo?: string | null;
      sso?: boolean;
      ai?: boolean;
      inviteLinks?: boolean;
    };
    result: Organization;
  };
  /** Say that you are active in an organization, and get a JWT that shows published content who you are. */
  pingOrganization: { params: { organizationId: string }; result: { serviceVisitorClaims?: string } };
  /** Get what a subdomain leads to. */
  getSubdomain: { params: { subdomain: string }; result: Subdomain };
  /** List the members of an organization. */
  listMembers: {
    params: { organizationId: string };
    query?: Paging & {
      order?: "asc" | "desc";
      role?: "read" | "comment" | "edit" | "review" | "create" | "admin" | "guest";
      search?: string;
      sort?: "joinedAt" | "lastSeenAt";
    };
    result: Envelope<Member>;
  };
  /** Get a member of an organization. */
  getMember: { params: { organizationId: string; userId: string }; result: Member };
  /** Change the role of a member. */
  updateMember: { params: { organizationId: string; userId: string }; body: { role: Role | null }; result: Member };
  /** Remove a member from an organization, or leave it. */
  removeMember: { params: { organizationId: string; userId: string }; result: undefined };
  /** List the spaces that a member has access to, as far as you may see them. */
  listMemberSpaces: {
    params: { organizationId: string; userId: string };
    query?: Paging & { order?: "asc" | "desc" };
    result: Envelope<{ permission: Role; space: Space }>;
  };
  /** Make a member one who signs in through SSO. */
  makeMemberSso: { params: { organizationId: string; userId: string }; result: Member };
  /** List the teams that a member is in. */
  listMemberTeams: {
    params: { organizationId: string; userId: string };
    query?: Paging & { title?: string };
    result: Envelope<{ team: Team; member: { role: TeamRole } }>;
  };
  /** Invite people by their e-mail addresses. */
  inviteByEmail: {
    params: { organizationId: string };
    body: { emails: string[]; role?: Role | null; sso?: boolean };
    result: { invites: Invite[]; members: string[] };
  };
  /** Accept an invite and become a member. */
  acceptInvite: { params: { organizationId: string; inviteId: string }; result: Member };
  /** List the invite links of an organization. */
  listLinkInvites: { params: { organizationId: string }; query?: Paging; result: Envelope<Invite> };
  /** Make an invite link. */
  createLinkInvite: { params: { organizationId: string }; body?: { role?: Role | null; expiresAt?: string | null }; result: Invite };
  /** Get an invite link. */
  getLinkInvite: { params: { organizationId: string; inviteId: string }; result: Invite };
  /** Change the role that an invite link gives, or when it ends. */
  updateLinkInvite: {
    params: { organizationId: string; inviteId: string };
    body?: { role?: Role | null; expiresAt?: string | null };
    result: Invite;
  };
  /** Delete an invite link; nobody can use it any more. */
  deleteLinkInvite: { params: { organizationId: string; inviteId: string }; result: undefined };
  /** List the teams of an organization. */
  listTeams: { params: { organizationId: string }; query?: Paging & { owner?: string; title?: string }; result: Envelope<Team> };
  /** Create a team. */
  createTeam: { params: { organizationId: string }; body: { title: string; members?: string[] }; result: Team };
  /** Get a team. */
  getTeam: { params: { organizationId: string; teamId: string }; result: Team };
  /** Rename a team. */
  updateTeam: { params: { organizationId: string; teamId: string }; body?: { title?: string }; result: Team };
  /** Delete a team; its members stay in the organization. */
  deleteTeam: { params: { organizationId: string; teamId: string }; result: undefined };
  /** List the members of a team. */
  listTeamMembers: { params: { organizationId: string; teamId: string }; query?: Paging; result: Envelope<TeamMember> };
  /** Add members to a team and take others out, in one step. */
  updateTeamMembers: {
    params: { organizationId: string; teamId: string };
    body?: { add?: string[]; remove?: string[] };
    result: undefined;
  };
  /** Put a member into a team, or change the role there. */
  setTeamMember: {
    params: { organizationId: string; teamId: string; userId: string };
    body?: { role?: TeamRole };
    result: TeamMember;
  };
  /** Take a member out of a team, or leave it. */
  removeTeamMember: { params: { organizationId: string; teamId: string; userId: string }; result: undefined };
  /** List the SAML providers of an organization. */
  listSamlProviders: { params: { organizationId: string }; query?: Paging; result: Envelope<SamlProvider> };
  /** Create a SAML provider. */
  createSamlProvider: {
    params: { organizationId: string };
    body: {
      label: string;
      entityID?: string;
      certificate?: string;
      ssoURL?: string;
      defaultTeam?: string | null;
      defaultRole?: Role | null;
    };
    result: SamlProvider;
  };
  /** Get a SAML provider. */
  getSamlProvider: { params: { organizationId: string; samlProviderId: string }; result: SamlProvider };
  /** Change a SAML provider. */
  updateSamlProvider: {
    params: { organizationId: string; samlProviderId: string };
    body?: {
      label?: string;
      entityID?: string;
      certificate?: string;
      ssoURL?: string;
      defaultTeam?: string | null;
      defaultRole?: Role | null;
    };
    result: SamlProvider;
  };
  /** Delete a SAML provider. */
  deleteSamlProvider: { params: { organizationId: string; samlProviderId: string }; result: undefined };
  /** List the ways to sign in to an organization through SSO. */
  listSsoProviders: { params: { organizationId: string }; result: { items: SsoProvider[] } };
  /** Get a collection. */
  getCollection: { params: { collectionId: string }; result: Collection };
  /** Change the title, description or default level of a collection. */
  updateCollection: {
    params: { collectionId: string };
    body?: { title?: string; description?: string | null; defaultLevel?: DefaultLevel };
    result: Collection;
  };
  /** Delete a collection with the collections in it. */
  deleteCollection: { params: { collectionId: string }; result: undefined };
  /** Move a collection into another one, to the top, or past its neighbours. */
  moveCollection: { params: { collectionId: string }; body?: { parent?: string | null; position?: TreePosition }; result: Collection };
  /** List the spaces that lie directly in a collection, in their order. */
  listSpacesInCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<Space> };
  /** Bring a collection with everything in it to another organization. */
  transferCollection: { params: { collectionId: string }; body: { organization: string }; result: Collection };
  /** List the collections of an organization that you may see. */
  listCollections: { params: { organizationId: string }; query?: Paging & { nested?: "true" | "false" }; result: Envelope<Collection> };
  /** Create a collection, at the end of its siblings. */
  createCollection: { params: { organizationId: string }; body?: { title?: string; parent?: string | null }; result: Collection };
  /** List the spaces of an organization that you may see. */
  listSpaces: { params: { organizationId: string }; query?: Paging; result: Envelope<Space> };
  /** Create a space, at the end of its siblings. */
  createSpace: {
    params: { organizationId: string };
    body?: {
      title?: string;
      emoji?: string;
      parent?: string | null;
      editMode?: "live" | "locked";
      visibility?: SpaceVisibility;
      template?: { id: string };
    };
    result: Space;
  };
  /** Get a space; one in the trash is shown to those who may restore it. */
  getSpace: { params: { spaceId: string }; query?: { shareKey?: string }; result: Space };
  /** Change the settings of a space. */
  updateSpace: {
    params: { spaceId: string };
    body?: {
      title?: string;
      emoji?: string | null;
      editMode?: "live" | "locked";
      defaultLevel?: DefaultLevel;
      visibility?: SpaceVisibility;
    };
    result: Space;
  };
  /** Put a space into the trash, from where it can be restored for 7 days. */
  deleteSpace: { params: { spaceId: string }; result: undefined };
  /** Copy a space with its content and settings, next to the original. */
  duplicateSpace: { params: { spaceId: string }; result: Space };
  /** Move a space into a collection, to the top, or past its neighbours. */
  moveSpace: { params: { spaceId: string }; body?: { parent?: string | null; position?: TreePosition }; result: Space };
  /** Bring a space back from the trash, to the place that it had. */
  restoreSpace: { params: { spaceId: string }; result: Space };
  /** Bring a space to another organization. */
  transferSpace: { params: { spaceId: string }; body: { organization: string; collection?: string }; result: Space };
  /** Download a file, with a URL that another answer gave. */
  downloadFile: { params: { download: string }; result: Sent };
  /** Download content as PDF, with a URL that another answer gave. */
  downloadPdf: { params: { pdf: string }; result: Sent };
  /** Get everything that a space holds, but the texts of its pages. */
  getContent: { params: { spaceId: string }; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  /** Change the content of a space: a batch of changes, all or nothing, one new revision. */
  changeContent: {
    params: { spaceId: string };
    body: ChangeBatch;
    result: { revision: string; changes: ChangeOutcome[]; insertedFiles?: { object: "file"; id: string; ref?: string }[] };
  };
  /** List the files of a space. */
  listFiles: { params: { spaceId: string }; query?: Paging & Pick<Query, "metadata" | "computed">; result: Envelope<File> };
  /** Get a file, with a URL to download it from. */
  getFile: { params: { spaceId: string; fileId: string }; query?: Pick<Query, "metadata" | "computed">; result: File };
  /** List where a file is linked from. */
  listBacklinksOfFile: { params: { spaceId: string; fileId: string }; query?: Paging; result: Envelope<ContentReference> };
  /** Get a page with its text. */
  getPage: {
    params: { spaceId: string; pageId: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  /** List where a page is linked from. */
  listBacklinksOfPage: { params: { spaceId: string; pageId: string }; query?: Paging; result: Envelope<ContentReference> };
  /** List what a page links to. */
  listLinksOfPage: {
    params: { spaceId: string; pageId: string };
    query?: Paging;
    result: Envelope<ContentLink> & { readonly stats: LinkStats };
  };
  /** Get the tree of pages of a space. */
  listPages: { params: { spaceId: string }; query?: Pick<Query, "metadata" | "computed">; result: { pages: PageInTree[] } };
  /** Get the page at a path, also at one that it had once. */
  getPageByPath: {
    params: { spaceId: string; pagePath: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  /** Get a reusable content with its text. */
  getReusableContent: {
    params: { spaceId: string; reusableContentId: string };
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  /** Add the pages of a template to a space, in one revision. */
  applyTemplate: { params: { spaceId: string }; body: { id: string }; result: undefined };
  /** List what the pages of a space link to, and which of it is not there. */
  listSpaceLinks: { params: { spaceId: string }; query?: Paging; result: Envelope<ContentLink> & { readonly stats: LinkStats } };
  /** Get a URL to read a space as PDF, or a page of it. */
  getPdf: {
    params: { spaceId: string };
    query?: {
      /** The page that is printed, with the pages below it. Default: all pages. */
      page?: string;
      /** True leaves out the pages below `page`. Default: false. */
      only?: "true" | "false";
    };
    result: PdfUrl;
  };
  /** List the revisions of a space, the newest first. */
  listRevisions: { params: { spaceId: string }; query?: Paging; result: Envelope<RevisionSummary> };
  /** Get everything that a space held, but the texts of its pages. */
  getRevision: { params: { spaceId: string; revisionId: string }; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  /** Tell what a revision changed. */
  listRevisionChanges: { params: { spaceId: string; revisionId: string }; result: ContentChanges };
  /** List the files of a revision. */
  listRevisionFiles: {
    params: { spaceId: string; revisionId: string };
    query?: Paging & Pick<Query, "metadata" | "computed">;
    result: Envelope<File>;
  };
  /** Get a page as a revision has it. */
  getRevisionPage: {
    params: { spaceId: string; revisionId: string; pageId: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  /** Get the tree of pages of a revision. */
  listRevisionPages: {
    params: { spaceId: string; revisionId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: { pages: PageInTree[] };
  };
  /** Get the page at a path as a revision has it. */
  getRevisionPageByPath: {
    params: { spaceId: string; revisionId: string; pagePath: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  /** Get a reusable content as a revision has it. */
  getRevisionReusableContent: {
    params: { spaceId: string; revisionId: string; reusableContentId: string };
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  /** List the change requests of a space, the newest first. */
  listChangeRequests: {
    params: { spaceId: string };
    query?: Paging & {
      /** Default: open. */
      status?: "draft" | "open" | "archived" | "merged";
      /** Only those that this user wrote in. */
      contributor?: string;
    };
    result: Envelope<ChangeRequest>;
  };
  /** Propose changes of a space: begins as a draft, with what the space shows now. */
  createChangeRequest: { params: { spaceId: string }; body?: { subject?: string; agentTaskId?: string }; result: ChangeRequest };
  /** Get a change request, by its id or its number. */
  getChangeRequest: { params: { spaceId: string; changeRequestId: string }; result: ChangeRequest };
  /** Rename a change request, open it for review, make it a draft again, or archive it. */
  updateChangeRequest: {
    params: { spaceId: string; changeRequestId: string };
    body?: { subject?: string; status?: "draft" | "open" | "archived" | "merged" };
    result: ChangeRequest;
  };
  /** Tell what a change request changes. */
  listChangesOfChangeRequest: { params: { spaceId: string; changeRequestId: string }; result: ContentChanges };
  /** Get everything that a change request holds, but the texts of its pages. */
  getChangeRequestContent: {
    params: { spaceId: string; changeRequestId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: Revision;
  };
  /** Change the content of a change request: a batch of changes, all or nothing, one new revision. */
  changeChangeRequestContent: {
    params: { spaceId: string; changeRequestId: string };
    query?: {
      /** False answers with what each change did. Default: true. */
      compat?: "true" | "false";
    };
    body: ChangeBatch;
    result:
      | ChangeRequest
      | {
          changeRequest: ChangeRequest;
          changes: ChangeOutcome[];
          insertedFiles?: { object: "file"; id: string; ref?: string }[];
        };
  };
  /** List the files of a change request. */
  listChangeRequestFiles: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging & Pick<Query, "metadata" | "computed">;
    result: Envelope<File>;
  };
  /** Get a file of a change request, with a URL to download it from. */
  getChangeRequestFile: {
    params: { spaceId: string; changeRequestId: string; fileId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: File;
  };
  /** List where a file of a change request is linked from. */
  listBacklinksOfChangeRequestFile: {
    params: { spaceId: string; changeRequestId: string; fileId: string };
    query?: Paging;
    result: Envelope<ContentReference>;
  };
  /** Get a page of a change request with its text. */
  getChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  /** List where a page of a change request is linked from. */
  listBacklinksOfChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Paging;
    result: Envelope<ContentReference>;
  };
  /** List what a page of a change request links to. */
  listLinksOfChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Paging;
    result: Envelope<ContentLink> & { readonly stats: LinkStats };
  };
  /** Get the tree of pages of a change request. */
  listChangeRequestPages: {
    params: { spaceId: string; changeRequestId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: { pages: PageInTree[] };
  };
  /** Get the page at a path of a change request. */
  getChangeRequestPageByPath: {
    params: { spaceId: string; changeRequestId: string; pagePath: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  /** Get a reusable content of a change request with its text. */
  getChangeRequestReusableContent: {
    params: { spaceId: string; changeRequestId: string; reusableContentId: string };
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  /** List what the pages of a change request link to, and which of it is not there. */
  listChangeRequestLinks: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging;
    result: Envelope<ContentLink> & { readonly stats: LinkStats };
  };
  /** Merge a change request into what its space shows. */
  mergeChangeRequest: { params: { spaceId: string; changeRequestId: string }; result: MergeOutcome };
  /** Get a URL to read a change request as PDF, or a page of it. */
  getChangeRequestPdf: {
    params: { spaceId: string; changeRequestId: string };
    query?: {
      /** The page that is printed, with the pages below it. Default: all pages. */
      page?: string;
      /** True leaves out the pages below `page`. Default: false. */
      only?: "true" | "false";
    };
    result: PdfUrl;
  };
  /** List who was asked to review a change request and has not done so. */
  listRequestedReviewers: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging;
    result: Envelope<ChangeRequestRequestedReviewer>;
  };
  /** Ask people to review a change request. */
  requestReviewers: { params: { spaceId: string; changeRequestId: string }; body: { users: string[] }; result: undefined };
  /** No longer ask somebody to review a change request. */
  removeRequestedReviewer: { params: { spaceId: string; changeRequestId: string; userId: string }; result: undefined };
  /** List the reviews of a change request, the oldest first. */
  listReviews: { params: { spaceId: string; changeRequestId: string }; query?: Paging; result: Envelope<ChangeRequestReview> };
  /** Approve a change request as it is, or ask for changes. */
  reviewChangeRequest: {
    params: { spaceId: string; changeRequestId: string };
    body: { status: "approved" | "changes-requested" };
    result: ChangeRequestReview;
  };
  /** Bring a change request up to date with what its space shows. */
  updateFromSpace: { params: { spaceId: string; changeRequestId: string }; result: UpdateOutcome };
  /** Import pages and files from another host into a change request, in one revision. */
  importChangeRequestContent: {
    params: { spaceId: string; changeRequestId: string };
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  /** Import pages and files from another host into a space, in one revision. */
  importContent: {
    params: { spaceId: string };
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  /** Get what the import that made a revision brought, and what it skipped and why. */
  getImportReport: { params: { spaceId: string; revisionId: string }; result: ImportReport };
  /** Export a space to a branch of a Git repository, in one commit. */
  exportToGit: {
    params: { spaceId: string };
    body: {
      /** The repository. A name and a password in it are used, kept sealed until then, and never shown. */
      url: string;
      /** A branch, as refs/heads/main. */
      ref: string;
      /** Taken and not used: what is known of a repository is kept with the space. */
      repoCacheID?: string;
      /** What the addresses of folders begin with. */
      repoTreeURL?: string;
      /** What the addresses of commits begin with. */
      repoCommitURL?: string;
      /** The folder that has the book. Default: the top. */
      repoProjectDirectory?: string;
      /** Orders requests; one that is older than the last that was done is dropped. Default: now. */
      timestamp?: string;
      /** True: nothing is merged, the side that comes wins. */
      force?: boolean;
      gitInfo?: { provider: "github" | "gitlab" | "github-legacy"; url?: string };
      commitMessage: string;
    };
    result: undefined;
  };
  /** Import a branch of a Git repository into a space. */
  importFromGit: {
    params: { spaceId: string };
    body: {
      /** The repository. A name and a password in it are used, kept sealed until then, and never shown. */
      url: string;
      /** A branch, as refs/heads/main. */
      ref: string;
      /** Taken and not used: what is known of a repository is kept with the space. */
      repoCacheID?: string;
      /** What the addresses of folders begin with. */
      repoTreeURL?: string;
      /** What the addresses of commits begin with. */
      repoCommitURL?: string;
      /** The folder that has the book. Default: the top. */
      repoProjectDirectory?: string;
      /** Orders requests; one that is older than the last that was done is dropped. Default: now. */
      timestamp?: string;
      /** True: nothing is merged, the side that comes wins. */
      force?: boolean;
      gitInfo?: { provider: "github" | "gitlab" | "github-legacy"; url?: string };
      /** True: a revision is made, and the space stays as it is. */
      standalone?: boolean;
    };
    result: undefined;
  };
  /** Get the repository that a space is kept in step with, and how that goes. */
  getGitInfo: { params: { spaceId: string }; result: GitInfo };
  /** End the synchronization of a space; its content stays. */
  removeGitSync: { params: { spaceId: string }; result: undefined };
  /** List who has commented on a change request. */
  listChangeRequestCommenters: { params: { spaceId: string; changeRequestId: string }; query?: Paging; result: Envelope<Member> };
  /** List the comments on a change request, the newest first. */
  listChangeRequestComments: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging & Pick<Query, "format"> & {
      order?: "asc" | "desc";
      status?: "open" | "resolved" | "all";
      /** Only those on this page. */
      targetPage?: string;
      /** Only those of these users. */
      authors?: string[] | string;
    };
    result: Envelope<Comment>;
  };
  /** Comment on a change request, on a page of it, or on a block of the page. */
  postCommentOnChangeRequest: {
    params: { spaceId: string; changeRequestId: string };
    body: { body: CommentBody; page?: string; node?: string };
    result: Comment;
  };
  /** Get a comment on a change request. */
  getChangeRequestComment: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    query?: Pick<Query, "format">;
    result: Comment;
  };
  /** Edit a comment on a change request, resolve it or open it again, react to it. */
  updateChangeRequestComment: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  /** Delete a comment on a change request, with its replies. */
  deleteChangeRequestComment: { params: { spaceId: string; changeRequestId: string; commentId: string }; result: undefined };
  /** List the replies to a comment on a change request, the oldest first. */
  listChangeRequestCommentReplies: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    query?: Paging & Pick<Query, "format">;
    result: Envelope<CommentReply>;
  };
  /** Reply to a comment on a change request. */
  replyToChangeRequestComment: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    query?: Pick<Query, "format">;
    body: { body: CommentBody };
    result: CommentReply;
  };
  /** Get a reply to a comment on a change request. */
  getChangeRequestCommentReply: {
    params: { spaceId: string; changeRequestId: string; commentId: string; commentReplyId: string };
    query?: Pick<Query, "format">;
    result: CommentReply;
  };
  /** Edit a reply to a comment on a change request, or react to it. */
  updateChangeRequestCommentReply: {
    params: { spaceId: string; changeRequestId: string; commentId: string; commentReplyId: string };
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[] };
    result: CommentReply;
  };
  /** Delete a reply to a comment on a change request. */
  deleteChangeRequestCommentReply: {
    params: { spaceId: string; changeRequestId: string; commentId: string; commentReplyId: string };
    result: undefined;
  };
  /** List who has commented on a space. */
  listSpaceCommenters: { params: { spaceId: string }; query?: Paging; result: Envelope<Member> };
  /** List the comments on a space, the newest first. */
  listSpaceComments: {
    params: { spaceId: string };
    query?: Paging & Pick<Query, "format"> & {
      order?: "asc" | "desc";
      status?: "open" | "resolved" | "all";
      /** Only those on this page. */
      targetPage?: string;
      /** Only those of these users. */
      authors?: string[] | string;
    };
    result: Envelope<Comment>;
  };
  /** Comment on a space, on a page of it, or on a block of the page. */
  postCommentOnSpace: { params: { spaceId: string }; body: { body: CommentBody; page?: string; node?: string }; result: Comment };
  /** Get a comment on a space. */
  getSpaceComment: { params: { spaceId: string; commentId: string }; query?: Pick<Query, "format">; result: Comment };
  /** Edit a comment on a space, resolve it or open it again, react to it. */
  updateSpaceComment: {
    params: { spaceId: string; commentId: string };
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  /** Delete a comment on a space, with its replies. */
  deleteSpaceComment: { params: { spaceId: string; commentId: string }; result: undefined };
  /** List the replies to a comment on a space, the oldest first. */
  listSpaceCommentReplies: {
    params: { spaceId: string; commentId: string };
    query?: Paging & Pick<Query, "format">;
    result: Envelope<CommentReply>;
  };
  /** Reply to a comment on a space. */
  replyToSpaceComment: {
    params: { spaceId: string; commentId: string };
    query?: Pick<Query, "format">;
    body: { body: CommentBody };
    result: CommentReply;
  };
  /** Get a reply to a comment on a space. */
  getSpaceCommentReply: {
    params: { spaceId: string; commentId: string; commentReplyId: string };
    query?: Pick<Query, "format">;
    result: CommentReply;
  };
  /** Edit a reply to a comment on a space, or react to it. */
  updateSpaceCommentReply: {
    params: { spaceId: string; commentId: string; commentReplyId: string };
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[] };
    result: CommentReply;
  };
  /** Delete a reply to a comment on a space. */
  deleteSpaceCommentReply: { params: { spaceId: string; commentId: string; commentReplyId: string }; result: undefined };
  /** Search the spaces of an organization that you may see. */
  searchOrganization: {
    params: { organizationId: string };
    query: Paging & {
      /** What to look for. */
      query: string;
    };
    result: Envelope<FoundSpace>;
  };
  /** Search the pages of a space. */
  searchSpace: {
    params: { spaceId: string };
    query: Paging & {
      /** What to look for. */
      query: string;
    };
    result: Envelope<FoundPage>;
  };
  /** List the templates that a space can be made from. */
  listTemplates: { query?: Paging; result: Envelope<Template> };
  /** List the sites of an organization, oldest first. */
  listSites: {
    params: { organizationId: string };
    query?: Paging & { space?: string; title?: string; published?: "true" | "false" };
    result: Envelope<Site>;
  };
  /** Create a site. */
  createSite: {
    params: { organizationId: string };
    body?: {
      type?: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
      title?: string;
      visibility?: SiteVisibility;
      spaces?: string[] | "sample" | "empty";
    };
    result: Site;
  };
  /** Get a site. */
  getSite: { params: { organizationId: string; siteId: string }; result: Site };
  /** Change the settings of a site. */
  updateSite: {
    params: { organizationId: string; siteId: string };
    body?: {
      title?: string;
      visibility?: SiteVisibility;
      basename?: string;
      adaptiveContent?: { enabled: boolean };
      agentsContext?: "excluded" | "included";
      /** A host of its own; null gives it up. */
      hostname?: string | null;
      /** A directory of a host that hands requests on; null ends it. */
      proxy?: string | null;
      defaultSiteSpace?: string;
      defaultSiteSection?: string;
    };
    result: Site;
  };
  /** Delete a site; the spaces on it stay. */
  deleteSite: { params: { organizationId: string; siteId: string }; result: undefined };
  /** Get the schema of what a site may know of its visitors. */
  getAdaptiveSchema: { params: { organizationId: string; siteId: string }; result: SiteAdaptiveSchema };
  /** Say what a site may know of its visitors. */
  setAdaptiveSchema: {
    params: { organizationId: string; siteId: string };
    body: {
      /** JSON Schema draft-07 in the allowed form. */
      jsonSchema: { [name: string]: unknown };
    };
    result: SiteAdaptiveSchema;
  };
  /** List conditions to begin with, made from the schema of a site's visitors. */
  listTemplateConditions: {
    params: { organizationId: string; siteId: string };
    result: { items: { description: string; condition: string }[] };
  };
  /** Ask for ads on a site, or switch them off. */
  updateSiteAds: {
    params: { organizationId: string; siteId: string };
    body: { status: "in-review" | "disabled"; topic: "webdev" | "crypto" };
    result: undefined;
  };
  /** Get how a site looks. */
  getSiteCustomization: { params: { organizationId: string; siteId: string }; result: SiteCustomization };
  /** Set how a site looks. */
  setSiteCustomization: { params: { organizationId: string; siteId: string }; body?: CustomizationChangesInput; result: SiteCustomization };
  /** Send a visitor of a site to where they sign in. */
  startVisitorLogin: {
    params: { organizationId: string; siteId: string };
    query?: {
      /** Where the visitor wanted to go: a path of the site. */
      location?: string;
    };
    result: Sent;
  };
  /** Publish a site: its audience reaches it from now on. */
  publishSite: { params: { organizationId: string; siteId: string }; result: Site };
  /** Get everything that a renderer needs of a published site, as a visitor sees it. */
  getPublishedSite: {
    params: { organizationId: string; siteId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: PublishedContentSite;
  };
  /** Get how visitors of a site sign in, without the key. */
  getPublishingAuth: { params: { organizationId: string; siteId: string }; result: PublishingAuth };
  /** Change how visitors of a site sign in. */
  updatePublishingAuth: {
    params: { organizationId: string; siteId: string };
    body?: { backend?: "custom" | "integration"; integration?: string | null; fallbackURL?: string | null };
    result: PublishingAuth;
  };
  /** Make the key that signs visitors of a site; JWTs with the one before are no longer good. */
  regeneratePublishingAuth: { params: { organizationId: string; siteId: string }; result: RegeneratedPublishingAuth };
  /** Get where a path of a published site leads, if nothing is shown there. */
  getSiteRedirectTarget: {
    params: { organizationId: string; siteId: string };
    query: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { source: string };
    result: SiteRedirectTarget;
  };
  /** List the redirects of a site, oldest first. */
  listSiteRedirects: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<SiteRedirect> };
  /** Set where a path of a site leads. */
  createSiteRedirect: {
    params: { organizationId: string; siteId: string };
    body: { source: string; destination: SiteRedirectDestination };
    result: SiteRedirect;
  };
  /** Get a redirect of a site. */
  getSiteRedirect: { params: { organizationId: string; siteId: string; siteRedirectId: string }; result: SiteRedirect };
  /** Change a redirect of a site. */
  updateSiteRedirect: {
    params: { organizationId: string; siteId: string; siteRedirectId: string };
    body?: { source?: string; destination?: SiteRedirectDestination };
    result: SiteRedirect;
  };
  /** Delete a redirect of a site. */
  deleteSiteRedirect: { params: { organizationId: string; siteId: string; siteRedirectId: string }; result: undefined };
  /** Search the pages of a site, as a visitor sees them. */
  searchSite: {
    params: { organizationId: string; siteId: string };
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: { query: string };
    result: Envelope<FoundOnSite>;
  };
  /** List the groups of sections of a site in their order. */
  listSiteSectionGroups: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<SiteSectionGroup> };
  /** Add a group at the end, with sections of the site in it. */
  createSiteSectionGroup: {
    params: { organizationId: string; siteId: string };
    body: { title: string; icon?: string | null; sections?: string[] };
    result: SiteSectionGroup;
  };
  /** Change a group of sections. */
  updateSiteSectionGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string };
    body?: { title?: string; icon?: string | null };
    result: SiteSectionGroup;
  };
  /** Delete a group; its sections stand where it stood. */
  deleteSiteSectionGroup: { params: { organizationId: string; siteId: string; siteSectionGroupId: string }; result: undefined };
  /** Put a group beside another group, or beside a section that is in none. */
  moveSiteSectionGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string };
    body: {
      position: {
        before?: { type: "site-section" | "site-section-group"; id: string };
        after?: { type: "site-section" | "site-section-group"; id: string };
      };
    };
    result: SiteSectionGroup;
  };
  /** Put a section at the end of a group. */
  addSectionToGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string };
    body: { sectionId: string };
    result: SiteSectionGroup;
  };
  /** Take a section out of a group; it stands behind the group then. */
  removeSectionFromGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string; siteSectionId: string };
    result: undefined;
  };
  /** List the sections of a site in their order. */
  listSiteSections: {
    params: { organizationId: string; siteId: string };
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: Envelope<SiteSection>;
  };
  /** Add a section with a space in it, at the end. */
  createSiteSection: {
    params: { organizationId: string; siteId: string };
    body: { spaceId: string; title?: string | null; icon?: string | null };
    result: SiteSection;
  };
  /** Change a section. */
  updateSiteSection: {
    params: { organizationId: string; siteId: string; siteSectionId: string };
    body?: {
      title?: string;
      path?: string;
      defaultSiteSpace?: string;
      condition?: string | null;
      icon?: string | null;
      description?: string | null;
    };
    result: SiteSection;
  };
  /** Delete a section with the site-spaces in it; their spaces stay. */
  deleteSiteSection: { params: { organizationId: string; siteId: string; siteSectionId: string }; result: undefined };
  /**
   * Put a section beside another one, in its group or at the top.
   *
   * @deprecated `sortSiteStructure` moves everything.
   */
  moveSiteSection: {
    params: { organizationId: string; siteId: string; siteSectionId: string };
    body: {
      position: { before?: { type: "site-section"; siteSection: string }; after?: { type: "site-section"; siteSection: string } };
    };
    result: SiteSection;
  };
  /** List the share links of a site, without their keys. */
  listShareLinks: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<ShareLink> };
  /** Make a share link; its key is shown this once. */
  createShareLink: { params: { organizationId: string; siteId: string }; body: { name: string }; result: ShareLink };
  /** Get a share link, without its key. */
  getShareLink: { params: { organizationId: string; siteId: string; shareLinkId: string }; result: ShareLink };
  /** Rename a share link, or switch it off and on. */
  updateShareLink: {
    params: { organizationId: string; siteId: string; shareLinkId: string };
    body?: { name?: string; active?: boolean };
    result: ShareLink;
  };
  /** Delete a share link; its key opens nothing any more. */
  deleteShareLink: { params: { organizationId: string; siteId: string; shareLinkId: string }; result: undefined };
  /** Give a share link another key; the one before opens nothing any more. */
  regenerateShareLink: { params: { organizationId: string; siteId: string; shareLinkId: string }; result: ShareLink };
  /** List the spaces on a site, section by section. */
  listSiteSpaces: {
    params: { organizationId: string; siteId: string };
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { default?: "true" | "false" };
    result: Envelope<SiteSpace>;
  };
  /** Add a space to a section, or to the root of a site without sections. */
  createSiteSpace: {
    params: { organizationId: string; siteId: string };
    body: { spaceId: string; sectionId?: string };
    result: SiteSpace;
  };
  /** Change the path or the condition of a site-space, or the space that it shows. */
  updateSiteSpace: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    body?: { path?: string; condition?: string | null; spaceId?: string };
    result: SiteSpace;
  };
  /** Take a space off a site; the space stays. */
  deleteSiteSpace: { params: { organizationId: string; siteId: string; siteSpaceId: string }; result: undefined };
  /** Get how a site-space looks: what is set for it, and what comes of it on top of its site. */
  getSiteSpaceCustomization: { params: { organizationId: string; siteId: string; siteSpaceId: string }; result: SiteSpaceCustomization };
  /** Change how a site-space looks. */
  updateSiteSpaceCustomization: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    body?: CustomizationChangesInput;
    result: SiteSpaceCustomization;
  };
  /** Let a site-space look as its site does. */
  resetSiteSpaceCustomization: { params: { organizationId: string; siteId: string; siteSpaceId: string }; result: undefined };
  /**
   * Put a site-space beside another one, in its section.
   *
   * @deprecated `sortSiteStructure` moves everything.
   */
  moveSiteSpace: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    body: {
      position: { before?: { type: "site-space"; siteSpace: string }; after?: { type: "site-space"; siteSpace: string } };
    };
    result: SiteSpace;
  };
  /** Get a page of a site-space with its text, as a visitor sees it. */
  getPublishedPage: {
    params: { organizationId: string; siteId: string; siteSpaceId: string; pageId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims" | "format">;
    result: PublishedPage;
  };
  /** Get the tree of pages of a site-space, as a visitor sees it. */
  listPublishedPages: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: { pages: PublishedPageInTree[] };
  };
  /** Get the structure of a site: its sections in their groups, or the site-spaces at its root. */
  getSiteStructure: { params: { organizationId: string; siteId: string }; result: SiteStructure };
  /** Put a section, a group or a site-space beside another one. */
  sortSiteStructure: {
    params: { organizationId: string; siteId: string };
    body: {
      item: { type: "site-section" | "site-section-group" | "site-space"; id: string };
      position: {
        before?: { type: "site-section" | "site-section-group" | "site-space"; id: string };
        after?: { type: "site-section" | "site-section-group" | "site-space"; id: string };
      };
    };
    result: SiteStructure;
  };
  /** Take a site off: nobody but the organization's own people sees it any more. */
  unpublishSite: { params: { organizationId: string; siteId: string }; result: Site };
  /** Tell integrations that a visitor looked at a page of a site. */
  reportSiteView: {
    params: { organizationId: string; siteId: string };
    body: {
      /** What the visitor looked at. */
      url: string;
      /** Where the visitor came from. Default: empty. */
      referrer?: string;
      /** The space that the page is of; it is on the site. */
      spaceId?: string;
      /** The page, which is in `spaceId`. */
      pageId?: string;
      visitor: {
        anonymousId: string;
        /** Told only to integrations that hold the scope for cookies. Default: none. */
        cookies?: Record<string, string>;
        userAgent: string;
        ip?: string;
        language?: string;
      };
    };
    result: undefined;
  };
  /** Get what is published at a URL: the site, the space and the page, or where it leads. */
  resolvePublishedUrl: {
    body: {
      /** On a site with share links the key stands in it, behind the site's own URL. */
      url: string;
      /** A JWT that says who the visitor is, signed with the site's key. */
      visitorToken?: string;
      unsignedClaims?: Record<string, unknown>;
    };
    result: PublishedUrl;
  };
  /** List the translations of an organization whose source you may see. */
  listTranslations: { params: { organizationId: string }; query?: Paging; result: Envelope<Translation> };
  /** Translate a space into another language. */
  createTranslation: {
    params: { organizationId: string };
    body: {
      language: TranslationLanguage;
      source: { space: string; language?: TranslationLanguage };
      /** What the translator is to mind. Tables with two columns are a glossary: a term, what it is called. */
      instructions?: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  /** Get a translation, and how far it is. */
  getTranslation: { params: { organizationId: string; translationId: string }; result: Translation };
  /** Give the translator of a space other instructions; everything is translated anew. */
  updateTranslation: {
    params: { organizationId: string; translationId: string };
    body: {
      /** What the translator is to mind. Tables with two columns are a glossary: a term, what it is called. */
      instructions: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  /** End a translation; its result stays, as a space of whoever made it. */
  deleteTranslation: { params: { organizationId: string; translationId: string }; result: undefined };
  /** Run a translation now. */
  runTranslationAgain: { params: { organizationId: string; translationId: string }; result: Translation };
  /** Give users and teams a role on a collection and everything in it. */
  grantOnCollection: {
    params: { collectionId: string };
    body?: { users?: { id: string; role: Role }[]; teams?: { id: string; role: Role }[] };
    result: undefined;
  };
  /** List everybody who has access to a collection, and the role that they have there in the end. */
  listAccessToCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<UserGrant> };
  /** List what teams were given on a collection. */
  listTeamGrantsOnCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<TeamGrant> };
  /** Change what a team was given on a collection. */
  updateTeamGrantOnCollection: { params: { collectionId: string; teamId: string }; body: { role: Role }; result: undefined };
  /** Take away what a team was given on a collection. */
  removeTeamGrantOnCollection: { params: { collectionId: string; teamId: string }; result: undefined };
  /** List what users were given on a collection. */
  listUserGrantsOnCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<UserGrant> };
  /** Change what a user was given on a collection. */
  updateUserGrantOnCollection: { params: { collectionId: string; userId: string }; body: { role: Role }; result: undefined };
  /** Take away what a user was given on a collection. */
  removeUserGrantOnCollection: { params: { collectionId: string; userId: string }; result: undefined };
  /** Give users and teams a role on a space. */
  grantOnSpace: {
    params: { spaceId: string };
    body?: { users?: { id: string; role: Role }[]; teams?: { id: string; role: Role }[] };
    result: undefined;
  };
  /** List everybody who has access to a space, and the role that they have there in the end. */
  listAccessToSpace: { params: { spaceId: string }; query?: Paging; result: Envelope<UserGrant> };
  /** List what teams were given on a space. */
  listTeamGrantsOnSpace: { params: { spaceId: string }; query?: Paging; result: Envelope<TeamGrant> };
  /** Change what a team was given on a space. */
  updateTeamGrantOnSpace: { params: { spaceId: string; teamId: string }; body: { role: Role }; result: undefined };
  /** Take away what a team was given on a space. */
  removeTeamGrantOnSpace: { params: { spaceId: string; teamId: string }; result: undefined };
  /** List what users were given on a space. */
  listUserGrantsOnSpace: { params: { spaceId: string }; query?: Paging; result: Envelope<UserGrant> };
  /** Change what a user was given on a space. */
  updateUserGrantOnSpace: { params: { spaceId: string; userId: string }; body: { role: Role }; result: undefined };
  /** Take away what a user was given on a space. */
  removeUserGrantOnSpace: { params: { spaceId: string; userId: string }; result: undefined };
  /** List the integrations that you may find: the public ones, and those of your organizations. */
  listIntegrations: {
    query?: Paging & {
      search?: string;
      category?: IntegrationCategory;
      /** The host of a URL that a block of the integration unfurls. */
      blockDomain?: string;
      blocks?: "true" | "false";
      contentSources?: "true" | "false";
      owner?: string;
      scope?: IntegrationScope;
      target?: IntegrationTarget;
    };
    result: Envelope<Integration>;
  };
  /** Get an integration. */
  getIntegration: { params: { integrationName: string }; result: Integration };
  /** Publish an integration, or a new version of it. */
  publishIntegration: {
    params: { integrationName: string };
    body?: {
      runtime?: "v1";
      icon?: string;
      title?: string;
      description?: string;
      summary?: string;
      previewImages?: string[];
      visibility?: IntegrationVisibility;
      target?: IntegrationTarget;
      scopes?: IntegrationScope[];
      categories?: IntegrationCategory[];
      blocks?: IntegrationBlock[];
      contentSources?: IntegrationContentSource[];
      externalLinks?: { url: string; label: string }[];
      configurations?: IntegrationConfigurations;
      script?: string;
      /** The organization that publishes it: its id or its subdomain. */
      organization?: string;
      /** Encrypted at rest, given to the script, and never shown again. */
      secrets?: Record<string, string>;
      contentSecurityPolicy?: string | Record<string, string>;
    };
    result: Integration;
  };
  /** Take an integration back; whatever installed it has it no longer. */
  unpublishIntegration: { params: { integrationName: string }; result: undefined };
  /** Download a picture of an integration, with a URL that another answer gave. */
  downloadIntegrationAsset: { params: { integrationName: string; asset: string }; result: Sent };
  /** Have events sent to a URL of your own while you develop an integration. */
  startDevelopment: {
    params: { integrationName: string };
    body: {
      /** Events are sent to `<tunnelUrl>/v1`. Redirects are not followed. */
      tunnelUrl: string;
      /** Whether everybody's events go there. Default: false. */
      all?: boolean;
    };
    result: undefined;
  };
  /** Have events go to the published script again. */
  stopDevelopment: { params: { integrationName: string }; result: undefined };
  /** List the events that an integration was told, newest first. */
  listIntegrationEvents: { params: { integrationName: string }; query?: Paging; result: Envelope<IntegrationEvent> };
  /** Get an event that an integration was told, with what the integration wrote meanwhile. */
  getIntegrationEvent: {
    params: { integrationName: string; eventId: string };
    result: {
      event: IntegrationEvent;
      trace: { logs: { message: string; timestamp: string; level: "debug" | "info" | "warn" | "error" }[] };
    };
  };
  /** List the installations of an integration: all to those who run it, to others those of their organizations. */
  listInstallations: {
    params: { integrationName: string };
    query?: Paging & { externalId?: string };
    result: Envelope<IntegrationInstallation>;
  };
  /** Install an integration in an organization. */
  installIntegration: {
    params: { integrationName: string };
    body: {
      organization: string;
      /** What you agree to, of the scopes that the integration asks for. Default: all of them. */
      scopes?: IntegrationScope[];
    };
    result: IntegrationInstallation;
  };
  /** Get an installation. */
  getInstallation: { params: { integrationName: string; installationId: string }; result: IntegrationInstallation };
  /** Configure, pause or resume an installation, or agree to what it may do. */
  updateInstallation: {
    params: { integrationName: string; installationId: string };
    body?: {
      configuration?: Record<string, unknown>;
      externalIds?: string[];
      space_selection?: "all" | "selected";
      site_selection?: "all" | "selected";
      /** What the installation may do from now on, of the scopes that the integration asks for: those of `scopes` and of `pendingScopes` that you agree to. */
      scopes?: IntegrationScope[];
      /** While it is `paused`, nothing is delivered, and what happens in spaces and on sites is not told afterwards; what happened to the installation itself, and tasks, are. `active` goes on, or waits for what is still to be configured. */
      status?: "active" | "paused";
    };
    result: IntegrationInstallation;
  };
  /** Remove an installation, with everything that it has on spaces and sites. */
  uninstallIntegration: { params: { integrationName: string; installationId: string }; result: undefined };
  /** List the sites that an installation is on, as far as you may see them. */
  listInstallationSites: {
    params: { integrationName: string; installationId: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  /** Install an integration on a site. */
  installOnSite: {
    params: { integrationName: string; installationId: string };
    body: { site: string; configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSiteInstallation;
  };
  /** Get an installation on a site. */
  getSiteInstallation: {
    params: { integrationName: string; installationId: string; siteId: string };
    query?: { extended?: "true" | "false" };
    result: IntegrationSiteInstallation;
  };
  /** Configure an installation on a site. */
  updateSiteInstallation: {
    params: { integrationName: string; installationId: string; siteId: string };
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSiteInstallation;
  };
  /** Remove an installation from a site. */
  uninstallFromSite: { params: { integrationName: string; installationId: string; siteId: string }; result: undefined };
  /** List the spaces that an installation is on, as far as you may see them. */
  listInstallationSpaces: {
    params: { integrationName: string; installationId: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  /** Install an integration on a space. */
  installOnSpace: {
    params: { integrationName: string; installationId: string };
    body: { space: string; configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSpaceInstallation;
  };
  /** Get an installation on a space. */
  getSpaceInstallation: {
    params: { integrationName: string; installationId: string; spaceId: string };
    query?: { extended?: "true" | "false" };
    result: IntegrationSpaceInstallation;
  };
  /** Configure an installation on a space. */
  updateSpaceInstallation: {
    params: { integrationName: string; installationId: string; spaceId: string };
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSpaceInstallation;
  };
  /** Remove an installation from a space. */
  uninstallFromSpace: { params: { integrationName: string; installationId: string; spaceId: string }; result: undefined };
  /** Have an integration called with a task, now or within a day. */
  queueTask: {
    params: { integrationName: string; installationId: string };
    body: {
      /** What the integration is told, as it is; `type` says which task it is. */
      task: { type: string; [name: string]: unknown };
      /** Seconds from now. Default: 0. */
      schedule?: number;
    };
    result: IntegrationTask;
  };
  /** Get a token that acts for an installation, for an hour. */
  createInstallationToken: { params: { integrationName: string; installationId: string }; result: IntegrationInstallationToken };
  /** Call an integration at its public endpoint. */
  fetchFromIntegration: { params: { integrationName: string; path: string }; result: Sent };
  /** Call an integration at its public endpoint. */
  postToIntegration: { params: { integrationName: string; path: string }; result: Sent };
  /** Call an integration at its public endpoint. */
  putToIntegration: { params: { integrationName: string; path: string }; result: Sent };
  /** Call an integration at its public endpoint. */
  patchAtIntegration: { params: { integrationName: string; path: string }; result: Sent };
  /** Call an integration at its public endpoint. */
  deleteAtIntegration: { params: { integrationName: string; path: string }; result: Sent };
  /** Render a component of an integration. */
  renderComponent: { params: { integrationName: string }; query: { request: string }; result: Sent };
  /** Render a component of an integration, asked by POST. */
  renderComponentByPost: {
    params: { integrationName: string };
    body: {
      componentId: string;
      props: Record<string, unknown>;
      state?: Record<string, unknown>;
      context:
        | { type: "document"; spaceId: string; editable?: boolean; theme?: "light" | "dark" }
        | { type: "configuration_account"; organizationId: string; theme?: "light" | "dark" }
        | { type: "configuration_space"; spaceId: string; theme?: "light" | "dark" }
        | { type: "configuration_site"; siteId: string; theme?: "light" | "dark" }
        | { type: "configuration_contentsource"; organizationId: string; spaceId?: string; theme?: "light" | "dark" };
      action?: { action: string; [name: string]: unknown };
    };
    result: Sent;
  };
  /** Fetch a script that an integration brings to a published site, with a URL of the published profile. */
  fetchPublishedScript: {
    params: { integrationName: string; installationId: string; siteId: string; signature: string };
    query?: {
      /** The space of the site that the script is for. */
      space?: string;
    };
    result: Sent;
  };
  /** List the sites that an integration is installed on, as far as you may see them. */
  listIntegrationSites: {
    params: { integrationName: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  /** List the spaces that an integration is installed on, as far as you may see them. */
  listIntegrationSpaces: {
    params: { integrationName: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  /** List the integrations that are installed in an organization. */
  listOrganizationInstallations: {
    params: { organizationId: string };
    query?: Paging & { externalId?: string; integration?: string };
    result: Envelope<IntegrationInstallation>;
  };
  /** List the OpenAPI specifications of an organization. */
  listOpenApiSpecs: { params: { organizationId: string }; query?: Paging; result: Envelope<OpenApiSpec> };
  /** Add an OpenAPI specification. */
  createOpenApiSpec: {
    params: { organizationId: string };
    body: {
      slug: string;
      /** `url`: fetched, and looked at again from time to time. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  /** Get an OpenAPI specification. */
  getOpenApiSpec: { params: { organizationId: string; specSlug: string }; result: OpenApiSpec };
  /** Add an OpenAPI specification, or give it another source. */
  putOpenApiSpec: {
    params: { organizationId: string; specSlug: string };
    body: {
      /** `url`: fetched, and looked at again from time to time. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  /** Make an OpenAPI specification public or private. */
  updateOpenApiSpec: {
    params: { organizationId: string; specSlug: string };
    body: { visibility: "private" | "public" };
    result: OpenApiSpec;
  };
  /** Delete an OpenAPI specification with its versions. */
  deleteOpenApiSpec: { params: { organizationId: string; specSlug: string }; result: undefined };
  /** List the versions of an OpenAPI specification, the newest first. */
  listOpenApiSpecVersions: { params: { organizationId: string; specSlug: string }; query?: Paging; result: Envelope<OpenApiSpecVersion> };
  /** Get a version of an OpenAPI specification. */
  getOpenApiSpecVersion: { params: { organizationId: string; specSlug: string; versionId: string }; result: OpenApiSpecVersion };
  /** Get a version of an OpenAPI specification with every document that it refers to. */
  getOpenApiSpecContent: { params: { organizationId: string; specSlug: string; versionId: string }; result: OpenApiSpecContent };
  /** Get the text of a version of an OpenAPI specification, as it came. */
  getOpenApiSpecText: { params: { organizationId: string; specSlug: string; versionId: string }; result: Sent };
  /** Get the newest version of an OpenAPI specification. */
  getLatestOpenApiSpecVersion: { params: { organizationId: string; specSlug: string }; result: OpenApiSpecVersion };
  /** Get the newest version of an OpenAPI specification with every document that it refers to. */
  getLatestOpenApiSpecContent: { params: { organizationId: string; specSlug: string }; result: OpenApiSpecContent };
  /** Get the text of the newest version of an OpenAPI specification, as it came. */
  getLatestOpenApiSpecText: { params: { organizationId: string; specSlug: string }; result: Sent };
  /** Get the text of the newest version of a public OpenAPI specification. */
  getPublicOpenApiSpec: { params: { specId: string }; result: Sent };
  /** Get the newest version of a public OpenAPI specification with every document that it refers to. */
  getPublicOpenApiSpecContent: { params: { specId: string }; result: OpenApiSpecContent };
  /** List the jobs that wait, or those that were given up. */
  listJobs: { params: { organizationId: string }; query?: Paging & { status?: "waiting" | "parked" }; result: Envelope<Job> };
  /** Let a job that was given up start anew. */
  retryJob: { params: { organizationId: string; jobId: string }; result: Job };
}
