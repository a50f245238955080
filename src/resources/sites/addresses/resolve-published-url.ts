// Resolves a URL of a published site for a visitor, with the token by which a renderer reads the content. Every caller is treated as a
// visitor, whatever their token. Absent, hidden and unpublished content gets the same response.

import * as v from "valibot";
import { createError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { maxJsonSize, recordSchema, WebUrl } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target, TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { DIRECTORY } from "../../../storage/ids";
import { tryParseUrl } from "../../../utils/url";
import { admitVisitor, resolveVisit, type Visitor } from "../audience/audience";
import { findVisitorLogin, isSitePath } from "../audience/login";
import { isVisitToken, readVisitToken } from "../audience/visit-tokens";
import { MAX_CLAIMS_LENGTH, visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { getPathOnSite, locateSite } from "./locate-site";
import {
  addPreviewToken,
  type ContentResolution,
  type PlaceContext,
  PREVIEW_PARAMETER,
  PublishedUrl,
  presentPlace,
  presentRedirect,
  presentVisitedPlace,
  type RequestedUrl,
  resolvePathOrSpace,
} from "./published-url";
import { formatUrlPath } from "./url-paths";

const UnsignedClaims = v.pipe(
  recordSchema(v.string(), v.unknown(), 1000, "Expected at most 1000 claims"),
  maxJsonSize(MAX_CLAIMS_LENGTH, "characters"),
);

const PublishedUrlRequest = v.strictObject({
  url: v.pipe(WebUrl, v.description("On a site with share links the key stands in it, behind the site's own URL.")),
  visitor: v.optional(
    v.pipe(
      v.strictObject({
        jwtToken: visitorQuery.visitorToken,
        unsignedClaims: v.optional(
          v.pipe(
            UnsignedClaims,
            v.description("What the visitor says of themselves; the adaptive schema's `unsigned`."),
          ),
        ),
      }),
      v.description("Who asks. Default: somebody of whom nothing is known."),
    ),
  ),
  redirectOnError: v.optional(
    v.pipe(
      v.boolean(),
      v.description("True leads a visitor who is not signed in to the login of the site, if it has one."),
    ),
  ),
  visitorToken: v.optional(v.pipe(visitorQuery.visitorToken.wrapped, v.description("The same as `visitor.jwtToken`."))),
  unsignedClaims: v.optional(v.pipe(UnsignedClaims, v.description("The same as `visitor.unsignedClaims`."))),
});

/** Any URL. The operation needs no right of its own. */
const anyUrl: Target<object, "view"> = {
  findPartition: () => DIRECTORY,
  load: async () => ({}),
  notFoundReason: "published_url_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

export const resolvePublishedUrl = defineOperation("POST /urls/published", {
  summary:
    "Get what is published at a URL: the site, the space and the page with a token to read them, or where it leads",
  description: [
    "A path that names no page leads to its space, with the rest in `pathname`. What the visitor may not see is 404.",
    "A URL of a preview (`previewSite`) leads to what is previewed.",
  ].join(" "),
  target: anyUrl,
  right: "view",
  body: PublishedUrlRequest,
  returns: PublishedUrl,
  isReadOnly: true,
  handle: (context) => resolveUrl(context, presentPlace),
});

interface UrlResolutionContext
  extends Pick<TargetContext, "directory" | "actor" | "objects" | "secrets" | "now" | "peek"> {
  readonly body: v.InferOutput<typeof PublishedUrlRequest>;
  readonly urls: Urls;
  readonly jobContext: JobContext;
}

/** The handler of `resolvePublishedUrl` for callers in this process: the place has the visit itself, and no token of it. */
export const visitPublishedUrl = (context: UrlResolutionContext) => resolveUrl(context, presentVisitedPlace);

/** Resolves a URL for a visitor. `present` returns the view of the place that it leads to. */
async function resolveUrl<Place extends object>(
  context: UrlResolutionContext,
  present: (context: PlaceContext, requested: RequestedUrl, resolution: ContentResolution) => Place,
) {
  const { body, urls, actor, objects, secrets, now, peek, jobContext } = context;
  const located = await locateSite(context, body.url);
  if (!located) throw createError("published_url_not_found");
  const { tx, organization, site } = located;
  // A parameter `preview` with any other value belongs to the site itself.
  const parameter = body.url.includes("?") ? tryParseUrl(body.url)?.searchParams.get(PREVIEW_PARAMETER) : undefined;
  const previewToken = parameter && isVisitToken(parameter) ? parameter : undefined;
  const isPreview = previewToken !== undefined;
  // On a site with share links the key comes first in the path.
  const hasShareKey = !isPreview && site.visibility === "share-link";
  const shareKey = hasShareKey ? located.segments[0] : undefined;
  const path = hasShareKey ? located.segments.slice(1) : located.segments;
  const credentials = {
    visitorToken: body.visitor?.jwtToken ?? body.visitorToken,
    unsignedClaims: body.visitor?.unsignedClaims ?? body.unsignedClaims,
    shareKey,
  };
  const admissionContext = { tx, secrets, now, peek };
  let visitor: Visitor | undefined;
  if (isPreview) {
    const verified = readVisitToken(secrets, previewToken, now);
    if (verified?.visit.preview && verified.visit.organization === organization.id) {
      const previewVisitor = await resolveVisit(admissionContext, site, verified.visit);
      // The tokens that the visitor of a preview gets end with this one.
      visitor = previewVisitor && { ...previewVisitor, expiresAtSeconds: verified.exp };
    }
  } else visitor = await admitVisitor(admissionContext, site, credentials);
  if (!visitor) {
    const login = body.redirectOnError && !isPreview ? await findVisitorLogin({ tx, peek }, site) : undefined;
    if (!login) throw createError("published_url_not_found");
    const location = formatUrlPath(path);
    const query = isSitePath(location) ? `?location=${encodeURIComponent(location)}` : "";
    const loginUrl = urls.api(`/orgs/${organization.id}/sites/${site.id}/login${query}`);
    return presentRedirect(located, "external", loginUrl);
  }
  const structure = await readStructure(tx, site);
  const sources = { tx, objects: objects.at(tx), peek, jobContext };
  const asVisitor = { me: undefined, visitor, actor, urls, structure, secrets, now };
  const siteContext = { ...sources, organization, site, ...asVisitor };
  const resolution = await resolvePathOrSpace(siteContext, path);
  if (!resolution) throw createError("published_url_not_found");
  if (resolution.is === "redirect") {
    const { url } = resolution;
    if (!getPathOnSite(siteContext, url)) return presentRedirect(located, "external", url);
    return presentRedirect(located, "content", isPreview ? addPreviewToken(url, previewToken) : url);
  }
  const place = present(siteContext, { url: body.url, path, shareKey }, resolution);
  return { object: "published-url" as const, type: "content" as const, ...place };
}
