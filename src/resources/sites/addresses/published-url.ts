// What is published at a URL, on the wire: where it is on the site, and the token by which a renderer reads it.

import * as v from "valibot";
import { Id, UrlString } from "../../../operation/common-schemas";
import type { TargetContext } from "../../../operation/target";
import { hashFingerprint } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl, tryParseUrl } from "../../../utils/url";
import type { SpaceRecord } from "../../library/tree/records";
import { getVisibleItems } from "../audience/visible-items";
import { createVisitToken } from "../audience/visit-tokens";
import type { SiteViewerContext } from "../rules";
import { matchSiteSpace } from "./page-urls";
import { type PathContent, resolveSitePath } from "./resolve-path";
import { getPublishedUrl } from "./site-urls";
import type { SiteUrlContext } from "./targets";
import { parseUrlPath } from "./url-paths";

/** Where something is on a site, for those who render it. */
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

/** The parameter of a URL that holds the token of a preview. */
const PREVIEW = "preview";

/** A URL that opens a preview. */
export function addPreviewToken(url: string, token: string): string {
  const address = parseUrl(url);
  address.searchParams.set(PREVIEW, token);
  return address.href;
}

/** The token of a preview in a URL, if there may be one. */
export function previewIn(url: string): string | undefined {
  return url.includes("?") ? (tryParseUrl(url)?.searchParams.get(PREVIEW) ?? undefined) : undefined;
}

/** A visitor who has come to a URL of a site. */
export interface Arrival {
  readonly url: string;
  /** The path behind the site's own URL, without a share key. */
  readonly parts: readonly string[];
  readonly shareKey?: string | undefined;
}

/** What a visitor is shown at a path; undefined: nothing. */
export async function findAtPath(reading: SiteUrlContext, parts: readonly string[]) {
  return (await resolveSitePath(reading, parts)) ?? (await spaceAt(reading, parts));
}

type Content = Exclude<NonNullable<Awaited<ReturnType<typeof findAtPath>>>, { readonly is: "redirect" }>;

/** What a visitor is shown, with the token that reads it. */
export function presentPlace(
  reading: SiteUrlContext & Pick<TargetContext, "secrets" | "now">,
  { url, parts, shareKey }: Arrival,
  found: Content,
) {
  const { organization, site, visitor, structure, secrets, now } = reading;
  const visit = { organization: organization.id, ...visitor.admission, claims: visitor.claims };
  const rest = found.is === "space" ? found.rest : matchSiteSpace(structure, parts)!.rest;
  return {
    organization: organization.id,
    site: site.id,
    ...shownView(reading, found.shown, found.path),
    ...pathsOf(url, { parts, rest, shareKey }),
    complete: found.is === "content",
    apiToken: createVisitToken(secrets, visit, now, visitor.expiresAtSeconds),
    ...omitUndefined({
      shareKey: visitor.shareKey,
      contextId: site.adaptiveContent ? contextOf(visitor.claims) : undefined,
    }),
  };
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

/**
 * The space that a path leads into, though nothing that the visitor sees is at the path. What is hidden takes no part in
 * it, so a path of something hidden leads where any other path does that names nothing.
 */
async function spaceAt(reading: SiteUrlContext, parts: readonly string[]) {
  const seen = await getVisibleItems(reading, reading.structure);
  const place = matchSiteSpace(seen.structure, parts);
  if (!place) return undefined;
  const { siteSpace, rest } = place;
  const space = seen.getSpaceAccess(siteSpace).path[0] as SpaceRecord;
  return { is: "space" as const, shown: { siteSpace, space }, path: parts, rest };
}

/** The paths of the site and of the space at the host that was asked for, and the rest. */
function pathsOf(
  url: string,
  at: {
    readonly parts: readonly string[];
    readonly rest: readonly string[];
    readonly shareKey: string | undefined;
  },
) {
  const asked = parseUrlPath(tryParseUrl(url)!.pathname)!;
  const behind = at.parts.length + (at.shareKey === undefined ? 0 : 1);
  const before = asked.slice(0, asked.length - behind);
  const site = at.shareKey === undefined ? before : [...before, at.shareKey];
  const space = [...site, ...at.parts.slice(0, at.parts.length - at.rest.length)];
  return { siteBasePath: folder(site), basePath: folder(space), pathname: `/${encoded(at.rest)}` };
}

function encoded(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

function folder(parts: readonly string[]): string {
  return parts.length === 0 ? "/" : `/${encoded(parts)}/`;
}

const CONTEXT_CHARACTERS = 16;

function contextOf(claims: object): string {
  return hashFingerprint(JSON.stringify(claims)).slice(0, CONTEXT_CHARACTERS);
}

function shownView(reading: SiteUrlContext, { siteSpace, space, page }: PathContent, path: readonly string[]) {
  const published = getPublishedUrl(reading, reading.visitor.shareKey, path)!;
  return {
    ...omitUndefined({ siteSection: siteSpace.parent === null ? undefined : siteSpace.parent }),
    siteSpace: siteSpace.id,
    space: space.id,
    ...previewView(reading, space),
    ...omitUndefined({ page: page?.id, pagePath: page?.path }),
    canonicalUrl: published,
    urls: { published },
  };
}

/** What is previewed of a space. Elsewhere on the site a preview shows what everybody sees. */
function previewView({ visitor: { preview } }: SiteUrlContext, { id }: SpaceRecord) {
  if (preview?.space !== id) return {};
  const { changeRequest, revision } = preview;
  return { ...omitUndefined({ changeRequest }), revision };
}
