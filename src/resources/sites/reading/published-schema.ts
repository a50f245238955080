// Wire schemas of what visitors of a published site receive. Nothing in them is internal, or meant only for other visitors.

import * as v from "valibot";
import { Id, listSchema, namedObject, Timestamp, textSchema, UrlString } from "../../../operation/common-schemas";
import { OpenApiSpec } from "../../content/openapi-specs/schema";
import {
  Cover,
  DocumentSchema,
  File,
  Layout,
  languageEntries,
  pageSummaryEntries,
  Reference,
} from "../../content/revisions/schema";
import { SiteCustomization } from "../customization/customization-schema";
import { MAX_ITEMS } from "../records";
import { Site, SiteStructure } from "../schema";

const published = v.object({ published: v.optional(UrlString) });

const pageEntries = {
  ...pageSummaryEntries,
  updatedAt: Timestamp,
  hidden: v.optional(v.boolean()),
  noIndex: v.optional(v.boolean()),
  noRobotsIndex: v.optional(v.boolean()),
  layout: v.optional(Layout),
  cover: v.optional(Cover),
  href: v.optional(v.pipe(v.string(), v.description("The target of a link. Omitted if there is none."))),
  ...languageEntries,
  urls: published,
} as const;

const PageWithoutChildren = v.object(pageEntries);
/** A page of the published tree, with the pages below it. */
export type PublishedNode = v.InferOutput<typeof PageWithoutChildren> & {
  pages: PublishedNode[];
  more?: boolean | undefined;
};

/** Tells that pages below this one are left out. */
const more = v.optional(v.boolean());

export const PublishedPageInTree: v.GenericSchema<PublishedNode> = namedObject("PublishedPageInTree", {
  ...pageEntries,
  pages: v.array(v.lazy(() => PublishedPageInTree)),
  more,
});

export const PublishedPages = v.object({ pages: v.array(PublishedPageInTree), more });

/** The information that a link to a page shows. */
const PublishedPageName = namedObject("PublishedPageName", {
  id: Id,
  type: pageEntries.type,
  title: v.string(),
  path: v.string(),
  emoji: v.optional(v.string()),
  icon: v.optional(v.string()),
  description: v.optional(v.string()),
  urls: published,
});
export type PageName = v.InferOutput<typeof PublishedPageName>;

/** The target of a reference on a page, with the reference itself. */
export const PublishedReference = v.pipe(
  v.variant("kind", [
    v.object({
      kind: v.picklist(["page", "anchor"]),
      ref: Reference,
      siteSpace: Id,
      page: PublishedPageName,
      href: pageEntries.href,
      urls: published,
    }),
    v.object({
      kind: v.literal("space"),
      ref: Reference,
      siteSpace: Id,
      title: v.string(),
      urls: published,
    }),
    v.object({ kind: v.literal("file"), ref: Reference, file: File }),
    v.object({ kind: v.literal("openapi"), ref: Reference, openAPISpec: OpenApiSpec }),
  ]),
  v.title("PublishedReference"),
);
export type PublishedReference = v.InferOutput<typeof PublishedReference>;

const PublishedOperation = v.pipe(
  v.object({
    spec: v.pipe(v.string(), v.description("The slug or ID of the specification.")),
    method: v.pipe(v.string(), v.description("The method of the operation, such as `get`.")),
    path: v.string(),
  }),
  v.description("The operation that a computed page documents, from a specification of the organization."),
);

/** A page with its text, as a visitor reads it. */
export const PublishedPage = namedObject("PublishedPage", {
  ...pageEntries,
  markdown: v.optional(v.string()),
  document: v.optional(DocumentSchema),
  references: v.optional(v.array(PublishedReference)),
  operation: v.optional(PublishedOperation),
  editURL: v.optional(
    v.pipe(UrlString, v.description("The URL for editing the source in a Git repository, if the site shows it.")),
  ),
  previous: v.optional(PublishedPageName),
  next: v.optional(PublishedPageName),
  pages: v.array(PublishedPageInTree),
  more,
});

const SiteSpaceIds = listSchema(Id, MAX_ITEMS);

export const SearchScope = v.pipe(
  v.variant(
    "mode",
    [
      v.strictObject({
        mode: v.literal("default"),
        currentSiteSpace: v.optional(
          v.pipe(
            Id,
            v.description(
              "The site-space that the visitor is on. It is searched in place of the default of its section.",
            ),
          ),
        ),
        includedSiteSpaces: v.optional(SiteSpaceIds),
      }),
      v.strictObject({ mode: v.literal("specific"), siteSpaceIds: SiteSpaceIds }),
      v.strictObject({ mode: v.literal("all") }),
    ],
    "Expected default, specific or all",
  ),
  v.title("SiteSearchScope"),
);

export const SiteSearchQuery = v.strictObject({
  query: textSchema(1, 512),
  scope: v.optional(SearchScope),
  mode: v.optional(v.picklist(["all", "current", "specific"], "Expected all, current or specific")),
  siteSpaceId: v.optional(Id),
  siteSpaceIds: v.optional(SiteSpaceIds),
});

const resultUrls = v.object({ app: UrlString, published: v.optional(UrlString) });

const SiteSearchPage = v.object({
  id: Id,
  title: v.string(),
  path: v.string(),
  sections: v.array(
    v.object({ id: v.string(), title: v.string(), path: v.string(), body: v.string(), urls: resultUrls }),
  ),
  urls: resultUrls,
});

/** A space of a site with the pages that match a search. */
export const SiteSearchSpace = namedObject("FoundSpaceOnSite", {
  id: Id,
  title: v.string(),
  siteSpace: Id,
  pages: v.array(SiteSearchPage),
});

/** A script that pages of a site include. */
export const Script = v.object({
  script: v.pipe(
    UrlString,
    v.description("The URL of the JavaScript. It changes whenever the script may have changed."),
  ),
  contentSecurityPolicy: v.optional(v.string()),
  cookies: v.pipe(v.boolean(), v.description("Whether the script can use cookies.")),
  space: v.optional(
    v.pipe(Id, v.description("The ID of the space whose pages include the script. Omitted if all pages include it.")),
  ),
});

/** Everything that a renderer needs to know about a site. */
export const PublishedContentSite = namedObject("PublishedContentSite", {
  object: v.literal("published-content-site"),
  site: Site,
  structure: SiteStructure,
  customizations: v.object({
    site: SiteCustomization,
    siteSpaces: v.pipe(
      v.record(Id, SiteCustomization),
      v.description("The settings by site-space: those of the site, overridden by those of the site-space."),
    ),
  }),
  scripts: v.array(Script),
});
