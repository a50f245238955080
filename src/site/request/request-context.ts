// The context of one request for a page of a site: the URL, the content that is published there for this visitor, and everything
// that rendering needs to know about the site.

import type { CallOperation, SnapshotClient, VisitedContent, VisitedUrl } from "../../api/internal-client";
import type * as Resources from "../../generated/resources";
import type { PlainRequest } from "../../http/plain-request";
import { loadMessages, type Messages } from "../../locales/messages";
import type { Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { parseUrl } from "../../utils/url";
import { loadIconRenderer } from "../icons/icons";
import type { SiteContext } from "./site-context";

export type SiteProfile = Resources.PublishedContentSite;
export type SiteCustomization = Resources.SiteCustomization;
export type SiteSpace = Resources.SiteSpace;

export interface RequestContext {
  readonly site: SiteContext;
  readonly request: PlainRequest;
  /** The URL as it was visited. */
  readonly url: URL;
  /** The path below the site, without a leading slash. */
  readonly path: string;
  readonly resolved: VisitedContent;
  readonly profile: SiteProfile;
  /** All site-spaces that this visitor sees. */
  readonly siteSpaces: readonly SiteSpace[];
  /** The site-space of the URL. */
  readonly siteSpace: SiteSpace;
  readonly customization: SiteCustomization;
  readonly language: string;
  readonly messages: Messages["site"];
  /** The messages of specifications and of integrations. */
  readonly apiMessages: Messages["openapi"];
  readonly integrationMessages: Messages["integrations"];
  readonly callOperation: CallOperation;
  /** The input that all operations of the site share: its ids, and the key of a share link. */
  readonly siteInput: {
    readonly params: { organizationId: string; siteId: string };
    readonly query: { shareKey?: string };
  };
  /** Returns the content that is published at a URL for this visitor. */
  readonly resolveUrl: (url: string) => Promise<VisitedUrl | undefined>;
  /** Renders an icon by its name. */
  readonly renderIcon: (name: string) => Markup | undefined;
  /** Returns the page tree of the site-space, open on the way to a page. Default: its first page. */
  readonly getPageTree: (page?: string) => Promise<readonly Resources.PublishedPageInTree[]>;
  /** Returns all pages of a site-space, however many there are. */
  readonly listAllPages: (siteSpace: string) => Promise<readonly Resources.PublishedPageInTree[]>;
  /** Returns a page. Default site-space: that of the URL. */
  readonly getPage: (
    id: string,
    format: "document" | "markdown",
    siteSpace?: string,
  ) => Promise<Resources.PublishedPage | undefined>;
  /** Declares that the page shows data that may change without a new version, so that it is not cached. */
  readonly disableCaching: () => void;
  /** True if the page becomes a file, without a server for searches and forms. */
  readonly isExport: boolean;
  /** True if everybody sees the same page, so that shared caches may store it. */
  readonly isPublic: boolean;
  /** Returns a URL of the site as this visitor reaches it. Other URLs stay as they are. */
  readonly toLocalUrl: (href: string) => string;
  /** Returns the URL of a path below the site, such as `~octavo/search`. */
  readonly toSiteUrl: (path: string) => string;
}

/** The part of the context that rendering needs, and that does not depend on the request. */
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
> & { readonly url: Pick<URL, "origin">; readonly resolved: Pick<VisitedContent, "pagePath"> };

/** The credentials that a visitor presents. */
export interface ReaderCredentials {
  readonly jwtToken?: string;
  readonly unsignedClaims?: Readonly<Record<string, unknown>>;
}

/** Creates the context of a request for published content. Returns undefined if the site was removed in the meantime. */
export async function createRequestContext(
  site: SiteContext,
  {
    request,
    url,
    client,
    resolved,
    credentials,
    isExport = false,
  }: Pick<RequestContext, "request" | "url" | "resolved"> & {
    readonly client: SnapshotClient;
    readonly credentials: ReaderCredentials | undefined;
    readonly isExport?: boolean;
  },
): Promise<RequestContext | undefined> {
  const callOperation = client.callAs(resolved.visitor);
  const params = { organizationId: resolved.organization, siteId: resolved.site };
  // A visit does not contain the key of a share link, but URLs do.
  const query = { ...omitUndefined({ shareKey: resolved.shareKey }) };
  const isPreview = resolved.changeRequest !== undefined || resolved.revision !== undefined;
  const isAnonymous = !credentials && !isPreview;
  const profileKey = `${resolved.site} ${resolved.shareKey ?? ""}`;
  const cachedProfile = isAnonymous
    ? await site.profileCache.find(profileKey, async (partition) => client.readVersions.get(partition))
    : undefined;
  const profile = cachedProfile ?? (await callOperation("getPublishedSite", { params, query }));
  if (!profile) return undefined;
  if (isAnonymous && !cachedProfile && client.isCacheable())
    site.profileCache.set(profileKey, profile, client.readVersions);
  const { structure, customizations } = profile;
  const siteSpaces =
    structure.type === "siteSpaces"
      ? structure.structure
      : structure.structure
          .flatMap((entry) => (entry.object === "site-section-group" ? entry.sections : [entry]))
          .flatMap((entry) => (entry.object === "site-section" ? entry.siteSpaces : []));
  const siteSpace = siteSpaces.find(({ id }) => id === resolved.siteSpace);
  if (!siteSpace) return undefined;
  const customization = customizations.siteSpaces[siteSpace.id] ?? customizations.site;
  const { locale, language = siteSpace.space.language ?? locale } = customization.internationalization;
  const { visibility, proxy } = profile.site;
  const messages = await loadMessages(locale);

  const siteUrl = profile.site.urls.published ?? resolved.canonicalUrl;
  const root = siteUrl.endsWith("/") ? siteUrl : `${siteUrl}/`;
  // A proxy may serve the site at another path, so URLs behind it are absolute.
  const base = proxy && parseUrl(root).host !== url.host ? root : resolved.siteBasePath;
  const previewToken = isPreview ? url.searchParams.get("preview") : null;
  const keepPreview = (href: string): string => {
    if (previewToken === null) return href;
    const [path = "", anchor] = href.split("#");
    const preview = `${path}${path.includes("?") ? "&" : "?"}preview=${encodeURIComponent(previewToken)}`;
    return anchor === undefined ? preview : `${preview}#${anchor}`;
  };
  const resolveUrl: RequestContext["resolveUrl"] = (address) => client.visitUrl(address, credentials);

  return {
    site,
    request,
    url,
    path: url.pathname.slice(resolved.siteBasePath.length),
    resolved,
    profile,
    siteSpaces,
    siteSpace,
    customization,
    language,
    messages: messages.site,
    apiMessages: messages.openapi,
    integrationMessages: messages.integrations,
    callOperation,
    siteInput: { params, query },
    resolveUrl,
    renderIcon: await loadIconRenderer(customization.styling.icons),
    async getPageTree(page = resolved.page) {
      let along = page;
      if (along === undefined && siteSpace.urls.published !== undefined) {
        const first = await resolveUrl(siteSpace.urls.published);
        along = first?.type === "content" ? first.page : undefined;
      }
      // The navigation does not show whether a closed page has pages below it, so `more` is not requested.
      const treeQuery = along === undefined ? query : { ...query, along, more: "false" as const };
      const siteSpaceParams = { ...params, siteSpaceId: siteSpace.id };
      return (await callOperation("listPublishedPages", { params: siteSpaceParams, query: treeQuery }))?.pages ?? [];
    },
    async listAllPages(siteSpaceId) {
      return (await callOperation("listPublishedPages", { params: { ...params, siteSpaceId }, query }))?.pages ?? [];
    },
    getPage: (pageId, format, siteSpaceId = siteSpace.id) =>
      callOperation("getPublishedPage", {
        params: { ...params, siteSpaceId, pageId },
        query: { ...query, format, references: format === "document" ? "true" : "false", pages: "false" },
      }),
    disableCaching: client.disableCaching,
    isExport,
    isPublic: isAnonymous && visibility !== "visitor-auth" && visibility !== "share-link",
    toLocalUrl: (href) =>
      href.startsWith(root) || `${href}/` === root ? keepPreview(base + href.slice(root.length)) : href,
    toSiteUrl: (path) => keepPreview(base + path),
  };
}
