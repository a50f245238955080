// One visit of a browser: the address, what is published there for this visitor, and what a page needs to know of the site.

import type * as Resources from "../../generated/resources";
import { getCookie } from "../../http/cookies";
import type { PlainRequest } from "../../http/plain-request";
import type { Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { parseUrl } from "../../utils/url";
import { loadIconRenderer } from "../icons/icons";
import { getSiteMessages, type SiteMessages } from "../messages";
import type { CallOperation, SnapshotClient } from "./api-client";
import type { SiteContext } from "./site-context";

export type PublishedUrl = Resources.PublishedUrl;
export type ResolvedContent = Extract<PublishedUrl, { type: "content" }>;
export type SiteProfile = Resources.PublishedContentSite;
export type SiteCustomization = Resources.SiteCustomization;
export type SiteSpace = Resources.SiteSpace;

/** Somebody who reads a site. */
export interface RequestContext {
  readonly site: SiteContext;
  readonly request: PlainRequest;
  /** The address as it was visited. */
  readonly url: URL;
  /** The path behind the site's own, without a slash in front. */
  readonly path: string;
  readonly resolved: ResolvedContent;
  readonly profile: SiteProfile;
  /** All that this visitor sees. */
  readonly siteSpaces: readonly SiteSpace[];
  /** The one that was found. */
  readonly siteSpace: SiteSpace;
  readonly customization: SiteCustomization;
  readonly language: string;
  readonly messages: SiteMessages;
  readonly callOperation: CallOperation;
  /** How operations of the site are asked: its ids, and the key of a share link. */
  readonly siteInput: {
    readonly params: { organizationId: string; siteId: string };
    readonly query: { shareKey?: string };
  };
  /** What is published at an address, for this visitor. */
  readonly resolveUrl: (url: string) => Promise<PublishedUrl | undefined>;
  /** An icon by its name. */
  readonly renderIcon: (name: string) => Markup | undefined;
  /** The pages along the way to one of the site-space that was found; without one, along the way to its first. */
  readonly getPageTree: (page?: string) => Promise<readonly Resources.PublishedPageInTree[]>;
  /** All pages of a site-space, however many there are. */
  readonly listAllPages: (siteSpace: string) => Promise<readonly Resources.PublishedPageInTree[]>;
  /** A page. Default of the site-space: the one that was found. */
  readonly getPage: (
    id: string,
    format: "document" | "markdown",
    siteSpace?: string,
  ) => Promise<Resources.PublishedPage | undefined>;
  /** Says that the page shows something which may change unnoticed, so that it is not kept. */
  readonly disableCaching: () => void;
  /** Whether the page becomes a file, with no server behind it that could search or take an answer. */
  readonly isExport: boolean;
  /** Whether everybody sees the same, so that caches in front may hold it. */
  readonly isPublic: boolean;
  /** An address of the site, as this visitor reaches it. Addresses of others stay as they are. */
  readonly toLocalUrl: (href: string) => string;
  /** The address of something of the reader's own below the site, such as `~octavo/search`. */
  readonly toSiteUrl: (path: string) => string;
}

/** What a page is drawn with, whoever asked for it. */
export type PageContext = Pick<
  RequestContext,
  | "customization"
  | "language"
  | "messages"
  | "profile"
  | "siteSpaces"
  | "siteSpace"
  | "renderIcon"
  | "isExport"
  | "isPublic"
  | "toLocalUrl"
  | "toSiteUrl"
> & { readonly url: Pick<URL, "origin">; readonly resolved: Pick<ResolvedContent, "pagePath"> };

/** What a visitor shows. */
export interface ReaderCredentials {
  readonly jwtToken?: string;
  readonly unsignedClaims?: Readonly<Record<string, unknown>>;
}

const JWT_COOKIE = "octavo-visitor";
const CLAIMS_COOKIE = "octavo-claims";
const LONGEST_COOKIE = 3500;

/** The names of the cookies of visitors. */
export const visitorCookies = { jwt: JWT_COOKIE, claims: CLAIMS_COOKIE, longest: LONGEST_COOKIE } as const;

/** What a request says of the visitor, in its cookies or as a bearer token; undefined: nothing. */
export function readCredentials(request: PlainRequest): ReaderCredentials | undefined {
  const header = request.headers.get("cookie");
  const bearer = request.headers.get("authorization");
  if (header === null && bearer === null) return undefined;
  const jwtToken = bearerIn(bearer) ?? getCookie(header, JWT_COOKIE);
  const unsignedClaims = parseClaimsCookie(getCookie(header, CLAIMS_COOKIE));
  if (jwtToken === undefined && unsignedClaims === undefined) return undefined;
  return { ...omitUndefined({ jwtToken, unsignedClaims }) };
}

/** Agents have no cookies: they send the visitor's JWT so. */
function bearerIn(header: string | null): string | undefined {
  return /^bearer +([\w.-]{1,8192})$/i.exec(header ?? "")?.[1];
}

function parseClaimsCookie(value: string | undefined): Record<string, unknown> | undefined {
  if (value === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(decodeURIComponent(value));
    return typeof claims === "object" && claims !== null && !Array.isArray(claims) ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}

/** What is published at an address. Undefined: nothing that this visitor sees. A token that is no good is as none. */
export async function resolvePublishedUrl(
  client: SnapshotClient,
  url: string,
  { jwtToken, unsignedClaims }: ReaderCredentials = {},
): Promise<PublishedUrl | undefined> {
  const visitor = { ...omitUndefined({ jwtToken, unsignedClaims }) };
  return client.callAnonymously("resolvePublishedUrl", { body: { url, visitor, redirectOnError: true } });
}

/** Somebody who has come to something that is published. */
interface Arrival {
  readonly request: PlainRequest;
  readonly url: URL;
  readonly client: SnapshotClient;
  readonly resolved: ResolvedContent;
  readonly credentials: ReaderCredentials | undefined;
  /** Default: false. */
  readonly isExport?: boolean;
}

/** Everything around what was found. Undefined where the site went away meanwhile. */
export async function createRequestContext(
  site: SiteContext,
  { request, url, client, resolved, credentials, isExport = false }: Arrival,
): Promise<RequestContext | undefined> {
  const ask = client.withVisitToken(resolved.apiToken);
  const at = { organizationId: resolved.organization, siteId: resolved.site };
  // The token does not hold the key of a share link, and addresses do.
  const key = resolved.shareKey === undefined ? {} : { shareKey: resolved.shareKey };
  const isPreview = resolved.changeRequest !== undefined || resolved.revision !== undefined;
  const askForProfile = () => ask("getPublishedSite", { params: at, query: key });
  const isForAll = !credentials && !isPreview;
  const profile = await (isForAll
    ? site.profileCache.getProfile(`${resolved.site} ${resolved.shareKey ?? ""}`, client, askForProfile)
    : askForProfile());
  const siteSpaces = profile ? listSiteSpaces(profile) : [];
  const siteSpace = siteSpaces.find(({ id }) => id === resolved.siteSpace);
  if (!profile || !siteSpace) return undefined;
  const inSpace = { ...at, siteSpaceId: siteSpace.id };
  const look = profile.customizations.siteSpaces[siteSpace.id] ?? profile.customizations.site;
  const { locale, language = siteSpace.space.language ?? locale } = look.internationalization;
  const { visibility, proxy } = profile.site;
  const root = withSlash(profile.site.urls.published ?? resolved.canonicalUrl);
  // A proxy has its own path for the site, so what is behind one names itself in full.
  const base = proxy && parseUrl(root).host !== url.host ? root : resolved.siteBasePath;
  const preview = url.searchParams.get("preview");
  const kept = (href: string) => (isPreview && preview !== null ? addPreviewParameter(href, preview) : href);
  const published: RequestContext["resolveUrl"] = (address) => resolvePublishedUrl(client, address, credentials);
  const firstPage = async () => {
    const first = siteSpace.urls.published === undefined ? undefined : await published(siteSpace.urls.published);
    return first?.type === "content" ? first.page : undefined;
  };
  return {
    site,
    request,
    url,
    path: url.pathname.slice(resolved.siteBasePath.length),
    resolved,
    profile,
    siteSpaces,
    siteSpace,
    customization: look,
    language,
    messages: getSiteMessages(locale),
    callOperation: ask,
    siteInput: { params: at, query: key },
    resolveUrl: published,
    renderIcon: await loadIconRenderer(look.styling.icons),
    async getPageTree(page = resolved.page) {
      const along = page ?? (await firstPage());
      // Nothing is drawn beside a page to say that others are below it.
      const query = along === undefined ? key : { ...key, along, more: "false" as const };
      return (await ask("listPublishedPages", { params: inSpace, query }))?.pages ?? [];
    },
    async listAllPages(siteSpaceId) {
      return (await ask("listPublishedPages", { params: { ...at, siteSpaceId }, query: key }))?.pages ?? [];
    },
    getPage: (pageId, format, siteSpaceId = siteSpace.id) =>
      ask("getPublishedPage", {
        params: { ...at, siteSpaceId, pageId },
        query: { ...key, format, references: format === "document" ? "true" : "false", pages: "false" },
      }),
    disableCaching: client.disableCaching,
    isExport,
    isPublic: isForAll && visibility !== "visitor-auth" && visibility !== "share-link",
    toLocalUrl: (href) => (href.startsWith(root) || `${href}/` === root ? kept(base + href.slice(root.length)) : href),
    toSiteUrl: (path) => kept(base + path),
  };
}

function withSlash(href: string): string {
  return href.endsWith("/") ? href : `${href}/`;
}

function addPreviewParameter(href: string, preview: string): string {
  const [path = "", anchor] = href.split("#");
  const joined = `${path}${path.includes("?") ? "&" : "?"}preview=${encodeURIComponent(preview)}`;
  return anchor === undefined ? joined : `${joined}#${anchor}`;
}

/** All site-spaces that a visitor sees, in their order. */
export function listSiteSpaces({ structure }: SiteProfile): readonly SiteSpace[] {
  if (structure.type === "siteSpaces") return structure.structure;
  return listSections(structure.structure).flatMap(({ siteSpaces }) => siteSpaces);
}

/** The sections, also those in groups. */
export function listSections(
  structure: readonly (Resources.SiteSection | Resources.SiteSectionGroup)[],
): readonly Resources.SiteSection[] {
  return structure.flatMap((it) => (it.object === "site-section-group" ? it.sections : [it]));
}
