// The schemas of redirects in the API.

import * as v from "valibot";
import {
  Id,
  listSchema,
  namedObject,
  RedirectUrl,
  Timestamp,
  textSchema,
  UrlString,
  WebUrl,
} from "../../../operation/common-schemas";
import { formatUrlPath, parseUrlPath } from "./url-paths";

/** A path below the URL of a site in its stored form: decoded, without empty segments. */
export const SourcePath = v.pipe(
  textSchema(1, 512),
  v.startsWith("/", "Expected a path that begins with a slash"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const segments = parseUrlPath(dataset.value);
    if (segments && !/[?#\\]/.test(dataset.value)) return formatUrlPath(segments);
    addIssue({ message: "Expected a path without a query, a fragment or `..`" });
    return NEVER;
  }),
);

const toUrl = { kind: v.literal("url"), url: WebUrl };
const toSection = { kind: v.literal("site-section"), siteSectionId: Id };

const NewDestination = v.pipe(
  v.variant(
    "kind",
    [
      v.strictObject({
        kind: v.pipe(v.picklist(["url", "external"]), v.description("`external` is an alias of `url`.")),
        url: RedirectUrl,
      }),
      v.strictObject({ kind: v.literal("page"), siteSpaceId: Id, pageId: Id }),
      v.strictObject({ kind: v.literal("site-space"), siteSpaceId: Id }),
      v.strictObject(toSection),
    ],
    "Expected a url, external, page, site-space or site-section",
  ),
  v.title("NewSiteRedirectDestination"),
);
export type NewDestination = v.InferOutput<typeof NewDestination>;

const SiteSpaceId = v.optional(v.pipe(Id, v.description("Omitted while the target isn't on the site.")));

const RedirectDestination = v.pipe(
  v.variant("kind", [
    v.object(toUrl),
    v.object({ kind: v.literal("page"), siteSpaceId: SiteSpaceId, pageId: Id }),
    v.object({ kind: v.literal("site-space"), siteSpaceId: SiteSpaceId }),
    v.object(toSection),
  ]),
  v.title("SiteRedirectDestination"),
);
export type RedirectDestination = v.InferOutput<typeof RedirectDestination>;

export const SiteRedirect = namedObject("SiteRedirect", {
  object: v.literal("site-redirect"),
  id: Id,
  source: v.pipe(v.string(), v.description("The decoded path to redirect from, below the site URL.")),
  destination: RedirectDestination,
  draft: v.pipe(v.boolean(), v.description("Whether the redirect is saved but not followed.")),
  createdAt: Timestamp,
  urls: v.object({ location: UrlString }),
});

const Draft = v.optional(
  v.pipe(v.boolean("Expected true or false"), v.description("If true, the redirect is saved but not followed.")),
);

export const NewSiteRedirect = v.strictObject({ source: SourcePath, destination: NewDestination, draft: Draft });

/** The limit of redirects in a request, which is one commit. */
const MAX_AT_ONCE = 100;

export const NewSiteRedirects = v.strictObject({
  redirects: v.pipe(
    listSchema(NewSiteRedirect, MAX_AT_ONCE, `Expected at most ${MAX_AT_ONCE} redirects`),
    v.minLength(1, "Expected a redirect"),
  ),
});

export const SiteRedirects = namedObject("SiteRedirects", { redirects: v.array(SiteRedirect) });

export const SiteRedirectChanges = v.strictObject({
  source: v.optional(SourcePath),
  destination: v.optional(NewDestination),
  draft: Draft,
});

export const SiteRedirectUpserts = v.strictObject({
  redirects: v.pipe(
    listSchema(
      v.strictObject({
        source: SourcePath,
        destination: v.pipe(
          v.optional(v.nullable(NewDestination)),
          v.description("If null, the redirect is deleted. If omitted, its destination stays."),
        ),
        intent: v.optional(
          v.pipe(
            v.picklist(["draft", "publish"], "Expected draft or publish"),
            v.description(
              "Whether the redirect becomes a draft or is followed. If omitted, an existing redirect stays what it is, and a new one is followed.",
            ),
          ),
        ),
      }),
      MAX_AT_ONCE,
      `Expected at most ${MAX_AT_ONCE} redirects`,
    ),
    v.minLength(1, "Expected a redirect"),
  ),
});

export const SiteRedirectResults = namedObject("SiteRedirectResults", {
  results: v.array(
    namedObject("SiteRedirectResult", {
      source: v.string(),
      status: v.picklist(["created", "updated", "deleted", "failed"]),
      redirect: v.optional(SiteRedirect),
      error: v.optional(
        v.object({
          code: v.pipe(v.number(), v.description("The HTTP status that the change would have had by itself.")),
          reason: v.string(),
          message: v.string(),
        }),
      ),
    }),
  ),
});

export const RedirectTarget = namedObject("SiteRedirectTarget", {
  source: v.string(),
  target: UrlString,
  redirect: v.optional(SiteRedirect),
});
