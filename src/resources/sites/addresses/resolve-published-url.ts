// Resolves a URL of a published site for a visitor, with the token by which a renderer reads the content. Every caller is treated as a
// visitor, whatever their token. Absent, hidden and unpublished content gets the same response.

import * as v from "valibot";
import { createError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { Id, maxJsonSize, recordSchema, UrlString, WebUrl } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target, TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { DIRECTORY } from "../../../storage/ids";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { parseUrl, tryParseUrl } from "../../../utils/url";
import type { SpaceRecord } from "../../library/tree/records";
import { admitVisitor, resolveVisit, type Visitor } from "../audience/audience";
import { findVisitorLogin, isSitePath } from "../audience/login";
import { getVisibleItems } from "../audience/visible-items";
import {
  createVisitToken,
  isVisitToken,
  readVisitToken,
  type VerifiedVisit,
  VISIT_SECONDS,
} from "../audience/visit-tokens";
import type { SiteViewerContext } from "../rules";
import { MAX_CLAIMS_LENGTH, visitorQuery } from "../schema";
import { extractItemBranch, getChildSiteSpaces, getSections, readStructure } from "../structure/structure";
import { getPathOnSite, locateSite } from "./locate-site";
import { type PathContent, resolveSitePath } from "./resolve-path";
import { getPublishedUrl, matchSiteSpace } from "./site-urls";
import type { SiteUrlContext } from "./targets";
import { formatUrlPath, parseUrlPath } from "./url-paths";

/** The fields of a place on a site, for its renderer. */
export const PublishedPlace = {
  organization: Id,
  site: Id,
  siteSection: v.optional(Id),
  siteSpace: Id,
  space: Id,
  changeRequest: v.optional(v.pipe(Id, v.description("The ID of the previewed change request."))),
  revision: v.optional(v.pipe(Id, v.description("The ID of the previewed revision. Omitted outside of previews."))),
  siteBasePath: v.pipe(
    v.string(),
    v.description("The base path of the site on the domain of the URL, with a trailing slash."),
  ),
  basePath: v.pipe(
    v.string(),
    v.description("The base path of the space: `siteBasePath` followed by the path of the space."),
  ),
  pathname: v.pipe(v.string(), v.description("The rest of the path after `basePath`, with a leading slash.")),
  complete: v.pipe(
    v.boolean(),
    v.description(
      "Whether no section or site-space that the visitor can view has a path below `basePath`. `pathname` matches no page if `page` is omitted.",
    ),
  ),
  page: v.optional(v.pipe(Id, v.description("The ID of the page. Omitted if there is no page to show."))),
  pagePath: v.optional(v.string()),
  apiToken: v.pipe(
    v.string(),
    v.description(
      "A short-lived JWT, used as a bearer token to read the content of this site that the visitor can view. Its `claims` are those of the visitor.",
    ),
  ),
  shareKey: v.optional(v.pipe(v.string(), v.description("The key of the share link in the URL."))),
  contextId: v.optional(
    v.pipe(
      v.string(),
      v.description("Identical for visitors with identical claims. Omitted if visitors have no claims."),
    ),
  ),
  canonicalUrl: v.pipe(UrlString, v.description("The canonical URL on the site.")),
};

const PublishedUrl = v.pipe(
  v.variant("type", [
    v.object({
      object: v.literal("published-url"),
      type: v.literal("content"),
      ...PublishedPlace,
      urls: v.object({ published: UrlString }),
    }),
    v.object({
      object: v.literal("published-url"),
      type: v.literal("redirect"),
      organization: Id,
      site: Id,
      target: v.pipe(
        v.picklist(["application", "content", "external"]),
        v.description("`content`: on the same site; `external`: anywhere else, such as a sign-in page."),
      ),
      redirect: v.pipe(UrlString, v.description("The redirect target.")),
      urls: v.object({ target: v.pipe(UrlString, v.description("An alias of `redirect`.")) }),
    }),
  ]),
  v.title("PublishedUrl"),
);

/** The parameter with the token of a preview. */
const PREVIEW_PARAMETER = "preview";

export function addPreviewToken(url: string, token: string): string {
  const previewUrl = parseUrl(url);
  previewUrl.searchParams.set(PREVIEW_PARAMETER, token);
  return previewUrl.href;
}

interface RequestedUrl {
  readonly url: string;
  /** The path segments behind the URL of the site, without a share key. */
  readonly path: readonly string[];
  readonly shareKey?: string | undefined;
}

/**
 * Resolves a path for a visitor. A path without visible content resolves to the space that it leads into. Hidden items take no part
 * in that, so the path of a hidden page is resolved like any other path that names nothing.
 */
export async function resolvePathOrSpace(context: SiteUrlContext, path: readonly string[]) {
  const resolution = await resolveSitePath(context, path);
  if (resolution) return resolution;
  const visible = await getVisibleItems(context, context.structure);
  const match = matchSiteSpace(visible.structure, path);
  if (!match) return undefined;
  const { siteSpace, rest } = match;
  const space = visible.getSpaceAccess(siteSpace).path[0] as SpaceRecord;
  return { is: "space" as const, shown: { siteSpace, space }, path, rest };
}

type ContentResolution = Exclude<
  NonNullable<Awaited<ReturnType<typeof resolvePathOrSpace>>>,
  { readonly is: "redirect" }
>;

const CONTEXT_ID_CHARACTERS = 16;

type PlaceContext = SiteUrlContext & Pick<TargetContext, "secrets" | "now">;

/** Returns the view of a place on a site, with the token that reads it. */
export async function presentPlace(context: PlaceContext, requested: RequestedUrl, resolution: ContentResolution) {
  const { visit, isFound, spacePath, shareKey, contextId, ...place } = presentVisitedPlace(
    context,
    requested,
    resolution,
  );
  const complete = await isSitePathComplete(context, spacePath);
  const apiToken = createVisitToken(context.secrets, visit, context.now);
  return { ...place, complete, apiToken, ...omitUndefined({ shareKey, contextId }) };
}

/** Returns true if no section or site-space that the visitor sees has a path below this one. */
async function isSitePathComplete(context: SiteUrlContext, [name, ...more]: readonly string[]): Promise<boolean> {
  const { structure } = context;
  const sections = getSections(structure);
  const section = sections.find(({ path }) => path === name);
  if (more.length > 0 || (name !== undefined && !section)) return true;
  if (name === undefined && sections.length > 0) return false;
  const parent = section?.id ?? null;
  if (getChildSiteSpaces(structure, parent).length === 1) return true;
  const { structure: visible } = await getVisibleItems(
    context,
    section ? extractItemBranch(structure, section.id) : structure,
  );
  return getChildSiteSpaces(visible, parent).length <= 1;
}

/** Returns the view of a place on a site, with the visit that reads it. */
function presentVisitedPlace(
  context: Omit<PlaceContext, "secrets">,
  { url, path, shareKey }: RequestedUrl,
  resolution: ContentResolution,
) {
  const { organization, site, visitor, structure, now } = context;
  const { siteSpace, space, page }: PathContent = resolution.shown;
  const published = getPublishedUrl(context, visitor.shareKey, resolution.path)!;
  // Only the previewed space has a revision. Everything else looks as it does for everybody.
  const preview = visitor.preview?.space === space.id ? visitor.preview : undefined;

  // The host of the URL may serve the site at another path than the site's own URL, so the paths are taken from the URL.
  const rest = resolution.is === "space" ? resolution.rest : matchSiteSpace(structure, path)!.rest;
  const urlPath = parseUrlPath(tryParseUrl(url)!.pathname)!;
  const behind = path.length + (shareKey === undefined ? 0 : 1);
  const before = urlPath.slice(0, urlPath.length - behind);
  const sitePath = shareKey === undefined ? before : [...before, shareKey];
  const spacePath = path.slice(0, path.length - rest.length);
  const basePath = [...sitePath, ...spacePath];

  const { expiresAtSeconds = Number.POSITIVE_INFINITY } = visitor;
  const visit: VerifiedVisit = {
    visit: { organization: organization.id, ...visitor.admission, claims: visitor.claims },
    exp: Math.min(Math.floor(now.getTime() / 1000) + VISIT_SECONDS, Math.floor(expiresAtSeconds)),
  };
  const contextId = sha256Hex(JSON.stringify(visitor.claims)).slice(0, CONTEXT_ID_CHARACTERS);
  return {
    organization: organization.id,
    site: site.id,
    ...omitUndefined({ siteSection: siteSpace.parent ?? undefined }),
    siteSpace: siteSpace.id,
    space: space.id,
    ...omitUndefined({ changeRequest: preview?.changeRequest, revision: preview?.revision }),
    ...omitUndefined({ page: page?.id, pagePath: page?.path }),
    canonicalUrl: published,
    urls: { published },
    siteBasePath: sitePath.length === 0 ? "/" : `/${sitePath.map(encodeURIComponent).join("/")}/`,
    basePath: basePath.length === 0 ? "/" : `/${basePath.map(encodeURIComponent).join("/")}/`,
    pathname: `/${rest.map(encodeURIComponent).join("/")}`,
    isFound: resolution.is === "content",
    spacePath,
    visit,
    ...omitUndefined({
      shareKey: visitor.shareKey,
      contextId: site.adaptiveContent ? contextId : undefined,
    }),
  };
}

function presentRedirect(
  { organization, site }: Pick<SiteViewerContext, "organization" | "site">,
  target: "content" | "external",
  redirect: string,
) {
  return {
    object: "published-url" as const,
    type: "redirect" as const,
    organization: organization.id,
    site: site.id,
    target,
    redirect,
    urls: { target: redirect },
  };
}

const UnsignedClaims = v.pipe(
  recordSchema(v.string(), v.unknown(), 1000, "Expected at most 1000 claims"),
  maxJsonSize(MAX_CLAIMS_LENGTH, "characters"),
);

const PublishedUrlRequest = v.strictObject({
  url: v.pipe(
    WebUrl,
    v.description("The published URL. On a site with share links, it includes the key after the site URL."),
  ),
  visitor: v.optional(
    v.pipe(
      v.strictObject({
        jwtToken: visitorQuery.visitorToken,
        unsignedClaims: v.optional(
          v.pipe(UnsignedClaims, v.description("Unsigned claims of the visitor: `unsigned` in the adaptive schema.")),
        ),
      }),
      v.description("The visitor. Defaults to a visitor without claims."),
    ),
  ),
  redirectOnError: v.optional(
    v.pipe(
      v.boolean(),
      v.description("True redirects unauthenticated visitors to the sign-in page of the site, if it has one."),
    ),
  ),
  visitorToken: v.optional(v.pipe(visitorQuery.visitorToken.wrapped, v.description("An alias of `visitor.jwtToken`."))),
  unsignedClaims: v.optional(v.pipe(UnsignedClaims, v.description("An alias of `visitor.unsignedClaims`."))),
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
  summary: "Resolve a published URL",
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
  present: (context: PlaceContext, requested: RequestedUrl, resolution: ContentResolution) => Place | Promise<Place>,
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
  const place = await present(siteContext, { url: body.url, path, shareKey }, resolution);
  return { object: "published-url" as const, type: "content" as const, ...place };
}
