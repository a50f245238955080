// The entry `octavo/site`: a handler in front of the API that serves published sites. Requests for other URLs are passed on.

import type { DocsApi } from "../api/create-docs-api";
import type { VisitedUrl } from "../api/internal-client";
import { getApiInternals } from "../api/internals";
import { matchesETag } from "../execution/etag";
import { createFetchHandler } from "../http/fetch";
import { toDocsError } from "../http/handler";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { getAddressKey } from "../http/rate-limit";
import { readRequestUrl } from "../http/request-target";
import { type ByteRange, serveFile } from "../operation/byte-ranges";
import { getClaimingPartition, nameClaims } from "../storage/claims";
import { DIRECTORY } from "../storage/ids";
import { loadLazily } from "../utils/lazy";
import { parseUrl, trimTrailingSlashes } from "../utils/url";
import { ASSETS_PATH, assets, registerAsset } from "./appearance/assets";
import { type CacheableResponse, cacheResponse, SiteCache } from "./cache/site-cache";
import { renderFeed } from "./machine-readable/feed";
import { isOpenToAgents } from "./machine-readable/listed-pages";
import { renderMarkdownPage } from "./machine-readable/markdown";
import { addExtension, type PageFormat, parseRequestedFormat, toFeedUrl } from "./machine-readable/page-urls";
import { renderContentPage } from "./pages/content-page";
import { readCredentials, readUrlCredentials, storeCredentials } from "./request/credentials";
import type { SiteOptions } from "./request/options";
import { createRequestContext, type RequestContext } from "./request/request-context";
import { findOriginSharing, LOCAL_HOSTNAMES, type SiteContext } from "./request/site-context";
import { renderErrorPage } from "./responses/error-page";
import { renderEmptyPage, renderNotFoundPage } from "./responses/not-found-page";
import { createPlainResponse, createRedirect } from "./responses/responses";
import { DISALLOW_ALL, findMachineRoute, searchRoutes, siteRoutes } from "./routes/routes";

export {
  type ExportedSite,
  type ExportOptions,
  type ExportProgress,
  exportSite,
  SiteExportError,
  type WriteFile,
} from "./export/export-site";
export type { SiteOptions } from "./request/options";

/** Published sites, in front of the API. */
export interface Site {
  /** Responds to a request for a site, or passes it on. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`, for `nodeHandler(site)` of `octavo/node`. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
}

const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;
/** The share of the cache that is for search results. */
const SEARCH_CACHE_SHARE = 1 / 8;
/** The most profiles of sites that are cached. */
const MAX_PROFILES = 100;

const METHOD_NOT_ALLOWED = createPlainResponse(405, "Pages are read with GET.\n", { allow: "GET, HEAD" });

const loadPdf = loadLazily(() => import("./pages/page-pdf"));

/** The formats of a page: the function that renders it, and the URL of the format from that of the page. */
const pageFormats: Readonly<
  Record<
    PageFormat,
    {
      readonly render: (context: RequestContext, page: string) => Promise<CacheableResponse | undefined>;
      readonly toUrl: (page: string) => string;
    }
  >
> = {
  page: { render: renderContentPage, toUrl: (page) => page },
  markdown: { render: renderMarkdownPage, toUrl: (page) => addExtension(page, ".md") },
  feed: { render: renderFeed, toUrl: toFeedUrl },
  pdf: {
    render: async (context, page) => (await loadPdf()).renderPdfPage(context, page),
    toUrl: (page) => addExtension(page, ".pdf"),
  },
};

/**
 * Serves published sites to browsers, crawlers and agents:
 *
 * ```ts
 * http.createServer(nodeHandler(createSite(api))).listen(3000);
 * ```
 */
export function createSite(api: DocsApi, options: SiteOptions = {}): Site {
  const internals = getApiInternals(api);
  const { kernel, origin, getClientAddress, countRequest } = internals;
  const { fallback: otherwise = api, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const site: SiteContext = {
    internals,
    options,
    canRunScripts(url) {
      const sharing = findOriginSharing(kernel.urls, url);
      if (sharing === "api") return options.allowScriptsOnSharedOrigin === true;
      return sharing === "nobody" || options.trustOrganizations === true;
    },
    pageCache: new SiteCache(kernel.store, cacheBytes * (1 - SEARCH_CACHE_SHARE), 500),
    searchCache: new SiteCache(kernel.store, cacheBytes * SEARCH_CACHE_SHARE, 500),
    profileCache: new SiteCache(kernel.store, MAX_PROFILES),
    diagramAsset: options.diagrams === undefined ? undefined : registerAsset("mermaid", "js", options.diagrams),
  };
  const { sites } = kernel.urls;
  // Every request needs these, and parsing a URL takes longer than most of what a cached page costs.
  const sharedUrl = sites.hasOriginPerOrganization ? undefined : parseUrl(sites.origin);
  const sharedPath = sharedUrl && trimTrailingSlashes(parseUrl(sites.findByHost(sharedUrl.host)!.url).pathname);
  const readVersion = async (partition: string) => (await kernel.store.read(partition)).version;

  /** Returns the URL that the browser requested if it may belong to a site, otherwise undefined. */
  async function findVisitedUrl(request: PlainRequest): Promise<URL | undefined> {
    // The headers of the request may not match a URL that the host has stated.
    const visitedUrl = options.visitedUrl?.(request);
    const headers = visitedUrl === undefined || visitedUrl.startsWith("/") ? request.headers : new Headers();
    const url = readRequestUrl(visitedUrl === undefined ? request : { url: visitedUrl, headers }, origin);
    if (!url) return undefined;
    if (sharedUrl && (isLocalSiteUrl(url) || url.host === sharedUrl.host))
      return url.pathname.startsWith(`${sharedPath}/`) ? url : undefined;
    if (!sharedUrl && sites.findByHost(url.host)) return url;
    if (findOriginSharing(kernel.urls, url) === "api") return undefined;
    // Health checks and proxies reach the API under names of their own, so a host must belong to a site.
    try {
      const partition = await getClaimingPartition(
        await kernel.store.read(DIRECTORY),
        nameClaims.siteHost(url.hostname),
      );
      return partition === undefined ? undefined : url;
    } catch {
      // If the storage fails, the API responds. It may not need the storage for this request.
      return undefined;
    }
  }

  /** Returns true if a URL and the sites are at the same port of this machine: `localhost` opens a site that is published at `127.0.0.1`. */
  function isLocalSiteUrl({ hostname, port }: URL): boolean {
    if (!sharedUrl || !LOCAL_HOSTNAMES.has(hostname)) return false;
    return LOCAL_HOSTNAMES.has(sharedUrl.hostname) && port === sharedUrl.port;
  }

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const url = await findVisitedUrl(request);
    if (!url) return otherwise.handle(request);
    try {
      let response = await respond(request, url);
      const { status, headers, body } = response;
      const { etag, "last-modified": lastModified } = headers;
      const knownTag = request.headers.get("if-none-match");
      if (status === 200 && etag !== undefined && knownTag !== null && matchesETag(knownTag, etag)) {
        const { "content-type": _, ...rest } = headers;
        response = { ...response, status: 304, headers: rest, body: undefined };
      } else if (status === 200 && headers["accept-ranges"] === "bytes" && body instanceof Uint8Array) {
        // The client may ask for a part of the file.
        const ranged = await serveFile(request, {
          size: body.length,
          headers,
          etag,
          lastModified: lastModified === undefined ? undefined : new Date(lastModified),
          read: async (range?: ByteRange) => body.subarray(range?.start, range?.end),
        });
        response = ranged.status === 304 ? { ...ranged, body: undefined } : ranged;
      }
      return request.method === "HEAD" ? { ...response, body: undefined } : response;
    } catch (error) {
      const docsError = toDocsError(error);
      if (docsError !== error) kernel.jobs.onError(error);
      return await renderErrorPage(request, docsError.status, "tryLater", docsError.headers);
    }
  }

  async function respond(request: PlainRequest, url: URL): Promise<PlainResponse> {
    const method = request.method === "HEAD" ? "GET" : request.method;
    // The path of an asset may be below any site.
    const asset = assets.get(url.pathname.split(`/${ASSETS_PATH}`).at(-1)!);
    if (asset) return method === "GET" ? asset : METHOD_NOT_ALLOWED;
    // No path of a site has an empty segment, and a browser could take one for a host.
    if (url.pathname.includes("//")) return renderErrorPage(request, 404, "notFound");
    if (method !== "GET" && method !== "POST") return METHOD_NOT_ALLOWED;
    countRequest?.(getAddressKey(request.address), kernel.store.now());

    const urlCredentials = readUrlCredentials(url);
    const storedCredentials = readCredentials(request);
    const credentials = urlCredentials ? { ...storedCredentials, ...urlCredentials } : storedCredentials;
    const { format, urls } = parseRequestedFormat(url, request.headers.get("accept"));
    const cacheKey = method === "GET" && !credentials ? `${format} ${url.href}` : undefined;
    const isSearch = [...searchRoutes.keys()].some((path) => url.pathname.endsWith(`/${path}`));
    const cache = isSearch ? site.searchCache : site.pageCache;
    const cached = cacheKey === undefined ? undefined : await cache.find(cacheKey, readVersion);
    if (cached) return cached;

    // 1. Resolve the URL, which says what is published there and who the visitor is: the content at the first URL that is one of a
    // page, otherwise at the last URL.
    const client = internals.client.openSnapshot();
    let pageUrl = url;
    let published: VisitedUrl | undefined;
    for (pageUrl of urls) {
      // The API knows a local site by the origin of all sites.
      const { href, pathname, search } = pageUrl;
      const canonicalUrl = isLocalSiteUrl(pageUrl) ? `${sites.origin}${pathname}${search}` : href;
      published = await client.visitUrl(canonicalUrl, credentials);
      if (published?.type === "redirect" || published?.isFound === true) break;
    }
    // Visitors who do not see the site get the same answer whether there is one or not.
    if (published?.type !== "content" && url.pathname.endsWith("/robots.txt"))
      return createPlainResponse(200, DISALLOW_ALL);
    if (!published) return renderErrorPage(request, 404, "notFound");
    if (published.type === "redirect") {
      const { redirect, target } = published;
      if (target !== "content" && url.pathname.endsWith("/~octavo/mcp")) {
        // Agents cannot follow a login.
        const sentence = "This site is for visitors who are signed in: send the visitor's JWT as a bearer token.\n";
        return createPlainResponse(401, sentence, { "www-authenticate": "Bearer" });
      }
      if (target !== "content") return createRedirect(307, redirect, { url, holders: "nobody" });
      const movedUrl = pageUrl === url ? redirect : pageFormats[format].toUrl(redirect);
      return createRedirect(308, movedUrl, { url, holders: "visitor" });
    }
    if (urlCredentials) return storeCredentials(url, urlCredentials, published);

    // 2. Load what all pages of the site share.
    const context = await createRequestContext(site, { request, url, client, resolved: published, credentials });
    if (!context) return renderErrorPage(request, 404, "notFound");

    // 3. Load and render the page in the requested format, or what else is at the path.
    const route = siteRoutes[`${method} ${context.path}`];
    if (route) return route(context);
    if (method !== "GET") return METHOD_NOT_ALLOWED;
    const cacheableRoute = searchRoutes.get(context.path) ?? findMachineRoute(context.path);
    const { page, pathname } = context.resolved;
    // A site that is not open to agents has no Markdown, unless its extension asks for it.
    const pageFormat = pageUrl === url && !isOpenToAgents(context) ? "page" : format;
    const response = cacheableRoute
      ? await cacheableRoute(context)
      : page !== undefined && (await pageFormats[pageFormat].render(context, page));
    if (!response)
      return page === undefined && pathname === "/" ? renderEmptyPage(context) : renderNotFoundPage(context);
    if (cacheKey !== undefined && response.status === 200 && context.isPublic && client.isCacheable())
      cacheResponse(cache, cacheKey, response, client.readVersions);
    return response;
  }

  return {
    handle,
    fetch: createFetchHandler(handle, getClientAddress),
  };
}
