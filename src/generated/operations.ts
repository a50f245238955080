// What every operation takes and answers. Written by `npm run generate:types`; a test fails when it is stale.

import type { Envelope, Paging } from "../operation/pagination";
import type { BinaryResponse } from "../operation/binary-response";
import type {
  AuditAction,
  AuditEvent,
  ChangeBatch,
  ChangeOutcome,
  ChangeRequest,
  ChangeRequestContributor,
  ChangeRequestRequestedReviewer,
  ChangeRequestReview,
  Collection,
  Comment,
  CommentBody,
  CommentReply,
  ComputedSource,
  ContentChanges,
  ContentLink,
  ContentUrl,
  CustomFont,
  CustomFontFaceInput,
  CustomHostname,
  CustomizationChangesInput,
  DefaultLevel,
  Document,
  Embed,
  File,
  FoundPage,
  FoundSpace,
  FoundSpaceOnSite,
  GitInfo,
  GlossaryEntry,
  ImportOutcome,
  ImportReport,
  ImportSource,
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
  IntegrationInstallationStatus,
  IntegrationInstallationToken,
  IntegrationScope,
  IntegrationSiteInstallation,
  IntegrationSpaceInstallation,
  IntegrationTarget,
  IntegrationTask,
  IntegrationVisibility,
  Invite,
  Job,
  LinkLocation,
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
  ReviewersRequested,
  Revision,
  RevisionSummary,
  Role,
  SamlProvider,
  ScimToken,
  Session,
  ShareLink,
  Site,
  SiteAdaptiveSchema,
  SiteCustomization,
  SiteExternalLink,
  SiteIntegrationScripts,
  SitePreview,
  SitePreviewUrl,
  SiteRedirect,
  SiteRedirectResults,
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
  SpaceIntegrationScripts,
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
type Ids<Name extends string> = { [name in Name]: string };
interface CollectionIds {
  collectionId: string;
}
interface HostnameIds {
  hostname: string;
}
interface IntegrationIds {
  integrationName: string;
}
interface OrganizationIds {
  organizationId: string;
}
interface SpaceIds {
  spaceId: string;
}
interface InstallationIds extends IntegrationIds {
  installationId: string;
}
interface PathIds extends IntegrationIds {
  path: string;
}
interface FontIds extends OrganizationIds {
  fontId: string;
}
interface InviteIds extends OrganizationIds {
  inviteId: string;
}
interface SamlProviderIds extends OrganizationIds {
  samlProviderId: string;
}
interface SiteIds extends OrganizationIds {
  siteId: string;
}
interface SpecIds extends OrganizationIds {
  specSlug: string;
}
interface TeamIds extends OrganizationIds {
  teamId: string;
}
interface TranslationIds extends OrganizationIds {
  translationId: string;
}
interface UserIds extends OrganizationIds {
  userId: string;
}
interface ChangeRequestIds extends SpaceIds {
  changeRequestId: string;
}
interface CommentIds extends SpaceIds {
  commentId: string;
}
interface PageIds extends SpaceIds {
  pageId: string;
}
interface RevisionIds extends SpaceIds {
  revisionId: string;
}
interface InstallationSiteIds extends InstallationIds {
  siteId: string;
}
interface InstallationSpaceIds extends InstallationIds {
  spaceId: string;
}
interface ShareLinkIds extends SiteIds {
  shareLinkId: string;
}
interface SiteRedirectIds extends SiteIds {
  siteRedirectId: string;
}
interface SiteSectionGroupIds extends SiteIds {
  siteSectionGroupId: string;
}
interface SiteSectionIds extends SiteIds {
  siteSectionId: string;
}
interface SiteSpaceIds extends SiteIds {
  siteSpaceId: string;
}
interface VersionIds extends SpecIds {
  versionId: string;
}
interface ChangeRequestCommentIds extends ChangeRequestIds {
  commentId: string;
}
interface ChangeRequestPageIds extends ChangeRequestIds {
  pageId: string;
}
interface CommentReplyIds extends CommentIds {
  commentReplyId: string;
}
interface ChangeRequestCommentReplyIds extends ChangeRequestCommentIds {
  commentReplyId: string;
}

/** Members that the queries of several operations have in common. */
export interface Query {
  /** False excludes computed content. Defaults to true. */
  computed?: "true" | "false";
  /** True resolves variables, reusable contents, included files and conditions. Defaults to false. */
  evaluated?: "true" | "false";
  /** The format of the content. Defaults to `markdown`. */
  format?: "document" | "markdown";
  /** False excludes Git metadata. Defaults to true. */
  metadata?: "true" | "false";
  /** The key of a share link. */
  shareKey?: string;
  /** Unsigned claims of the visitor as a JSON object: `unsigned` in the adaptive schema. */
  unsignedClaims?: string;
  /** A JWT that identifies the visitor, signed with the key of the site. */
  visitorToken?: string;
}

/** The operations by their names: what `call` takes (`params`, `query` and `body`) and what it answers (`result`). */
export interface Operations {
  getService: { result: { version: string } };
  getHealth: { result: { status: "up" } };
  getOpenApi: { result: { openapi: string; [name: string]: unknown } };
  getReadiness: { result: { status: "ready" } };
  getCurrentUser: { result: User };
  updateCurrentUser: { body?: { displayName?: string; photoURL?: string | null }; result: User };
  eraseCurrentUser: { result: undefined };
  exportCurrentUser: { result: BinaryResponse };
  leaveOrganizations: { result: undefined };
  getUser: { params: Ids<"userId">; result: User };
  updateUser: { params: Ids<"userId">; body?: { displayName?: string; photoURL?: string | null }; result: User };
  listTokens: { query?: Paging; result: Envelope<Token> };
  createToken: { body: { label: string; scopes?: string[] | null; expiresAt?: string | null }; result: Token };
  revokeToken: { params: Ids<"tokenId">; result: undefined };
  listSessions: { query?: Paging; result: Envelope<Session> };
  endSessions: { result: undefined };
  endSession: { params: Ids<"sessionId">; result: undefined };
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
  getOrganization: { params: OrganizationIds; result: Organization };
  updateOrganization: {
    params: OrganizationIds;
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
  pingOrganization: { params: OrganizationIds; result: { serviceVisitorClaims?: string } };
  getSubdomain: { params: Ids<"subdomain">; result: Subdomain };
  joinOrganization: { params: OrganizationIds; result: Member };
  listMembers: {
    params: OrganizationIds;
    query?: Paging & {
      order?: "asc" | "desc";
      role?: "read" | "comment" | "edit" | "review" | "create" | "admin" | "guest";
      search?: string;
      sort?: "joinedAt" | "lastSeenAt";
    };
    result: Envelope<Member>;
  };
  getMember: { params: UserIds; result: Member };
  updateMember: { params: UserIds; body: { role: Role | null }; result: Member };
  removeMember: { params: UserIds; result: undefined };
  listMemberSpaces: {
    params: UserIds;
    query?: Paging & { order?: "asc" | "desc" };
    result: Envelope<{ permission: Role; space: Space }>;
  };
  makeMemberSso: { params: UserIds; result: Member };
  listMemberTeams: {
    params: UserIds;
    query?: Paging & { title?: string };
    result: Envelope<{ team: Team; member: { role: TeamRole } }>;
  };
  listEmailInvites: { params: OrganizationIds; query?: Paging; result: Envelope<Invite> };
  inviteByEmail: {
    params: OrganizationIds;
    body: {
      emails: string[];
      role?: Role | null;
      sso?: boolean;
      language?: "en" | "fr" | "es" | "zh" | "ja" | "de" | "nl" | "no" | "pt-br" | "ru";
    };
    result: {
      invites: Invite[];
      /** The number of invites. */
      invited: number;
      members: string[];
      /** The user IDs of `members`, in the same order. */
      users: string[];
    };
  };
  acceptInvite: { params: InviteIds; result: Member };
  deleteEmailInvite: { params: InviteIds; result: undefined };
  sendEmailInvite: { params: InviteIds; result: Invite };
  listLinkInvites: { params: OrganizationIds; query?: Paging; result: Envelope<Invite> };
  createLinkInvite: {
    params: OrganizationIds;
    body?: {
      role?: Role | null;
      /** An alias of `role`. Provide only one of them. */
      level?: Role | null;
      expiresAt?: string | null;
      /** A space to invite people to. They become guests of the organization, unless they are members already, and get the role on the space. */
      space?: string;
    };
    result: Invite;
  };
  getLinkInvite: { params: InviteIds; result: Invite };
  updateLinkInvite: {
    params: InviteIds;
    body?: {
      role?: Role | null;
      /** An alias of `role`. Provide only one of them. */
      level?: Role | null;
      expiresAt?: string | null;
    };
    result: Invite;
  };
  deleteLinkInvite: { params: InviteIds; result: undefined };
  listTeams: { params: OrganizationIds; query?: Paging & { owner?: string; title?: string }; result: Envelope<Team> };
  createTeam: { params: OrganizationIds; body: { title: string; members?: string[] }; result: Team };
  getTeam: { params: TeamIds; result: Team };
  updateTeam: { params: TeamIds; body?: { title?: string }; result: Team };
  deleteTeam: { params: TeamIds; result: undefined };
  listTeamMembers: { params: TeamIds; query?: Paging; result: Envelope<TeamMember> };
  updateTeamMembers: {
    params: TeamIds;
    body?: {
      add?: string[];
      remove?: string[];
      /** The members to add, with their role in the team: a list, or an object by user ID. For existing members, the role is updated. */
      memberships?: { id: string; role?: TeamRole }[] | Record<string, TeamRole | { role?: TeamRole }>;
    };
    result: undefined;
  };
  setTeamMember: { params: TeamIds & Ids<"userId">; body?: { role?: TeamRole }; result: TeamMember };
  removeTeamMember: { params: TeamIds & Ids<"userId">; result: undefined };
  listSamlProviders: { params: OrganizationIds; query?: Paging; result: Envelope<SamlProvider> };
  createSamlProvider: {
    params: OrganizationIds;
    body: {
      label: string;
      entityID?: string;
      certificate?: string;
      ssoURL?: string;
      sloURL?: string | null;
      defaultTeam?: string | null;
      defaultRole?: Role | null;
    };
    result: SamlProvider;
  };
  getSamlProvider: { params: SamlProviderIds; result: SamlProvider };
  updateSamlProvider: {
    params: SamlProviderIds;
    body?: {
      label?: string;
      entityID?: string;
      certificate?: string;
      ssoURL?: string;
      sloURL?: string | null;
      defaultTeam?: string | null;
      defaultRole?: Role | null;
    };
    result: SamlProvider;
  };
  deleteSamlProvider: { params: SamlProviderIds; result: undefined };
  listSsoProviders: { params: OrganizationIds; result: { items: SsoProvider[] } };
  listScimTokens: { params: OrganizationIds; query?: Paging; result: Envelope<ScimToken> };
  createScimToken: { params: OrganizationIds; body: { label: string }; result: ScimToken };
  revokeScimToken: { params: OrganizationIds & Ids<"scimTokenId">; result: undefined };
  listAuditEventActions: { params: OrganizationIds; query?: Paging; result: Envelope<AuditAction> };
  listAuditEvents: {
    params: OrganizationIds;
    query?: Paging & { actor?: string; action?: string; thing?: string; from?: string; until?: string; order?: "asc" | "desc" };
    result: Envelope<AuditEvent>;
  };
  getAuditEvent: { params: OrganizationIds & Ids<"auditEventId">; result: AuditEvent };
  exportAuditEvents: {
    params: OrganizationIds;
    query?: { actor?: string; action?: string; thing?: string; from?: string; until?: string };
    result: BinaryResponse;
  };
  getCollection: { params: CollectionIds; result: Collection };
  updateCollection: {
    params: CollectionIds;
    body?: { title?: string; description?: string | null; defaultLevel?: DefaultLevel };
    result: Collection;
  };
  deleteCollection: { params: CollectionIds; result: undefined };
  moveCollection: { params: CollectionIds; body?: { parent?: string | null; position?: TreePosition }; result: Collection };
  listSpacesInCollection: { params: CollectionIds; query?: Paging; result: Envelope<Space> };
  transferCollection: { params: CollectionIds; body: { organization: string }; result: Collection };
  listCollections: { params: OrganizationIds; query?: Paging & { nested?: "true" | "false" }; result: Envelope<Collection> };
  createCollection: { params: OrganizationIds; body?: { title?: string; parent?: string | null }; result: Collection };
  listSpaces: { params: OrganizationIds; query?: Paging & { deleted?: "true" | "false" }; result: Envelope<Space> };
  createSpace: {
    params: OrganizationIds;
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
        /** The variables of the space, by name. They override the variables of the template. */
        params?: Record<string, string | number | boolean>;
      };
    };
    result: Space;
  };
  getSpace: { params: SpaceIds; query?: { shareKey?: string }; result: Space };
  updateSpace: {
    params: SpaceIds;
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
  deleteSpace: { params: SpaceIds; result: undefined };
  duplicateSpace: { params: SpaceIds; result: Space };
  getEmbed: { params: SpaceIds; query: { url: string }; result: Embed };
  listBlocksOfSpace: { params: SpaceIds; query?: Paging; result: Envelope<SpaceIntegrationBlock> };
  listSpaceIntegrationScripts: { params: SpaceIds; result: SpaceIntegrationScripts };
  listSpaceIntegrations: { params: SpaceIds; query?: Paging; result: Envelope<Integration> };
  listSpaceIntegrationBlocks: { params: SpaceIds; query?: Paging; result: Envelope<SpaceIntegrationBlock> };
  moveSpace: { params: SpaceIds; body?: { parent?: string | null; position?: TreePosition }; result: Space };
  restoreSpace: { params: SpaceIds; result: Space };
  transferSpace: { params: SpaceIds; body: { organization: string; collection?: string }; result: Space };
  getContentByUrl: { query: { url: string }; result: ContentUrl };
  getUrlEmbed: { query: { url: string }; result: Embed };
  downloadFile: { params: Ids<"download">; result: BinaryResponse };
  downloadPdf: { params: Ids<"pdf">; result: BinaryResponse };
  getContent: { params: SpaceIds; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  changeContent: {
    params: SpaceIds;
    body: ChangeBatch;
    result: { revision: string; changes: ChangeOutcome[]; insertedFiles?: { object: "file"; id: string; ref?: string }[] };
  };
  computeDocument: {
    params: SpaceIds;
    body: {
      source: ComputedSource;
      /** The seed for IDs: the same seed produces the same IDs. The IDs of child pages are derived from the ID of the computed page. */
      seed: string;
    };
    result: Document;
  };
  computeRevision: {
    params: SpaceIds;
    body: {
      source: ComputedSource;
      /** The seed for IDs: the same seed produces the same IDs. The IDs of child pages are derived from the ID of the computed page. */
      seed: string;
    };
    result: Revision;
  };
  listFiles: { params: SpaceIds; query?: Paging & Pick<Query, "metadata" | "computed">; result: Envelope<File> };
  getFile: { params: SpaceIds & Ids<"fileId">; query?: Pick<Query, "metadata" | "computed">; result: File };
  listBacklinksOfFile: { params: SpaceIds & Ids<"fileId">; query?: Paging; result: Envelope<LinkLocation> };
  getPage: { params: PageIds; query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">; result: Page };
  listBacklinksOfPage: { params: PageIds; query?: Paging; result: Envelope<LinkLocation> };
  getPageDocument: { params: PageIds; query?: Pick<Query, "computed" | "evaluated">; result: Document };
  listLinksOfPage: { params: PageIds; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  previewPage: { params: PageIds; query?: Pick<Query, "evaluated">; body: { markdown: string }; result: Document };
  listPages: { params: SpaceIds; query?: Pick<Query, "metadata" | "computed">; result: { pages: PageInTree[] } };
  getPageByPath: {
    params: SpaceIds & Ids<"pagePath">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getReusableContent: {
    params: SpaceIds & Ids<"reusableContentId">;
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getReusableContentDocument: { params: SpaceIds & Ids<"reusableContentId">; query?: Pick<Query, "evaluated">; result: Document };
  applyTemplate: {
    params: SpaceIds;
    body: {
      id: string;
      /** The variables of the space, by name. They override the variables of the template. */
      params?: Record<string, string | number | boolean>;
    };
    result: undefined;
  };
  getDocument: { params: SpaceIds & Ids<"documentId">; query?: Pick<Query, "evaluated">; result: Document };
  listSpaceLinks: { params: SpaceIds; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  getPdf: {
    params: SpaceIds;
    query?: {
      /** The page to print, including its child pages. Defaults to all pages. */
      page?: string;
      /** True excludes the child pages of `page`. Defaults to false. */
      only?: "true" | "false";
    };
    result: PdfUrl;
  };
  listRevisions: { params: SpaceIds; query?: Paging; result: Envelope<RevisionSummary> };
  getRevision: { params: RevisionIds; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  listRevisionChanges: { params: RevisionIds; result: ContentChanges };
  listRevisionFiles: { params: RevisionIds; query?: Paging & Pick<Query, "metadata" | "computed">; result: Envelope<File> };
  getRevisionFile: { params: RevisionIds & Ids<"fileId">; query?: Pick<Query, "metadata" | "computed">; result: File };
  getRevisionPage: {
    params: RevisionIds & Ids<"pageId">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getRevisionPageDocument: { params: RevisionIds & Ids<"pageId">; query?: Pick<Query, "computed" | "evaluated">; result: Document };
  listRevisionPages: { params: RevisionIds; query?: Pick<Query, "metadata" | "computed">; result: { pages: PageInTree[] } };
  getRevisionPageByPath: {
    params: RevisionIds & Ids<"pagePath">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getRevisionReusableContent: {
    params: RevisionIds & Ids<"reusableContentId">;
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getRevisionReusableContentDocument: { params: RevisionIds & Ids<"reusableContentId">; query?: Pick<Query, "evaluated">; result: Document };
  listOrganizationChangeRequests: {
    params: OrganizationIds;
    query?: Paging & {
      /** Defaults to all. */
      status?: "draft" | "open" | "archived" | "merged";
      /** Returns only change requests of this space. */
      space?: string;
      /** Returns only change requests created by this user. */
      creator?: string;
      /** Returns only change requests that this user contributed to. */
      contributor?: string;
    };
    result: Envelope<ChangeRequest>;
  };
  listChangeRequests: {
    params: SpaceIds;
    query?: Paging & {
      /** Defaults to `open`. */
      status?: "draft" | "open" | "archived" | "merged";
      /** Returns only change requests that this user contributed to. */
      contributor?: string;
    };
    result: Envelope<ChangeRequest>;
  };
  createChangeRequest: { params: SpaceIds; body?: { subject?: string; agentTaskId?: string }; result: ChangeRequest };
  getChangeRequest: { params: ChangeRequestIds; result: ChangeRequest };
  updateChangeRequest: {
    params: ChangeRequestIds;
    body?: { subject?: string; status?: "draft" | "open" | "archived" | "merged" };
    result: ChangeRequest;
  };
  listChangesOfChangeRequest: { params: ChangeRequestIds; result: ContentChanges };
  getChangeRequestContent: { params: ChangeRequestIds; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  changeChangeRequestContent: {
    params: ChangeRequestIds;
    query?: {
      /** False returns the outcome of each change. Defaults to true. */
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
  listChangeRequestFiles: { params: ChangeRequestIds; query?: Paging & Pick<Query, "metadata" | "computed">; result: Envelope<File> };
  getChangeRequestFile: { params: ChangeRequestIds & Ids<"fileId">; query?: Pick<Query, "metadata" | "computed">; result: File };
  listBacklinksOfChangeRequestFile: { params: ChangeRequestIds & Ids<"fileId">; query?: Paging; result: Envelope<LinkLocation> };
  getChangeRequestPage: { params: ChangeRequestPageIds; query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">; result: Page };
  listBacklinksOfChangeRequestPage: { params: ChangeRequestPageIds; query?: Paging; result: Envelope<LinkLocation> };
  getChangeRequestPageDocument: { params: ChangeRequestPageIds; query?: Pick<Query, "computed" | "evaluated">; result: Document };
  listLinksOfChangeRequestPage: { params: ChangeRequestPageIds; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  previewChangeRequestPage: { params: ChangeRequestPageIds; query?: Pick<Query, "evaluated">; body: { markdown: string }; result: Document };
  listChangeRequestPages: { params: ChangeRequestIds; query?: Pick<Query, "metadata" | "computed">; result: { pages: PageInTree[] } };
  getChangeRequestPageByPath: {
    params: ChangeRequestIds & Ids<"pagePath">;
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getChangeRequestReusableContent: {
    params: ChangeRequestIds & Ids<"reusableContentId">;
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getChangeRequestReusableContentDocument: { params: ChangeRequestIds & Ids<"reusableContentId">; query?: Pick<Query, "evaluated">; result: Document };
  listContributors: { params: ChangeRequestIds; query?: Paging; result: Envelope<ChangeRequestContributor> };
  listChangeRequestLinks: { params: ChangeRequestIds; query?: Paging; result: Envelope<ContentLink> & LinksInSpace };
  mergeChangeRequest: { params: ChangeRequestIds; result: MergeOutcome };
  getChangeRequestPdf: {
    params: ChangeRequestIds;
    query?: {
      /** The page to print, including its child pages. Defaults to all pages. */
      page?: string;
      /** True excludes the child pages of `page`. Defaults to false. */
      only?: "true" | "false";
    };
    result: PdfUrl;
  };
  listRequestedReviewers: { params: ChangeRequestIds; query?: Paging; result: Envelope<ChangeRequestRequestedReviewer> };
  requestReviewers: {
    params: ChangeRequestIds;
    body: {
      users: string[];
      /** The new subject of the change request. */
      subject?: string;
    };
    result: ReviewersRequested;
  };
  removeRequestedReviewer: { params: ChangeRequestIds & Ids<"userId">; result: undefined };
  listReviews: { params: ChangeRequestIds; query?: Paging; result: Envelope<ChangeRequestReview> };
  reviewChangeRequest: {
    params: ChangeRequestIds;
    body: { status: "approved" | "changes-requested"; comment?: CommentBody };
    result: ChangeRequestReview;
  };
  getReview: { params: ChangeRequestIds & Ids<"reviewId">; result: ChangeRequestReview };
  updateFromSpace: { params: ChangeRequestIds; result: UpdateOutcome };
  importChangeRequestContent: {
    params: ChangeRequestIds;
    body: {
      /** The http or https URL of a page, a download or a wiki. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importIntoChangeRequestPage: {
    params: ChangeRequestPageIds;
    body: {
      /** The http or https URL of a page, a download or a wiki. */
      url?: string;
      /** The content to import instead of a URL. `source` must be `markdown` or `html`. */
      text?: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importContent: {
    params: SpaceIds;
    body: {
      /** The http or https URL of a page, a download or a wiki. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importIntoPage: {
    params: PageIds;
    body: {
      /** The http or https URL of a page, a download or a wiki. */
      url?: string;
      /** The content to import instead of a URL. `source` must be `markdown` or `html`. */
      text?: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  getImportReport: { params: RevisionIds; result: ImportReport };
  exportToGit: {
    params: SpaceIds;
    body: {
      /** The URL of the repository. Credentials in the URL are used, encrypted until then, and never returned. */
      url: string;
      /** The branch, such as `refs/heads/main`. */
      ref: string;
      /** Accepted and ignored: information about a repository is stored with the space. */
      repoCacheID?: string;
      /** The base URL for links to directories. */
      repoTreeURL?: string;
      /** The base URL for links to commits. */
      repoCommitURL?: string;
      /** The directory that contains the documentation. Defaults to the root. */
      repoProjectDirectory?: string;
      /** The time that requests are ordered by. Requests older than the last completed one are dropped. Defaults to now. */
      timestamp?: string;
      /** True overwrites instead of merging: the incoming side wins. */
      force?: boolean;
      gitInfo?: { provider: "github" | "gitlab" | "github-legacy"; url?: string };
      commitMessage: string;
    };
    result: undefined;
  };
  importFromGit: {
    params: SpaceIds;
    body: {
      /** The URL of the repository. Credentials in the URL are used, encrypted until then, and never returned. */
      url: string;
      /** The branch, such as `refs/heads/main`. */
      ref: string;
      /** Accepted and ignored: information about a repository is stored with the space. */
      repoCacheID?: string;
      /** The base URL for links to directories. */
      repoTreeURL?: string;
      /** The base URL for links to commits. */
      repoCommitURL?: string;
      /** The directory that contains the documentation. Defaults to the root. */
      repoProjectDirectory?: string;
      /** The time that requests are ordered by. Requests older than the last completed one are dropped. Defaults to now. */
      timestamp?: string;
      /** True overwrites instead of merging: the incoming side wins. */
      force?: boolean;
      gitInfo?: { provider: "github" | "gitlab" | "github-legacy"; url?: string };
      /** True creates a revision without updating the space. */
      standalone?: boolean;
    };
    result: undefined;
  };
  getGitInfo: { params: SpaceIds; result: GitInfo };
  removeGitSync: { params: SpaceIds; result: undefined };
  listChangeRequestCommenters: { params: ChangeRequestIds; query?: Paging; result: Envelope<Member> };
  listChangeRequestComments: {
    params: ChangeRequestIds;
    query?: Paging & Pick<Query, "format"> & {
      order?: "asc" | "desc";
      status?: "open" | "resolved" | "all";
      /** Returns only comments on this page. */
      targetPage?: string;
      /** Returns only comments by these users. */
      authors?: string[] | string;
    };
    result: Envelope<Comment>;
  };
  postCommentOnChangeRequest: {
    params: ChangeRequestIds;
    body: {
      body: CommentBody;
      page?: string;
      node?: string;
      /** The cell of the table `node`, as provided. It isn't validated against the table. */
      tableCell?: Record<string, string | number>;
    };
    result: Comment;
  };
  getChangeRequestComment: { params: ChangeRequestCommentIds; query?: Pick<Query, "format">; result: Comment };
  updateChangeRequestComment: {
    params: ChangeRequestCommentIds;
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  deleteChangeRequestComment: { params: ChangeRequestCommentIds; result: undefined };
  listChangeRequestCommentReplies: { params: ChangeRequestCommentIds; query?: Paging & Pick<Query, "format">; result: Envelope<CommentReply> };
  replyToChangeRequestComment: {
    params: ChangeRequestCommentIds;
    query?: Pick<Query, "format">;
    body: {
      body: CommentBody;
      /** True resolves the parent comment; false reopens it. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  getChangeRequestCommentReply: { params: ChangeRequestCommentReplyIds; query?: Pick<Query, "format">; result: CommentReply };
  updateChangeRequestCommentReply: {
    params: ChangeRequestCommentReplyIds;
    body?: {
      body?: CommentBody;
      addedReactions?: string[];
      removedReactions?: string[];
      /** True resolves the parent comment; false reopens it. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  deleteChangeRequestCommentReply: { params: ChangeRequestCommentReplyIds; result: undefined };
  listSpaceCommenters: { params: SpaceIds; query?: Paging; result: Envelope<Member> };
  listSpaceComments: {
    params: SpaceIds;
    query?: Paging & Pick<Query, "format"> & {
      order?: "asc" | "desc";
      status?: "open" | "resolved" | "all";
      /** Returns only comments on this page. */
      targetPage?: string;
      /** Returns only comments by these users. */
      authors?: string[] | string;
    };
    result: Envelope<Comment>;
  };
  postCommentOnSpace: {
    params: SpaceIds;
    body: {
      body: CommentBody;
      page?: string;
      node?: string;
      /** The cell of the table `node`, as provided. It isn't validated against the table. */
      tableCell?: Record<string, string | number>;
    };
    result: Comment;
  };
  getSpaceComment: { params: CommentIds; query?: Pick<Query, "format">; result: Comment };
  updateSpaceComment: {
    params: CommentIds;
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  deleteSpaceComment: { params: CommentIds; result: undefined };
  listSpaceCommentReplies: { params: CommentIds; query?: Paging & Pick<Query, "format">; result: Envelope<CommentReply> };
  replyToSpaceComment: {
    params: CommentIds;
    query?: Pick<Query, "format">;
    body: {
      body: CommentBody;
      /** True resolves the parent comment; false reopens it. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  getSpaceCommentReply: { params: CommentReplyIds; query?: Pick<Query, "format">; result: CommentReply };
  updateSpaceCommentReply: {
    params: CommentReplyIds;
    body?: {
      body?: CommentBody;
      addedReactions?: string[];
      removedReactions?: string[];
      /** True resolves the parent comment; false reopens it. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  deleteSpaceCommentReply: { params: CommentReplyIds; result: undefined };
  searchOrganization: {
    params: OrganizationIds;
    query: Paging & {
      /** The search text. */
      query: string;
    };
    result: Envelope<FoundSpace>;
  };
  searchSpace: {
    params: SpaceIds;
    query: Paging & {
      /** The search text. */
      query: string;
    };
    result: Envelope<FoundPage>;
  };
  askOrganization: {
    params: OrganizationIds;
    body: {
      /** The question in natural language. */
      question: string;
      /** The language of the answer, such as `de`. By default, the model decides. */
      language?: string;
      /** Has no effect here. */
      context?: Record<string, unknown>;
      /** Has no effect here. */
      scope?: Record<string, unknown>;
    };
    result: BinaryResponse;
  };
  askSite: {
    params: SiteIds;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: {
      /** The question in natural language. */
      question: string;
      /** The language of the answer, such as `de`. By default, the model decides. */
      language?: string;
      /** Has no effect here. */
      context?: Record<string, unknown>;
      scope?: SiteSearchScope;
    };
    result: BinaryResponse;
  };
  askSpace: {
    params: SpaceIds;
    body: {
      /** The question in natural language. */
      question: string;
      /** The language of the answer, such as `de`. By default, the model decides. */
      language?: string;
      /** Has no effect here. */
      context?: Record<string, unknown>;
      /** Has no effect here. */
      scope?: Record<string, unknown>;
    };
    result: BinaryResponse;
  };
  listTemplates: { query?: Paging; result: Envelope<Template> };
  getCustomHostname: { params: HostnameIds; result: CustomHostname };
  revalidateCustomHostname: { params: HostnameIds; result: undefined };
  removeCustomHostname: { params: HostnameIds; result: undefined };
  listFonts: { params: OrganizationIds; query?: Paging; result: Envelope<CustomFont> };
  createFont: { params: OrganizationIds; body: { fontFamily: string; fontFaces: CustomFontFaceInput[] }; result: CustomFont };
  createFontByPut: { params: OrganizationIds; body: { fontFamily: string; fontFaces: CustomFontFaceInput[] }; result: CustomFont };
  getFont: { params: FontIds; result: CustomFont };
  updateFont: { params: FontIds; body?: { fontFamily?: string; fontFaces?: CustomFontFaceInput[] }; result: CustomFont };
  deleteFont: { params: FontIds; result: undefined };
  listSites: {
    params: OrganizationIds;
    query?: Paging & { space?: string; title?: string; published?: "true" | "false" };
    result: Envelope<Site>;
  };
  createSite: {
    params: OrganizationIds;
    body?: {
      type?: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
      title?: string;
      visibility?: SiteVisibility;
      spaces?: string[] | "sample" | "empty";
    };
    result: Site;
  };
  getSite: { params: SiteIds; result: Site };
  updateSite: {
    params: SiteIds;
    body?: {
      title?: string;
      visibility?: SiteVisibility;
      basename?: string;
      adaptiveContent?: { enabled: boolean };
      agentsContext?: "excluded" | "included";
      /** The custom domain. Null removes it. */
      hostname?: string | null;
      /** A domain and subdirectory that proxies requests to the site. Null removes it. */
      proxy?: string | null;
      defaultSiteSpace?: string;
      defaultSiteSection?: string;
    };
    result: Site;
  };
  deleteSite: { params: SiteIds; result: undefined };
  getAdaptiveSchema: { params: SiteIds; result: SiteAdaptiveSchema };
  setAdaptiveSchema: {
    params: SiteIds;
    body: {
      /** A JSON Schema (draft-07) in the supported format. */
      jsonSchema: { [name: string]: unknown };
    };
    result: SiteAdaptiveSchema;
  };
  listTemplateConditions: { params: SiteIds; result: { items: { description: string; condition: string }[] } };
  updateSiteAds: { params: SiteIds; body: { status: "in-review" | "disabled"; topic: "webdev" | "crypto" }; result: undefined };
  getSiteCustomization: { params: SiteIds; result: SiteCustomization };
  setSiteCustomization: { params: SiteIds; body?: CustomizationChangesInput; result: SiteCustomization };
  createSiteExternalLink: {
    params: SiteIds;
    body: {
      title: string;
      url: string;
      description?: string | null;
      icon?: string | null;
      draft?: boolean;
      condition?: string | null;
      parent?: string | null;
    };
    result: SiteExternalLink;
  };
  updateSiteExternalLink: {
    params: SiteIds & Ids<"siteExternalLinkId">;
    body?: {
      title?: string;
      url?: string;
      description?: string | null;
      icon?: string | null;
      draft?: boolean;
      condition?: string | null;
      parent?: string | null;
    };
    result: SiteExternalLink;
  };
  deleteSiteExternalLink: { params: SiteIds & Ids<"siteExternalLinkId">; result: undefined };
  reportSiteEvents: {
    params: SiteIds;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: { events: InsightsEvent[] };
    result: undefined;
  };
  aggregateSiteEvents: {
    params: SiteIds;
    body?: {
      /** The event types to count, each by its name or as `column`. Defaults to `page_view`. */
      select?: (InsightsEventType | { column: InsightsEventType })[];
      /** One of `day` and `month`, one of the other fields, or both. By default, a single row is returned. */
      groupBy?: ("day" | "month" | "siteSpace" | "page" | "rating" | "device" | "browser" | "language" | "referrer" | "query")[];
      /** A range of days in UTC, inclusive. Defaults to the last 30 days. */
      range?: { from: string; to: string };
      /** Counts only events with these values. For the allowed combinations, see the operation. */
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
      /** The maximum number of rows. Defaults to 100. */
      limit?: number;
    };
    result: InsightsAggregate;
  };
  listSiteIntegrationScripts: {
    params: SiteIds;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: SiteIntegrationScripts;
  };
  listSiteIntegrations: { params: SiteIds; query?: Paging; result: Envelope<Integration> };
  startVisitorLogin: {
    params: SiteIds;
    query?: {
      /** The path on the site that the visitor requested. */
      location?: string;
    };
    result: BinaryResponse;
  };
  grantOnSite: {
    params: SiteIds;
    body?: { users?: (string | { id: string; role?: Role })[]; teams?: (string | { id: string; role?: Role })[]; role?: Role };
    result: undefined;
  };
  listAccessToSite: { params: SiteIds; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnSite: { params: SiteIds; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnSite: { params: SiteIds & Ids<"teamId">; body: { role: Role }; result: undefined };
  removeTeamGrantOnSite: { params: SiteIds & Ids<"teamId">; result: undefined };
  listUserGrantsOnSite: { params: SiteIds; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnSite: { params: SiteIds & Ids<"userId">; body: { role: Role }; result: undefined };
  removeUserGrantOnSite: { params: SiteIds & Ids<"userId">; result: undefined };
  previewSite: {
    params: SiteIds;
    body: {
      siteSpaceId: string;
      /** The ID of the change request to preview. The preview shows its latest content until it is merged or archived. */
      changeRequestId?: string;
      /** The ID of the space revision to preview. */
      revisionId?: string;
    };
    result: SitePreview;
  };
  publishSite: { params: SiteIds; result: Site };
  getPublishedSite: {
    params: SiteIds;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: PublishedContentSite;
  };
  getPublishingAuth: { params: SiteIds; result: PublishingAuth };
  updatePublishingAuth: {
    params: SiteIds;
    body?: { backend?: "custom" | "integration"; integration?: string | null; fallbackURL?: string | null };
    result: PublishingAuth;
  };
  regeneratePublishingAuth: { params: SiteIds; result: RegeneratedPublishingAuth };
  getSitePreviewUrl: {
    params: SiteIds;
    query?: {
      /** The ID of the site-space to preview. Defaults to the default site-space. */
      siteSpace?: string;
    };
    result: SitePreviewUrl;
  };
  getSiteRedirectTarget: {
    params: SiteIds;
    query: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { source: string };
    result: SiteRedirectTarget;
  };
  listSiteRedirects: { params: SiteIds; query?: Paging; result: Envelope<SiteRedirect> };
  createSiteRedirect: {
    params: SiteIds;
    body: {
      source: string;
      destination: NewSiteRedirectDestination;
      /** If true, the redirect is saved but not followed. */
      draft?: boolean;
    };
    result: SiteRedirect;
  };
  upsertSiteRedirects: {
    params: SiteIds;
    body: {
      redirects: {
        source: string;
        /** If null, the redirect is deleted. If omitted, its destination stays. */
        destination?: NewSiteRedirectDestination | null;
        /** Whether the redirect becomes a draft or is followed. If omitted, an existing redirect stays what it is, and a new one is followed. */
        intent?: "draft" | "publish";
      }[];
    };
    result: SiteRedirectResults;
  };
  getSiteRedirect: { params: SiteRedirectIds; result: SiteRedirect };
  updateSiteRedirect: {
    params: SiteRedirectIds;
    body?: {
      source?: string;
      destination?: NewSiteRedirectDestination;
      /** If true, the redirect is saved but not followed. */
      draft?: boolean;
    };
    result: SiteRedirect;
  };
  deleteSiteRedirect: { params: SiteRedirectIds; result: undefined };
  createSiteRedirects: {
    params: SiteIds;
    body: {
      redirects: {
        source: string;
        destination: NewSiteRedirectDestination;
        /** If true, the redirect is saved but not followed. */
        draft?: boolean;
      }[];
    };
    result: SiteRedirects;
  };
  searchSite: {
    params: SiteIds;
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
  listSiteSectionGroups: { params: SiteIds; query?: Paging; result: Envelope<SiteSectionGroup> };
  createSiteSectionGroup: { params: SiteIds; body: { title: string; icon?: string | null; sections?: string[] }; result: SiteSectionGroup };
  updateSiteSectionGroup: { params: SiteSectionGroupIds; body?: { title?: string; icon?: string | null }; result: SiteSectionGroup };
  deleteSiteSectionGroup: { params: SiteSectionGroupIds; result: undefined };
  moveSiteSectionGroup: {
    params: SiteSectionGroupIds;
    body: {
      position: {
        before?: { type: "site-section" | "site-section-group" | "site-external-link"; id: string };
        after?: { type: "site-section" | "site-section-group" | "site-external-link"; id: string };
      };
    };
    result: SiteSectionGroup;
  };
  addSectionToGroup: { params: SiteSectionGroupIds; body: { sectionId: string }; result: SiteSectionGroup };
  removeSectionFromGroup: { params: SiteSectionGroupIds & Ids<"siteSectionId">; result: undefined };
  listSiteSections: {
    params: SiteIds;
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: Envelope<SiteSection>;
  };
  createSiteSection: { params: SiteIds; body: { spaceId: string; title?: string | null; icon?: string | null }; result: SiteSection };
  updateSiteSection: {
    params: SiteSectionIds;
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
  deleteSiteSection: { params: SiteSectionIds; result: undefined };
  /** @deprecated Moves a section next to another section, in its group or at the top level. Use `sortSiteStructure` instead, which moves any item. */
  moveSiteSection: {
    params: SiteSectionIds;
    body: {
      position: { before?: { type: "site-section"; siteSection: string }; after?: { type: "site-section"; siteSection: string } };
    };
    result: SiteSection;
  };
  listShareLinks: { params: SiteIds; query?: Paging; result: Envelope<ShareLink> };
  createShareLink: { params: SiteIds; body: { name: string }; result: ShareLink };
  getShareLink: { params: ShareLinkIds; result: ShareLink };
  updateShareLink: { params: ShareLinkIds; body?: { name?: string; active?: boolean }; result: ShareLink };
  deleteShareLink: { params: ShareLinkIds; result: undefined };
  regenerateShareLink: { params: ShareLinkIds; result: ShareLink };
  listSiteSpaces: {
    params: SiteIds;
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { default?: "true" | "false" };
    result: Envelope<SiteSpace>;
  };
  createSiteSpace: { params: SiteIds; body: { spaceId: string; sectionId?: string }; result: SiteSpace };
  updateSiteSpace: { params: SiteSpaceIds; body?: { path?: string; condition?: string | null; spaceId?: string }; result: SiteSpace };
  deleteSiteSpace: { params: SiteSpaceIds; result: undefined };
  getSiteSpaceCustomization: { params: SiteSpaceIds; result: SiteSpaceCustomization };
  updateSiteSpaceCustomization: { params: SiteSpaceIds; body?: CustomizationChangesInput; result: SiteSpaceCustomization };
  resetSiteSpaceCustomization: { params: SiteSpaceIds; result: undefined };
  duplicateSiteSpace: { params: SiteSpaceIds; result: SiteSpace };
  /** @deprecated Moves a site-space next to another one in its section. Use `sortSiteStructure` instead, which moves any item. */
  moveSiteSpace: {
    params: SiteSpaceIds;
    body: {
      position: { before?: { type: "site-space"; siteSpace: string }; after?: { type: "site-space"; siteSpace: string } };
    };
    result: SiteSpace;
  };
  getPublishedPage: {
    params: SiteSpaceIds & Ids<"pageId">;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims" | "format"> & {
      /** True includes the references in the document and the cover. Defaults to false. */
      references?: "true" | "false";
      /** False excludes the child pages. Defaults to true. */
      pages?: "true" | "false";
    };
    result: PublishedPage;
  };
  listPublishedPages: {
    params: SiteSpaceIds;
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & {
      /** The ID of a page. Returns only its siblings, its ancestors with their siblings, its child pages, and the first page of each group among them, without `hidden` pages. Defaults to all pages. */
      along?: string;
      /** With `along`: false omits `more` for collapsed pages, which is faster. Groups always have it. Defaults to true. */
      more?: "true" | "false";
    };
    result: { pages: PublishedPageInTree[]; more?: boolean };
  };
  getSiteStructure: { params: SiteIds; result: SiteStructure };
  sortSiteStructure: {
    params: SiteIds;
    body: {
      item: { type: "site-section" | "site-section-group" | "site-external-link" | "site-space"; id: string };
      position: {
        before?: { type: "site-section" | "site-section-group" | "site-external-link" | "site-space"; id: string };
        after?: { type: "site-section" | "site-section-group" | "site-external-link" | "site-space"; id: string };
      };
    };
    result: SiteStructure;
  };
  applySiteTemplate: { params: SiteIds; result: SiteStructure };
  unpublishSite: { params: SiteIds; result: Site };
  reportSiteView: {
    params: SiteIds;
    body: {
      /** The URL that the visitor viewed. */
      url: string;
      /** The referrer. Defaults to an empty string. */
      referrer?: string;
      /** The ID of the space of the page. The space must be on the site. */
      spaceId?: string;
      /** The ID of the page in `spaceId`. */
      pageId?: string;
      visitor: {
        anonymousId: string;
        /** Sent only to integrations with the scope for cookies. Defaults to none. */
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
      /** The published URL. On a site with share links, it includes the key after the site URL. */
      url: string;
      /** The visitor. Defaults to a visitor without claims. */
      visitor?: {
        /** A JWT that identifies the visitor, signed with the key of the site. */
        jwtToken?: string;
        /** Unsigned claims of the visitor: `unsigned` in the adaptive schema. */
        unsignedClaims?: Record<string, unknown>;
      };
      /** True redirects unauthenticated visitors to the sign-in page of the site, if it has one. */
      redirectOnError?: boolean;
      /** An alias of `visitor.jwtToken`. */
      visitorToken?: string;
      /** An alias of `visitor.unsignedClaims`. */
      unsignedClaims?: Record<string, unknown>;
    };
    result: PublishedUrl;
  };
  listTranslations: { params: OrganizationIds; query?: Paging; result: Envelope<Translation> };
  createTranslation: {
    params: OrganizationIds;
    body: {
      language: TranslationLanguage;
      source: { space: string; language?: TranslationLanguage };
      /** Instructions for the translator. Tables with two columns are used as a glossary: a term and its translation. */
      instructions?: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  listGlossaryEntries: { params: OrganizationIds; query?: Paging & { orderBy?: TranslationLanguage }; result: Envelope<GlossaryEntry> };
  updateGlossary: {
    params: OrganizationIds;
    body: {
      entries: {
        /** The ID of an existing entry. If omitted, an entry is added. */
        id?: string;
        /** The term in each language, which replaces all earlier ones. If null, the entry is deleted. */
        translations: Record<string, string> | null;
      }[];
    };
    result: undefined;
  };
  getGlossaryEntry: { params: OrganizationIds & Ids<"glossaryEntryId">; result: GlossaryEntry };
  getTranslation: { params: TranslationIds; result: Translation };
  updateTranslation: {
    params: TranslationIds;
    body: {
      /** Instructions for the translator. Tables with two columns are used as a glossary: a term and its translation. */
      instructions: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  deleteTranslation: { params: TranslationIds; result: undefined };
  runTranslationAgain: { params: TranslationIds; result: Translation };
  grantOnCollection: {
    params: CollectionIds;
    body?: { users?: (string | { id: string; role?: Role })[]; teams?: (string | { id: string; role?: Role })[]; role?: Role };
    result: undefined;
  };
  listAccessToCollection: { params: CollectionIds; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnCollection: { params: CollectionIds; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnCollection: { params: CollectionIds & Ids<"teamId">; body: { role: Role }; result: undefined };
  removeTeamGrantOnCollection: { params: CollectionIds & Ids<"teamId">; result: undefined };
  listUserGrantsOnCollection: { params: CollectionIds; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnCollection: { params: CollectionIds & Ids<"userId">; body: { role: Role }; result: undefined };
  removeUserGrantOnCollection: { params: CollectionIds & Ids<"userId">; result: undefined };
  grantOnSpace: {
    params: SpaceIds;
    body?: { users?: (string | { id: string; role?: Role })[]; teams?: (string | { id: string; role?: Role })[]; role?: Role };
    result: undefined;
  };
  listAccessToSpace: { params: SpaceIds; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnSpace: { params: SpaceIds; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnSpace: { params: SpaceIds & Ids<"teamId">; body: { role: Role }; result: undefined };
  removeTeamGrantOnSpace: { params: SpaceIds & Ids<"teamId">; result: undefined };
  listUserGrantsOnSpace: { params: SpaceIds; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnSpace: { params: SpaceIds & Ids<"userId">; body: { role: Role }; result: undefined };
  removeUserGrantOnSpace: { params: SpaceIds & Ids<"userId">; result: undefined };
  listIntegrations: {
    query?: Paging & {
      search?: string;
      category?: IntegrationCategory;
      /** The host of URLs that a block of the integration unfurls. */
      blockDomain?: string;
      blocks?: "true" | "false";
      contentSources?: "true" | "false";
      owner?: string;
      scope?: IntegrationScope;
      target?: IntegrationTarget;
    };
    result: Envelope<Integration>;
  };
  getIntegration: { params: IntegrationIds; result: Integration };
  publishIntegration: {
    params: IntegrationIds;
    body?: {
      /** The runtime that the script was bundled for. All scripts run in the same sandbox. */
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
      /** The ID or subdomain of the organization that publishes the integration. */
      organization?: string;
      /** Secret values. Encrypted at rest, passed to the script, and never returned. */
      secrets?: Record<string, string>;
      /** The Content Security Policy. Line breaks and tabs are treated as spaces. */
      contentSecurityPolicy?: string | Record<string, string>;
    };
    result: Integration;
  };
  unpublishIntegration: { params: IntegrationIds; result: undefined };
  downloadIntegrationAsset: { params: IntegrationIds & Ids<"asset">; result: BinaryResponse };
  startDevelopment: {
    params: IntegrationIds;
    body: {
      /** Events are sent to `<tunnelUrl>/v1`. Redirects are not followed. */
      tunnelUrl: string;
      /** Whether the events of all users are sent there. Defaults to false. */
      all?: boolean;
    };
    result: undefined;
  };
  stopDevelopment: { params: IntegrationIds; result: undefined };
  listIntegrationEvents: { params: IntegrationIds; query?: Paging; result: Envelope<IntegrationEvent> };
  getIntegrationEvent: {
    params: IntegrationIds & Ids<"eventId">;
    result: {
      event: IntegrationEvent;
      trace: { logs: { message: string; timestamp: string; level: "debug" | "info" | "warn" | "error" }[] };
    };
  };
  listInstallations: { params: IntegrationIds; query?: Paging & { externalId?: string }; result: Envelope<IntegrationInstallation> };
  installIntegration: {
    params: IntegrationIds;
    body: {
      organization: string;
      /** The requested scopes that you approve. Defaults to all. */
      scopes?: IntegrationScope[];
    };
    result: IntegrationInstallation;
  };
  getInstallation: { params: InstallationIds; result: IntegrationInstallation };
  updateInstallation: {
    params: InstallationIds;
    body?: {
      configuration?: Record<string, unknown>;
      externalIds?: string[];
      space_selection?: "all" | "selected";
      site_selection?: "all" | "selected";
      /** The new scopes of the installation: the scopes from `scopes` and `pendingScopes` that you approve. */
      scopes?: IntegrationScope[];
      /** `paused`: no events are delivered. Events of spaces and sites are lost; tasks, and events of the installation itself, are delivered later. `active`: resumes delivery; the status is `pending` until the configuration is complete. */
      status?: "active" | "paused";
    };
    result: IntegrationInstallation;
  };
  uninstallIntegration: { params: InstallationIds; result: undefined };
  listInstallationSites: {
    params: InstallationIds;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  installOnSite: {
    params: InstallationIds;
    body: {
      siteId?: string;
      /** An alias of `siteId`. */
      site?: string;
      configuration?: Record<string, unknown>;
      externalIds?: string[];
    };
    result: IntegrationSiteInstallation;
  };
  getSiteInstallation: { params: InstallationSiteIds; query?: { extended?: "true" | "false" }; result: IntegrationSiteInstallation };
  updateSiteInstallation: {
    params: InstallationSiteIds;
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSiteInstallation;
  };
  uninstallFromSite: { params: InstallationSiteIds; result: undefined };
  listInstallationSpaces: {
    params: InstallationIds;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  installOnSpace: {
    params: InstallationIds;
    body: {
      spaceId?: string;
      /** An alias of `spaceId`. */
      space?: string;
      configuration?: Record<string, unknown>;
      externalIds?: string[];
    };
    result: IntegrationSpaceInstallation;
  };
  getSpaceInstallation: { params: InstallationSpaceIds; query?: { extended?: "true" | "false" }; result: IntegrationSpaceInstallation };
  updateSpaceInstallation: {
    params: InstallationSpaceIds;
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSpaceInstallation;
  };
  uninstallFromSpace: { params: InstallationSpaceIds; result: undefined };
  listTasks: { params: InstallationIds; query?: Paging; result: Envelope<IntegrationTask> };
  queueTask: {
    params: InstallationIds;
    body: {
      /** The task object, delivered to the integration as is. `type` identifies the task. */
      task: { type: string; [name: string]: unknown };
      /** The delay in seconds. Defaults to 0. */
      schedule?: number;
    };
    result: IntegrationTask;
  };
  getTask: { params: InstallationIds & Ids<"taskId">; result: IntegrationTask };
  cancelTask: { params: InstallationIds & Ids<"taskId">; result: undefined };
  createInstallationToken: { params: InstallationIds; result: IntegrationInstallationToken };
  fetchFromIntegration: { params: PathIds; result: BinaryResponse };
  postToIntegration: { params: PathIds; result: BinaryResponse };
  putToIntegration: { params: PathIds; result: BinaryResponse };
  patchAtIntegration: { params: PathIds; result: BinaryResponse };
  deleteAtIntegration: { params: PathIds; result: BinaryResponse };
  renderComponent: { params: IntegrationIds; query: { request: string }; result: BinaryResponse };
  renderComponentByPost: {
    params: IntegrationIds;
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
    result: BinaryResponse;
  };
  fetchPublishedScript: {
    params: InstallationSiteIds & Ids<"signature">;
    query?: {
      /** The ID of the space of the site for which the script is requested. */
      space?: string;
    };
    result: BinaryResponse;
  };
  listIntegrationSites: {
    params: IntegrationIds;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  listIntegrationSpaces: {
    params: IntegrationIds;
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  queueIntegrationTask: {
    params: IntegrationIds;
    body: {
      /** The task object, delivered to the integration as is. `type` identifies the task. */
      task: { type: string; [name: string]: unknown };
      /** The delay in seconds. Defaults to 0. */
      schedule?: number;
      /** The ID of the installation that the task is for. Defaults to the installation of the token. */
      installation?: string;
    };
    result: IntegrationTask;
  };
  listOrganizationInstallations: {
    params: OrganizationIds;
    query?: Paging & { externalId?: string; integration?: string };
    result: Envelope<InstalledIntegration>;
  };
  listOrganizationIntegrations: { params: OrganizationIds; query?: Paging; result: Envelope<Integration> };
  getInstallationStatus: { params: OrganizationIds & Ids<"integrationName">; result: IntegrationInstallationStatus };
  listInstallationStatuses: { params: OrganizationIds & Ids<"integrationName">; query?: Paging; result: Envelope<IntegrationInstallationStatus> };
  listOpenApiSpecs: { params: OrganizationIds; query?: Paging; result: Envelope<OpenApiSpec> };
  createOpenApiSpec: {
    params: OrganizationIds;
    body: {
      slug: string;
      /** `url`: fetched and refreshed periodically. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  getOpenApiSpec: { params: SpecIds; result: OpenApiSpec };
  putOpenApiSpec: {
    params: SpecIds;
    body: {
      /** `url`: fetched and refreshed periodically. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  updateOpenApiSpec: { params: SpecIds; body: { visibility: "private" | "public" }; result: OpenApiSpec };
  deleteOpenApiSpec: { params: SpecIds; result: undefined };
  listOpenApiSpecVersions: { params: SpecIds; query?: Paging; result: Envelope<OpenApiSpecVersion> };
  getOpenApiSpecVersion: { params: VersionIds; result: OpenApiSpecVersion };
  getOpenApiSpecContent: { params: VersionIds; result: OpenApiSpecContent };
  getOpenApiSpecText: { params: VersionIds; result: BinaryResponse };
  getLatestOpenApiSpecVersion: { params: SpecIds; result: OpenApiSpecVersion };
  getLatestOpenApiSpecContent: { params: SpecIds; result: OpenApiSpecContent };
  getLatestOpenApiSpecText: { params: SpecIds; result: BinaryResponse };
  getPublicOpenApiSpec: { params: Ids<"specId">; result: BinaryResponse };
  getPublicOpenApiSpecContent: { params: Ids<"specId">; result: OpenApiSpecContent };
  listJobs: { params: OrganizationIds; query?: Paging & { status?: "waiting" | "parked" }; result: Envelope<Job> };
  retryJob: { params: OrganizationIds & Ids<"jobId">; result: Job };
  streamEvents: { params: OrganizationIds; query?: { after?: string; seconds?: string }; result: BinaryResponse };
}
