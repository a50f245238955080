// Content on the wire: pages, files, reusable contents, and the revisions that hold them.

import * as v from "valibot";
import { isSafeUrl } from "../../../content/document/safe-url";
import {
  BooleanParam,
  Id,
  namedObject,
  recordSchema,
  Timestamp,
  UrlString,
  User,
  Variable,
  VariableName,
} from "../../../operation/common-schemas";
import { Collection } from "../../library/collections/schema";
import { Space } from "../../library/spaces/schema";
import { Organization } from "../../people/organizations/schema";
import { ChangeRequest } from "../change-requests/change-request-schema";
import { OpenApiSpec } from "../openapi-specs/schema";

/** A URL that a browser opens and does not run as code. */
const SafeUrl = v.pipe(
  v.string("Expected an address"),
  v.maxLength(2048, "Expected at most 2048 characters"),
  v.check((url) => isSafeUrl(url, "link"), "Expected an address that is followed, such as one with https"),
);

/** A reference inside content. Its fields are ids; a space or page that is left out is the current one. */
export const Reference = v.pipe(
  v.variant(
    "kind",
    [
      v.strictObject({ kind: v.literal("url"), url: SafeUrl }),
      v.strictObject({ kind: v.literal("file"), file: Id }),
      v.strictObject({ kind: v.literal("page"), page: Id, space: v.optional(Id) }),
      v.strictObject({
        kind: v.literal("anchor"),
        anchor: v.pipe(v.string(), v.maxLength(512)),
        page: v.optional(Id),
        space: v.optional(Id),
      }),
      v.strictObject({ kind: v.literal("user"), user: Id }),
      v.strictObject({ kind: v.literal("collection"), collection: Id }),
      v.strictObject({ kind: v.literal("space"), space: Id }),
      v.strictObject({ kind: v.literal("reusable-content"), reusableContent: Id, space: v.optional(Id) }),
      v.strictObject({ kind: v.literal("openapi"), spec: v.pipe(v.string(), v.maxLength(100)) }),
    ],
    "Expected a reference",
  ),
  v.title("Reference"),
);

/** The most variables that one change sets. */
const MAX_VARIABLES_PER_CHANGE = 100;

export const VariableChanges = recordSchema(
  VariableName,
  v.nullable(Variable),
  MAX_VARIABLES_PER_CHANGE,
  `Expected at most ${MAX_VARIABLES_PER_CHANGE} variables at once`,
);

export const LayoutChanges = v.pipe(
  v.strictObject({
    width: v.optional(v.picklist(["default", "wide"], "Expected default or wide")),
    cover: v.optional(v.boolean()),
    coverSize: v.optional(v.picklist(["hero", "full"], "Expected hero or full")),
    title: v.optional(v.boolean()),
    description: v.optional(v.boolean()),
    tableOfContents: v.optional(v.boolean()),
    outline: v.optional(v.boolean()),
    pagination: v.optional(v.boolean()),
    metadata: v.optional(v.boolean()),
  }),
  v.title("PageLayoutChanges"),
);

/** The layout of a page, with the defaults for everything that the page does not state. */
export const Layout = namedObject("PageLayout", {
  width: v.picklist(["default", "wide"]),
  cover: v.boolean(),
  coverSize: v.picklist(["hero", "full"]),
  title: v.boolean(),
  description: v.boolean(),
  tableOfContents: v.boolean(),
  outline: v.boolean(),
  pagination: v.boolean(),
  metadata: v.boolean(),
});

/** The type of a page under the names that older readers know. */
export const PageKind = v.pipe(
  v.picklist(["sheet", "group", "link"]),
  v.description("An alias of the type: `sheet` for a document, `link`, or `group` for a container of pages."),
);

export const Cover = v.pipe(
  v.strictObject({
    ref: Reference,
    refDark: v.optional(Reference),
    yPos: v.optional(v.number()),
  }),
  v.title("PageCover"),
);

const Git = v.object({ oid: v.string(), path: v.string() });

/** The language members of a page in a book with several languages. */
export const languageEntries = {
  language: v.optional(
    v.pipe(v.string(), v.description("The language of the page in multilingual content, such as `de`.")),
  ),
  translations: v.optional(
    v.pipe(v.record(v.string(), Id), v.description("The IDs of the translations of the page, by language.")),
  ),
} as const;

/** A document as JSON. Its blocks are described in the guide. */
export const DocumentSchema = namedObject("Document", {
  object: v.literal("document"),
  data: v.record(v.string(), v.unknown()),
  nodes: v.array(v.unknown()),
});

/** The members of a page that are shown everywhere. */
export const pageSummaryEntries = {
  object: v.literal("page"),
  id: Id,
  type: v.picklist(["document", "group", "link", "computed"]),
  kind: PageKind,
  title: v.string(),
  slug: v.string(),
  path: v.string(),
  emoji: v.optional(v.string()),
  icon: v.optional(v.string()),
  description: v.optional(v.string()),
};

const pageEntries = {
  ...pageSummaryEntries,
  documentId: v.optional(v.string()),
  computed: v.optional(
    v.pipe(
      v.object({
        type: v.pipe(v.string(), v.description("The type of source, such as `builtin:openapi`.")),
        dependencies: v.pipe(
          v.record(v.string(), v.unknown()),
          v.description("The dependencies of the source, by name."),
        ),
        props: v.pipe(v.record(v.string(), v.unknown()), v.description("The properties passed to the source.")),
      }),
      v.description("The source of a computed page. Omitted for other pages."),
    ),
  ),
  computedSeed: v.optional(
    v.pipe(v.string(), v.description("Identifies the computed content. The page changes only if this value changes.")),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  hidden: v.optional(v.boolean()),
  noIndex: v.optional(v.boolean()),
  noRobotsIndex: v.optional(v.boolean()),
  condition: v.optional(v.string()),
  layout: v.optional(Layout),
  cover: v.optional(Cover),
  variables: v.optional(v.record(v.string(), Variable)),
  target: v.optional(Reference),
  href: v.optional(v.string()),
  git: v.optional(Git),
  ...languageEntries,
  urls: v.object({ app: UrlString }),
} as const;

/** A page in the tree, with the pages below it. */
export type PageNode = v.InferOutput<typeof PlainPage> & { pages: PageNode[] };

const PlainPage = namedObject("PlainPage", pageEntries);
export const PageInTree: v.GenericSchema<PageNode> = namedObject("PageInTree", {
  ...pageEntries,
  pages: v.array(v.lazy(() => PageInTree)),
});

/** A page with its text, in the requested format. */
export const Page = namedObject("Page", {
  ...pageEntries,
  markdown: v.optional(v.string()),
  document: v.optional(DocumentSchema),
  pages: v.array(PageInTree),
});

export const File = namedObject("File", {
  object: v.literal("file"),
  id: Id,
  name: v.string(),
  contentType: v.string(),
  downloadURL: UrlString,
  size: v.number(),
  dimensions: v.optional(v.object({ width: v.number(), height: v.number() })),
  git: v.optional(Git),
});

export const ReusableContent = namedObject("ReusableContent", {
  object: v.literal("reusable-content"),
  id: Id,
  title: v.string(),
  markdown: v.optional(v.string()),
  document: v.optional(DocumentSchema),
  git: v.optional(Git),
});

/** A reusable content in a revision. Its document is read by its id. */
export const RevisionReusableContent = namedObject("RevisionReusableContent", {
  object: v.literal("reusable-content"),
  id: Id,
  title: v.string(),
  document: v.pipe(v.string(), v.description("The ID of the document, for `…/documents/{documentId}`.")),
  git: v.optional(Git),
});

const revisionEntries = {
  object: v.literal("revision"),
  id: Id,
  parents: v.array(Id),
  type: v.picklist(["edits", "merge", "rollback", "update", "computed"]),
  mergedFrom: v.optional(ChangeRequest),
  createdAt: Timestamp,
  git: v.optional(
    v.pipe(
      v.object({
        oid: v.string(),
        message: v.string(),
        createdByService: v.boolean(),
        url: v.optional(v.string()),
        ref: v.string(),
      }),
      v.description("The Git commit that it was imported from or exported to."),
    ),
  ),
  urls: v.object({ location: UrlString, app: UrlString }),
} as const;

/** A revision without its content. */
export const RevisionSummary = namedObject("RevisionSummary", {
  ...revisionEntries,
  createdBy: Id,
  number: v.number(),
});

/** A revision with its content, without the texts of pages. */
export const Revision = namedObject("Revision", {
  ...revisionEntries,
  pages: v.array(PageInTree),
  files: v.array(File),
  reusableContents: v.array(RevisionReusableContent),
  variables: v.record(v.string(), Variable),
});

export const computedQuery = {
  computed: v.optional(v.pipe(BooleanParam, v.description("False excludes computed content. Defaults to true."))),
};

/** The query parameters of many reads of content. */
export const contentQuery = {
  metadata: v.optional(v.pipe(BooleanParam, v.description("False excludes Git metadata. Defaults to true."))),
  ...computedQuery,
};

export const Format = v.picklist(["document", "markdown"], "Expected document or markdown");
export const formatQuery = {
  format: v.optional(v.pipe(Format, v.description("The format of the content. Defaults to `markdown`."))),
};
export const evaluatedQuery = {
  evaluated: v.optional(
    v.pipe(
      BooleanParam,
      v.description("True resolves variables, reusable contents, included files and conditions. Defaults to false."),
    ),
  ),
};

const NamedPage = namedObject("NamedPage", {
  id: Id,
  type: v.picklist(["document", "group", "link", "computed"]),
  title: v.string(),
  path: v.string(),
});
const Spot = v.object({ parent: v.nullable(Id), path: v.string() });
const ChangedFile = v.object({ id: Id, name: v.string(), contentType: v.string(), size: v.number() });
const ChangedReusable = v.object({ id: Id, title: v.string() });
const ChangedVariable = v.object({ name: v.string(), before: v.optional(Variable), after: v.optional(Variable) });

const ContentChange = v.pipe(
  v.variant("type", [
    v.object({ type: v.picklist(["page_created", "page_deleted"]), page: NamedPage }),
    v.object({ type: v.literal("page_edited"), page: NamedPage, attributes: v.array(v.string()) }),
    v.object({ type: v.literal("page_moved"), page: NamedPage, from: Spot, to: Spot }),
    v.object({ type: v.picklist(["file_created", "file_edited", "file_deleted"]), file: ChangedFile }),
    v.object({
      type: v.picklist(["reusable_content_created", "reusable_content_edited", "reusable_content_deleted"]),
      reusableContent: ChangedReusable,
    }),
    v.object({
      type: v.picklist(["variable_created", "variable_edited", "variable_deleted"]),
      variable: ChangedVariable,
    }),
  ]),
  v.title("ContentChange"),
);

/** The changes between two states of content. */
export const ContentChanges = namedObject("ContentChanges", {
  changes: v.array(ContentChange),
  counts: v.record(v.string(), v.number()),
  more: v.pipe(v.number(), v.description("The number of changes that are not listed.")),
});

const InternalLocation = v.variant("type", [
  v.object({ type: v.literal("anchor"), anchor: v.string() }),
  v.object({ type: v.literal("node"), node: v.string() }),
]);
const VersionContext = v.optional(
  v.pipe(
    v.variant("type", [
      v.object({ type: v.literal("revision"), revision: Id }),
      v.object({ type: v.literal("changeRequest"), changeRequest: Id }),
    ]),
    v.title("VersionContext"),
  ),
);
/** The organization and the space of a thing. */
const home = { organization: Organization, space: Space };

const PageReference = v.object({
  kind: v.literal("page"),
  ...home,
  versionContext: VersionContext,
  page: PlainPage,
  internalLocation: v.optional(InternalLocation),
});
const ReusableReference = v.object({
  kind: v.literal("reusable-content"),
  ...home,
  versionContext: VersionContext,
  reusableContent: v.object({ object: v.literal("reusable-content"), id: Id, title: v.string() }),
});

/** The position of a link. Its page or reusable content is in the same space as the list. */
export const LinkLocation = v.pipe(v.variant("kind", [PageReference, ReusableReference]), v.title("LinkLocation"));

/** The target of a link. */
export const ContentReference = v.pipe(
  v.variant("kind", [
    v.object({ kind: v.literal("file"), ...home, versionContext: VersionContext, file: File }),
    PageReference,
    v.object({ kind: v.literal("url"), url: v.string() }),
    v.object({ kind: v.literal("user"), user: User }),
    v.object({ kind: v.literal("collection"), organization: Organization, collection: Collection }),
    v.object({ kind: v.literal("space"), organization: Organization, space: Space }),
    v.object({ kind: v.literal("openapi"), organization: Organization, openAPISpec: OpenApiSpec }),
    ReusableReference,
  ]),
  v.title("ContentReference"),
);

/** A target of links, with the positions of the links. */
export const ContentLink = namedObject("ContentLink", {
  status: v.picklist(["ok", "broken", "in-app"]),
  relation: v.picklist(["reference", "dependsOn"]),
  scope: v.picklist(["same-space", "other-space", "external"]),
  targetReference: ContentReference,
  locationReferences: v.array(LinkLocation),
});

export const LinkStats = namedObject("LinkStats", {
  total: v.number(),
  broken: v.object({ total: v.number(), changeRequest: v.number() }),
});

/** The additional member of lists of links. */
export const LinksInSpace = namedObject("LinksInSpace", { stats: LinkStats });
