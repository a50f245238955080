// What every operation takes and answers. Written by `npm run types`; a test fails when it is stale.

import type { Envelope, Paging } from "../operation/operation";
import type { Sent } from "../sent";
import type {
  AuditAction,
  AuditEvent,
  ChangeBatch,
  ChangeOutcome,
  ChangeRequest,
  ChangeRequestInOrganization,
  ChangeRequestRequestedReviewer,
  ChangeRequestReview,
  Collection,
  Comment,
  CommentBody,
  CommentReply,
  ComputedSource,
  ContentChanges,
  ContentLink,
  ContentReference,
  ContentUrl,
  CustomFont,
  CustomizationChangesInput,
  DefaultLevel,
  Document,
  Embed,
  File,
  FoundPage,
  FoundSpace,
  FoundSpaceOnSite,
  GitInfo,
  ImportOutcome,
  ImportReport,
  ImportSource,
  InSpace,
  InsightsAggregate,
  InsightsEvent,
  InsightsEventType,
  InstalledIntegration,
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
  LinksInSpace,
  Member,
  MergeOutcome,
  NewSiteRedirectDestination,
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
  SitePreview,
  SiteRedirect,
  SiteRedirectTarget,
  SiteRedirects,
  SiteSearchScope,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteSpaceCustomization,
  SiteStructure,
  SiteVisibility,
  Space,
  SpaceIntegrationBlock,
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

/** The names and ids in a path. */
export type Ids<Name extends string> = { [name in Name]: string };

/** Members that the queries of several operations have in common. */
export interface Query {
  /** False leaves out what is computed. Default: true. */
  computed?: "true" | "false";
  /** True puts in variables, reusable contents, included files and conditions. Default: false. */
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
  getService: { result: { version: string } };
  getHealth: { result: { status: "up" } };
  getOpenApi: { result: { openapi: string; [name: string]: unknown } };
  getReadiness: { result: { status: "ready" } };
  getCurrentUser: { result: User };
  eraseCurrentUser: { result: undefined };
  exportCurrentUser: { result: Sent };
  leaveOrganizations: { result: undefined };
  getUser: { params: Ids<"userId">; result: User };
  listTokens: { query?: Paging; result: Envelope<Token> };
  createToken: { body: { label: string; scopes?: string[] | null; expiresAt?: string | null }; result: Token };
  revokeToken: { params: Ids<"tokenId">; result: undefined };
  listOrganizationsByEmailDomain: { params: Ids<"emailDomain">; result: { organizations: Organization[] } };
  listOrganizations: { query?: Paging; result: Envelope<Organization> };
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
  getOrganization: { params: Ids<"organizationId">; result: Organization };
  updateOrganization: {
    params: Ids<"organizationId">;
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
  pingOrganization: { params: Ids<"organizationId">; result: { serviceVisitorClaims?: string } };
  getSubdomain: { params: Ids<"subdomain">; result: Subdomain };
  listMembers: {
    params: Ids<"organizationId">;
    query?: Paging & {
      order?: "asc" | "desc";
      role?: "read" | "comment" | "edit" | "review" | "create" | "admin" | "guest";
      search?: string;
      sort?: "joinedAt" | "lastSeenAt";
    };
    result: Envelope<Member>;
  };
  getMember: { params: Ids<"organizationId" | "userId">; result: Member };
  updateMember: { params: Ids<"organizationId" | "userId">; body: { role: Role | null }; result: Member };
  removeMember: { params: Ids<"organizationId" | "userId">; result: undefined };
  listMemberSpaces: {
    params: Ids<"organizationId" | "userId">;
    query?: Paging & { order?: "asc" | "desc" };
    result: Envelope<{ permission: Role; space: Space }>;
  };
  makeMemberSso: { params: Ids<"organizationId" | "userId">; result: Member };
  listMemberTeams: {
    params: Ids<"organizationId" | "userId">;
    query?: Paging & { title?: string };
    result: Envelope<{ team: Team; member: { role: TeamRole } }>;
  };
  listEmailInvites: { params: Ids<"organizationId">; query?: Paging; result: Envelope<Invite> };
  inviteByEmail: {
    params: Ids<"organizationId">;
    body: { emails: string[]; role?: Role | null; sso?: boolean };
    result: { invites: Invite[]; members: string[] };
  };
  acceptInvite: { params: Ids<"organizationId" | "inviteId">; result: Member };
  deleteEmailInvite: { params: Ids<"organizationId" | "inviteId">; result: undefined };
  sendEmailInvite: { params: Ids<"organizationId" | "inviteId">; result: Invite };
  listLinkInvites: { params: Ids<"organizationId">; query?: Paging; result: Envelope<Invite> };
  createLinkInvite: {
    params: Ids<"organizationId">;
    body?: {
      role?: Role | null;
      /** The same as `role`, under its other name. Send one of them. */
      level?: Role | null;
      expiresAt?: string | null;
    };
    result: Invite;
  };
  getLinkInvite: { params: Ids<"organizationId" | "inviteId">; result: Invite };
  updateLinkInvite: {
    params: Ids<"organizationId" | "inviteId">;
    body?: {
      role?: Role | null;
      /** The same as `role`, under its other name. Send one of them. */
      level?: Role | null;
      expiresAt?: string | null;
    };
    result: Invite;
  };
  deleteLinkInvite: { params: Ids<"organizationId" | "inviteId">; result: undefined };
  listTeams: { params: Ids<"organizationId">; query?: Paging & { owner?: string; title?: string }; result: Envelope<Team> };
  createTeam: { params: Ids<"organizationId">; body: { title: string; members?: string[] }; result: Team };
  getTeam: { params: Ids<"organizationId" | "teamId">; result: Team };
  updateTeam: { params: Ids<"organizationId" | "teamId">; body?: { title?: string }; result: Team };
  deleteTeam: { params: Ids<"organizationId" | "teamId">; result: undefined };
  listTeamMembers: { params: Ids<"organizationId" | "teamId">; query?: Paging; result: Envelope<TeamMember> };
  updateTeamMembers: {
    params: Ids<"organizationId" | "teamId">;
    body?: {
      add?: string[];
      remove?: string[];
      /** Members to add with a role in the team. For those who are in it already the role is changed. */
      memberships?: { id: string; role?: TeamRole }[];
    };
    result: undefined;
  };
  setTeamMember: { params: Ids<"organizationId" | "teamId" | "userId">; body?: { role?: TeamRole }; result: TeamMember };
  removeTeamMember: { params: Ids<"organizationId" | "teamId" | "userId">; result: undefined };
  listSamlProviders: { params: Ids<"organizationId">; query?: Paging; result: Envelope<SamlProvider> };
  createSamlProvider: {
    params: Ids<"organizationId">;
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
  getSamlProvider: { params: Ids<"organizationId" | "samlProviderId">; result: SamlProvider };
  updateSamlProvider: {
    params: Ids<"organizationId" | "samlProviderId">;
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
  deleteSamlProvider: { params: Ids<"organizationId" | "samlProviderId">; result: undefined };
  listSsoProviders: { params: Ids<"organizationId">; result: { items: SsoProvider[] } };
  listAuditEventActions: { params: Ids<"organizationId">; query?: Paging; result: Envelope<AuditAction> };
  listAuditEvents: {
    params: Ids<"organizationId">;
    query?: Paging & { actor?: string; action?: string; thing?: string; from?: string; until?: string; order?: "asc" | "desc" };
    result: Envelope<AuditEvent>;
  };
  exportAuditEvents: {
    params: Ids<"organizationId">;
    query?: { actor?: string; action?: string; thing?: string; from?: string; until?: string };
    result: Sent;
  };
  getCollection: { params: Ids<"collectionId">; result: Collection };
  updateCollection: {
    params: Ids<"collectionId">;
    body?: { title?: string; description?: string | null; defaultLevel?: DefaultLevel };
    result: Collection;
  };
  deleteCollection: { params: Ids<"collectionId">; result: undefined };
  moveCollection: { params: Ids<"collectionId">; body?: { parent?: string | null; position?: TreePosition }; result: Collection };
  listSpacesInCollection: { params: Ids<"collectionId">; query?: Paging; result: Envelope<Space> };
  transferCollection: { params: Ids<"collectionId">; body: { organization: string }; result: Collection };
  listCollections: { params: Ids<"organizationId">; query?: Paging & { nested?: "true" | "false" }; result: Envelope<Collection> };
  createCollection: { params: Ids<"organizationId">; body?: { title?: string; parent?: string | null }; result: Collection };
  listSpaces: { params: Ids<"organizationId">; query?: Paging; result: Envelope<Space> };
  createSpace: {
    params: Ids<"organizationId">;
    body?: {
      title?: string;
      emoji?: string | null;
      icon?: string | null;
      language?: TranslationLanguage | null;
      parent?: string | null;
      editMode?: "live" | "locked";
      visibility?: SpaceVisibility;
      template?: {
        id: string;
        /** Variables of the space, by name. They replace those of the template. */
        params?: Record<string, string | number | boolean>;
      };
    };
    result: Space;
  };
  getSpace: { params: Ids<"spaceId">; query?: { shareKey?: string }; result: Space };
  updateSpace: {
    params: Ids<"spaceId">;
    body?: {
      title?: string;
      emoji?: string | null;
      icon?: string | null;
      language?: TranslationLanguage | null;
      editMode?: "live" | "locked";
      defaultLevel?: DefaultLevel;
      visibility?: SpaceVisibility;
    };
    result: Space;
  };
  deleteSpace: { params: Ids<"spaceId">; result: undefined };
  duplicateSpace: { params: Ids<"spaceId">; result: Space };
  getEmbed: { params: Ids<"spaceId">; query: { url: string }; result: Embed };
  listSpaceIntegrations: { params: Ids<"spaceId">; query?: Paging; result: Envelope<Integration> };
  listSpaceIntegrationBlocks: { params: Ids<"spaceId">; query?: Paging; result: Envelope<SpaceIntegrationBlock> };
  moveSpace: { params: Ids<"spaceId">; body?: { parent?: string | null; position?: TreePosition }; result: Space };
  restoreSpace: { params: Ids<"spaceId">; result: Space };
  transferSpace: { params: Ids<"spaceId">; body: { organization: string; collection?: string }; result: Space };
  getContentByUrl: { query: { url: string }; result: ContentUrl };
  downloadFile: { params: Ids<"download">; result: Sent };
  downloadPdf: { params: Ids<"pdf">; result: Sent };
  getContent: { params: Ids<"spaceId">; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  changeContent: {
    params: Ids<"spaceId">;
    body: ChangeBatch;
    result: { revision: string; changes: ChangeOutcome[]; insertedFiles?: { object: "file"; id: string; ref?: string }[] };
  };
  computeDocument: {
    params: Ids<"spaceId">;
    body: {
      source: ComputedSource;
      /** Equal seeds give equal ids. The id of a computed page gives the ids below it. */
      seed: string;
    };
    result: Document;
  };
  computeRevision: {
    params: Ids<"spaceId">;
    body: {
      source: ComputedSource;
      /** Equal seeds give equal ids. The id of a computed page gives the ids below it. */
      seed: string;
    };
    result: Revision;
  };
  listFiles: { params: Ids<"spaceId">; query?: Paging & Pick<Query, "metadata" | "computed">; result: Envelope<File> };
  getFile: { params: Ids<"spaceId" | "fileId">; query?: Pick<Query, "metadata" | "computed">; result: File };
  listBacklinksOfFile: { params: Ids<"spaceId" | "fileId">; query?: Paging; result: Envelope<ContentReference> & InSpace };
  getPage: {
    params: Ids<"spaceId" | "pageId">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  listBacklinksOfPage: { params: Ids<"spaceId" | "pageId">; query?: Paging; result: Envelope<ContentReference> & InSpace };
  getPageDocument: { params: Ids<"spaceId" | "pageId">; query?: Pick<Query, "computed" | "evaluated">; result: Document };
  listLinksOfPage: { params: Ids<"spaceId" | "pageId">; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  listPages: { params: Ids<"spaceId">; query?: Pick<Query, "metadata" | "computed">; result: { pages: PageInTree[] } };
  getPageByPath: {
    params: Ids<"spaceId" | "pagePath">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getReusableContent: {
    params: Ids<"spaceId" | "reusableContentId">;
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getReusableContentDocument: { params: Ids<"spaceId" | "reusableContentId">; query?: Pick<Query, "evaluated">; result: Document };
  applyTemplate: {
    params: Ids<"spaceId">;
    body: {
      id: string;
      /** Variables of the space, by name. They replace those of the template. */
      params?: Record<string, string | number | boolean>;
    };
    result: undefined;
  };
  getDocument: { params: Ids<"spaceId" | "documentId">; query?: Pick<Query, "evaluated">; result: Document };
  listSpaceLinks: { params: Ids<"spaceId">; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  getPdf: {
    params: Ids<"spaceId">;
    query?: {
      /** The page that is printed, with the pages below it. Default: all pages. */
      page?: string;
      /** True leaves out the pages below `page`. Default: false. */
      only?: "true" | "false";
    };
    result: PdfUrl;
  };
  listRevisions: { params: Ids<"spaceId">; query?: Paging; result: Envelope<RevisionSummary> };
  getRevision: { params: Ids<"spaceId" | "revisionId">; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  listRevisionChanges: { params: Ids<"spaceId" | "revisionId">; result: ContentChanges };
  listRevisionFiles: {
    params: Ids<"spaceId" | "revisionId">;
    query?: Paging & Pick<Query, "metadata" | "computed">;
    result: Envelope<File>;
  };
  getRevisionFile: { params: Ids<"spaceId" | "revisionId" | "fileId">; query?: Pick<Query, "metadata" | "computed">; result: File };
  getRevisionPage: {
    params: Ids<"spaceId" | "revisionId" | "pageId">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getRevisionPageDocument: { params: Ids<"spaceId" | "revisionId" | "pageId">; query?: Pick<Query, "computed" | "evaluated">; result: Document };
  listRevisionPages: {
    params: Ids<"spaceId" | "revisionId">;
    query?: Pick<Query, "metadata" | "computed">;
    result: { pages: PageInTree[] };
  };
  getRevisionPageByPath: {
    params: Ids<"spaceId" | "revisionId" | "pagePath">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getRevisionReusableContent: {
    params: Ids<"spaceId" | "revisionId" | "reusableContentId">;
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getRevisionReusableContentDocument: { params: Ids<"spaceId" | "revisionId" | "reusableContentId">; query?: Pick<Query, "evaluated">; result: Document };
  listOrganizationChangeRequests: {
    params: Ids<"organizationId">;
    query?: Paging & {
      /** Default: all. */
      status?: "draft" | "open" | "archived" | "merged";
      /** Only those of this space. */
      space?: string;
      /** Only those that this user made. */
      creator?: string;
      /** Only those that this user wrote in. */
      contributor?: string;
    };
    result: Envelope<ChangeRequestInOrganization>;
  };
  listChangeRequests: {
    params: Ids<"spaceId">;
    query?: Paging & {
      /** Default: open. */
      status?: "draft" | "open" | "archived" | "merged";
      /** Only those that this user wrote in. */
      contributor?: string;
    };
    result: Envelope<ChangeRequest>;
  };
  createChangeRequest: { params: Ids<"spaceId">; body?: { subject?: string; agentTaskId?: string }; result: ChangeRequest };
  getChangeRequest: { params: Ids<"spaceId" | "changeRequestId">; result: ChangeRequest };
  updateChangeRequest: {
    params: Ids<"spaceId" | "changeRequestId">;
    body?: { subject?: string; status?: "draft" | "open" | "archived" | "merged" };
    result: ChangeRequest;
  };
  listChangesOfChangeRequest: { params: Ids<"spaceId" | "changeRequestId">; result: ContentChanges };
  getChangeRequestContent: { params: Ids<"spaceId" | "changeRequestId">; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  changeChangeRequestContent: {
    params: Ids<"spaceId" | "changeRequestId">;
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
  listChangeRequestFiles: {
    params: Ids<"spaceId" | "changeRequestId">;
    query?: Paging & Pick<Query, "metadata" | "computed">;
    result: Envelope<File>;
  };
  getChangeRequestFile: { params: Ids<"spaceId" | "changeRequestId" | "fileId">; query?: Pick<Query, "metadata" | "computed">; result: File };
  listBacklinksOfChangeRequestFile: {
    params: Ids<"spaceId" | "changeRequestId" | "fileId">;
    query?: Paging;
    result: Envelope<ContentReference> & InSpace;
  };
  getChangeRequestPage: {
    params: Ids<"spaceId" | "changeRequestId" | "pageId">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  listBacklinksOfChangeRequestPage: {
    params: Ids<"spaceId" | "changeRequestId" | "pageId">;
    query?: Paging;
    result: Envelope<ContentReference> & InSpace;
  };
  getChangeRequestPageDocument: {
    params: Ids<"spaceId" | "changeRequestId" | "pageId">;
    query?: Pick<Query, "computed" | "evaluated">;
    result: Document;
  };
  listLinksOfChangeRequestPage: {
    params: Ids<"spaceId" | "changeRequestId" | "pageId">;
    query?: Paging;
    result: Envelope<ContentLink> & LinksInSpace;
  };
  listChangeRequestPages: {
    params: Ids<"spaceId" | "changeRequestId">;
    query?: Pick<Query, "metadata" | "computed">;
    result: { pages: PageInTree[] };
  };
  getChangeRequestPageByPath: {
    params: Ids<"spaceId" | "changeRequestId" | "pagePath">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getChangeRequestReusableContent: {
    params: Ids<"spaceId" | "changeRequestId" | "reusableContentId">;
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getChangeRequestReusableContentDocument: {
    params: Ids<"spaceId" | "changeRequestId" | "reusableContentId">;
    query?: Pick<Query, "evaluated">;
    result: Document;
  };
  listChangeRequestLinks: { params: Ids<"spaceId" | "changeRequestId">; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  mergeChangeRequest: { params: Ids<"spaceId" | "changeRequestId">; result: MergeOutcome };
  getChangeRequestPdf: {
    params: Ids<"spaceId" | "changeRequestId">;
    query?: {
      /** The page that is printed, with the pages below it. Default: all pages. */
      page?: string;
      /** True leaves out the pages below `page`. Default: false. */
      only?: "true" | "false";
    };
    result: PdfUrl;
  };
  listRequestedReviewers: { params: Ids<"spaceId" | "changeRequestId">; query?: Paging; result: Envelope<ChangeRequestRequestedReviewer> };
  requestReviewers: {
    params: Ids<"spaceId" | "changeRequestId">;
    body: {
      users: string[];
      /** What the change request is called from now on. */
      subject?: string;
    };
    result: undefined;
  };
  removeRequestedReviewer: { params: Ids<"spaceId" | "changeRequestId" | "userId">; result: undefined };
  listReviews: { params: Ids<"spaceId" | "changeRequestId">; query?: Paging; result: Envelope<ChangeRequestReview> };
  reviewChangeRequest: {
    params: Ids<"spaceId" | "changeRequestId">;
    body: { status: "approved" | "changes-requested"; comment?: CommentBody };
    result: ChangeRequestReview;
  };
  updateFromSpace: { params: Ids<"spaceId" | "changeRequestId">; result: UpdateOutcome };
  importChangeRequestContent: {
    params: Ids<"spaceId" | "changeRequestId">;
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importIntoChangeRequestPage: {
    params: Ids<"spaceId" | "changeRequestId" | "pageId">;
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url?: string;
      /** The text itself, in place of a URL: `source` is `markdown` or `html` then. */
      text?: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importContent: {
    params: Ids<"spaceId">;
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importIntoPage: {
    params: Ids<"spaceId" | "pageId">;
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url?: string;
      /** The text itself, in place of a URL: `source` is `markdown` or `html` then. */
      text?: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  getImportReport: { params: Ids<"spaceId" | "revisionId">; result: ImportReport };
  exportToGit: {
    params: Ids<"spaceId">;
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
  importFromGit: {
    params: Ids<"spaceId">;
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
  getGitInfo: { params: Ids<"spaceId">; result: GitInfo };
  removeGitSync: { params: Ids<"spaceId">; result: undefined };
  listChangeRequestCommenters: { params: Ids<"spaceId" | "changeRequestId">; query?: Paging; result: Envelope<Member> };
  listChangeRequestComments: {
    params: Ids<"spaceId" | "changeRequestId">;
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
  postCommentOnChangeRequest: {
    params: Ids<"spaceId" | "changeRequestId">;
    body: {
      body: CommentBody;
      page?: string;
      node?: string;
      /** The cell of the table that `node` names, as it was given. It is not compared with the table. */
      tableCell?: Record<string, string | number>;
    };
    result: Comment;
  };
  getChangeRequestComment: { params: Ids<"spaceId" | "changeRequestId" | "commentId">; query?: Pick<Query, "format">; result: Comment };
  updateChangeRequestComment: {
    params: Ids<"spaceId" | "changeRequestId" | "commentId">;
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  deleteChangeRequestComment: { params: Ids<"spaceId" | "changeRequestId" | "commentId">; result: undefined };
  listChangeRequestCommentReplies: {
    params: Ids<"spaceId" | "changeRequestId" | "commentId">;
    query?: Paging & Pick<Query, "format">;
    result: Envelope<CommentReply>;
  };
  replyToChangeRequestComment: {
    params: Ids<"spaceId" | "changeRequestId" | "commentId">;
    query?: Pick<Query, "format">;
    body: {
      body: CommentBody;
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  getChangeRequestCommentReply: {
    params: Ids<"spaceId" | "changeRequestId" | "commentId" | "commentReplyId">;
    query?: Pick<Query, "format">;
    result: CommentReply;
  };
  updateChangeRequestCommentReply: {
    params: Ids<"spaceId" | "changeRequestId" | "commentId" | "commentReplyId">;
    body?: {
      body?: CommentBody;
      addedReactions?: string[];
      removedReactions?: string[];
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  deleteChangeRequestCommentReply: { params: Ids<"spaceId" | "changeRequestId" | "commentId" | "commentReplyId">; result: undefined };
  listSpaceCommenters: { params: Ids<"spaceId">; query?: Paging; result: Envelope<Member> };
  listSpaceComments: {
    params: Ids<"spaceId">;
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
  postCommentOnSpace: {
    params: Ids<"spaceId">;
    body: {
      body: CommentBody;
      page?: string;
      node?: string;
      /** The cell of the table that `node` names, as it was given. It is not compared with the table. */
      tableCell?: Record<string, string | number>;
    };
    result: Comment;
  };
  getSpaceComment: { params: Ids<"spaceId" | "commentId">; query?: Pick<Query, "format">; result: Comment };
  updateSpaceComment: {
    params: Ids<"spaceId" | "commentId">;
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  deleteSpaceComment: { params: Ids<"spaceId" | "commentId">; result: undefined };
  listSpaceCommentReplies: { params: Ids<"spaceId" | "commentId">; query?: Paging & Pick<Query, "format">; result: Envelope<CommentReply> };
  replyToSpaceComment: {
    params: Ids<"spaceId" | "commentId">;
    query?: Pick<Query, "format">;
    body: {
      body: CommentBody;
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  getSpaceCommentReply: { params: Ids<"spaceId" | "commentId" | "commentReplyId">; query?: Pick<Query, "format">; result: CommentReply };
  updateSpaceCommentReply: {
    params: Ids<"spaceId" | "commentId" | "commentReplyId">;
    body?: {
      body?: CommentBody;
      addedReactions?: string[];
      removedReactions?: string[];
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  deleteSpaceCommentReply: { params: Ids<"spaceId" | "commentId" | "commentReplyId">; result: undefined };
  searchOrganization: {
    params: Ids<"organizationId">;
    query: Paging & {
      /** What to look for. */
      query: string;
    };
    result: Envelope<FoundSpace>;
  };
  searchSpace: {
    params: Ids<"spaceId">;
    query: Paging & {
      /** What to look for. */
      query: string;
    };
    result: Envelope<FoundPage>;
  };
  askOrganization: {
    params: Ids<"organizationId">;
    body: {
      /** What to ask, as a person says it. */
      question: string;
      /** The language of the answer, such as `de`. Default: the model decides. */
      language?: string;
    };
    result: Sent;
  };
  askSite: {
    params: Ids<"organizationId" | "siteId">;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: {
      /** What to ask, as a person says it. */
      question: string;
      /** The language of the answer, such as `de`. Default: the model decides. */
      language?: string;
    };
    result: Sent;
  };
  askSpace: {
    params: Ids<"spaceId">;
    body: {
      /** What to ask, as a person says it. */
      question: string;
      /** The language of the answer, such as `de`. Default: the model decides. */
      language?: string;
    };
    result: Sent;
  };
  listTemplates: { query?: Paging; result: Envelope<Template> };
  listFonts: { params: Ids<"organizationId">; query?: Paging; result: Envelope<CustomFont> };
  createFont: {
    params: Ids<"organizationId">;
    body: {
      fontFamily: string;
      fontFaces: {
        weight: number;
        style?: "normal" | "italic";
        sources: { url: string; format?: "woff2" | "woff" | "truetype" | "opentype" }[];
      }[];
    };
    result: CustomFont;
  };
  getFont: { params: Ids<"organizationId" | "fontId">; result: CustomFont };
  deleteFont: { params: Ids<"organizationId" | "fontId">; result: undefined };
  listSites: {
    params: Ids<"organizationId">;
    query?: Paging & { space?: string; title?: string; published?: "true" | "false" };
    result: Envelope<Site>;
  };
  createSite: {
    params: Ids<"organizationId">;
    body?: {
      type?: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
      title?: string;
      visibility?: SiteVisibility;
      spaces?: string[] | "sample" | "empty";
    };
    result: Site;
  };
  getSite: { params: Ids<"organizationId" | "siteId">; result: Site };
  updateSite: {
    params: Ids<"organizationId" | "siteId">;
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
  deleteSite: { params: Ids<"organizationId" | "siteId">; result: undefined };
  getAdaptiveSchema: { params: Ids<"organizationId" | "siteId">; result: SiteAdaptiveSchema };
  setAdaptiveSchema: {
    params: Ids<"organizationId" | "siteId">;
    body: {
      /** JSON Schema draft-07 in the allowed form. */
      jsonSchema: { [name: string]: unknown };
    };
    result: SiteAdaptiveSchema;
  };
  listTemplateConditions: { params: Ids<"organizationId" | "siteId">; result: { items: { description: string; condition: string }[] } };
  updateSiteAds: {
    params: Ids<"organizationId" | "siteId">;
    body: { status: "in-review" | "disabled"; topic: "webdev" | "crypto" };
    result: undefined;
  };
  getSiteCustomization: { params: Ids<"organizationId" | "siteId">; result: SiteCustomization };
  setSiteCustomization: { params: Ids<"organizationId" | "siteId">; body?: CustomizationChangesInput; result: SiteCustomization };
  reportSiteEvents: {
    params: Ids<"organizationId" | "siteId">;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: { events: InsightsEvent[] };
    result: undefined;
  };
  aggregateSiteEvents: {
    params: Ids<"organizationId" | "siteId">;
    body?: {
      /** The types of events to count. Default: `page_view`. */
      select?: InsightsEventType[];
      /** One of `day` and `month`, one of the others, or both. Default: one row for all. */
      groupBy?: ("day" | "month" | "siteSpace" | "page" | "rating" | "device" | "browser" | "language" | "referrer" | "query")[];
      /** Days of UTC, both included. Default: the last 30 days. */
      range?: { from: string; to: string };
      /** Only what has these values. See the operation for what can be combined. */
      filters?: {
        siteSpace?: string;
        page?: string;
        rating?: "bad" | "ok" | "good";
        device?: string;
        browser?: string;
        language?: string;
        referrer?: string;
        query?: string;
      };
      /** The most rows. Default: 100. */
      limit?: number;
    };
    result: InsightsAggregate;
  };
  listSiteIntegrationScripts: {
    params: Ids<"organizationId" | "siteId">;
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: Envelope<{
      /** Where the JavaScript is fetched. It changes when the script may have changed. */
      script: string;
      contentSecurityPolicy?: string;
      /** Whether it may use cookies. */
      cookies: boolean;
      /** The space whose pages carry it; left out where all pages do. */
      space?: string;
    }>;
  };
  listSiteIntegrations: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<Integration> };
  startVisitorLogin: {
    params: Ids<"organizationId" | "siteId">;
    query?: {
      /** Where the visitor wanted to go: a path of the site. */
      location?: string;
    };
    result: Sent;
  };
  grantOnSite: {
    params: Ids<"organizationId" | "siteId">;
    body?: { users?: { id: string; role?: Role }[]; teams?: { id: string; role?: Role }[]; role?: Role };
    result: undefined;
  };
  listAccessToSite: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnSite: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnSite: { params: Ids<"organizationId" | "siteId" | "teamId">; body: { role: Role }; result: undefined };
  removeTeamGrantOnSite: { params: Ids<"organizationId" | "siteId" | "teamId">; result: undefined };
  listUserGrantsOnSite: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnSite: { params: Ids<"organizationId" | "siteId" | "userId">; body: { role: Role }; result: undefined };
  removeUserGrantOnSite: { params: Ids<"organizationId" | "siteId" | "userId">; result: undefined };
  previewSite: {
    params: Ids<"organizationId" | "siteId">;
    body: {
      siteSpaceId: string;
      /** The change request to show. The preview follows it until it is merged or archived. */
      changeRequestId?: string;
      /** The revision of the space to show. */
      revisionId?: string;
    };
    result: SitePreview;
  };
  publishSite: { params: Ids<"organizationId" | "siteId">; result: Site };
  getPublishedSite: {
    params: Ids<"organizationId" | "siteId">;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: PublishedContentSite;
  };
  getPublishingAuth: { params: Ids<"organizationId" | "siteId">; result: PublishingAuth };
  updatePublishingAuth: {
    params: Ids<"organizationId" | "siteId">;
    body?: { backend?: "custom" | "integration"; integration?: string | null; fallbackURL?: string | null };
    result: PublishingAuth;
  };
  regeneratePublishingAuth: { params: Ids<"organizationId" | "siteId">; result: RegeneratedPublishingAuth };
  getSiteRedirectTarget: {
    params: Ids<"organizationId" | "siteId">;
    query: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { source: string };
    result: SiteRedirectTarget;
  };
  listSiteRedirects: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<SiteRedirect> };
  createSiteRedirect: {
    params: Ids<"organizationId" | "siteId">;
    body: { source: string; destination: NewSiteRedirectDestination };
    result: SiteRedirect;
  };
  getSiteRedirect: { params: Ids<"organizationId" | "siteId" | "siteRedirectId">; result: SiteRedirect };
  updateSiteRedirect: {
    params: Ids<"organizationId" | "siteId" | "siteRedirectId">;
    body?: { source?: string; destination?: NewSiteRedirectDestination };
    result: SiteRedirect;
  };
  deleteSiteRedirect: { params: Ids<"organizationId" | "siteId" | "siteRedirectId">; result: undefined };
  createSiteRedirects: {
    params: Ids<"organizationId" | "siteId">;
    body: { redirects: { source: string; destination: NewSiteRedirectDestination }[] };
    result: SiteRedirects;
  };
  searchSite: {
    params: Ids<"organizationId" | "siteId">;
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: {
      query: string;
      scope?: SiteSearchScope;
      mode?: "all" | "current" | "specific";
      siteSpaceId?: string;
      siteSpaceIds?: string[];
    };
    result: Envelope<FoundSpaceOnSite>;
  };
  listSiteSectionGroups: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<SiteSectionGroup> };
  createSiteSectionGroup: {
    params: Ids<"organizationId" | "siteId">;
    body: { title: string; icon?: string | null; sections?: string[] };
    result: SiteSectionGroup;
  };
  updateSiteSectionGroup: {
    params: Ids<"organizationId" | "siteId" | "siteSectionGroupId">;
    body?: { title?: string; icon?: string | null };
    result: SiteSectionGroup;
  };
  deleteSiteSectionGroup: { params: Ids<"organizationId" | "siteId" | "siteSectionGroupId">; result: undefined };
  moveSiteSectionGroup: {
    params: Ids<"organizationId" | "siteId" | "siteSectionGroupId">;
    body: {
      position: {
        before?: { type: "site-section" | "site-section-group"; id: string };
        after?: { type: "site-section" | "site-section-group"; id: string };
      };
    };
    result: SiteSectionGroup;
  };
  addSectionToGroup: {
    params: Ids<"organizationId" | "siteId" | "siteSectionGroupId">;
    body: { sectionId: string };
    result: SiteSectionGroup;
  };
  removeSectionFromGroup: { params: Ids<"organizationId" | "siteId" | "siteSectionGroupId" | "siteSectionId">; result: undefined };
  listSiteSections: {
    params: Ids<"organizationId" | "siteId">;
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: Envelope<SiteSection>;
  };
  createSiteSection: {
    params: Ids<"organizationId" | "siteId">;
    body: { spaceId: string; title?: string | null; icon?: string | null };
    result: SiteSection;
  };
  updateSiteSection: {
    params: Ids<"organizationId" | "siteId" | "siteSectionId">;
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
  deleteSiteSection: { params: Ids<"organizationId" | "siteId" | "siteSectionId">; result: undefined };
  /** @deprecated `sortSiteStructure` moves everything. */
  moveSiteSection: {
    params: Ids<"organizationId" | "siteId" | "siteSectionId">;
    body: {
      position: { before?: { type: "site-section"; siteSection: string }; after?: { type: "site-section"; siteSection: string } };
    };
    result: SiteSection;
  };
  listShareLinks: { params: Ids<"organizationId" | "siteId">; query?: Paging; result: Envelope<ShareLink> };
  createShareLink: { params: Ids<"organizationId" | "siteId">; body: { name: string }; result: ShareLink };
  getShareLink: { params: Ids<"organizationId" | "siteId" | "shareLinkId">; result: ShareLink };
  updateShareLink: {
    params: Ids<"organizationId" | "siteId" | "shareLinkId">;
    body?: { name?: string; active?: boolean };
    result: ShareLink;
  };
  deleteShareLink: { params: Ids<"organizationId" | "siteId" | "shareLinkId">; result: undefined };
  regenerateShareLink: { params: Ids<"organizationId" | "siteId" | "shareLinkId">; result: ShareLink };
  listSiteSpaces: {
    params: Ids<"organizationId" | "siteId">;
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { default?: "true" | "false" };
    result: Envelope<SiteSpace>;
  };
  createSiteSpace: { params: Ids<"organizationId" | "siteId">; body: { spaceId: string; sectionId?: string }; result: SiteSpace };
  updateSiteSpace: {
    params: Ids<"organizationId" | "siteId" | "siteSpaceId">;
    body?: { path?: string; condition?: string | null; spaceId?: string };
    result: SiteSpace;
  };
  deleteSiteSpace: { params: Ids<"organizationId" | "siteId" | "siteSpaceId">; result: undefined };
  getSiteSpaceCustomization: { params: Ids<"organizationId" | "siteId" | "siteSpaceId">; result: SiteSpaceCustomization };
  updateSiteSpaceCustomization: {
    params: Ids<"organizationId" | "siteId" | "siteSpaceId">;
    body?: CustomizationChangesInput;
    result: SiteSpaceCustomization;
  };
  resetSiteSpaceCustomization: { params: Ids<"organizationId" | "siteId" | "siteSpaceId">; result: undefined };
  /** @deprecated `sortSiteStructure` moves everything. */
  moveSiteSpace: {
    params: Ids<"organizationId" | "siteId" | "siteSpaceId">;
    body: {
      position: { before?: { type: "site-space"; siteSpace: string }; after?: { type: "site-space"; siteSpace: string } };
    };
    result: SiteSpace;
  };
  getPublishedPage: {
    params: Ids<"organizationId" | "siteId" | "siteSpaceId" | "pageId">;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims" | "format">;
    result: PublishedPage;
  };
  listPublishedPages: {
    params: Ids<"organizationId" | "siteId" | "siteSpaceId">;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: { pages: PublishedPageInTree[] };
  };
  getSiteStructure: { params: Ids<"organizationId" | "siteId">; result: SiteStructure };
  sortSiteStructure: {
    params: Ids<"organizationId" | "siteId">;
    body: {
      item: { type: "site-section" | "site-section-group" | "site-space"; id: string };
      position: {
        before?: { type: "site-section" | "site-section-group" | "site-space"; id: string };
        after?: { type: "site-section" | "site-section-group" | "site-space"; id: string };
      };
    };
    result: SiteStructure;
  };
  unpublishSite: { params: Ids<"organizationId" | "siteId">; result: Site };
  reportSiteView: {
    params: Ids<"organizationId" | "siteId">;
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
  resolvePublishedUrl: {
    body: {
      /** On a site with share links the key stands in it, behind the site's own URL. */
      url: string;
      /** Who asks. Default: somebody of whom nothing is known. */
      visitor?: {
        /** A JWT that says who the visitor is, signed with the site's key. */
        jwtToken?: string;
        /** What the visitor says of themselves; the adaptive schema's `unsigned`. */
        unsignedClaims?: Record<string, unknown>;
      };
      /** True leads a visitor who is not signed in to the login of the site, if it has one. */
      redirectOnError?: boolean;
      /** The same as `visitor.jwtToken`. */
      visitorToken?: string;
      /** The same as `visitor.unsignedClaims`. */
      unsignedClaims?: Record<string, unknown>;
    };
    result: PublishedUrl;
  };
  listTranslations: { params: Ids<"organizationId">; query?: Paging; result: Envelope<Translation> };
  createTranslation: {
    params: Ids<"organizationId">;
    body: {
      language: TranslationLanguage;
      source: { space: string; language?: TranslationLanguage };
      /** What the translator is to mind. Tables with two columns are a glossary: a term, what it is called. */
      instructions?: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  getTranslation: { params: Ids<"organizationId" | "translationId">; result: Translation };
  updateTranslation: {
    params: Ids<"organizationId" | "translationId">;
    body: {
      /** What the translator is to mind. Tables with two columns are a glossary: a term, what it is called. */
      instructions: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  deleteTranslation: { params: Ids<"organizationId" | "translationId">; result: undefined };
  runTranslationAgain: { params: Ids<"organizationId" | "translationId">; result: Translation };
  grantOnCollection: {
    params: Ids<"collectionId">;
    body?: { users?: { id: string; role?: Role }[]; teams?: { id: string; role?: Role }[]; role?: Role };
    result: undefined;
  };
  listAccessToCollection: { params: Ids<"collectionId">; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnCollection: { params: Ids<"collectionId">; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnCollection: { params: Ids<"collectionId" | "teamId">; body: { role: Role }; result: undefined };
  removeTeamGrantOnCollection: { params: Ids<"collectionId" | "teamId">; result: undefined };
  listUserGrantsOnCollection: { params: Ids<"collectionId">; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnCollection: { params: Ids<"collectionId" | "userId">; body: { role: Role }; result: undefined };
  removeUserGrantOnCollection: { params: Ids<"collectionId" | "userId">; result: undefined };
  grantOnSpace: {
    params: Ids<"spaceId">;
    body?: { users?: { id: string; role?: Role }[]; teams?: { id: string; role?: Role }[]; role?: Role };
    result: undefined;
  };
  listAccessToSpace: { params: Ids<"spaceId">; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnSpace: { params: Ids<"spaceId">; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnSpace: { params: Ids<"spaceId" | "teamId">; body: { role: Role }; result: undefined };
  removeTeamGrantOnSpace: { params: Ids<"spaceId" | "teamId">; result: undefined };
  listUserGrantsOnSpace: { params: Ids<"spaceId">; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnSpace: { params: Ids<"spaceId" | "userId">; body: { role: Role }; result: undefined };
  removeUserGrantOnSpace: { params: Ids<"spaceId" | "userId">; result: undefined };
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
  getIntegration: { params: Ids<"integrationName">; result: Integration };
  publishIntegration: {
    params: Ids<"integrationName">;
    body?: {
      /** What the script was bundled for. Every script runs in the same sandbox here. */
      runtime?: "v1" | "v2";
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
      /** Line breaks and tabs are read as spaces. */
      contentSecurityPolicy?: string | Record<string, string>;
    };
    result: Integration;
  };
  unpublishIntegration: { params: Ids<"integrationName">; result: undefined };
  downloadIntegrationAsset: { params: Ids<"integrationName" | "asset">; result: Sent };
  startDevelopment: {
    params: Ids<"integrationName">;
    body: {
      /** Events are sent to `<tunnelUrl>/v1`. Redirects are not followed. */
      tunnelUrl: string;
      /** Whether everybody's events go there. Default: false. */
      all?: boolean;
    };
    result: undefined;
  };
  stopDevelopment: { params: Ids<"integrationName">; result: undefined };
  listIntegrationEvents: { params: Ids<"integrationName">; query?: Paging; result: Envelope<IntegrationEvent> };
  getIntegrationEvent: {
    params: Ids<"integrationName" | "eventId">;
    result: {
      event: IntegrationEvent;
      trace: { logs: { message: string; timestamp: string; level: "debug" | "info" | "warn" | "error" }[] };
    };
  };
  listInstallations: {
    params: Ids<"integrationName">;
    query?: Paging & { externalId?: string };
    result: Envelope<IntegrationInstallation>;
  };
  installIntegration: {
    params: Ids<"integrationName">;
    body: {
      organization: string;
      /** What you agree to, of the scopes that the integration asks for. Default: all of them. */
      scopes?: IntegrationScope[];
    };
    result: IntegrationInstallation;
  };
  getInstallation: { params: Ids<"integrationName" | "installationId">; result: IntegrationInstallation };
  updateInstallation: {
    params: Ids<"integrationName" | "installationId">;
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
  uninstallIntegration: { params: Ids<"integrationName" | "installationId">; result: undefined };
  listInstallationSites: {
    params: Ids<"integrationName" | "installationId">;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  installOnSite: {
    params: Ids<"integrationName" | "installationId">;
    body: {
      siteId?: string;
      /** Another name for `siteId`. */
      site?: string;
      configuration?: Record<string, unknown>;
      externalIds?: string[];
    };
    result: IntegrationSiteInstallation;
  };
  getSiteInstallation: {
    params: Ids<"integrationName" | "installationId" | "siteId">;
    query?: { extended?: "true" | "false" };
    result: IntegrationSiteInstallation;
  };
  updateSiteInstallation: {
    params: Ids<"integrationName" | "installationId" | "siteId">;
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSiteInstallation;
  };
  uninstallFromSite: { params: Ids<"integrationName" | "installationId" | "siteId">; result: undefined };
  listInstallationSpaces: {
    params: Ids<"integrationName" | "installationId">;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  installOnSpace: {
    params: Ids<"integrationName" | "installationId">;
    body: {
      spaceId?: string;
      /** Another name for `spaceId`. */
      space?: string;
      configuration?: Record<string, unknown>;
      externalIds?: string[];
    };
    result: IntegrationSpaceInstallation;
  };
  getSpaceInstallation: {
    params: Ids<"integrationName" | "installationId" | "spaceId">;
    query?: { extended?: "true" | "false" };
    result: IntegrationSpaceInstallation;
  };
  updateSpaceInstallation: {
    params: Ids<"integrationName" | "installationId" | "spaceId">;
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSpaceInstallation;
  };
  uninstallFromSpace: { params: Ids<"integrationName" | "installationId" | "spaceId">; result: undefined };
  listTasks: { params: Ids<"integrationName" | "installationId">; query?: Paging; result: Envelope<IntegrationTask> };
  queueTask: {
    params: Ids<"integrationName" | "installationId">;
    body: {
      /** What the integration is told, as it is; `type` says which task it is. */
      task: { type: string; [name: string]: unknown };
      /** Seconds from now. Default: 0. */
      schedule?: number;
    };
    result: IntegrationTask;
  };
  getTask: { params: Ids<"integrationName" | "installationId" | "taskId">; result: IntegrationTask };
  cancelTask: { params: Ids<"integrationName" | "installationId" | "taskId">; result: undefined };
  createInstallationToken: { params: Ids<"integrationName" | "installationId">; result: IntegrationInstallationToken };
  fetchFromIntegration: { params: Ids<"integrationName" | "path">; result: Sent };
  postToIntegration: { params: Ids<"integrationName" | "path">; result: Sent };
  putToIntegration: { params: Ids<"integrationName" | "path">; result: Sent };
  patchAtIntegration: { params: Ids<"integrationName" | "path">; result: Sent };
  deleteAtIntegration: { params: Ids<"integrationName" | "path">; result: Sent };
  renderComponent: { params: Ids<"integrationName">; query: { request: string }; result: Sent };
  renderComponentByPost: {
    params: Ids<"integrationName">;
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
  fetchPublishedScript: {
    params: Ids<"integrationName" | "installationId" | "siteId" | "signature">;
    query?: {
      /** The space of the site that the script is for. */
      space?: string;
    };
    result: Sent;
  };
  listIntegrationSites: {
    params: Ids<"integrationName">;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  listIntegrationSpaces: {
    params: Ids<"integrationName">;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  listOrganizationInstallations: {
    params: Ids<"organizationId">;
    query?: Paging & { externalId?: string; integration?: string };
    result: Envelope<InstalledIntegration>;
  };
  listOrganizationIntegrations: { params: Ids<"organizationId">; query?: Paging; result: Envelope<Integration> };
  listOpenApiSpecs: { params: Ids<"organizationId">; query?: Paging; result: Envelope<OpenApiSpec> };
  createOpenApiSpec: {
    params: Ids<"organizationId">;
    body: {
      slug: string;
      /** `url`: fetched, and looked at again from time to time. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  getOpenApiSpec: { params: Ids<"organizationId" | "specSlug">; result: OpenApiSpec };
  putOpenApiSpec: {
    params: Ids<"organizationId" | "specSlug">;
    body: {
      /** `url`: fetched, and looked at again from time to time. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  updateOpenApiSpec: { params: Ids<"organizationId" | "specSlug">; body: { visibility: "private" | "public" }; result: OpenApiSpec };
  deleteOpenApiSpec: { params: Ids<"organizationId" | "specSlug">; result: undefined };
  listOpenApiSpecVersions: { params: Ids<"organizationId" | "specSlug">; query?: Paging; result: Envelope<OpenApiSpecVersion> };
  getOpenApiSpecVersion: { params: Ids<"organizationId" | "specSlug" | "versionId">; result: OpenApiSpecVersion };
  getOpenApiSpecContent: { params: Ids<"organizationId" | "specSlug" | "versionId">; result: OpenApiSpecContent };
  getOpenApiSpecText: { params: Ids<"organizationId" | "specSlug" | "versionId">; result: Sent };
  getLatestOpenApiSpecVersion: { params: Ids<"organizationId" | "specSlug">; result: OpenApiSpecVersion };
  getLatestOpenApiSpecContent: { params: Ids<"organizationId" | "specSlug">; result: OpenApiSpecContent };
  getLatestOpenApiSpecText: { params: Ids<"organizationId" | "specSlug">; result: Sent };
  getPublicOpenApiSpec: { params: Ids<"specId">; result: Sent };
  getPublicOpenApiSpecContent: { params: Ids<"specId">; result: OpenApiSpecContent };
  listJobs: { params: Ids<"organizationId">; query?: Paging & { status?: "waiting" | "parked" }; result: Envelope<Job> };
  retryJob: { params: Ids<"organizationId" | "jobId">; result: Job };
}
