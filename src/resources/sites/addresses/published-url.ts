// The response for a published URL: the place on the site that it leads to, and the token by which a renderer reads it.

import * as v from "valibot";
import { Id, UrlString } from "../../../operation/common-schemas";
import type { TargetContext } from "../../../operation/target";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { parseUrl, tryParseUrl } from "../../../utils/url";
import type { SpaceRecord } from "../../library/tree/records";
import { getVisibleItems } from "../audience/visible-items";
import { createVisitToken, type VerifiedVisit, VISIT_SECONDS } from "../audience/visit-tokens";
import type { SiteViewerContext } from "../rules";
import { matchSiteSpace } from "./page-urls";
import { type PathContent, resolveSitePath } from "./resolve-path";
import { getPublishedUrl } from "./site-urls";
import type { SiteUrlContext } from "./targets";
import { parseUrlPath } from "./url-paths";

/** The fields of a place on a site, for its renderer. */
export const PublishedPlace = {
  organization: Id,
  site: Id,
  siteSection: v.optional(Id),
  siteSpace: Id,
  space: Id,
  changeRequest: v.optional(v.pipe(Id, v.description("The change request that is previewed."))),
  revision: v.optional(v.pipe(Id, v.description("The revision that a preview shows; otherwise left out."))),
  siteBasePath: v.pipe(
    v.string(),
    v.description("The path of the site at the host of the URL, with a slash at its end."),
  ),
  basePath: v.pipe(v.string(), v.description("The same of the space: `siteBasePath` and what leads to the space.")),
  pathname: v.pipe(v.string(), v.description("The rest of the path behind `basePath`, with a slash at its beginning.")),
  complete: v.pipe(
    v.boolean(),
    v.description("False where `pathname` names no page that the visitor sees. The space is the one to look in."),
  ),
  page: v.optional(v.pipe(Id, v.description("Absent where there is no page to show."))),
  pagePath: v.optional(v.string()),
  apiToken: v.pipe(
    v.string(),
    v.description(
      "A JWT for some minutes. As a bearer token it reads what this visitor sees of this site; its `claims` are what is known of the visitor.",
    ),
  ),
  shareKey: v.optional(v.pipe(v.string(), v.description("The key of the share link that stands in the URL."))),
  contextId: v.optional(
    v.pipe(
      v.string(),
      v.description(
        "Visitors of whom the same is known have the same one; left out where nothing is known of anybody.",
      ),
    ),
  ),
  canonicalUrl: v.pipe(UrlString, v.description("The URL that the site itself has for this.")),
};

export const PublishedUrl = v.pipe(
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
        v.description("`content`: on the same site; `external`: anywhere else, such as a login."),
      ),
      redirect: v.pipe(UrlString, v.description("Where the URL leads.")),
      urls: v.object({ target: v.pipe(UrlString, v.description("The same as `redirect`.")) }),
    }),
  ]),
  v.title("PublishedUrl"),
);

/** The parameter with the token of a preview. */
export const PREVIEW_PARAMETER = "preview";

export function addPreviewToken(url: string, token: string): string {
  const previewUrl = parseUrl(url);
  previewUrl.searchParams.set(PREVIEW_PARAMETER, token);
  return previewUrl.href;
}

export interface RequestedUrl {
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

export type ContentResolution = Exclude<
  NonNullable<Awaited<ReturnType<typeof resolvePathOrSpace>>>,
  { readonly is: "redirect" }
>;

const CONTEXT_ID_CHARACTERS = 16;

export type PlaceContext = SiteUrlContext & Pick<TargetContext, "secrets" | "now">;

/** Returns the view of a place on a site, with the token that reads it. */
export function presentPlace(context: PlaceContext, requested: RequestedUrl, resolution: ContentResolution) {
  const { visit, shareKey, contextId, ...place } = presentVisitedPlace(context, requested, resolution);
  const apiToken = createVisitToken(context.secrets, visit, context.now);
  return { ...place, apiToken, ...omitUndefined({ shareKey, contextId }) };
}

/** Returns the view of a place on a site, with the visit that reads it. */
export function presentVisitedPlace(
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
  const spacePath = [...sitePath, ...path.slice(0, path.length - rest.length)];

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
    siteBasePath: formatDirectory(sitePath),
    basePath: formatDirectory(spacePath),
    pathname: `/${rest.map(encodeURIComponent).join("/")}`,
    complete: resolution.is === "content",
    visit,
    ...omitUndefined({
      shareKey: visitor.shareKey,
      contextId: site.adaptiveContent ? contextId : undefined,
    }),
  };
}

function formatDirectory(segments: readonly string[]): string {
  return segments.length === 0 ? "/" : `/${segments.map(encodeURIComponent).join("/")}/`;
}

export function presentRedirect(
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
