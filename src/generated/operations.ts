// What every operation takes and answers. Written by `npm run types`; a test fails when it is stale.

import type { Envelope, Paging } from "../operation/operation";
import type { Sent } from "../sent";
import type {
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
  LinkStats,
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
  getService: { result: { version: string } };
  getHealth: { result: { status: "up" } };
  getOpenApi: { result: { openapi: string; [name: string]: unknown } };
  getReadiness: { result: { status: "ready" } };
  getCurrentUser: { result: User };
  getUser: { params: { userId: string }; result: User };
  listTokens: { query?: Paging; result: Envelope<Token> };
  createToken: { body: { label: string; scopes?: string[] | null; expiresAt?: string | null }; result: Token };
  revokeToken: { params: { tokenId: string }; result: undefined };
  listOrganizationsByEmailDomain: { params: { emailDomain: string }; result: { organizations: Organization[] } };
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
  getOrganization: { params: { organizationId: string }; result: Organization };
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
  pingOrganization: { params: { organizationId: string }; result: { serviceVisitorClaims?: string } };
  getSubdomain: { params: { subdomain: string }; result: Subdomain };
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
  getMember: { params: { organizationId: string; userId: string }; result: Member };
  updateMember: { params: { organizationId: string; userId: string }; body: { role: Role | null }; result: Member };
  removeMember: { params: { organizationId: string; userId: string }; result: undefined };
  listMemberSpaces: {
    params: { organizationId: string; userId: string };
    query?: Paging & { order?: "asc" | "desc" };
    result: Envelope<{ permission: Role; space: Space }>;
  };
  makeMemberSso: { params: { organizationId: string; userId: string }; result: Member };
  listMemberTeams: {
    params: { organizationId: string; userId: string };
    query?: Paging & { title?: string };
    result: Envelope<{ team: Team; member: { role: TeamRole } }>;
  };
  inviteByEmail: {
    params: { organizationId: string };
    body: { emails: string[]; role?: Role | null; sso?: boolean };
    result: { invites: Invite[]; members: string[] };
  };
  acceptInvite: { params: { organizationId: string; inviteId: string }; result: Member };
  listLinkInvites: { params: { organizationId: string }; query?: Paging; result: Envelope<Invite> };
  createLinkInvite: {
    params: { organizationId: string };
    body?: {
      role?: Role | null;
      /** The same as `role`, under its other name. Send one of them. */
      level?: Role | null;
      expiresAt?: string | null;
    };
    result: Invite;
  };
  getLinkInvite: { params: { organizationId: string; inviteId: string }; result: Invite };
  updateLinkInvite: {
    params: { organizationId: string; inviteId: string };
    body?: {
      role?: Role | null;
      /** The same as `role`, under its other name. Send one of them. */
      level?: Role | null;
      expiresAt?: string | null;
    };
    result: Invite;
  };
  deleteLinkInvite: { params: { organizationId: string; inviteId: string }; result: undefined };
  listTeams: { params: { organizationId: string }; query?: Paging & { owner?: string; title?: string }; result: Envelope<Team> };
  createTeam: { params: { organizationId: string }; body: { title: string; members?: string[] }; result: Team };
  getTeam: { params: { organizationId: string; teamId: string }; result: Team };
  updateTeam: { params: { organizationId: string; teamId: string }; body?: { title?: string }; result: Team };
  deleteTeam: { params: { organizationId: string; teamId: string }; result: undefined };
  listTeamMembers: { params: { organizationId: string; teamId: string }; query?: Paging; result: Envelope<TeamMember> };
  updateTeamMembers: {
    params: { organizationId: string; teamId: string };
    body?: {
      add?: string[];
      remove?: string[];
      /** Members to add with a role in the team. For those who are in it already the role is changed. */
      memberships?: { id: string; role?: TeamRole }[];
    };
    result: undefined;
  };
  setTeamMember: {
    params: { organizationId: string; teamId: string; userId: string };
    body?: { role?: TeamRole };
    result: TeamMember;
  };
  removeTeamMember: { params: { organizationId: string; teamId: string; userId: string }; result: undefined };
  listSamlProviders: { params: { organizationId: string }; query?: Paging; result: Envelope<SamlProvider> };
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
  getSamlProvider: { params: { organizationId: string; samlProviderId: string }; result: SamlProvider };
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
  deleteSamlProvider: { params: { organizationId: string; samlProviderId: string }; result: undefined };
  listSsoProviders: { params: { organizationId: string }; result: { items: SsoProvider[] } };
  getCollection: { params: { collectionId: string }; result: Collection };
  updateCollection: {
    params: { collectionId: string };
    body?: { title?: string; description?: string | null; defaultLevel?: DefaultLevel };
    result: Collection;
  };
  deleteCollection: { params: { collectionId: string }; result: undefined };
  moveCollection: { params: { collectionId: string }; body?: { parent?: string | null; position?: TreePosition }; result: Collection };
  listSpacesInCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<Space> };
  transferCollection: { params: { collectionId: string }; body: { organization: string }; result: Collection };
  listCollections: { params: { organizationId: string }; query?: Paging & { nested?: "true" | "false" }; result: Envelope<Collection> };
  createCollection: { params: { organizationId: string }; body?: { title?: string; parent?: string | null }; result: Collection };
  listSpaces: { params: { organizationId: string }; query?: Paging; result: Envelope<Space> };
  createSpace: {
    params: { organizationId: string };
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
  getSpace: { params: { spaceId: string }; query?: { shareKey?: string }; result: Space };
  updateSpace: {
    params: { spaceId: string };
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
  deleteSpace: { params: { spaceId: string }; result: undefined };
  duplicateSpace: { params: { spaceId: string }; result: Space };
  getEmbed: { params: { spaceId: string }; query: { url: string }; result: Embed };
  listSpaceIntegrations: { params: { spaceId: string }; query?: Paging; result: Envelope<Integration> };
  listSpaceIntegrationBlocks: { params: { spaceId: string }; query?: Paging; result: Envelope<SpaceIntegrationBlock> };
  moveSpace: { params: { spaceId: string }; body?: { parent?: string | null; position?: TreePosition }; result: Space };
  restoreSpace: { params: { spaceId: string }; result: Space };
  transferSpace: { params: { spaceId: string }; body: { organization: string; collection?: string }; result: Space };
  getContentByUrl: { query: { url: string }; result: ContentUrl };
  downloadFile: { params: { download: string }; result: Sent };
  downloadPdf: { params: { pdf: string }; result: Sent };
  getContent: { params: { spaceId: string }; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  changeContent: {
    params: { spaceId: string };
    body: ChangeBatch;
    result: { revision: string; changes: ChangeOutcome[]; insertedFiles?: { object: "file"; id: string; ref?: string }[] };
  };
  computeDocument: {
    params: { spaceId: string };
    body: {
      /** What is computed from, as a computed page states it. */
      source: {
        /** `builtin:openapi`, or `integration:<name>:<source>`. */
        type: string;
        /** What the source is asked with. Default: nothing. */
        props?: Record<string, unknown>;
        /** References that it depends on, by name. Default: none. */
        dependencies?: Record<string, unknown>;
      };
      /** Equal seeds give equal ids. The id of a computed page gives the ids below it. */
      seed: string;
    };
    result: Document;
  };
  computeRevision: {
    params: { spaceId: string };
    body: {
      /** What is computed from, as a computed page states it. */
      source: {
        /** `builtin:openapi`, or `integration:<name>:<source>`. */
        type: string;
        /** What the source is asked with. Default: nothing. */
        props?: Record<string, unknown>;
        /** References that it depends on, by name. Default: none. */
        dependencies?: Record<string, unknown>;
      };
      /** Equal seeds give equal ids. The id of a computed page gives the ids below it. */
      seed: string;
    };
    result: Revision;
  };
  listFiles: { params: { spaceId: string }; query?: Paging & Pick<Query, "metadata" | "computed">; result: Envelope<File> };
  getFile: { params: { spaceId: string; fileId: string }; query?: Pick<Query, "metadata" | "computed">; result: File };
  listBacklinksOfFile: { params: { spaceId: string; fileId: string }; query?: Paging; result: Envelope<ContentReference> };
  getPage: {
    params: { spaceId: string; pageId: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  listBacklinksOfPage: { params: { spaceId: string; pageId: string }; query?: Paging; result: Envelope<ContentReference> };
  getPageDocument: { params: { spaceId: string; pageId: string }; query?: Pick<Query, "computed" | "evaluated">; result: Document };
  listLinksOfPage: {
    params: { spaceId: string; pageId: string };
    query?: Paging;
    result: Envelope<ContentLink> & { readonly stats: LinkStats };
  };
  listPages: { params: { spaceId: string }; query?: Pick<Query, "metadata" | "computed">; result: { pages: PageInTree[] } };
  getPageByPath: {
    params: { spaceId: string; pagePath: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getReusableContent: {
    params: { spaceId: string; reusableContentId: string };
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getReusableContentDocument: { params: { spaceId: string; reusableContentId: string }; query?: Pick<Query, "evaluated">; result: Document };
  applyTemplate: {
    params: { spaceId: string };
    body: {
      id: string;
      /** Variables of the space, by name. They replace those of the template. */
      params?: Record<string, string | number | boolean>;
    };
    result: undefined;
  };
  getDocument: { params: { spaceId: string; documentId: string }; query?: Pick<Query, "evaluated">; result: Document };
  listSpaceLinks: { params: { spaceId: string }; query?: Paging; result: Envelope<ContentLink> & { readonly stats: LinkStats } };
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
  listRevisions: { params: { spaceId: string }; query?: Paging; result: Envelope<RevisionSummary> };
  getRevision: { params: { spaceId: string; revisionId: string }; query?: Pick<Query, "metadata" | "computed">; result: Revision };
  listRevisionChanges: { params: { spaceId: string; revisionId: string }; result: ContentChanges };
  listRevisionFiles: {
    params: { spaceId: string; revisionId: string };
    query?: Paging & Pick<Query, "metadata" | "computed">;
    result: Envelope<File>;
  };
  getRevisionFile: {
    params: { spaceId: string; revisionId: string; fileId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: File;
  };
  getRevisionPage: {
    params: { spaceId: string; revisionId: string; pageId: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getRevisionPageDocument: {
    params: { spaceId: string; revisionId: string; pageId: string };
    query?: Pick<Query, "computed" | "evaluated">;
    result: Document;
  };
  listRevisionPages: {
    params: { spaceId: string; revisionId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: { pages: PageInTree[] };
  };
  getRevisionPageByPath: {
    params: { spaceId: string; revisionId: string; pagePath: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getRevisionReusableContent: {
    params: { spaceId: string; revisionId: string; reusableContentId: string };
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getRevisionReusableContentDocument: {
    params: { spaceId: string; revisionId: string; reusableContentId: string };
    query?: Pick<Query, "evaluated">;
    result: Document;
  };
  listOrganizationChangeRequests: {
    params: { organizationId: string };
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
    params: { spaceId: string };
    query?: Paging & {
      /** Default: open. */
      status?: "draft" | "open" | "archived" | "merged";
      /** Only those that this user wrote in. */
      contributor?: string;
    };
    result: Envelope<ChangeRequest>;
  };
  createChangeRequest: { params: { spaceId: string }; body?: { subject?: string; agentTaskId?: string }; result: ChangeRequest };
  getChangeRequest: { params: { spaceId: string; changeRequestId: string }; result: ChangeRequest };
  updateChangeRequest: {
    params: { spaceId: string; changeRequestId: string };
    body?: { subject?: string; status?: "draft" | "open" | "archived" | "merged" };
    result: ChangeRequest;
  };
  listChangesOfChangeRequest: { params: { spaceId: string; changeRequestId: string }; result: ContentChanges };
  getChangeRequestContent: {
    params: { spaceId: string; changeRequestId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: Revision;
  };
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
  listChangeRequestFiles: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging & Pick<Query, "metadata" | "computed">;
    result: Envelope<File>;
  };
  getChangeRequestFile: {
    params: { spaceId: string; changeRequestId: string; fileId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: File;
  };
  listBacklinksOfChangeRequestFile: {
    params: { spaceId: string; changeRequestId: string; fileId: string };
    query?: Paging;
    result: Envelope<ContentReference>;
  };
  getChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  listBacklinksOfChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Paging;
    result: Envelope<ContentReference>;
  };
  getChangeRequestPageDocument: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Pick<Query, "computed" | "evaluated">;
    result: Document;
  };
  listLinksOfChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
    query?: Paging;
    result: Envelope<ContentLink> & { readonly stats: LinkStats };
  };
  listChangeRequestPages: {
    params: { spaceId: string; changeRequestId: string };
    query?: Pick<Query, "metadata" | "computed">;
    result: { pages: PageInTree[] };
  };
  getChangeRequestPageByPath: {
    params: { spaceId: string; changeRequestId: string; pagePath: string };
    query?: Pick<Query, "metadata" | "computed" | "format" | "evaluated">;
    result: Page;
  };
  getChangeRequestReusableContent: {
    params: { spaceId: string; changeRequestId: string; reusableContentId: string };
    query?: Pick<Query, "metadata" | "computed" | "format">;
    result: ReusableContent;
  };
  getChangeRequestReusableContentDocument: {
    params: { spaceId: string; changeRequestId: string; reusableContentId: string };
    query?: Pick<Query, "evaluated">;
    result: Document;
  };
  listChangeRequestLinks: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging;
    result: Envelope<ContentLink> & { readonly stats: LinkStats };
  };
  mergeChangeRequest: { params: { spaceId: string; changeRequestId: string }; result: MergeOutcome };
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
  listRequestedReviewers: {
    params: { spaceId: string; changeRequestId: string };
    query?: Paging;
    result: Envelope<ChangeRequestRequestedReviewer>;
  };
  requestReviewers: {
    params: { spaceId: string; changeRequestId: string };
    body: {
      users: string[];
      /** What the change request is called from now on. */
      subject?: string;
    };
    result: undefined;
  };
  removeRequestedReviewer: { params: { spaceId: string; changeRequestId: string; userId: string }; result: undefined };
  listReviews: { params: { spaceId: string; changeRequestId: string }; query?: Paging; result: Envelope<ChangeRequestReview> };
  reviewChangeRequest: {
    params: { spaceId: string; changeRequestId: string };
    body: { status: "approved" | "changes-requested"; comment?: CommentBody };
    result: ChangeRequestReview;
  };
  updateFromSpace: { params: { spaceId: string; changeRequestId: string }; result: UpdateOutcome };
  importChangeRequestContent: {
    params: { spaceId: string; changeRequestId: string };
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importIntoChangeRequestPage: {
    params: { spaceId: string; changeRequestId: string; pageId: string };
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
    params: { spaceId: string };
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  importIntoPage: {
    params: { spaceId: string; pageId: string };
    body: {
      /** A page, a download, or a wiki, over http or https. */
      url?: string;
      /** The text itself, in place of a URL: `source` is `markdown` or `html` then. */
      text?: string;
      source: ImportSource;
    };
    result: ImportOutcome;
  };
  getImportReport: { params: { spaceId: string; revisionId: string }; result: ImportReport };
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
  getGitInfo: { params: { spaceId: string }; result: GitInfo };
  removeGitSync: { params: { spaceId: string }; result: undefined };
  listChangeRequestCommenters: { params: { spaceId: string; changeRequestId: string }; query?: Paging; result: Envelope<Member> };
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
  postCommentOnChangeRequest: {
    params: { spaceId: string; changeRequestId: string };
    body: {
      body: CommentBody;
      page?: string;
      node?: string;
      /** The cell of the table that `node` names, as it was given. It is not compared with the table. */
      tableCell?: Record<string, string | number>;
    };
    result: Comment;
  };
  getChangeRequestComment: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    query?: Pick<Query, "format">;
    result: Comment;
  };
  updateChangeRequestComment: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  deleteChangeRequestComment: { params: { spaceId: string; changeRequestId: string; commentId: string }; result: undefined };
  listChangeRequestCommentReplies: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    query?: Paging & Pick<Query, "format">;
    result: Envelope<CommentReply>;
  };
  replyToChangeRequestComment: {
    params: { spaceId: string; changeRequestId: string; commentId: string };
    query?: Pick<Query, "format">;
    body: {
      body: CommentBody;
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  getChangeRequestCommentReply: {
    params: { spaceId: string; changeRequestId: string; commentId: string; commentReplyId: string };
    query?: Pick<Query, "format">;
    result: CommentReply;
  };
  updateChangeRequestCommentReply: {
    params: { spaceId: string; changeRequestId: string; commentId: string; commentReplyId: string };
    body?: {
      body?: CommentBody;
      addedReactions?: string[];
      removedReactions?: string[];
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  deleteChangeRequestCommentReply: {
    params: { spaceId: string; changeRequestId: string; commentId: string; commentReplyId: string };
    result: undefined;
  };
  listSpaceCommenters: { params: { spaceId: string }; query?: Paging; result: Envelope<Member> };
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
  postCommentOnSpace: {
    params: { spaceId: string };
    body: {
      body: CommentBody;
      page?: string;
      node?: string;
      /** The cell of the table that `node` names, as it was given. It is not compared with the table. */
      tableCell?: Record<string, string | number>;
    };
    result: Comment;
  };
  getSpaceComment: { params: { spaceId: string; commentId: string }; query?: Pick<Query, "format">; result: Comment };
  updateSpaceComment: {
    params: { spaceId: string; commentId: string };
    body?: { body?: CommentBody; addedReactions?: string[]; removedReactions?: string[]; resolved?: boolean };
    result: Comment;
  };
  deleteSpaceComment: { params: { spaceId: string; commentId: string }; result: undefined };
  listSpaceCommentReplies: {
    params: { spaceId: string; commentId: string };
    query?: Paging & Pick<Query, "format">;
    result: Envelope<CommentReply>;
  };
  replyToSpaceComment: {
    params: { spaceId: string; commentId: string };
    query?: Pick<Query, "format">;
    body: {
      body: CommentBody;
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  getSpaceCommentReply: {
    params: { spaceId: string; commentId: string; commentReplyId: string };
    query?: Pick<Query, "format">;
    result: CommentReply;
  };
  updateSpaceCommentReply: {
    params: { spaceId: string; commentId: string; commentReplyId: string };
    body?: {
      body?: CommentBody;
      addedReactions?: string[];
      removedReactions?: string[];
      /** True resolves the comment that it answers, false opens it again. */
      resolved?: boolean;
    };
    result: CommentReply;
  };
  deleteSpaceCommentReply: { params: { spaceId: string; commentId: string; commentReplyId: string }; result: undefined };
  searchOrganization: {
    params: { organizationId: string };
    query: Paging & {
      /** What to look for. */
      query: string;
    };
    result: Envelope<FoundSpace>;
  };
  searchSpace: {
    params: { spaceId: string };
    query: Paging & {
      /** What to look for. */
      query: string;
    };
    result: Envelope<FoundPage>;
  };
  askOrganization: {
    params: { organizationId: string };
    body: {
      /** What to ask, as a person says it. */
      question: string;
      /** The language of the answer, such as `de`. Default: the model decides. */
      language?: string;
    };
    result: Sent;
  };
  askSite: {
    params: { organizationId: string; siteId: string };
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
    params: { spaceId: string };
    body: {
      /** What to ask, as a person says it. */
      question: string;
      /** The language of the answer, such as `de`. Default: the model decides. */
      language?: string;
    };
    result: Sent;
  };
  listTemplates: { query?: Paging; result: Envelope<Template> };
  listFonts: { params: { organizationId: string }; query?: Paging; result: Envelope<CustomFont> };
  createFont: {
    params: { organizationId: string };
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
  getFont: { params: { organizationId: string; fontId: string }; result: CustomFont };
  deleteFont: { params: { organizationId: string; fontId: string }; result: undefined };
  listSites: {
    params: { organizationId: string };
    query?: Paging & { space?: string; title?: string; published?: "true" | "false" };
    result: Envelope<Site>;
  };
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
  getSite: { params: { organizationId: string; siteId: string }; result: Site };
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
  deleteSite: { params: { organizationId: string; siteId: string }; result: undefined };
  getAdaptiveSchema: { params: { organizationId: string; siteId: string }; result: SiteAdaptiveSchema };
  setAdaptiveSchema: {
    params: { organizationId: string; siteId: string };
    body: {
      /** JSON Schema draft-07 in the allowed form. */
      jsonSchema: { [name: string]: unknown };
    };
    result: SiteAdaptiveSchema;
  };
  listTemplateConditions: {
    params: { organizationId: string; siteId: string };
    result: { items: { description: string; condition: string }[] };
  };
  updateSiteAds: {
    params: { organizationId: string; siteId: string };
    body: { status: "in-review" | "disabled"; topic: "webdev" | "crypto" };
    result: undefined;
  };
  getSiteCustomization: { params: { organizationId: string; siteId: string }; result: SiteCustomization };
  setSiteCustomization: { params: { organizationId: string; siteId: string }; body?: CustomizationChangesInput; result: SiteCustomization };
  reportSiteEvents: {
    params: { organizationId: string; siteId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    body: { events: InsightsEvent[] };
    result: undefined;
  };
  aggregateSiteEvents: {
    params: { organizationId: string; siteId: string };
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
    params: { organizationId: string; siteId: string };
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
  listSiteIntegrations: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<Integration> };
  startVisitorLogin: {
    params: { organizationId: string; siteId: string };
    query?: {
      /** Where the visitor wanted to go: a path of the site. */
      location?: string;
    };
    result: Sent;
  };
  grantOnSite: {
    params: { organizationId: string; siteId: string };
    body?: { users?: { id: string; role?: Role }[]; teams?: { id: string; role?: Role }[]; role?: Role };
    result: undefined;
  };
  listAccessToSite: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnSite: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnSite: { params: { organizationId: string; siteId: string; teamId: string }; body: { role: Role }; result: undefined };
  removeTeamGrantOnSite: { params: { organizationId: string; siteId: string; teamId: string }; result: undefined };
  listUserGrantsOnSite: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnSite: { params: { organizationId: string; siteId: string; userId: string }; body: { role: Role }; result: undefined };
  removeUserGrantOnSite: { params: { organizationId: string; siteId: string; userId: string }; result: undefined };
  previewSite: {
    params: { organizationId: string; siteId: string };
    body: {
      siteSpaceId: string;
      /** The change request to show. The preview follows it until it is merged or archived. */
      changeRequestId?: string;
      /** The revision of the space to show. */
      revisionId?: string;
    };
    result: SitePreview;
  };
  publishSite: { params: { organizationId: string; siteId: string }; result: Site };
  getPublishedSite: {
    params: { organizationId: string; siteId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: PublishedContentSite;
  };
  getPublishingAuth: { params: { organizationId: string; siteId: string }; result: PublishingAuth };
  updatePublishingAuth: {
    params: { organizationId: string; siteId: string };
    body?: { backend?: "custom" | "integration"; integration?: string | null; fallbackURL?: string | null };
    result: PublishingAuth;
  };
  regeneratePublishingAuth: { params: { organizationId: string; siteId: string }; result: RegeneratedPublishingAuth };
  getSiteRedirectTarget: {
    params: { organizationId: string; siteId: string };
    query: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { source: string };
    result: SiteRedirectTarget;
  };
  listSiteRedirects: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<SiteRedirect> };
  createSiteRedirect: {
    params: { organizationId: string; siteId: string };
    body: { source: string; destination: NewSiteRedirectDestination };
    result: SiteRedirect;
  };
  getSiteRedirect: { params: { organizationId: string; siteId: string; siteRedirectId: string }; result: SiteRedirect };
  updateSiteRedirect: {
    params: { organizationId: string; siteId: string; siteRedirectId: string };
    body?: { source?: string; destination?: NewSiteRedirectDestination };
    result: SiteRedirect;
  };
  deleteSiteRedirect: { params: { organizationId: string; siteId: string; siteRedirectId: string }; result: undefined };
  createSiteRedirects: {
    params: { organizationId: string; siteId: string };
    body: { redirects: { source: string; destination: NewSiteRedirectDestination }[] };
    result: SiteRedirects;
  };
  searchSite: {
    params: { organizationId: string; siteId: string };
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
  listSiteSectionGroups: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<SiteSectionGroup> };
  createSiteSectionGroup: {
    params: { organizationId: string; siteId: string };
    body: { title: string; icon?: string | null; sections?: string[] };
    result: SiteSectionGroup;
  };
  updateSiteSectionGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string };
    body?: { title?: string; icon?: string | null };
    result: SiteSectionGroup;
  };
  deleteSiteSectionGroup: { params: { organizationId: string; siteId: string; siteSectionGroupId: string }; result: undefined };
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
  addSectionToGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string };
    body: { sectionId: string };
    result: SiteSectionGroup;
  };
  removeSectionFromGroup: {
    params: { organizationId: string; siteId: string; siteSectionGroupId: string; siteSectionId: string };
    result: undefined;
  };
  listSiteSections: {
    params: { organizationId: string; siteId: string };
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: Envelope<SiteSection>;
  };
  createSiteSection: {
    params: { organizationId: string; siteId: string };
    body: { spaceId: string; title?: string | null; icon?: string | null };
    result: SiteSection;
  };
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
  deleteSiteSection: { params: { organizationId: string; siteId: string; siteSectionId: string }; result: undefined };
  /** @deprecated `sortSiteStructure` moves everything. */
  moveSiteSection: {
    params: { organizationId: string; siteId: string; siteSectionId: string };
    body: {
      position: { before?: { type: "site-section"; siteSection: string }; after?: { type: "site-section"; siteSection: string } };
    };
    result: SiteSection;
  };
  listShareLinks: { params: { organizationId: string; siteId: string }; query?: Paging; result: Envelope<ShareLink> };
  createShareLink: { params: { organizationId: string; siteId: string }; body: { name: string }; result: ShareLink };
  getShareLink: { params: { organizationId: string; siteId: string; shareLinkId: string }; result: ShareLink };
  updateShareLink: {
    params: { organizationId: string; siteId: string; shareLinkId: string };
    body?: { name?: string; active?: boolean };
    result: ShareLink;
  };
  deleteShareLink: { params: { organizationId: string; siteId: string; shareLinkId: string }; result: undefined };
  regenerateShareLink: { params: { organizationId: string; siteId: string; shareLinkId: string }; result: ShareLink };
  listSiteSpaces: {
    params: { organizationId: string; siteId: string };
    query?: Paging & Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims"> & { default?: "true" | "false" };
    result: Envelope<SiteSpace>;
  };
  createSiteSpace: {
    params: { organizationId: string; siteId: string };
    body: { spaceId: string; sectionId?: string };
    result: SiteSpace;
  };
  updateSiteSpace: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    body?: { path?: string; condition?: string | null; spaceId?: string };
    result: SiteSpace;
  };
  deleteSiteSpace: { params: { organizationId: string; siteId: string; siteSpaceId: string }; result: undefined };
  getSiteSpaceCustomization: { params: { organizationId: string; siteId: string; siteSpaceId: string }; result: SiteSpaceCustomization };
  updateSiteSpaceCustomization: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    body?: CustomizationChangesInput;
    result: SiteSpaceCustomization;
  };
  resetSiteSpaceCustomization: { params: { organizationId: string; siteId: string; siteSpaceId: string }; result: undefined };
  /** @deprecated `sortSiteStructure` moves everything. */
  moveSiteSpace: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    body: {
      position: { before?: { type: "site-space"; siteSpace: string }; after?: { type: "site-space"; siteSpace: string } };
    };
    result: SiteSpace;
  };
  getPublishedPage: {
    params: { organizationId: string; siteId: string; siteSpaceId: string; pageId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims" | "format">;
    result: PublishedPage;
  };
  listPublishedPages: {
    params: { organizationId: string; siteId: string; siteSpaceId: string };
    query?: Pick<Query, "shareKey" | "visitorToken" | "unsignedClaims">;
    result: { pages: PublishedPageInTree[] };
  };
  getSiteStructure: { params: { organizationId: string; siteId: string }; result: SiteStructure };
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
  unpublishSite: { params: { organizationId: string; siteId: string }; result: Site };
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
  listTranslations: { params: { organizationId: string }; query?: Paging; result: Envelope<Translation> };
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
  getTranslation: { params: { organizationId: string; translationId: string }; result: Translation };
  updateTranslation: {
    params: { organizationId: string; translationId: string };
    body: {
      /** What the translator is to mind. Tables with two columns are a glossary: a term, what it is called. */
      instructions: { object: "document"; [name: string]: unknown };
    };
    result: Translation;
  };
  deleteTranslation: { params: { organizationId: string; translationId: string }; result: undefined };
  runTranslationAgain: { params: { organizationId: string; translationId: string }; result: Translation };
  grantOnCollection: {
    params: { collectionId: string };
    body?: { users?: { id: string; role?: Role }[]; teams?: { id: string; role?: Role }[]; role?: Role };
    result: undefined;
  };
  listAccessToCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnCollection: { params: { collectionId: string; teamId: string }; body: { role: Role }; result: undefined };
  removeTeamGrantOnCollection: { params: { collectionId: string; teamId: string }; result: undefined };
  listUserGrantsOnCollection: { params: { collectionId: string }; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnCollection: { params: { collectionId: string; userId: string }; body: { role: Role }; result: undefined };
  removeUserGrantOnCollection: { params: { collectionId: string; userId: string }; result: undefined };
  grantOnSpace: {
    params: { spaceId: string };
    body?: { users?: { id: string; role?: Role }[]; teams?: { id: string; role?: Role }[]; role?: Role };
    result: undefined;
  };
  listAccessToSpace: { params: { spaceId: string }; query?: Paging; result: Envelope<UserGrant> };
  listTeamGrantsOnSpace: { params: { spaceId: string }; query?: Paging; result: Envelope<TeamGrant> };
  updateTeamGrantOnSpace: { params: { spaceId: string; teamId: string }; body: { role: Role }; result: undefined };
  removeTeamGrantOnSpace: { params: { spaceId: string; teamId: string }; result: undefined };
  listUserGrantsOnSpace: { params: { spaceId: string }; query?: Paging; result: Envelope<UserGrant> };
  updateUserGrantOnSpace: { params: { spaceId: string; userId: string }; body: { role: Role }; result: undefined };
  removeUserGrantOnSpace: { params: { spaceId: string; userId: string }; result: undefined };
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
  getIntegration: { params: { integrationName: string }; result: Integration };
  publishIntegration: {
    params: { integrationName: string };
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
  unpublishIntegration: { params: { integrationName: string }; result: undefined };
  downloadIntegrationAsset: { params: { integrationName: string; asset: string }; result: Sent };
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
  stopDevelopment: { params: { integrationName: string }; result: undefined };
  listIntegrationEvents: { params: { integrationName: string }; query?: Paging; result: Envelope<IntegrationEvent> };
  getIntegrationEvent: {
    params: { integrationName: string; eventId: string };
    result: {
      event: IntegrationEvent;
      trace: { logs: { message: string; timestamp: string; level: "debug" | "info" | "warn" | "error" }[] };
    };
  };
  listInstallations: {
    params: { integrationName: string };
    query?: Paging & { externalId?: string };
    result: Envelope<IntegrationInstallation>;
  };
  installIntegration: {
    params: { integrationName: string };
    body: {
      organization: string;
      /** What you agree to, of the scopes that the integration asks for. Default: all of them. */
      scopes?: IntegrationScope[];
    };
    result: IntegrationInstallation;
  };
  getInstallation: { params: { integrationName: string; installationId: string }; result: IntegrationInstallation };
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
  uninstallIntegration: { params: { integrationName: string; installationId: string }; result: undefined };
  listInstallationSites: {
    params: { integrationName: string; installationId: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  installOnSite: {
    params: { integrationName: string; installationId: string };
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
    params: { integrationName: string; installationId: string; siteId: string };
    query?: { extended?: "true" | "false" };
    result: IntegrationSiteInstallation;
  };
  updateSiteInstallation: {
    params: { integrationName: string; installationId: string; siteId: string };
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSiteInstallation;
  };
  uninstallFromSite: { params: { integrationName: string; installationId: string; siteId: string }; result: undefined };
  listInstallationSpaces: {
    params: { integrationName: string; installationId: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  installOnSpace: {
    params: { integrationName: string; installationId: string };
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
    params: { integrationName: string; installationId: string; spaceId: string };
    query?: { extended?: "true" | "false" };
    result: IntegrationSpaceInstallation;
  };
  updateSpaceInstallation: {
    params: { integrationName: string; installationId: string; spaceId: string };
    body?: { configuration?: Record<string, unknown>; externalIds?: string[] };
    result: IntegrationSpaceInstallation;
  };
  uninstallFromSpace: { params: { integrationName: string; installationId: string; spaceId: string }; result: undefined };
  listTasks: { params: { integrationName: string; installationId: string }; query?: Paging; result: Envelope<IntegrationTask> };
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
  getTask: { params: { integrationName: string; installationId: string; taskId: string }; result: IntegrationTask };
  cancelTask: { params: { integrationName: string; installationId: string; taskId: string }; result: undefined };
  createInstallationToken: { params: { integrationName: string; installationId: string }; result: IntegrationInstallationToken };
  fetchFromIntegration: { params: { integrationName: string; path: string }; result: Sent };
  postToIntegration: { params: { integrationName: string; path: string }; result: Sent };
  putToIntegration: { params: { integrationName: string; path: string }; result: Sent };
  patchAtIntegration: { params: { integrationName: string; path: string }; result: Sent };
  deleteAtIntegration: { params: { integrationName: string; path: string }; result: Sent };
  renderComponent: { params: { integrationName: string }; query: { request: string }; result: Sent };
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
  fetchPublishedScript: {
    params: { integrationName: string; installationId: string; siteId: string; signature: string };
    query?: {
      /** The space of the site that the script is for. */
      space?: string;
    };
    result: Sent;
  };
  listIntegrationSites: {
    params: { integrationName: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSiteInstallation>;
  };
  listIntegrationSpaces: {
    params: { integrationName: string };
    query?: Paging & { externalId?: string; extended?: "true" | "false" };
    result: Envelope<IntegrationSpaceInstallation>;
  };
  listOrganizationInstallations: {
    params: { organizationId: string };
    query?: Paging & { externalId?: string; integration?: string };
    result: Envelope<InstalledIntegration>;
  };
  listOrganizationIntegrations: { params: { organizationId: string }; query?: Paging; result: Envelope<Integration> };
  listOpenApiSpecs: { params: { organizationId: string }; query?: Paging; result: Envelope<OpenApiSpec> };
  createOpenApiSpec: {
    params: { organizationId: string };
    body: {
      slug: string;
      /** `url`: fetched, and looked at again from time to time. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  getOpenApiSpec: { params: { organizationId: string; specSlug: string }; result: OpenApiSpec };
  putOpenApiSpec: {
    params: { organizationId: string; specSlug: string };
    body: {
      /** `url`: fetched, and looked at again from time to time. `text`: JSON or YAML. */
      source: { url: string } | { text: string };
    };
    result: OpenApiSpec;
  };
  updateOpenApiSpec: {
    params: { organizationId: string; specSlug: string };
    body: { visibility: "private" | "public" };
    result: OpenApiSpec;
  };
  deleteOpenApiSpec: { params: { organizationId: string; specSlug: string }; result: undefined };
  listOpenApiSpecVersions: { params: { organizationId: string; specSlug: string }; query?: Paging; result: Envelope<OpenApiSpecVersion> };
  getOpenApiSpecVersion: { params: { organizationId: string; specSlug: string; versionId: string }; result: OpenApiSpecVersion };
  getOpenApiSpecContent: { params: { organizationId: string; specSlug: string; versionId: string }; result: OpenApiSpecContent };
  getOpenApiSpecText: { params: { organizationId: string; specSlug: string; versionId: string }; result: Sent };
  getLatestOpenApiSpecVersion: { params: { organizationId: string; specSlug: string }; result: OpenApiSpecVersion };
  getLatestOpenApiSpecContent: { params: { organizationId: string; specSlug: string }; result: OpenApiSpecContent };
  getLatestOpenApiSpecText: { params: { organizationId: string; specSlug: string }; result: Sent };
  getPublicOpenApiSpec: { params: { specId: string }; result: Sent };
  getPublicOpenApiSpecContent: { params: { specId: string }; result: OpenApiSpecContent };
  listJobs: { params: { organizationId: string }; query?: Paging & { status?: "waiting" | "parked" }; result: Envelope<Job> };
  retryJob: { params: { organizationId: string; jobId: string }; result: Job };
}
