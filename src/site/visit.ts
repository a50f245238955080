// One visit of a browser: the address, what is published there for this visitor, and what a page needs to know of the site.

import type * as Resources from "../generated/resources";
import { getCookie } from "../http/cookies";
import type { PlainRequest } from "../http/plain-request";
import type { Markup } from "../utils/html";
import { omitUndefined } from "../utils/objects";
import { parseUrl } from "../utils/url";
import type { Ask, Asking } from "./asking";
import type { SiteContext } from "./house";
import { loadIcons } from "./icons/icons";
import { type Words, wordsOf } from "./words";

export type Published = Resources.PublishedUrl;
export type Found = Extract<Published, { type: "content" }>;
export type Profile = Resources.PublishedContentSite;
export type Look = Resources.SiteCustomization;
export type SiteSpace = Resources.SiteSpace;

/** Somebody who reads a site. */
export interface Visit {
  readonly house: SiteContext;
  readonly request: PlainRequest;
  /** The address as it was visited. */
  readonly url: URL;
  /** The path behind the site's own, without a slash in front. */
  readonly path: string;
  readonly found: Found;
  readonly profile: Profile;
  /** All that this visitor sees. */
  readonly siteSpaces: readonly SiteSpace[];
  /** The one that was found. */
  readonly siteSpace: SiteSpace;
  readonly look: Look;
  readonly language: string;
  readonly words: Words;
  readonly ask: Ask;
  /** How operations of the site are asked: its ids, and the key of a share link. */
  readonly site: { readonly params: { organizationId: string; siteId: string }; readonly query: { shareKey?: string } };
  /** What is published at an address, for this visitor. */
  readonly published: (url: string) => Promise<Published | undefined>;
  /** An icon by its name. */
  readonly icon: (name: string) => Markup | undefined;
  /** The pages along the way to one of the site-space that was found; without one, along the way to its first. */
  readonly tree: (page?: string) => Promise<readonly Resources.PublishedPageInTree[]>;
  /** All pages of a site-space, however many there are. */
  readonly allPages: (siteSpace: string) => Promise<readonly Resources.PublishedPageInTree[]>;
  /** A page. Default of the site-space: the one that was found. */
  readonly page: (
    id: string,
    format: "document" | "markdown",
    siteSpace?: string,
  ) => Promise<Resources.PublishedPage | undefined>;
  /** Says that the page shows something which may change unnoticed, so that it is not kept. */
  readonly doNotKeep: () => void;
  /** Whether the page becomes a file, with no server behind it that could search or take an answer. */
  readonly isFile: boolean;
  /** Whether everybody sees the same, so that caches in front may hold it. */
  readonly isPublic: boolean;
  /** An address of the site, as this visitor reaches it. Addresses of others stay as they are. */
  readonly local: (href: string) => string;
  /** The address of something of the reader's own below the site, such as `~octavo/search`. */
  readonly own: (path: string) => string;
}

/** What a page is drawn with, whoever asked for it. */
export type Drawing = Pick<
  Visit,
  | "look"
  | "language"
  | "words"
  | "profile"
  | "siteSpaces"
  | "siteSpace"
  | "icon"
  | "isFile"
  | "isPublic"
  | "local"
  | "own"
> & { readonly url: Pick<URL, "origin">; readonly found: Pick<Found, "pagePath"> };

/** What a visitor shows. */
export interface Credentials {
  readonly jwtToken?: string;
  readonly unsignedClaims?: Readonly<Record<string, unknown>>;
}

const JWT_COOKIE = "octavo-visitor";
const CLAIMS_COOKIE = "octavo-claims";
const LONGEST_COOKIE = 3500;

/** The names of the cookies of visitors. */
export const visitorCookies = { jwt: JWT_COOKIE, claims: CLAIMS_COOKIE, longest: LONGEST_COOKIE } as const;

/** What a request says of the visitor, in its cookies or as a bearer token; undefined: nothing. */
export function credentialsIn(request: PlainRequest): Credentials | undefined {
  const header = request.headers.get("cookie");
  const bearer = request.headers.get("authorization");
  if (header === null && bearer === null) return undefined;
  const jwtToken = bearerIn(bearer) ?? getCookie(header, JWT_COOKIE);
  const unsignedClaims = claimsIn(getCookie(header, CLAIMS_COOKIE));
  if (jwtToken === undefined && unsignedClaims === undefined) return undefined;
  return { ...omitUndefined({ jwtToken, unsignedClaims }) };
}

/** Agents have no cookies: they send the visitor's JWT so. */
function bearerIn(header: string | null): string | undefined {
  return /^bearer +([\w.-]{1,8192})$/i.exec(header ?? "")?.[1];
}

function claimsIn(value: string | undefined): Record<string, unknown> | undefined {
  if (value === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(decodeURIComponent(value));
    return typeof claims === "object" && claims !== null && !Array.isArray(claims) ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}

/** What is published at an address. Undefined: nothing that this visitor sees. A token that is no good is as none. */
export async function resolve(
  asking: Asking,
  url: string,
  { jwtToken, unsignedClaims }: Credentials = {},
): Promise<Published | undefined> {
  const visitor = { ...omitUndefined({ jwtToken, unsignedClaims }) };
  return asking.ask("resolvePublishedUrl", { body: { url, visitor, redirectOnError: true } });
}

/** Somebody who has come to something that is published. */
interface Arrival {
  readonly request: PlainRequest;
  readonly url: URL;
  readonly asking: Asking;
  readonly found: Found;
  readonly credentials: Credentials | undefined;
  /** Default: false. */
  readonly isFile?: boolean;
}

/** Everything around what was found. Undefined where the site went away meanwhile. */
export async function beginVisit(
  house: SiteContext,
  { request, url, asking, found, credentials, isFile = false }: Arrival,
): Promise<Visit | undefined> {
  const ask = asking.as(found.apiToken);
  const at = { organizationId: found.organization, siteId: found.site };
  // The token does not hold the key of a share link, and addresses do.
  const key = found.shareKey === undefined ? {} : { shareKey: found.shareKey };
  const isPreview = found.changeRequest !== undefined || found.revision !== undefined;
  const askForProfile = () => ask("getPublishedSite", { params: at, query: key });
  const isForAll = !credentials && !isPreview;
  const profile = await (isForAll
    ? house.profiles.of(`${found.site} ${found.shareKey ?? ""}`, asking, askForProfile)
    : askForProfile());
  const siteSpaces = profile ? siteSpacesOf(profile) : [];
  const siteSpace = siteSpaces.find(({ id }) => id === found.siteSpace);
  if (!profile || !siteSpace) return undefined;
  const inSpace = { ...at, siteSpaceId: siteSpace.id };
  const look = profile.customizations.siteSpaces[siteSpace.id] ?? profile.customizations.site;
  const { locale, language = siteSpace.space.language ?? locale } = look.internationalization;
  const { visibility, proxy } = profile.site;
  const root = withSlash(profile.site.urls.published ?? found.canonicalUrl);
  // A proxy has its own path for the site, so what is behind one names itself in full.
  const base = proxy && parseUrl(root).host !== url.host ? root : found.siteBasePath;
  const preview = url.searchParams.get("preview");
  const kept = (href: string) => (isPreview && preview !== null ? withParameter(href, preview) : href);
  const published: Visit["published"] = (address) => resolve(asking, address, credentials);
  const firstPage = async () => {
    const first = siteSpace.urls.published === undefined ? undefined : await published(siteSpace.urls.published);
    return first?.type === "content" ? first.page : undefined;
  };
  return {
    house,
    request,
    url,
    path: url.pathname.slice(found.siteBasePath.length),
    found,
    profile,
    siteSpaces,
    siteSpace,
    look,
    language,
    words: wordsOf(locale),
    ask,
    site: { params: at, query: key },
    published,
    icon: await loadIcons(look.styling.icons),
    async tree(page = found.page) {
      const along = page ?? (await firstPage());
      // Nothing is drawn beside a page to say that others are below it.
      const query = along === undefined ? key : { ...key, along, more: "false" as const };
      return (await ask("listPublishedPages", { params: inSpace, query }))?.pages ?? [];
    },
    async allPages(siteSpaceId) {
      return (await ask("listPublishedPages", { params: { ...at, siteSpaceId }, query: key }))?.pages ?? [];
    },
    page: (pageId, format, siteSpaceId = siteSpace.id) =>
      ask("getPublishedPage", {
        params: { ...at, siteSpaceId, pageId },
        query: { ...key, format, references: format === "document" ? "true" : "false", pages: "false" },
      }),
    doNotKeep: asking.doNotKeep,
    isFile,
    isPublic: isForAll && visibility !== "visitor-auth" && visibility !== "share-link",
    local: (href) => (href.startsWith(root) || `${href}/` === root ? kept(base + href.slice(root.length)) : href),
    own: (path) => kept(base + path),
  };
}

function withSlash(href: string): string {
  return href.endsWith("/") ? href : `${href}/`;
}

function withParameter(href: string, preview: string): string {
  const [path = "", anchor] = href.split("#");
  const joined = `${path}${path.includes("?") ? "&" : "?"}preview=${encodeURIComponent(preview)}`;
  return anchor === undefined ? joined : `${joined}#${anchor}`;
}

/** All site-spaces that a visitor sees, in their order. */
export function siteSpacesOf({ structure }: Profile): readonly SiteSpace[] {
  if (structure.type === "siteSpaces") return structure.structure;
  return sectionsOf(structure.structure).flatMap(({ siteSpaces }) => siteSpaces);
}

/** The sections, also those in groups. */
export function sectionsOf(
  structure: readonly (Resources.SiteSection | Resources.SiteSectionGroup)[],
): readonly Resources.SiteSection[] {
  return structure.flatMap((it) => (it.object === "site-section-group" ? it.sections : [it]));
}
