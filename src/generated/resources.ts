// The shapes on the wire that have a name. Written by `npm run generate:types`; a test fails when it is stale.

export interface AuditAction {
  action: string;
}

export interface AuditChange {
  field: string;
  value?: string | boolean | null;
}

export interface AuditEvent {
  object: "audit-event";
  id: string;
  createdAt: string;
  action: string;
  operation?: string;
  status: number;
  actor: AuditParty;
  credential?: AuditParty;
  from?: { address?: string; userAgent?: string };
  things: AuditThing[];
  made: AuditThing[];
  changes: AuditChange[];
  isChanged?: boolean;
}

export interface AuditParty {
  type: string;
  id?: string;
}

export interface AuditThing {
  type: string;
  id: string;
}

export interface ChangeBatch {
  changes: Array<
    | {
      operation: "insert_page";
      type?: "document" | "computed";
      document?: ContentBody;
      computed?: ComputedSource;
      into?: string | null;
      at?: number;
      ref?: string;
      slug?: string;
      emoji?: string | null;
      icon?: string | null;
      hidden?: boolean;
      condition?: string | null;
      title?: string;
      description?: string | null;
      noIndex?: boolean;
      noRobotsIndex?: boolean;
      layout?: PageLayoutChanges | null;
      cover?: PageCover | null;
      variables?: Record<string, string | number | boolean> | null;
    }
    | {
      operation: "update_page";
      page: string;
      document?: ContentBody;
      computed?: ComputedSource;
      into?: string | null;
      at?: number;
      slug?: string;
      emoji?: string | null;
      icon?: string | null;
      hidden?: boolean;
      condition?: string | null;
      title?: string;
      description?: string | null;
      noIndex?: boolean;
      noRobotsIndex?: boolean;
      layout?: PageLayoutChanges | null;
      cover?: PageCover | null;
      variables?: Record<string, string | number | boolean> | null;
    }
    | { operation: "move_page"; page: string; into?: string | null; at?: number }
    | { operation: "delete_page"; page: string }
    | { operation: "revert_page"; page: string; revision?: string; block?: string[] }
    | {
      operation: "insert_group";
      title: string;
      at?: number;
      ref?: string;
      slug?: string;
      emoji?: string | null;
      icon?: string | null;
      hidden?: boolean;
      condition?: string | null;
    }
    | {
      operation: "insert_link";
      title: string;
      target: Reference;
      into?: string | null;
      at?: number;
      ref?: string;
      slug?: string;
      emoji?: string | null;
      icon?: string | null;
      hidden?: boolean;
      condition?: string | null;
    }
    | {
      operation: "insert_files";
      files: { name: string; contentType?: string; ref?: string; url?: string; base64?: string }[];
    }
    | { operation: "delete_files"; files: string[] }
    | { operation: "keep_files"; files: string[] }
    | { operation: "set_variables"; variables: Record<string, string | number | boolean | null> }
    | { operation: "insert_reusable_content"; title: string; document: ContentBody; ref?: string }
    | { operation: "update_reusable_content"; reusableContent: string; title?: string; document?: ContentBody }
    | { operation: "delete_reusable_content"; reusableContent: string }
  >;
}

export type ChangeOutcome =
  | {
    object: "created_page";
    ref?: string;
    page: { object: "page"; id: string; urls: { location: string; app: string } };
  }
  | { object: "updated_page"; page: { object: "page"; id: string; urls: { location: string; app: string } } }
  | { object: "deleted_page"; page: string }
  | { object: "created_reusable_content"; ref?: string; reusableContent: string }
  | { object: "updated_reusable_content"; reusableContent: string }
  | { object: "deleted_reusable_content"; reusableContent: string };

export interface ChangeRequest {
  object: "change-request";
  id: string;
  number: number;
  /** The ID of the space to change. */
  space: string;
  status: "draft" | "open" | "archived" | "merged";
  subject: string;
  createdBy?: User;
  createdAt: string;
  updatedAt: string;
  revision: string;
  revisionInitial: string;
  revisionMergedAncestor?: string;
  revisionMerged?: string;
  comments: number;
  conflicts: number;
  outdated: boolean;
  urls: { location: string; app: string };
}

export interface ChangeRequestContributor {
  user: User;
  actionType: "edit";
  /** The number of edits that the user made in the change request. */
  count: number;
  /** The time of the last edit. */
  updatedAt: string;
}

export interface ChangeRequestRequestedReviewer {
  object: "change-request-requested-reviewer";
  user: User;
  createdAt: string;
}

export interface ChangeRequestReview {
  object: "change-request-review";
  id: string;
  status: "approved" | "changes-requested";
  reviewer: User;
  createdAt: string;
  /** The time of the review, or of the last edit of its comment. */
  updatedAt: string;
  revision: string;
  comment?: Comment;
  outdated: boolean;
}

export interface Collection {
  object: "collection";
  id: string;
  title: string;
  description?: string;
  organization: string;
  parent?: string;
  defaultLevel: DefaultLevel;
  transfer?: { organization: string; job: string };
  urls: { location: string; app: string };
  permissions: { view: boolean; admin: boolean; viewInviteLinks: boolean; create: boolean };
}

export interface Comment {
  object: "comment";
  id: string;
  postedBy?: User;
  postedAt: string;
  editedAt?: string;
  reactions: { emoji: string; count: number; users: { user: User; reactedAt: string }[] }[];
  body: { markdown?: string; document?: Document };
  urls: { location: string };
  permissions: { view: boolean; edit: boolean; reply: boolean; delete: boolean };
  replies: number;
  target: {
    space: string;
    revision: string;
    changeRequest?: string;
    /** The ID of the review that the comment was posted with. */
    review?: string;
    page?: {
      id: string;
      title?: string;
      emoji?: string;
      icon?: string;
      createdAt?: string;
      updatedAt?: string;
      path?: string;
      outdated: boolean;
    };
    node?: { id: string; preview: string };
    /** The cell of the table `node`, as provided. It isn't validated against the table. */
    tableCell?: Record<string, string | number>;
  };
  status: "open" | "resolved";
  resolvedAt?: string;
  resolvedBy?: User;
}

export type CommentBody = { markdown: string } | { document: { object: "document"; [name: string]: unknown } } | Record<string, never>;

export interface CommentReply {
  object: "comment-reply";
  id: string;
  postedBy?: User;
  postedAt: string;
  editedAt?: string;
  reactions: { emoji: string; count: number; users: { user: User; reactedAt: string }[] }[];
  body: { markdown?: string; document?: Document };
  urls: { location: string };
  permissions: { view: boolean; edit: boolean; reply: boolean; delete: boolean };
}

/** The source of computed content, in the format used by computed pages. */
export interface ComputedSource {
  /** `builtin:openapi`, or `integration:<name>:<source>`. */
  type: string;
  /** The properties to pass to the source. Defaults to none. */
  props?: Record<string, unknown>;
  /** References that the source depends on, by name. Defaults to none. */
  dependencies?: Record<string, unknown>;
}

export interface Conflict {
  kind: "text" | "field" | "move" | "delete" | "cycle" | "variable";
  page?: string;
  file?: string;
  reusableContent?: string;
  variable?: string;
  member?: string;
  base?: unknown;
  ours?: unknown;
  theirs?: unknown;
}

export type ContentBody = { markdown: string } | { document: { object: "document"; [name: string]: unknown } } | Record<string, never>;

export type ContentChange =
  | { type: "page_created" | "page_deleted"; page: NamedPage }
  | { type: "page_edited"; page: NamedPage; attributes: string[] }
  | {
    type: "page_moved";
    page: NamedPage;
    from: { parent: string | null; path: string };
    to: { parent: string | null; path: string };
  }
  | {
    type: "file_created" | "file_edited" | "file_deleted";
    file: { id: string; name: string; contentType: string; size: number };
  }
  | {
    type: "reusable_content_created" | "reusable_content_edited" | "reusable_content_deleted";
    reusableContent: { id: string; title: string };
  }
  | {
    type: "variable_created" | "variable_edited" | "variable_deleted";
    variable: { name: string; before?: string | number | boolean; after?: string | number | boolean };
  };

export interface ContentChanges {
  changes: ContentChange[];
  counts: Record<string, number>;
  /** The number of changes that are not listed. */
  more: number;
}

export interface ContentLink {
  status: "ok" | "broken" | "in-app";
  relation: "reference" | "dependsOn";
  scope: "same-space" | "other-space" | "external";
  targetReference: ContentReference;
  locationReferences: LinkLocation[];
}

export type ContentReference =
  | { kind: "file"; organization: Organization; space: Space; versionContext?: VersionContext; file: File }
  | {
    kind: "page";
    organization: Organization;
    space: Space;
    versionContext?: VersionContext;
    page: PlainPage;
    internalLocation?: { type: "anchor"; anchor: string } | { type: "node"; node: string };
  }
  | { kind: "url"; url: string }
  | { kind: "user"; user: User }
  | { kind: "collection"; organization: Organization; collection: Collection }
  | { kind: "space"; organization: Organization; space: Space }
  | { kind: "openapi"; organization: Organization; openAPISpec: OpenApiSpec }
  | {
    kind: "reusable-content";
    organization: Organization;
    space: Space;
    versionContext?: VersionContext;
    reusableContent: { object: "reusable-content"; id: string; title: string };
  };

export interface ContentUrl {
  object: "content-url";
  type: "organization" | "collection" | "space" | "page" | "change-request" | "revision" | "file" | "site";
  organization: string;
  collection?: string;
  site?: string;
  siteSpace?: string;
  space?: string;
  changeRequest?: string;
  revision?: string;
  page?: string;
  file?: string;
  urls: { location: string };
}

export interface CustomFont {
  object: "font";
  id: string;
  custom: true;
  fontFamily: string;
  fontFaces: { weight: number; style: "normal" | "italic"; sources: CustomFontSource[] }[];
  createdAt: string;
  permissions: { edit: boolean };
  urls: { location: string };
}

export interface CustomFontFace {
  weight: number;
  style: "normal" | "italic";
  sources: CustomFontSource[];
}

export interface CustomFontFaceInput extends Omit<CustomFontFace, "style"> {
  style?: "normal" | "italic";
}

export interface CustomFontReference {
  id: string;
  custom?: true;
  fontFamily?: string;
  fontFaces?: CustomFontFace[];
}

export interface CustomFontReferenceInput extends Omit<CustomFontReference, "fontFaces"> {
  fontFaces?: CustomFontFaceInput[];
}

export interface CustomFontSource {
  url: string;
  format?: "woff2" | "woff" | "truetype" | "opentype";
}

export interface CustomHostname {
  object: "custom-hostname";
  hostname: string;
  target: { type: "site"; organization: string; site: string };
  isActive: boolean;
  status: "pending" | "active";
  /** The DNS record to publish, if the server verifies domains by DNS. */
  record?: { type: "TXT"; name: string; value: string };
  urls: { location: string };
}

export interface CustomizationChanges {
  title?: string | null;
  styling?:
    | {
      theme?: "clean" | "muted" | "bold" | "gradient";
      primaryColor?: CustomizationColor;
      infoColor?: CustomizationColor;
      successColor?: CustomizationColor;
      warningColor?: CustomizationColor;
      dangerColor?: CustomizationColor;
      corners?: "straight" | "rounded" | "circular";
      depth?: "subtle" | "flat";
      links?: "default" | "accent";
      background?: "plain" | "match";
      icons?: "regular" | "solid" | "duotone" | "light" | "thin";
      search?: "prominent" | "subtle";
      tint?: { color: CustomizationColor } | null;
      font?:
        | "Inter"
        | "Roboto"
        | "RobotoSlab"
        | "OpenSans"
        | "SourceSansPro"
        | "Lato"
        | "Ubuntu"
        | "Raleway"
        | "Merriweather"
        | "Overpass"
        | "NotoSans"
        | "IBMPlexSerif"
        | "Poppins"
        | "FiraSans"
        | "ABCFavorit"
        | CustomFontReference
        | FontDefinition;
      monospaceFont?:
        | "FiraCode"
        | "IBMPlexMono"
        | "JetBrainsMono"
        | "SourceCodePro"
        | "RobotoMono"
        | "SpaceMono"
        | "DMMono"
        | "Inconsolata"
        | CustomFontReference
        | FontDefinition;
      sidebar?: { background?: "default" | "filled"; list?: "default" | "pill" | "line" };
    }
    | null;
  internationalization?:
    | {
      locale?: "en" | "fr" | "es" | "zh" | "ja" | "de" | "nl" | "no" | "pt-br" | "ru";
      /** The language of the content, if `locale` doesn't support it. */
      language?: string | null;
    }
    | null;
  favicon?: { icon: CustomizationImage } | { emoji: string } | Record<string, never> | null;
  header?:
    | {
      preset?: "default" | "bold" | "contrast" | "custom" | "none";
      logo?: CustomizationImage | null;
      backgroundColor?: CustomizationColor | null;
      linkColor?: CustomizationColor | null;
      links?: {
        title: string;
        to: SiteLinkTarget | null;
        style: "link" | "button-primary" | "button-secondary";
        /** The condition under which visitors see the link. Not returned to visitors. */
        condition?: string;
        links: { title: string; to: SiteLinkTarget | null }[];
      }[];
    }
    | null;
  footer?:
    | {
      logo?: CustomizationImage | null;
      groups?: { title: string; links: { title: string; to: SiteLinkTarget | null }[] }[];
      copyright?: string | null;
    }
    | null;
  announcement?:
    | {
      enabled?: boolean;
      message?: string;
      style?: "info" | "warning" | "danger" | "success";
      link?: { title: string; to: SiteLinkTarget | null } | null;
    }
    | null;
  themes?:
    | {
      default?: "light" | "dark";
      toggeable?: boolean;
      /** Whether the preference of the reader's device takes precedence, if it has one. */
      followsDevice?: boolean;
    }
    | null;
  pdf?: { enabled?: boolean } | null;
  feedback?: { enabled?: boolean } | null;
  ai?: { mode?: "none" | "search" | "assistant" | "integration"; integrationId?: string | null } | null;
  advancedCustomization?: { enabled?: boolean } | null;
  git?: { showEditLink?: boolean } | null;
  pageActions?: { externalAI?: boolean; markdown?: boolean } | null;
  externalLinks?: { target?: "self" | "blank" } | null;
  pagination?: { enabled?: boolean } | null;
  trademark?: { enabled?: boolean } | null;
  privacyPolicy?: { url?: string | null } | null;
  socialPreview?:
    | {
      url?: string | null;
      /** The text shown with the preview. */
      description?: string | null;
    }
    | null;
  insights?: { trackingCookie?: boolean } | null;
}

export interface CustomizationChangesInput extends Omit<CustomizationChanges, "styling" | "header" | "footer" | "announcement"> {
  styling?:
    | {
      theme?: "clean" | "muted" | "bold" | "gradient";
      primaryColor?: CustomizationColor;
      infoColor?: CustomizationColor;
      successColor?: CustomizationColor;
      warningColor?: CustomizationColor;
      dangerColor?: CustomizationColor;
      corners?: "straight" | "rounded" | "circular";
      depth?: "subtle" | "flat";
      links?: "default" | "accent";
      background?: "plain" | "match";
      icons?: "regular" | "solid" | "duotone" | "light" | "thin";
      search?: "prominent" | "subtle";
      tint?: { color: CustomizationColor } | null;
      font?:
        | "Inter"
        | "Roboto"
        | "RobotoSlab"
        | "OpenSans"
        | "SourceSansPro"
        | "Lato"
        | "Ubuntu"
        | "Raleway"
        | "Merriweather"
        | "Overpass"
        | "NotoSans"
        | "IBMPlexSerif"
        | "Poppins"
        | "FiraSans"
        | "ABCFavorit"
        | CustomFontReferenceInput
        | FontDefinitionInput;
      monospaceFont?:
        | "FiraCode"
        | "IBMPlexMono"
        | "JetBrainsMono"
        | "SourceCodePro"
        | "RobotoMono"
        | "SpaceMono"
        | "DMMono"
        | "Inconsolata"
        | CustomFontReferenceInput
        | FontDefinitionInput;
      sidebar?: { background?: "default" | "filled"; list?: "default" | "pill" | "line" };
    }
    | null;
  header?:
    | {
      preset?: "default" | "bold" | "contrast" | "custom" | "none";
      logo?: CustomizationImage | null;
      backgroundColor?: CustomizationColor | null;
      linkColor?: CustomizationColor | null;
      links?: {
        title: string;
        to?: SiteLinkTarget | null;
        style?: "link" | "button-primary" | "button-secondary";
        /** The condition under which visitors see the link. Not returned to visitors. */
        condition?: string;
        links?: { title: string; to?: SiteLinkTarget | null }[];
      }[];
    }
    | null;
  footer?:
    | {
      logo?: CustomizationImage | null;
      groups?: { title: string; links: { title: string; to?: SiteLinkTarget | null }[] }[];
      copyright?: string | null;
    }
    | null;
  announcement?:
    | {
      enabled?: boolean;
      message?: string;
      style?: "info" | "warning" | "danger" | "success";
      link?: { title: string; to?: SiteLinkTarget | null } | null;
    }
    | null;
}

export interface CustomizationColor {
  light: string;
  dark: string;
}

export interface CustomizationImage {
  light: string;
  dark: string;
}

export type DefaultLevel = Role | "inherit" | null;

export interface Document {
  object: "document";
  data: Record<string, unknown>;
  nodes: unknown[];
}

export interface DomainProof {
  domain: string;
  /** Whether the domain is verified. An unverified domain has no effect. */
  verified: boolean;
  /** The DNS record to publish, if the server verifies domains by DNS. */
  record: { type: "TXT"; name: string; value: string };
}

export type Embed =
  | {
    type: "link";
    title: string;
    /** The name of the website, or its host. */
    site: string;
    icon?: string;
  }
  | {
    type: "rich";
    title: string;
    /** The name of the website, or its host. */
    site: string;
    icon?: string;
    /** A sandboxed `<iframe>` with a public https URL. It is generated by the API and contains no markup from the host. */
    html: string;
  }
  | {
    type: "integration";
    title: string;
    /** The name of the website, or its host. */
    site: string;
    icon?: string;
    /** The name of the integration that renders the URL. */
    integration: string;
    /** The ID of the block of the integration. */
    block: string;
  };

export interface File {
  object: "file";
  id: string;
  name: string;
  contentType: string;
  downloadURL: string;
  size: number;
  dimensions?: { width: number; height: number };
  git?: { oid: string; path: string };
}

export interface FontDefinition {
  custom?: true;
  fontFamily: string;
  fontFaces: CustomFontFace[];
}

export interface FontDefinitionInput extends Omit<FontDefinition, "fontFaces"> {
  fontFaces: CustomFontFaceInput[];
}

export interface FontInUse {
  /** The ID of a font of the organization. Omitted if the font is defined inline. */
  id?: string;
  custom: true;
  fontFamily: string;
  fontFaces: { weight: number; style: "normal" | "italic"; sources: CustomFontSource[] }[];
}

export interface FoundPage {
  id: string;
  title: string;
  path: string;
  sections: { id: string; title: string; path: string; body: string; urls: { app: string } }[];
  urls: { app: string };
}

export interface FoundSpace {
  id: string;
  title: string;
  pages: FoundPage[];
}

export interface FoundSpaceOnSite {
  id: string;
  title: string;
  siteSpace: string;
  pages: {
    id: string;
    title: string;
    path: string;
    sections: { id: string; title: string; path: string; body: string; urls: { app: string; published?: string } }[];
    urls: { app: string; published?: string };
  }[];
}

export interface GitInfo extends GitSync {
  object: "git-info";
  ref: string;
  repoProjectDirectory?: string;
  repoTreeURL?: string;
  /** The number of pending requests. */
  waiting: number;
  lastRun?: {
    direction: "import" | "export";
    /** `running` with an `error` is retried automatically. */
    status: "running" | "completed" | "failed";
    requestedAt: string;
    error?: string;
    commit?: string;
    revision?: string;
    /** The files that were skipped or modified, with the reason. About the first 1,000 are listed by name. */
    skipped?: { resource: string; reason: string }[];
  };
  progress?: Progress;
  /** The commit that the space is synchronized with. */
  commit?: string;
  /** The parts that both sides changed differently. The space keeps its own version; `revision` contains the version of the repository. */
  conflicts?: { revision: string; count: number; list: Conflict[] };
}

export interface GitSync {
  repoName: string;
  installationProvider?: "github" | "gitlab" | "github-legacy";
  /** The name of the integration that synchronizes them. */
  integration?: string;
  /** The URL of the repository, without credentials. */
  url: string;
  updatedAt: string;
}

export interface GlossaryEntry {
  object: "glossary-entry";
  id: string;
  translations: Record<string, string>;
  createdAt: string;
  updatedAt: string;
  urls: { location: string };
}

export interface ImportOutcome {
  revision: string;
  /** The number of imported pages and files in the revision. */
  importedResources: number;
  /** The number of pages and files that were found. */
  totalResources: number;
}

export interface ImportReport {
  object: "import-report";
  revision: string;
  source: ImportSource;
  /** The source URL, without credentials and query. Omitted if the content was provided as text. */
  url?: string;
  /** The number of imported pages and files in the revision. */
  importedResources: number;
  /** The number of pages and files that were found. */
  totalResources: number;
  /** The resources that were skipped or modified, with the reason. About the first 1,000 are listed by name. */
  skipped: { resource: string; reason: string }[];
  /** The parts of pages that were omitted because they belong to the layout of the website, such as `nav.sidebar`, with the number of pages and the total number of characters. */
  leftOut: { part: string; pages: number; characters: number }[];
  createdAt: string;
}

export type ImportSource = "website" | "docx" | "markdown" | "html" | "zip" | "confluence" | "github-wiki" | "notion" | "google-docs";

export interface InsightsAggregate {
  object: "insights-aggregate";
  range: { from: string; to: string };
  /** The number of events by type: one field for each type in `select`. */
  total: Record<string, number>;
  rows: InsightsRow[];
  /** Whether there are more rows than `limit`. */
  isCut: boolean;
}

export interface InsightsEvent {
  type: InsightsEventType;
  location?: InsightsLocation;
  session?: InsightsSession;
  /** The search query or question. Counted as text; see the operation. */
  query?: string;
  feedback?: {
    /** The rating of the page. */
    rating: "bad" | "ok" | "good" | 1 | 2 | 3;
    /** Not stored, because free text can contain personal data. */
    comment?: string;
  };
  /** Has no effect here. */
  result?: Record<string, unknown>;
  /** Has no effect here. */
  link?: Record<string, unknown>;
  /** Has no effect here. */
  ad?: Record<string, unknown>;
  /** Has no effect here. */
  operation?: Record<string, unknown>;
  /** Has no effect: events are counted on the day on which they are received. */
  timestamp?: string;
}

export type InsightsEventType =
  | "page_view"
  | "page_post_feedback"
  | "search_open"
  | "search_type_query"
  | "search_open_result"
  | "ask_question"
  | "link_click"
  | "api_client_open"
  | "ad_display"
  | "ad_click";

export interface InsightsLocation {
  /** Not stored. Sent to integrations that receive page views. */
  url?: string;
  /** The ID of the site-space of the page. */
  siteSpace?: string | null;
  /** The ID of the space, if `siteSpace` isn't provided. */
  space?: string | null;
  /** The ID of the page in the space. */
  page?: string | null;
  /** Has no effect here. */
  siteSection?: string | null;
  /** Has no effect here. */
  siteShareLink?: string | null;
  /** Not stored. */
  siteShareKey?: string | null;
  /** Has no effect here. */
  revision?: string | null;
  /** Has no effect here. */
  displayContext?: string | null;
}

export interface InsightsRow {
  day?: string;
  month?: string;
  siteSpace?: string;
  page?: string;
  rating?: string;
  device?: string;
  browser?: string;
  language?: string;
  referrer?: string;
  query?: string;
  /** The number of events by type: one field for each type in `select`. */
  counts: Record<string, number>;
}

export interface InsightsSession {
  /** Not stored. Sent to integrations as `anonymousId`. */
  visitorId?: string;
  /** Not stored. */
  sessionId?: string;
  /** Not stored. Only the device type and the browser family are stored. */
  userAgent?: string;
  /** Counted without its region: `de-AT` is `de`. */
  language?: string | null;
  /** Only its host is counted. */
  referrer?: string | null;
  /** Sent only to integrations with the scope for cookies. Defaults to none. */
  cookies?: Record<string, string>;
  /** Not stored. Sent to integrations that receive page views if an editor of the site reports it. */
  ip?: string;
  /** Has no effect here. */
  visitorAuthToken?: string | null;
}

export type InstallationStatus = "active" | "pending" | "paused";

export interface InstalledIntegration {
  integration: Integration;
  installation: IntegrationInstallation;
}

export interface Integration {
  object: "integration";
  name: string;
  version: number;
  title: string;
  description?: string;
  summary?: string;
  previewImages: string[];
  target: IntegrationTarget;
  verified: boolean;
  visibility: IntegrationVisibility;
  scopes: IntegrationScope[];
  categories: IntegrationCategory[];
  blocks: IntegrationBlock[];
  contentSources: IntegrationContentSource[];
  externalLinks: { url: string; label: string }[];
  configurations?: IntegrationConfigurations;
  owner: Organization;
  urls: {
    location: string;
    icon?: string;
    app: string;
    assets: string;
    publicEndpoint: string;
    /** An alias of `publicEndpoint`. */
    publicContentEndpoint: string;
  };
  permissions: { admin: boolean; install: boolean };
  contentSecurityPolicy?: string | Record<string, string>;
}

export interface IntegrationBlock {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  urlUnfurl?: string[];
  markdown?: { codeblock: string; body: string };
}

export type IntegrationCategory = "analytics" | "collaboration" | "content" | "gitsync" | "marketing" | "visitor-auth" | "other";

export type IntegrationConfigurationSchema =
  | {
    properties: Record<string, 
      | { type: "string"; title?: string; description?: string; default?: string; completion_url?: string; enum?: string[] }
      | { type: "number"; title?: string; description?: string; default?: number }
      | { type: "boolean"; title?: string; description?: string; default?: boolean }
      | { type: "button"; title?: string; description?: string; callback_url: string; button_text?: string }>;
    required?: string[];
  }
  | { componentId: string };

export interface IntegrationConfigurations {
  account?: IntegrationConfigurationSchema;
  space?: IntegrationConfigurationSchema;
  site?: IntegrationConfigurationSchema;
}

export interface IntegrationContentSource {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  configuration?: { componentId: string };
}

export interface IntegrationEvent {
  object: "integration-event";
  id: string;
  integrationId: string;
  /** Omitted if the event was sent to the integration as a whole. */
  installationId?: string;
  createdAt: string;
  payload: IntegrationEventPayload;
  status: "success" | "failed";
  /** Whether delivery will be retried. */
  isOpen: boolean;
  attempts: { at: string; status?: number; error?: string }[];
}

export type IntegrationEventPayload = {
  eventId: string;
  type: string;
  installationId?: string;
  status?: string;
  previous?: { status?: string; configuration?: Record<string, unknown>; [name: string]: unknown };
  [name: string]: unknown;
};

export interface IntegrationInstallation {
  object: "integration-installation";
  id: string;
  integration: string;
  status: InstallationStatus;
  space_selection: "all" | "selected";
  site_selection: "all" | "selected";
  spaces: number;
  /** The effective scopes: the approved scopes that the integration still requests. */
  scopes: IntegrationScope[];
  /** Requested scopes that aren't approved yet. An admin approves them by updating `scopes`. */
  pendingScopes: IntegrationScope[];
  /** The configuration values. Omitted for callers who can't change them. */
  configuration?: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  urls: { location: string; app: string; publicEndpoint: string };
  externalIds: string[];
  target: { organization: string };
}

export interface IntegrationInstallationStatus {
  object: "integration-installation-status";
  /** The name of the integration. */
  integration: string;
  /** Whether the organization has installed the integration. */
  installed: boolean;
  /** The ID of the installation. Omitted if there is none. */
  installation?: string;
  /** The status of the installation. Omitted if there is none. */
  status?: "active" | "pending" | "paused";
  urls: { location: string };
}

export interface IntegrationInstallationToken {
  token: string;
  expiresAt: string;
}

export type IntegrationScope =
  | "space:views:read"
  | "space:content:read"
  | "space:content:write"
  | "space:metadata:read"
  | "space:metadata:write"
  | "space:script:inject"
  | "space:script:cookies"
  | "space:git:sync"
  | "space:visitor:auth"
  | "site:metadata:read"
  | "site:views:read"
  | "site:script:inject"
  | "site:script:cookies"
  | "site:visitor:auth"
  | "site:visitor:claims"
  | "site:adaptive:read"
  | "site:adaptive:write"
  | "site:ai:ask"
  | "openapi:read"
  | "openapi:write"
  | "page:feedback:read"
  | "conversations:ingest";

export interface IntegrationSiteInstallation {
  object: "integration-site-installation";
  integration: string;
  installation: string;
  status: InstallationStatus;
  configuration?: Record<string, unknown>;
  externalIds: string[];
  urls: { location: string; publicEndpoint: string };
  site: string | Site;
}

export interface IntegrationSpaceInstallation {
  object: "integration-space-installation";
  integration: string;
  installation: string;
  status: InstallationStatus;
  configuration?: Record<string, unknown>;
  externalIds: string[];
  urls: { location: string; publicEndpoint: string };
  space: string | Space;
}

export type IntegrationTarget = "all" | "site" | "space" | "organization";

export interface IntegrationTask {
  object: "integration-task";
  /** The ID of the task, and of the event that the integration receives. */
  id: string;
  /** The task object, as provided. */
  task: Record<string, unknown>;
  createdAt: string;
  scheduledFor: string;
  urls: { location: string };
}

export type IntegrationVisibility = "public" | "private" | "unlisted";

export interface Invite {
  object: "invite";
  id: string;
  type: "email" | "link";
  email?: string;
  role: Role | null;
  /** An alias of `role`. */
  level: Role | null;
  /** The space that the link leads to. `role` is the role on it. Omitted for other invites. */
  space?: string;
  /** Whether an older link that hasn't expired gives the same access. Omitted for email invites. */
  redundant?: boolean;
  /** Whether the server emails this invite. If `false`, send `urls.app` to the person yourself. Omitted for invite links. */
  mailed?: boolean;
  sso: boolean;
  createdAt: string;
  createdBy?: User;
  expiresAt?: string;
  urls: { location: string; app: string };
}

export interface Job {
  object: "job";
  id: string;
  status: "waiting" | "parked";
  step: string;
  attempts: number;
  progress?: Progress;
  error?: string;
  createdAt: string;
  dueAt?: string;
}

export type LinkLocation =
  | {
    kind: "page";
    organization: Organization;
    space: Space;
    versionContext?: VersionContext;
    page: PlainPage;
    internalLocation?: { type: "anchor"; anchor: string } | { type: "node"; node: string };
  }
  | {
    kind: "reusable-content";
    organization: Organization;
    space: Space;
    versionContext?: VersionContext;
    reusableContent: { object: "reusable-content"; id: string; title: string };
  };

export interface LinkStats {
  total: number;
  broken: { total: number; changeRequest: number };
}

export interface LinksInSpace {
  stats: LinkStats;
}

export interface Member {
  object: "member";
  id: string;
  role: Role | null;
  user: User;
  disabled: boolean;
  joinedAt: string;
  lastSeenAt?: string;
  sso: boolean;
  spaces: number;
  teams: number;
}

export interface MergeOutcome {
  revision: string;
  result: "merge" | "conflicts";
  conflicts?: Conflict[];
}

export interface NamedPage {
  id: string;
  type: "document" | "group" | "link" | "computed";
  title: string;
  path: string;
}

export type NewSiteRedirectDestination =
  | {
    /** `external` is an alias of `url`. */
    kind: "url" | "external";
    url: string;
  }
  | { kind: "page"; siteSpaceId: string; pageId: string }
  | { kind: "site-space"; siteSpaceId: string }
  | { kind: "site-section"; siteSectionId: string };

export interface OpenApiSpec {
  object: "openapi-spec";
  id: string;
  createdAt: string;
  updatedAt: string;
  slug: string;
  sourceURL?: string;
  /** `complete` is also the state after a failed run, with a `lastProcessErrorCode`. */
  processingState: "pending" | "progress" | "complete";
  progress?: Progress;
  visibility: "private" | "public";
  lastVersion?: string;
  lastProcessedAt?: string;
  /** The error code of the last run. Cleared by the next successful run. A failed run doesn't change the versions. */
  lastProcessErrorCode?: "FETCH_TIMEOUT" | "FETCH_ERROR" | "PARSE_ERROR";
  /** The error message of the last run. */
  lastProcessErrorMessage?: string;
  permissions: { view: boolean; edit: boolean };
  urls: {
    location: string;
    app: string;
    /** The public URL of a public specification. */
    published?: string;
  };
}

export interface OpenApiSpecContent {
  /** The specification and all documents that it refers to, by name. A `$ref` to another document starts with the name of that document. */
  filesystem: Record<string, { dir: string; isEntrypoint: boolean; filename: string; references: string[]; specification: unknown }>;
  url: string;
}

export interface OpenApiSpecVersion {
  object: "openapi-spec-version";
  id: string;
  createdAt?: string;
  /** The URL that the text was fetched from, or its own URL if it was provided as text. */
  url: string;
  urls: { location: string };
}

export interface Organization {
  object: "organization";
  id: string;
  title: string;
  createdAt: string;
  emailDomains: string[];
  /** The verification records of the email domains. Returned to admins. */
  domainProofs?: DomainProof[];
  hostname?: string;
  type: "business" | "community";
  useCase?: OrganizationUseCase;
  communityType?: "nonProfit" | "openSource" | "education";
  defaultRole?: Role | null;
  defaultContent?: { type: "site"; site: string };
  sso?: boolean;
  ai?: boolean;
  inviteLinks: boolean;
  plan: string;
  trial: { status: "notapplicable" };
  urls: { location: string; app: string; logo?: string };
  permissions: {
    view: boolean;
    admin: boolean;
    ownTeam: boolean;
    createContent: boolean;
    createOpenAPISpec: boolean;
    ingestConversations: boolean;
    viewBilling: boolean;
    listMembers: boolean;
    listTeams: boolean;
    listIntegrations: boolean;
    listInstallations: boolean;
    installIntegration: boolean;
  };
}

export type OrganizationUseCase =
  | "internalDocs"
  | "docsSite"
  | "audienceControlledSite"
  | "productDocs"
  | "teamKnowledgeBase"
  | "designSystem"
  | "openSourceDocs"
  | "notes"
  | "other";

export interface Page extends PageInTree {
  markdown?: string;
  document?: Document;
}

export interface PageCover {
  ref: Reference;
  refDark?: Reference;
  yPos?: number;
}

export interface PageInTree extends PlainPage {
  pages: PageInTree[];
}

export interface PageLayout {
  width: "default" | "wide";
  cover: boolean;
  coverSize: "hero" | "full";
  title: boolean;
  description: boolean;
  tableOfContents: boolean;
  outline: boolean;
  pagination: boolean;
  metadata: boolean;
}

export interface PageLayoutChanges {
  width?: "default" | "wide";
  cover?: boolean;
  coverSize?: "hero" | "full";
  title?: boolean;
  description?: boolean;
  tableOfContents?: boolean;
  outline?: boolean;
  pagination?: boolean;
  metadata?: boolean;
}

export interface PdfUrl {
  url: string;
}

export interface PlainPage extends NamedPage {
  object: "page";
  /** An alias of the type: `sheet` for a document, `link`, or `group` for a container of pages. */
  kind: "sheet" | "group" | "link";
  slug: string;
  emoji?: string;
  icon?: string;
  description?: string;
  documentId?: string;
  /** The source of a computed page. Omitted for other pages. */
  computed?: {
    /** The type of source, such as `builtin:openapi`. */
    type: string;
    /** The dependencies of the source, by name. */
    dependencies: Record<string, unknown>;
    /** The properties passed to the source. */
    props: Record<string, unknown>;
  };
  /** Identifies the computed content. The page changes only if this value changes. */
  computedSeed?: string;
  createdAt: string;
  updatedAt: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  layout?: PageLayout;
  cover?: PageCover;
  variables?: Record<string, string | number | boolean>;
  target?: Reference;
  href?: string;
  git?: { oid: string; path: string };
  /** The language of the page in multilingual content, such as `de`. */
  language?: string;
  /** The IDs of the translations of the page, by language. */
  translations?: Record<string, string>;
  urls: { app: string };
}

/** The progress of the job. Present while it is running. */
export interface Progress {
  done: number;
  /** The total amount of work. Omitted if unknown. */
  total?: number;
  /** The current step, such as `reading`. */
  step: string;
}

export interface PublishedContentSite {
  object: "published-content-site";
  site: Site;
  structure: SiteStructure;
  customizations: {
    site: SiteCustomization;
    /** The settings by site-space: those of the site, overridden by those of the site-space. */
    siteSpaces: Record<string, SiteCustomization>;
  };
  scripts: {
    /** The URL of the JavaScript. It changes whenever the script may have changed. */
    script: string;
    contentSecurityPolicy?: string;
    /** Whether the script can use cookies. */
    cookies: boolean;
    /** The ID of the space whose pages include the script. Omitted if all pages include it. */
    space?: string;
  }[];
}

export interface PublishedPage extends PublishedPageInTree {
  markdown?: string;
  document?: Document;
  references?: PublishedReference[];
  /** The operation that a computed page documents, from a specification of the organization. */
  operation?: {
    /** The slug or ID of the specification. */
    spec: string;
    /** The method of the operation, such as `get`. */
    method: string;
    path: string;
  };
  /** The URL for editing the source in a Git repository, if the site shows it. */
  editURL?: string;
  previous?: PublishedPageName;
  next?: PublishedPageName;
}

export interface PublishedPageInTree extends PublishedPageName {
  object: "page";
  /** An alias of the type: `sheet` for a document, `link`, or `group` for a container of pages. */
  kind: "sheet" | "group" | "link";
  slug: string;
  updatedAt: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  layout?: PageLayout;
  cover?: PageCover;
  /** The target of a link. Omitted if there is none. */
  href?: string;
  /** The language of the page in multilingual content, such as `de`. */
  language?: string;
  /** The IDs of the translations of the page, by language. */
  translations?: Record<string, string>;
  pages: PublishedPageInTree[];
  more?: boolean;
}

export interface PublishedPageName extends NamedPage {
  emoji?: string;
  icon?: string;
  description?: string;
  urls: { published?: string };
}

export type PublishedReference =
  | {
    kind: "page" | "anchor";
    ref: Reference;
    siteSpace: string;
    page: PublishedPageName;
    /** The target of a link. Omitted if there is none. */
    href?: string;
    urls: { published?: string };
  }
  | { kind: "space"; ref: Reference; siteSpace: string; title: string; urls: { published?: string } }
  | { kind: "file"; ref: Reference; file: File }
  | { kind: "openapi"; ref: Reference; openAPISpec: OpenApiSpec };

export type PublishedUrl =
  | {
    object: "published-url";
    type: "content";
    organization: string;
    site: string;
    siteSection?: string;
    siteSpace: string;
    space: string;
    /** The ID of the previewed change request. */
    changeRequest?: string;
    /** The ID of the previewed revision. Omitted outside of previews. */
    revision?: string;
    /** The base path of the site on the domain of the URL, with a trailing slash. */
    siteBasePath: string;
    /** The base path of the space: `siteBasePath` followed by the path of the space. */
    basePath: string;
    /** The rest of the path after `basePath`, with a leading slash. */
    pathname: string;
    /** Whether no section or site-space that the visitor can view has a path below `basePath`. `pathname` matches no page if `page` is omitted. */
    complete: boolean;
    /** The ID of the page. Omitted if there is no page to show. */
    page?: string;
    pagePath?: string;
    /** A short-lived JWT, used as a bearer token to read the content of this site that the visitor can view. Its `claims` are those of the visitor. */
    apiToken: string;
    /** The key of the share link in the URL. */
    shareKey?: string;
    /** Identical for visitors with identical claims. Omitted if visitors have no claims. */
    contextId?: string;
    /** The canonical URL on the site. */
    canonicalUrl: string;
    urls: { published: string };
  }
  | {
    object: "published-url";
    type: "redirect";
    organization: string;
    site: string;
    /** `content`: on the same site; `external`: anywhere else, such as a sign-in page. */
    target: "application" | "content" | "external";
    /** The redirect target. */
    redirect: string;
    urls: {
      /** An alias of `redirect`. */
      target: string;
    };
  };

export interface PublishingAuth {
  object: "publishing-auth";
  backend: "custom" | "integration";
  integration?: string;
  /** The URL that unauthenticated visitors are redirected to. */
  fallbackURL?: string;
  hasPrivateKey: boolean;
  /** The secret for signing visitor JWTs with HS256. Returned only to callers who can publish every space on the site. */
  privateKey?: string;
  privateKeyCreatedAt?: string;
  urls: {
    location: string;
    /** The URL to redirect visitors without access to, with the path as `location`. */
    login: string;
  };
}

export type Reference =
  | { kind: "url"; url: string }
  | { kind: "file"; file: string }
  | { kind: "page"; page: string; space?: string }
  | { kind: "anchor"; anchor: string; page?: string; space?: string }
  | { kind: "user"; user: string }
  | { kind: "collection"; collection: string }
  | { kind: "space"; space: string }
  | { kind: "reusable-content"; reusableContent: string; space?: string }
  | { kind: "openapi"; spec: string };

export interface RegeneratedPublishingAuth {
  object: "publishing-auth";
  backend: "custom" | "integration";
  integration?: string;
  /** The URL that unauthenticated visitors are redirected to. */
  fallbackURL?: string;
  hasPrivateKey: boolean;
  /** The new secret for signing visitor JWTs with HS256. The previous secret is revoked. */
  privateKey: string;
  privateKeyCreatedAt?: string;
  urls: {
    location: string;
    /** The URL to redirect visitors without access to, with the path as `location`. */
    login: string;
  };
}

export interface ReusableContent {
  object: "reusable-content";
  id: string;
  title: string;
  markdown?: string;
  document?: Document;
  git?: { oid: string; path: string };
}

export interface ReviewersRequested {
  /** The requested reviewers, in the order of the request. */
  users: User[];
}

export interface Revision {
  object: "revision";
  id: string;
  parents: string[];
  type: "edits" | "merge" | "rollback" | "update" | "computed";
  mergedFrom?: ChangeRequest;
  createdAt: string;
  /** The Git commit that it was imported from or exported to. */
  git?: { oid: string; message: string; createdByService: boolean; url?: string; ref: string };
  urls: { location: string; app: string };
  pages: PageInTree[];
  files: File[];
  reusableContents: RevisionReusableContent[];
  variables: Record<string, string | number | boolean>;
}

export interface RevisionReusableContent {
  object: "reusable-content";
  id: string;
  title: string;
  /** The ID of the document, for `…/documents/{documentId}`. */
  document: string;
  git?: { oid: string; path: string };
}

export interface RevisionSummary {
  object: "revision";
  id: string;
  parents: string[];
  type: "edits" | "merge" | "rollback" | "update" | "computed";
  mergedFrom?: ChangeRequest;
  createdAt: string;
  /** The Git commit that it was imported from or exported to. */
  git?: { oid: string; message: string; createdByService: boolean; url?: string; ref: string };
  urls: { location: string; app: string };
  createdBy: string;
  number: number;
}

export type Role = "read" | "comment" | "edit" | "review" | "create" | "admin";

export interface SamlProvider {
  object: "saml-provider";
  id: string;
  label: string;
  ssoURL?: string;
  sloURL?: string;
  entityID?: string;
  certificate?: string;
  defaultTeam?: Team;
  defaultRole: Role | null;
  createdAt: string;
  status: "active" | "pending";
  service: { acsURL: string; startURL: string; entityID: string };
  urls: { location: string };
}

export interface ScimToken {
  object: "scim-token";
  id: string;
  label: string;
  createdAt: string;
  token?: string;
  urls: { location: string };
}

export interface Session {
  object: "session";
  id: string;
  by: "saml" | "openid-connect" | "email" | "link";
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  address?: string;
  userAgent?: string;
  urls: { location: string };
}

export interface ShareLink {
  object: "share-link";
  id: string;
  name: string;
  active: boolean;
  /** The secret key. Returned only once, when the link is created or its key is replaced. */
  key?: string;
  createdAt: string;
  urls: {
    location: string;
    /** The site URL including the key. Returned only together with the key. */
    published?: string;
  };
}

export interface Site {
  object: "site";
  id: string;
  type: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
  title: string;
  icon?: { icon: { light: string; dark: string } } | { emoji: string } | Record<string, never> | null;
  hostname?: string;
  basename?: string;
  proxy?: {
    /** The public location of the site: a domain and a subdirectory, such as `www.example.com/docs`. */
    origin: string;
    /** The URL that the proxy forwards requests to. */
    target: string;
  };
  /** The verification records of the custom domains. Returned for a single site, to callers who can change it. */
  domainProofs?: DomainProof[];
  visibility: SiteVisibility;
  published: boolean;
  siteSpaces: number;
  createdAt: string;
  adaptiveContent?: { enabled: boolean };
  ads?:
    | { status: "pending"; submittable: boolean }
    | { status: "in-review"; topic: "webdev" | "crypto" }
    | { status: "rejected"; reason?: string }
    | { status: "live" | "disabled"; topic: "webdev" | "crypto"; zoneId: string };
  agentsContext: "excluded" | "included";
  features: {
    id: string;
    plan: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
    frozen: boolean;
    customizations?: string[];
  }[];
  urls: { location: string; app: string; published?: string };
  permissions?: { view: boolean; edit: boolean; admin: boolean };
}

export interface SiteAdaptiveSchema {
  object: "site-adaptive-schema";
  /** A JSON Schema (draft-07) of booleans, strings (plain or `enum`), numbers, arrays of these, and objects of these. */
  jsonSchema: { type: "object"; additionalProperties: false; [name: string]: unknown };
  updatedAt: string;
}

export interface SiteCustomization {
  /** The displayed name. Omitted if it is the title of the site. Always present in responses for visitors. */
  title?: string;
  styling: {
    theme: "clean" | "muted" | "bold" | "gradient";
    primaryColor: CustomizationColor;
    infoColor: CustomizationColor;
    successColor: CustomizationColor;
    warningColor: CustomizationColor;
    dangerColor: CustomizationColor;
    corners: "straight" | "rounded" | "circular";
    depth: "subtle" | "flat";
    links: "default" | "accent";
    background: "plain" | "match";
    icons: "regular" | "solid" | "duotone" | "light" | "thin";
    search: "prominent" | "subtle";
    tint?: { color: CustomizationColor };
    font:
      | "Inter"
      | "Roboto"
      | "RobotoSlab"
      | "OpenSans"
      | "SourceSansPro"
      | "Lato"
      | "Ubuntu"
      | "Raleway"
      | "Merriweather"
      | "Overpass"
      | "NotoSans"
      | "IBMPlexSerif"
      | "Poppins"
      | "FiraSans"
      | "ABCFavorit"
      | FontInUse;
    monospaceFont:
      | "FiraCode"
      | "IBMPlexMono"
      | "JetBrainsMono"
      | "SourceCodePro"
      | "RobotoMono"
      | "SpaceMono"
      | "DMMono"
      | "Inconsolata"
      | FontInUse;
    sidebar: { background: "default" | "filled"; list: "default" | "pill" | "line" };
  };
  internationalization: {
    locale: "en" | "fr" | "es" | "zh" | "ja" | "de" | "nl" | "no" | "pt-br" | "ru";
    /** The language of the content, if `locale` doesn't support it. */
    language?: string;
  };
  favicon: { icon: CustomizationImage } | { emoji: string } | Record<string, never>;
  header: {
    preset: "default" | "bold" | "contrast" | "custom" | "none";
    logo?: CustomizationImage;
    backgroundColor?: CustomizationColor;
    linkColor?: CustomizationColor;
    links: {
      title: string;
      to: SiteLinkTarget | null;
      style: "link" | "button-primary" | "button-secondary";
      /** The condition under which visitors see the link. Not returned to visitors. */
      condition?: string;
      /** The URL of the target for the current visitor. Present only in responses for visitors. */
      url?: string;
      links: {
        title: string;
        to: SiteLinkTarget | null;
        /** The URL of the target for the current visitor. Present only in responses for visitors. */
        url?: string;
      }[];
    }[];
  };
  footer: {
    logo?: CustomizationImage;
    groups: {
      title: string;
      links: {
        title: string;
        to: SiteLinkTarget | null;
        /** The URL of the target for the current visitor. Present only in responses for visitors. */
        url?: string;
      }[];
    }[];
    copyright?: string;
  };
  announcement?: {
    enabled: boolean;
    message: string;
    style: "info" | "warning" | "danger" | "success";
    link?: {
      title: string;
      to: SiteLinkTarget | null;
      /** The URL of the target for the current visitor. Present only in responses for visitors. */
      url?: string;
    };
  };
  themes: {
    default: "light" | "dark";
    toggeable: boolean;
    /** Whether the preference of the reader's device takes precedence, if it has one. */
    followsDevice: boolean;
  };
  pdf: { enabled: boolean };
  feedback: { enabled: boolean };
  ai: { mode: "none" | "search" | "assistant" | "integration"; integrationId?: string };
  advancedCustomization: { enabled: boolean };
  git: { showEditLink: boolean };
  pageActions: { externalAI: boolean; markdown: boolean };
  externalLinks: { target: "self" | "blank" };
  pagination: { enabled: boolean };
  trademark: { enabled: boolean };
  privacyPolicy: { url?: string };
  socialPreview: {
    url?: string;
    /** The text shown with the preview. */
    description?: string;
  };
  insights: { trackingCookie: boolean };
}

export interface SiteExternalLink {
  object: "site-external-link";
  id: string;
  title: string;
  description?: string;
  icon?: string;
  url: string;
  sectionGroup?: string;
  draft: boolean;
  condition?: string;
  urls: { location: string };
}

export type SiteIntegrationScripts = {
  /** The URL of the JavaScript. It changes whenever the script may have changed. */
  script: string;
  contentSecurityPolicy?: string;
  /** Whether the script can use cookies. */
  cookies: boolean;
  /** The ID of the space whose pages include the script. Omitted if all pages include it. */
  space?: string;
}[];

export type SiteLinkTarget =
  | { kind: "url"; url: string }
  | { kind: "page"; space: string; page: string }
  | { kind: "anchor"; space: string; page: string; anchor: string }
  | { kind: "space"; space: string }
  | { kind: "site-space"; siteSpace: string }
  | { kind: "site-section"; siteSection: string };

export interface SitePreview {
  object: "site-preview";
  organization: string;
  site: string;
  siteSection?: string;
  siteSpace: string;
  space: string;
  /** The ID of the previewed change request. */
  changeRequest?: string;
  /** The ID of the revision that the preview currently shows. */
  revision: string;
  /** The base path of the site on the domain of the URL, with a trailing slash. */
  siteBasePath: string;
  /** The base path of the space: `siteBasePath` followed by the path of the space. */
  basePath: string;
  /** The rest of the path after `basePath`, with a leading slash. */
  pathname: string;
  /** Whether no section or site-space that the visitor can view has a path below `basePath`. `pathname` matches no page if `page` is omitted. */
  complete: boolean;
  /** The ID of the page. Omitted if there is no page to show. */
  page?: string;
  pagePath?: string;
  /** A short-lived JWT, used as a bearer token to read the content of this site that the visitor can view. Its `claims` are those of the visitor. */
  apiToken: string;
  /** The key of the share link in the URL. */
  shareKey?: string;
  /** Identical for visitors with identical claims. Omitted if visitors have no claims. */
  contextId?: string;
  /** The canonical URL on the site. */
  canonicalUrl: string;
  urls: {
    /** The preview URL, with the preview token in the `preview` parameter. */
    preview: string;
    /** The public URL of the space once the site is published. */
    published: string;
  };
}

export interface SitePreviewUrl {
  /** The preview URL, with the preview token in the `preview` parameter. */
  url: string;
}

export interface SiteRedirect {
  object: "site-redirect";
  id: string;
  /** The decoded path to redirect from, below the site URL. */
  source: string;
  destination: SiteRedirectDestination;
  /** Whether the redirect is saved but not followed. */
  draft: boolean;
  createdAt: string;
  urls: { location: string };
}

export type SiteRedirectDestination =
  | { kind: "url"; url: string }
  | {
    kind: "page";
    /** Omitted while the target isn't on the site. */
    siteSpaceId?: string;
    pageId: string;
  }
  | {
    kind: "site-space";
    /** Omitted while the target isn't on the site. */
    siteSpaceId?: string;
  }
  | { kind: "site-section"; siteSectionId: string };

export interface SiteRedirectResult {
  source: string;
  status: "created" | "updated" | "deleted" | "failed";
  redirect?: SiteRedirect;
  error?: {
    /** The HTTP status that the change would have had by itself. */
    code: number;
    reason: string;
    message: string;
  };
}

export interface SiteRedirectResults {
  results: SiteRedirectResult[];
}

export interface SiteRedirectTarget {
  source: string;
  target: string;
  redirect?: SiteRedirect;
}

export interface SiteRedirects {
  redirects: SiteRedirect[];
}

export type SiteSearchScope =
  | {
    mode: "default";
    /** The site-space that the visitor is on. It is searched in place of the default of its section. */
    currentSiteSpace?: string;
    includedSiteSpaces?: string[];
  }
  | { mode: "specific"; siteSpaceIds: string[] }
  | { mode: "all" };

export interface SiteSection {
  object: "site-section";
  id: string;
  title: string;
  description?: string;
  default: boolean;
  path: string;
  condition?: string;
  sectionGroup?: string;
  icon?: string;
  siteSpaces: SiteSpace[];
  urls: { location: string; published?: string };
}

export interface SiteSectionGroup {
  object: "site-section-group";
  id: string;
  title: string;
  icon?: string;
  sections: SiteSection[];
  /** The sections and the external links in their order. Omitted if the group has no external links. */
  children?: (SiteSection | SiteExternalLink)[];
  urls: { location: string };
}

export interface SiteSpace {
  object: "site-space";
  id: string;
  path: string;
  section?: string;
  space: Space;
  title: string;
  default: boolean;
  condition?: string;
  hasAdvancedCustomizationFeature: boolean;
  urls: { location: string; published?: string };
}

export interface SiteSpaceCustomization extends SiteCustomization {
  object: "site-space-customization";
  siteSpace: string;
  overrides: CustomizationChanges;
}

export type SiteStructure =
  | { type: "sections"; structure: (SiteSection | SiteSectionGroup | SiteExternalLink)[] }
  | { type: "siteSpaces"; structure: SiteSpace[] };

export type SiteVisibility = "public" | "unlisted" | "share-link" | "visitor-auth";

export interface Space {
  object: "space";
  id: string;
  title: string;
  /** An emoji, as a character or as a hexadecimal code point such as `1f4d8`. Empty if there is none. */
  emoji: string;
  icon?: string;
  language?: TranslationLanguage;
  visibility: SpaceVisibility;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  editMode: "live" | "locked";
  organization: string;
  parent?: string;
  revision: string;
  defaultLevel: DefaultLevel;
  comments: number;
  changeRequests: number;
  changeRequestsOpen: number;
  changeRequestsDraft: number;
  urls: { location: string; app: string };
  gitSync?: GitSync;
  transfer?: { organization: string; job: string };
  permissions: {
    view: boolean;
    access: boolean;
    admin: boolean;
    viewInviteLinks: boolean;
    edit: boolean;
    triggerGitSync: boolean;
    comment: boolean;
    merge: boolean;
    review: boolean;
    installIntegration: boolean;
  };
}

export interface SpaceIntegrationBlock extends IntegrationBlock {
  /** The name of the integration that declares it. */
  integration: string;
}

export type SpaceIntegrationScripts = {
  /** The URL of the JavaScript. It changes whenever the script may have changed. */
  script: string;
  contentSecurityPolicy?: string;
  /** Whether the script can use cookies. */
  cookies: boolean;
  /** The ID of the space whose pages include the script. Omitted if all pages include it. */
  space?: string;
}[];

export type SpaceVisibility = "public" | "unlisted" | "share-link" | "visitor-auth" | "in-collection" | "private";

export interface SsoProvider {
  id: string;
  label: string;
  startURL: string;
}

export interface Subdomain {
  object: "subdomain";
  subdomain: string;
  target: { type: "organization"; organization: string };
  isActive: boolean;
}

export interface Team {
  object: "team";
  id: string;
  title: string;
  members: number;
  spaces: number;
  createdAt: string;
  urls: { location: string };
  permissions: { admin: boolean; view: boolean };
}

export interface TeamGrant {
  permission: Role;
  team: Team;
}

export interface TeamMember extends Member {
  /** The ID of the organization. */
  organization: string;
  /** The ID of the team. */
  team: string;
  teamRole: TeamRole;
  permissions: { view: boolean; admin: boolean; remove: boolean };
}

export type TeamRole = "owner" | "member";

export interface Template {
  object: "template";
  id: string;
  title: string;
  description: string;
  pages: number;
}

export interface Token {
  object: "token";
  id: string;
  label: string;
  scopes: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  token?: string;
  urls: { location: string };
}

export interface Translation {
  object: "translation";
  id: string;
  /** `running` with an `error` is retried automatically. */
  status: "pending" | "running" | "completed" | "failed";
  /** The reason for the failure or the retry, as a sentence. */
  error?: string;
  progress?: Progress;
  source: { space: string; language?: TranslationLanguage };
  language: TranslationLanguage;
  instructions?: Document;
  result: {
    space: string;
    /** The ID of the result revision that the last run produced. */
    revision: string;
  };
  createdAt: string;
  updatedAt: string;
  stats: {
    /** The number of finished runs. */
    runs: number;
    /** The number of words that were sent to the translator. */
    totalWords: number;
    /** The number of translated pages. A page counts each time that it is translated. */
    totalPages: number;
    /** The duration of all runs in milliseconds. */
    totalDuration: number;
    /** The duration of the latest run in milliseconds. */
    latestRunDuration: number;
    latestPages: number;
    latestWords: number;
  };
  /** Sentences that weren't translated, because the translator's response would have changed more than the words. `pages` lists the first 100 pages and reusable contents. The next run retries them. */
  untranslated?: { count: number; pages: { page: string; count: number }[] };
  permissions: { view: boolean; edit: boolean };
  urls: { location: string };
}

export type TranslationLanguage =
  | "en"
  | "fr"
  | "de"
  | "es"
  | "it"
  | "pt"
  | "pt-br"
  | "ru"
  | "ja"
  | "zh"
  | "yue"
  | "ko"
  | "ar"
  | "hi"
  | "nl"
  | "pl"
  | "tr"
  | "sv"
  | "no"
  | "da"
  | "fi"
  | "el"
  | "cs"
  | "hu"
  | "ro"
  | "th"
  | "vi"
  | "id"
  | "ms"
  | "he"
  | "uk"
  | "sk"
  | "bg"
  | "hr"
  | "lt"
  | "lv"
  | "et"
  | "sl";

export interface TreePosition {
  before?: { type: "space"; space: string } | { type: "collection"; collection: string };
  after?: { type: "space"; space: string } | { type: "collection"; collection: string };
}

export interface UpdateOutcome {
  revision: string;
  result: "update" | "conflicts";
  conflicts?: Conflict[];
}

export interface User {
  object: "user";
  id: string;
  displayName: string;
  email: string;
  photoURL?: string;
  urls: { location: string };
}

export interface UserGrant {
  permission: Role;
  user: User;
}

export type VersionContext = { type: "revision"; revision: string } | { type: "changeRequest"; changeRequest: string };
