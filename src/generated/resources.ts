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

export interface ChangeRequestInOrganization extends ChangeRequest {
  /** The space that it would change. */
  space: string;
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
    /** The review of the change request that it was written with. */
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
    /** The cell of the table that `node` names, as it was given. It is not compared with the table. */
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

/** What is computed from, as a computed page states it. */
export interface ComputedSource {
  /** `builtin:openapi`, or `integration:<name>:<source>`. */
  type: string;
  /** What the source is asked with. Default: nothing. */
  props?: Record<string, unknown>;
  /** References that it depends on, by name. Default: none. */
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
  more: boolean;
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
      /** The language of the texts, where `locale` does not have it. */
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
        /** Which visitors see the link. Visitors do not see it. */
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
      /** Whether the reader's device decides, where it says what it wants. */
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
      /** The sentence that is shown with it. */
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
        /** Which visitors see the link. Visitors do not see it. */
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
  /** Until it is, the domain leads nobody here. */
  verified: boolean;
  /** The record of DNS to publish, where the server looks for one. */
  record: { type: "TXT"; name: string; value: string };
}

export type Embed =
  | {
    type: "link";
    title: string;
    /** The name of the site, or its host. */
    site: string;
    icon?: string;
  }
  | {
    type: "rich";
    title: string;
    /** The name of the site, or its host. */
    site: string;
    icon?: string;
    /** One `<iframe>` with a sandbox, at a public https address. The API writes it; nothing of the host's markup is in it. */
    html: string;
  }
  | {
    type: "integration";
    title: string;
    /** The name of the site, or its host. */
    site: string;
    icon?: string;
    /** The name of the integration that shows the address. */
    integration: string;
    /** The id of its block. */
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
  /** Of a font of the organization; left out where it is defined here. */
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
  /** Requests that are not done yet. */
  waiting: number;
  lastRun?: {
    direction: "import" | "export";
    /** `running` with an `error` is tried again by itself. */
    status: "running" | "completed" | "failed";
    requestedAt: string;
    error?: string;
    commit?: string;
    revision?: string;
    /** Files of the repository that were not taken, or not as they are, and why: the first thousand or so by name. */
    skipped?: { resource: string; reason: string }[];
  };
  progress?: Progress;
  /** The commit that the space is in step with. */
  commit?: string;
  /** What both sides had changed in their own ways. The space kept its own; `revision` has the repository's side. */
  conflicts?: { revision: string; count: number; list: Conflict[] };
}

export interface GitSync {
  repoName: string;
  installationProvider?: "github" | "gitlab" | "github-legacy";
  /** The name of the integration that keeps them in step. */
  integration?: string;
  /** The repository, without name and password. */
  url: string;
  updatedAt: string;
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
  /** Where it came from, without name, password and query. Left out for a text that was given. */
  url?: string;
  /** The number of imported pages and files in the revision. */
  importedResources: number;
  /** The number of pages and files that were found. */
  totalResources: number;
  /** What was found and not taken, or not as it was, and why: the first thousand or so by name. */
  skipped: { resource: string; reason: string }[];
  /** Parts of pages that were left out as the site around them, such as `nav.sidebar`: of how many pages, and how many characters in all of them. */
  leftOut: { part: string; pages: number; characters: number }[];
  createdAt: string;
}

export type ImportSource = "website" | "docx" | "markdown" | "html" | "zip" | "confluence" | "github-wiki" | "notion" | "google-docs";

export interface InsightsAggregate {
  object: "insights-aggregate";
  range: { from: string; to: string };
  /** The number of events, by their type: one member for each type of `select`. */
  total: Record<string, number>;
  rows: InsightsRow[];
  /** Whether there are more rows than `limit`. */
  isCut: boolean;
}

export interface InsightsEvent {
  type: InsightsEventType;
  location?: InsightsLocation;
  session?: InsightsSession;
  /** What was searched for or asked; counted as a text, see the operation. */
  query?: string;
  feedback?: {
    /** How good the page was. */
    rating: "bad" | "ok" | "good" | 1 | 2 | 3;
    /** Not stored: a text that people write may name somebody. */
    comment?: string;
  };
  /** Has no effect here. */
  result?: Record<string, unknown>;
  /** Has no effect here. */
  link?: Record<string, unknown>;
  /** Has no effect here. */
  ad?: Record<string, unknown>;
  /** Has no effect here: an event is counted on the day on which it arrives. */
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
  /** Not stored. Integrations that hear of views are told. */
  url?: string;
  /** The site-space that the page is on. */
  siteSpace?: string | null;
  /** Its space, where `siteSpace` is not said. */
  space?: string | null;
  /** The page, which is in the space. */
  page?: string | null;
  /** Has no effect here. */
  siteSection?: string | null;
  /** Has no effect here. */
  siteShareLink?: string | null;
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
  /** The number of events, by their type: one member for each type of `select`. */
  counts: Record<string, number>;
}

export interface InsightsSession {
  /** Not stored. Integrations hear it as `anonymousId`. */
  visitorId?: string;
  /** Not stored. */
  sessionId?: string;
  /** Not stored: the class of the device and the family of the browser are. */
  userAgent?: string;
  /** Counted without its region: `de-AT` is `de`. */
  language?: string | null;
  /** Only its host is counted. */
  referrer?: string | null;
  /** Told only to integrations that hold the scope for cookies. Default: none. */
  cookies?: Record<string, string>;
  /** Not stored. Integrations that hear of views are told it if an editor of the site reports it. */
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
  urls: { location: string; icon?: string; app: string; assets: string; publicEndpoint: string };
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
  /** Left out where the integration as a whole was called. */
  installationId?: string;
  createdAt: string;
  payload: IntegrationEventPayload;
  status: "success" | "failed";
  /** Whether it will be tried again. */
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
  /** What it may do: what was agreed to, as far as the integration still asks for it. */
  scopes: IntegrationScope[];
  /** What the integration asks for beyond that. An admin agrees by changing `scopes`. */
  pendingScopes: IntegrationScope[];
  /** Left out for those who may not change it. */
  configuration?: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  urls: { location: string; app: string; publicEndpoint: string };
  externalIds: string[];
  target: { organization: string };
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
  | "site:adaptive:read"
  | "site:adaptive:write"
  | "site:ai:ask"
  | "openapi:read"
  | "openapi:write"
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
  /** Also the id of the event that the integration gets. */
  id: string;
  /** What the integration is told, as it was given. */
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
  /** The same as `role`, under its other name. */
  level: Role | null;
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
  | { kind: "url"; url: string }
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
  /** `complete` also says that the last run failed: then there is a `lastProcessErrorCode`. */
  processingState: "pending" | "progress" | "complete";
  progress?: Progress;
  visibility: "private" | "public";
  lastVersion?: string;
  lastProcessedAt?: string;
  /** Why the last run failed; gone with the next good one. The versions stay as they are. */
  lastProcessErrorCode?: "FETCH_TIMEOUT" | "FETCH_ERROR" | "PARSE_ERROR";
  /** The same in a sentence. */
  lastProcessErrorMessage?: string;
  permissions: { view: boolean; edit: boolean };
  urls: {
    location: string;
    app: string;
    /** Where anyone reads a public specification. */
    published?: string;
  };
}

export interface OpenApiSpecContent {
  /** The specification and every document that it refers to, by their names. A `$ref` that leads to another document begins with its name. */
  filesystem: Record<string, { dir: string; isEntrypoint: boolean; filename: string; references: string[]; specification: unknown }>;
  url: string;
}

export interface OpenApiSpecVersion {
  object: "openapi-spec-version";
  id: string;
  createdAt?: string;
  /** Where its text was read; of one that was given as a text, where it is. */
  url: string;
  urls: { location: string };
}

export interface Organization {
  object: "organization";
  id: string;
  title: string;
  createdAt: string;
  emailDomains: string[];
  /** Of its e-mail domains, for admins. */
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
  /** The type in other words: `sheet` for a document, `link`, or `group` for what only holds pages. */
  kind: "sheet" | "group" | "link";
  slug: string;
  emoji?: string;
  icon?: string;
  description?: string;
  documentId?: string;
  /** What it is computed from. Pages that people write have none. */
  computed?: {
    /** The kind of source, such as `builtin:openapi`. */
    type: string;
    /** What it is made from, by name. */
    dependencies: Record<string, unknown>;
    /** What the source is told. */
    props: Record<string, unknown>;
  };
  /** Names what was computed: as long as it stays the same, so does the page. */
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
  /** Its language, in a book of several: such as `de`. */
  language?: string;
  /** The pages that say the same in other languages, by language. */
  translations?: Record<string, string>;
  urls: { app: string };
}

/** How far the work is; there while it goes on. */
export interface Progress {
  done: number;
  /** Left out while nobody knows how much there is to do. */
  total?: number;
  /** What is being done, such as `reading`. */
  step: string;
}

export interface PublishedContentSite {
  object: "published-content-site";
  site: Site;
  structure: SiteStructure;
  customizations: {
    site: SiteCustomization;
    /** By site-space: the site's settings with those of the site-space on top. */
    siteSpaces: Record<string, SiteCustomization>;
  };
  scripts: {
    /** Where the JavaScript is fetched. It changes when the script may have changed. */
    script: string;
    contentSecurityPolicy?: string;
    /** Whether it may use cookies. */
    cookies: boolean;
    /** The space whose pages carry it; left out where all pages do. */
    space?: string;
  }[];
}

export interface PublishedPage extends PublishedPageInTree {
  markdown?: string;
  document?: Document;
  references?: PublishedReference[];
  /** The operation that a computed page is about, of a specification of the organization. */
  operation?: {
    /** The slug or the id of the specification. */
    spec: string;
    /** The method of the operation, such as `get`. */
    method: string;
    path: string;
  };
  /** Where its source is changed in a Git repository, if the site shows that. */
  editURL?: string;
  previous?: PublishedPageName;
  next?: PublishedPageName;
}

export interface PublishedPageInTree extends PublishedPageName {
  object: "page";
  /** The type in other words: `sheet` for a document, `link`, or `group` for what only holds pages. */
  kind: "sheet" | "group" | "link";
  slug: string;
  updatedAt: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  layout?: PageLayout;
  cover?: PageCover;
  /** Where a link leads; left out when it leads nowhere. */
  href?: string;
  /** Its language, in a book of several: such as `de`. */
  language?: string;
  /** The pages that say the same in other languages, by language. */
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
    /** Where a link leads; left out when it leads nowhere. */
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
    /** The change request that is previewed. */
    changeRequest?: string;
    /** The revision that a preview shows; otherwise left out. */
    revision?: string;
    /** The path of the site at the host of the URL, with a slash at its end. */
    siteBasePath: string;
    /** The same of the space: `siteBasePath` and what leads to the space. */
    basePath: string;
    /** The rest of the path behind `basePath`, with a slash at its beginning. */
    pathname: string;
    /** False where `pathname` names no page that the visitor sees. The space is the one to look in. */
    complete: boolean;
    /** Absent where there is no page to show. */
    page?: string;
    pagePath?: string;
    /** A JWT for some minutes. As a bearer token it reads what this visitor sees of this site; its `claims` are what is known of the visitor. */
    apiToken: string;
    /** The key of the share link that stands in the URL. */
    shareKey?: string;
    /** Visitors of whom the same is known have the same one; left out where nothing is known of anybody. */
    contextId?: string;
    /** The URL that the site itself has for this. */
    canonicalUrl: string;
    urls: { published: string };
  }
  | {
    object: "published-url";
    type: "redirect";
    organization: string;
    site: string;
    /** `content`: on the same site; `external`: anywhere else, such as a login. */
    target: "application" | "content" | "external";
    /** Where the URL leads. */
    redirect: string;
    urls: {
      /** The same as `redirect`. */
      target: string;
    };
  };

export interface PublishingAuth {
  object: "publishing-auth";
  backend: "custom" | "integration";
  integration?: string;
  /** Where visitors are sent who are not signed in. */
  fallbackURL?: string;
  hasPrivateKey: boolean;
  /** The text to sign visitors' JWTs with, by HS256. Only for those who may show every space on the site. */
  privateKey?: string;
  privateKeyCreatedAt?: string;
  urls: {
    location: string;
    /** Where to send a visitor who is not let in, with the path as `location`. */
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
  /** Where visitors are sent who are not signed in. */
  fallbackURL?: string;
  hasPrivateKey: boolean;
  /** The text to sign visitors' JWTs with, by HS256. The one before is no longer good. */
  privateKey: string;
  privateKeyCreatedAt?: string;
  urls: {
    location: string;
    /** Where to send a visitor who is not let in, with the path as `location`. */
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
  /** The users who were asked, in the order of the request. */
  users: User[];
}

export interface Revision {
  object: "revision";
  id: string;
  parents: string[];
  type: "edits" | "merge" | "rollback" | "update" | "computed";
  mergedFrom?: ChangeRequest;
  createdAt: string;
  /** The commit that it came from or went into. */
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
  /** The id of its document, which `…/documents/{documentId}` reads. */
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
  /** The commit that it came from or went into. */
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
  /** Shown once, when the link is made or gets another key. */
  key?: string;
  createdAt: string;
  urls: {
    location: string;
    /** The site's URL with the key, while the key is shown. */
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
    /** Where readers find the site: a host and a directory, such as `www.example.com/docs`. */
    origin: string;
    /** Where that host asks for it. */
    target: string;
  };
  /** Of its hosts, for those who may change them, where one site is asked for. */
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
}

export interface SiteAdaptiveSchema {
  object: "site-adaptive-schema";
  /** JSON Schema draft-07 of booleans, texts (plain or `enum`), numbers, lists of those, and objects of them. */
  jsonSchema: { type: "object"; additionalProperties: false; [name: string]: unknown };
  updatedAt: string;
}

export interface SiteCustomization {
  /** Left out where it is the site's own; visitors always get one. */
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
    /** The language of the texts, where `locale` does not have it. */
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
      /** Which visitors see the link. Visitors do not see it. */
      condition?: string;
      /** Where it leads whoever asks; only in what visitors are given. */
      url?: string;
      links: {
        title: string;
        to: SiteLinkTarget | null;
        /** Where it leads whoever asks; only in what visitors are given. */
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
        /** Where it leads whoever asks; only in what visitors are given. */
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
      /** Where it leads whoever asks; only in what visitors are given. */
      url?: string;
    };
  };
  themes: {
    default: "light" | "dark";
    toggeable: boolean;
    /** Whether the reader's device decides, where it says what it wants. */
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
    /** The sentence that is shown with it. */
    description?: string;
  };
  insights: { trackingCookie: boolean };
}

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
  /** The change request that is previewed. */
  changeRequest?: string;
  /** The revision that the preview shows now. */
  revision: string;
  /** The path of the site at the host of the URL, with a slash at its end. */
  siteBasePath: string;
  /** The same of the space: `siteBasePath` and what leads to the space. */
  basePath: string;
  /** The rest of the path behind `basePath`, with a slash at its beginning. */
  pathname: string;
  /** False where `pathname` names no page that the visitor sees. The space is the one to look in. */
  complete: boolean;
  /** Absent where there is no page to show. */
  page?: string;
  pagePath?: string;
  /** A JWT for some minutes. As a bearer token it reads what this visitor sees of this site; its `claims` are what is known of the visitor. */
  apiToken: string;
  /** The key of the share link that stands in the URL. */
  shareKey?: string;
  /** Visitors of whom the same is known have the same one; left out where nothing is known of anybody. */
  contextId?: string;
  /** The URL that the site itself has for this. */
  canonicalUrl: string;
  urls: {
    /** The URL to open, with the token of the preview as its parameter `preview`. */
    preview: string;
    /** The URL that the space has on the site, once it is published. */
    published: string;
  };
}

export interface SiteRedirect {
  object: "site-redirect";
  id: string;
  /** The path under the site's URL that it begins at, decoded. */
  source: string;
  destination: SiteRedirectDestination;
  createdAt: string;
  urls: { location: string };
}

export type SiteRedirectDestination =
  | { kind: "url"; url: string }
  | {
    kind: "page";
    /** Left out while what it led to is not on the site. */
    siteSpaceId?: string;
    pageId: string;
  }
  | {
    kind: "site-space";
    /** Left out while what it led to is not on the site. */
    siteSpaceId?: string;
  }
  | { kind: "site-section"; siteSectionId: string };

export interface SiteRedirectTarget {
  source: string;
  target: string;
}

export interface SiteRedirects {
  redirects: SiteRedirect[];
}

export type SiteSearchScope = { mode: "default"; includedSiteSpaces?: string[] } | { mode: "specific"; siteSpaceIds: string[] } | { mode: "all" };

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

export type SiteStructure = { type: "sections"; structure: (SiteSection | SiteSectionGroup)[] } | { type: "siteSpaces"; structure: SiteSpace[] };

export type SiteVisibility = "public" | "unlisted" | "share-link" | "visitor-auth";

export interface Space {
  object: "space";
  id: string;
  title: string;
  /** A character, or its code point in hexadecimal digits such as `1f4d8`; empty: there is none. */
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
  teamRole: TeamRole;
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
  /** `running` with an `error` is tried again by itself. */
  status: "pending" | "running" | "completed" | "failed";
  /** Why it failed, or will be tried again: a sentence. */
  error?: string;
  progress?: Progress;
  source: { space: string; language?: TranslationLanguage };
  language: TranslationLanguage;
  instructions?: Document;
  result: {
    space: string;
    /** The revision of the result that the last run came to. */
    revision: string;
  };
  createdAt: string;
  updatedAt: string;
  stats: {
    /** Runs that came to an end. */
    runs: number;
    /** Words that were given to the translator. */
    totalWords: number;
    /** Pages that were translated, each as often as it was. */
    totalPages: number;
    /** In milliseconds. */
    totalDuration: number;
    /** In milliseconds. */
    latestRunDuration: number;
    latestPages: number;
    latestWords: number;
  };
  /** Sentences that kept their source, because what the translator made of them would have changed more than words; `pages` has the first 100 pages and reusable contents. `run` tries them again. */
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
