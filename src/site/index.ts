// The entry `octavo/site`: a handler beside the API that shows published sites in a browser. It answers the addresses of
// sites, and hands every other request on.

import type { DocsApi } from "../api";
import { toldError } from "../http/edge";
import { fromRequest, toResponse } from "../http/fetch";
import type { PlainRequest, PlainResponse } from "../http/plain";
import { addressKey } from "../http/rate-limit";
import { insideOf } from "../inside";
import { parseAddress, readAddress } from "../web-address";
import { redirect, textAnswer } from "./answer";
import { beginAsking } from "./asking";
import { addScript, assetAnswer } from "./assets";
import type { House } from "./house";
import { notFoundPage } from "./not-found";
import type { SiteOptions } from "./options";
import { contentPage } from "./page";
import { presentedIn, storeCredentials } from "./presented";
import { routes } from "./routes";
import { createShelf, type KeptResponse } from "./shelf";
import { beginVisit, credentialsIn, resolve } from "./visit";

export type { SiteOptions } from "./options";

/** Published sites, with the API behind them. */
export interface Site {
  /** Answers a request: of a site, or handed on. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(site)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
}

const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * Shows published sites to people with a browser, and to machines:
 *
 * ```ts
 * http.createServer(nodeHandler(createSite(api))).listen(3000);
 * ```
 */
export function createSite(api: DocsApi, options: SiteOptions = {}): Site {
  const inside = insideOf(api);
  const { kernel, origin, addressOf, count } = inside;
  const otherwise = options.otherwise ?? api;
  const house: House = {
    inside,
    options,
    shelf: createShelf(inside, options.keptBytes ?? KEPT_BYTES),
    diagramAsset: options.diagrams === undefined ? undefined : addScript("mermaid", options.diagrams),
  };
  const sites = parseAddress(kernel.urls.site("/"));
  const apiHost = parseAddress(origin).host;

  /** The address that was visited, if it may be one of a site. */
  function visited(request: PlainRequest): URL | undefined {
    const { host, protocol } = parseAddress(origin);
    const at = `${protocol}//${request.headers.get("host") ?? host}`;
    const url = readAddress(options.visitedUrl?.(request) ?? request.url, at);
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
    const isShared = url.host === apiHost || url.host === sites.host || isThisMachine(url);
    return isShared && !url.pathname.startsWith(sites.pathname) ? undefined : url;
  }

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const url = visited(request);
    if (!url) return otherwise.handle(request);
    try {
      return sent(request, await answer(request, url));
    } catch (error) {
      const told = toldError(error);
      if (told !== error) kernel.work.onError(error);
      return textAnswer(`${told.message}\n`, {
        status: told.status,
        type: "text/plain; charset=utf-8",
        holders: "nobody",
        headers: told.headers ?? {},
      });
    }
  }

  async function answer(request: PlainRequest, url: URL): Promise<PlainResponse> {
    const asset = assetAnswer(url.pathname);
    if (asset) return asset;
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method !== "GET" && method !== "POST") return notAllowed();
    count?.(addressKey(request.address), kernel.store.now());
    const presented = presentedIn(url);
    const stored = credentialsIn(request);
    const credentials = presented ? { ...stored, ...presented } : stored;
    const name = method === "GET" && !credentials ? url.href : undefined;
    const kept = name === undefined ? undefined : await house.shelf.find(name);
    if (kept) return kept;
    const asking = beginAsking(inside);
    const published = await resolve(asking, canonical(url), credentials);
    if (!published) return nowhere();
    if (published.type === "redirect") {
      const isOwn = published.target === "content";
      return redirect(isOwn ? 308 : 307, published.redirect, { holders: isOwn ? "visitor" : "nobody" });
    }
    if (presented) return storeCredentials(url, presented, published);
    const visit = await beginVisit(house, { request, url, asking, found: published, isAnonymous: !credentials });
    if (!visit) return nowhere();
    const route = routes[`${method} ${visit.path}`];
    if (route) return route(visit);
    if (method !== "GET") return notAllowed();
    const { page, complete } = visit.found;
    const shown = complete && page !== undefined ? await contentPage(visit, page) : undefined;
    if (!shown) return notFoundPage(visit);
    if (name !== undefined && visit.isPublic && asking.isLasting()) house.shelf.keep(name, shown, asking.read);
    return shown;
  }

  /** The address as the API knows it: a machine's own names are one host. */
  function canonical(url: URL): string {
    return isThisMachine(url) ? `${sites.origin}${url.pathname}${url.search}` : url.href;
  }

  return {
    handle,
    fetch: async (request) => toResponse(await handle(fromRequest(request, addressOf?.(request)))),
  };

  /** Names of the machine itself, where the sites are on it: `localhost` opens what is published at `127.0.0.1`. */
  function isThisMachine({ hostname, port }: URL): boolean {
    return LOCAL.has(hostname) && LOCAL.has(sites.hostname) && port === sites.port;
  }
}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A browser that has the same already gets nothing again; HEAD gets no body. */
function sent(request: PlainRequest, response: PlainResponse): PlainResponse {
  const { etag } = response.headers;
  const known = request.headers.get("if-none-match");
  if (response.status === 200 && etag !== undefined && known !== null && isKnown(known, etag)) {
    const { "content-type": _, ...headers } = response.headers;
    return { ...response, status: 304, headers, body: undefined };
  }
  return request.method === "HEAD" ? { ...response, body: undefined } : response;
}

/** Caches in front may have made the tag a weak one. */
function isKnown(header: string, etag: string): boolean {
  return header === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

function notAllowed(): KeptResponse {
  const type = "text/plain; charset=utf-8";
  return textAnswer("Pages are read with GET.\n", {
    status: 405,
    type,
    holders: "nobody",
    headers: { allow: "GET, HEAD" },
  });
}

/** Nothing that the visitor may know of. */
function nowhere(): KeptResponse {
  const type = "text/plain; charset=utf-8";
  return textAnswer("Nothing is published at this address.\n", { status: 404, type, holders: "nobody" });
}
