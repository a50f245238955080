// The entry `octavo/site`: a handler beside the API that shows published sites in a browser. It answers the addresses of
// sites, and hands every other request on.

import type { DocsApi } from "../api/create-docs-api";
import { getApiInternals } from "../api/internals";
import { matchesETag } from "../execution/etag";
import { createFetchHandler } from "../http/fetch";
import { toDocsError } from "../http/handler";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { getAddressKey } from "../http/rate-limit";
import { readRequestUrl } from "../http/request-target";
import { type ByteRange, serveFile } from "../operation/byte-ranges";
import { getHostClaim } from "../resources/sites/addresses/hosts";
import { getClaimingPartition } from "../storage/claims";
import { DIRECTORY } from "../storage/ids";
import { loadLazily } from "../utils/lazy";
import { parseUrl, trimTrailingSlashes } from "../utils/url";
import { findAsset, registerScript } from "./appearance/assets";
import { createProfileCache } from "./cache/profile-cache";
import { type CacheableResponse, createSiteResponseCache } from "./cache/response-cache";
import { createClosedMcpResponse, isMcpUrl } from "./machine-readable/closed-mcp";
import { renderFeed } from "./machine-readable/feed";
import { isOpenToAgents } from "./machine-readable/listed-pages";
import { renderMarkdownPage } from "./machine-readable/markdown";
import { type PageFormat, parseRequestedFormat } from "./machine-readable/page-format";
import { toFeedUrl, toMarkdownUrl, toPdfUrl } from "./machine-readable/page-urls";
import { createClosedRobotsResponse, isRobotsUrl } from "./machine-readable/robots";
import { findMachineRoute } from "./machine-readable/routes";
import { renderContentPage } from "./pages/content-page";
import { createSnapshotClient } from "./request/api-client";
import { readUrlCredentials, storeCredentials } from "./request/credentials";
import type { SiteOptions } from "./request/options";
import { canRunScripts, findOriginSharing, isLocalHostname } from "./request/origins";
import {
  createRequestContext,
  type PublishedUrl,
  type RequestContext,
  readCredentials,
  resolvePublishedUrl,
} from "./request/request-context";
import type { SiteContext } from "./request/site-context";
import { renderErrorPage } from "./responses/error-page";
import { renderEmptyPage, renderNotFoundPage } from "./responses/not-found-page";
import { createRedirect, createTextResponse } from "./responses/responses";
import { isSearchUrl, searchRoutes, siteRoutes } from "./routes/routes";

export {
  type ExportedSite,
  type ExportOptions,
  type ExportProgress,
  exportSite,
  SiteNotExported,
  type WriteFile,
} from "./export/export-site";
export type { SiteOptions } from "./request/options";

/** Published sites, with the API behind them. */
export interface Site {
  /** Answers a request: of a site, or handed on. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(site)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
}

const KEPT_BYTES = 32 * 1024 * 1024;
/** The part of it that is for answers to questions. */
const SHARE_OF_ANSWERS = 1 / 8;

const loadPdf = loadLazily(() => import("./pages/page-pdf"));

/**
 * Shows published sites to people with a browser, and to machines:
 *
 * ```ts
 * http.createServer(nodeHandler(createSite(api))).listen(3000);
 * ```
 */
export function createSite(api: DocsApi, options: SiteOptions = {}): Site {
  const inside = getApiInternals(api);
  const { kernel, origin, getClientAddress: addressOf, countRequest: count } = inside;
  const { otherwise = api, keptBytes = KEPT_BYTES } = options;
  const site: SiteContext = {
    internals: inside,
    options,
    canRunScripts: (url) => canRunScripts(findOriginSharing(kernel.urls, url), options),
    pageCache: createSiteResponseCache(inside, keptBytes * (1 - SHARE_OF_ANSWERS)),
    searchCache: createSiteResponseCache(inside, keptBytes * SHARE_OF_ANSWERS),
    profileCache: createProfileCache(inside),
    diagramAsset: options.diagrams === undefined ? undefined : registerScript("mermaid", options.diagrams),
  };
  const { sites } = kernel.urls;

  /** The address that was visited, if it is one where sites are. */
  async function findVisitedUrl(request: PlainRequest): Promise<URL | undefined> {
    const url = readVisitedUrl(request);
    if (!url) return undefined;
    const shared = sites.findByHost(parseUrl(toCanonicalUrl(url)).host);
    if (shared && sites.hasOriginPerOrganization) return url;
    if (shared)
      return url.pathname.startsWith(`${trimTrailingSlashes(parseUrl(shared.url).pathname)}/`) ? url : undefined;
    if (findOriginSharing(kernel.urls, url) === "api") return undefined;
    // Health checks and proxies reach the API under names of their own: only a host that belongs to a site is one of sites.
    return (await isHostOfSite(url.hostname)) ? url : undefined;
  }

  /** The address that the browser asked for. What the host says of it needs not agree with the request. */
  function readVisitedUrl(request: PlainRequest): URL | undefined {
    const { headers } = request;
    const visitedUrl = options.visitedUrl?.(request);
    if (visitedUrl === undefined) return readRequestUrl(request, origin);
    return readRequestUrl({ url: visitedUrl, headers: visitedUrl.startsWith("/") ? headers : new Headers() }, origin);
  }

  /** A storage that does not answer has no sites. The API says what is wrong, or that all is well where nothing is read. */
  async function isHostOfSite(host: string): Promise<boolean> {
    try {
      return (await getClaimingPartition(await kernel.store.read(DIRECTORY), getHostClaim(host))) !== undefined;
    } catch {
      return false;
    }
  }

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const url = await findVisitedUrl(request);
    if (!url) return otherwise.handle(request);
    try {
      const whole = await respond(request, url);
      return withoutBody(request, await inRange(request, unlessKnown(request, whole)));
    } catch (error) {
      const told = toDocsError(error);
      if (told !== error) kernel.jobs.onError(error);
      return renderErrorPage(request, told.status, "tryLater", told.headers);
    }
  }

  async function respond(request: PlainRequest, url: URL): Promise<PlainResponse> {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const asset = findAsset(url.pathname);
    if (asset) return method === "GET" ? asset : notAllowed();
    // No path of a site has an empty segment, and a browser could take one for a host.
    if (url.pathname.includes("//")) return renderErrorPage(request, 404, "notFound");
    if (method !== "GET" && method !== "POST") return notAllowed();
    count?.(getAddressKey(request.address), kernel.store.now());
    const presented = readUrlCredentials(url);
    const stored = readCredentials(request);
    const credentials = presented ? { ...stored, ...presented } : stored;
    const { format: form, urls: addresses } = parseRequestedFormat(url, request.headers.get("accept"));
    const name = method === "GET" && !credentials ? `${form} ${url.href}` : undefined;
    const shelf = isSearchUrl(url) ? site.searchCache : site.pageCache;
    const again = name === undefined ? undefined : await shelf.find(name);
    if (again) return again;
    const client = createSnapshotClient(inside);
    const find = (address: URL) => resolvePublishedUrl(client, toCanonicalUrl(address), credentials);
    const { at, published } = await resolveFirstUrl(addresses, find);
    if (published?.type !== "content" && isRobotsUrl(url)) return createClosedRobotsResponse();
    if (!published) return renderErrorPage(request, 404, "notFound");
    if (published.type === "redirect") {
      if (published.target !== "content" && isMcpUrl(url)) return createClosedMcpResponse();
      if (published.target !== "content") return createRedirect(307, published.redirect, { url, holders: "nobody" });
      const to = at === url ? published.redirect : inForm[form].address(published.redirect);
      return createRedirect(308, to, { url, holders: "visitor" });
    }
    if (presented) return storeCredentials(url, presented, published);
    const context = await createRequestContext(site, { request, url, client, resolved: published, credentials });
    if (!context) return renderErrorPage(request, 404, "notFound");
    const kept = (shown: CacheableResponse) => {
      const isKept = name !== undefined && shown.status === 200 && context.isPublic && client.isCacheable();
      if (isKept) shelf.store(name, shown, client.readVersions);
      return shown;
    };
    const route = siteRoutes[`${method} ${context.path}`];
    if (route) return route(context);
    if (method !== "GET") return notAllowed();
    const answerRoute = searchRoutes.get(context.path);
    if (answerRoute) return kept(await answerRoute(context));
    const machine = findMachineRoute(context.path);
    if (machine) return kept(await machine(context));
    const { page, complete } = context.resolved;
    const isPlain = at === url && !isOpenToAgents(context);
    const shown = complete && page !== undefined && (await inForm[isPlain ? "page" : form].show(context, page));
    if (shown) return kept(shown);
    return context.resolved.page === undefined && context.resolved.pathname === "/"
      ? renderEmptyPage(context)
      : renderNotFoundPage(context);
  }

  /** The address as the API knows it: a machine's own names are one host. */
  function toCanonicalUrl(url: URL): string {
    return isThisMachine(url) ? `${sites.origin}${url.pathname}${url.search}` : url.href;
  }

  return {
    handle,
    fetch: createFetchHandler(handle, addressOf),
  };

  /** Names of the machine itself, where the sites are on it: `localhost` opens what is published at `127.0.0.1`. */
  function isThisMachine({ hostname, port }: URL): boolean {
    if (sites.hasOriginPerOrganization || !isLocalHostname(hostname)) return false;
    const shared = parseUrl(sites.origin);
    return isLocalHostname(shared.hostname) && port === shared.port;
  }
}

/** The forms of a page: what shows it, and what its address is. */
const inForm: Readonly<
  Record<
    PageFormat,
    {
      readonly show: (context: RequestContext, page: string) => Promise<CacheableResponse | undefined>;
      readonly address: (page: string) => string;
    }
  >
> = {
  page: { show: renderContentPage, address: (page) => page },
  markdown: { show: renderMarkdownPage, address: toMarkdownUrl },
  feed: { show: renderFeed, address: toFeedUrl },
  pdf: { show: async (context, page) => (await loadPdf()).renderPdfPage(context, page), address: toPdfUrl },
};

/** What is published at the first address that is one of a page, else at the last one. */
async function resolveFirstUrl(
  addresses: readonly URL[],
  find: (address: URL) => Promise<PublishedUrl | undefined>,
): Promise<{ readonly at: URL; readonly published: PublishedUrl | undefined }> {
  const [at, ...others] = addresses as [URL, ...URL[]];
  const published = await find(at);
  const isPage = published?.type === "redirect" || published?.complete === true;
  return isPage || others.length === 0 ? { at, published } : resolveFirstUrl(others, find);
}

/** A browser that has the same already gets nothing again. */
function unlessKnown(request: PlainRequest, response: PlainResponse): PlainResponse {
  const { etag } = response.headers;
  const known = request.headers.get("if-none-match");
  if (response.status === 200 && etag !== undefined && known !== null && matchesETag(known, etag)) {
    const { "content-type": _, ...headers } = response.headers;
    return { ...response, status: 304, headers, body: undefined };
  }
  return response;
}

/** A part of a file, where one is asked for. */
async function inRange(request: PlainRequest, response: PlainResponse): Promise<PlainResponse> {
  const { status, headers, body } = response;
  if (status !== 200 || headers["accept-ranges"] !== "bytes" || !(body instanceof Uint8Array)) return response;
  const { etag, "last-modified": modified } = headers;
  const lastModified = modified === undefined ? undefined : new Date(modified);
  const read = async (range?: ByteRange) => body.subarray(range?.start, range?.end);
  const sent = await serveFile(request, { size: body.length, headers, etag, lastModified, read });
  return sent.status === 304 ? { ...sent, body: undefined } : sent;
}

function withoutBody(request: PlainRequest, response: PlainResponse): PlainResponse {
  return request.method === "HEAD" ? { ...response, body: undefined } : response;
}

function notAllowed(): CacheableResponse {
  const type = "text/plain; charset=utf-8";
  return createTextResponse("Pages are read with GET.\n", {
    status: 405,
    type,
    holders: "nobody",
    headers: { allow: "GET, HEAD" },
  });
}
