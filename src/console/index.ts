// The entry `octavo/console`: a handler for the application in which users write, review and publish documentation. The
// application is a single page that calls the public operations with the session of the signed-in user.

import type { DocsApi } from "../api/create-docs-api";
import { getApiInternals } from "../api/internals";
import { createFetchHandler } from "../http/fetch";
import { toDocsError } from "../http/handler";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { getAddressKey } from "../http/rate-limit";
import { parseTarget } from "../http/request-target";
import { ASSETS_PATH, loadFiles } from "./assets";
import { renderApplicationPage } from "./page";

export interface ConsoleOptions {
  /**
   * The handler of all requests that are not for the console: `createSignIn(api, { home: "/" })`, or a site in front of it.
   * Default: the API, with which nobody can sign in.
   */
  readonly fallback?: { readonly handle: (request: PlainRequest) => Promise<PlainResponse> };
}

/** The console, in front of another handler. */
export interface Console {
  /** Answers a request, or passes it to the next handler. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(console)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
}

/**
 * Creates the console in front of an API:
 *
 * ```ts
 * const signIn = createSignIn(api, { home: "/" });
 * http.createServer(nodeHandler(createConsole(api, { fallback: signIn }))).listen(3000);
 * ```
 */
export function createConsole(api: DocsApi, options: ConsoleOptions = {}): Console {
  const internals = getApiInternals(api);
  const { kernel, origin, getClientAddress, countRequest } = internals;
  const otherwise = options.fallback ?? api;

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const path = parseTarget(request.url, origin)?.pathname;
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path === undefined || !isRead) return otherwise.handle(request);
    // The paths of `urls.app`, and the console's own pages. The pages of invites belong to the sign-in pages.
    const isPage =
      (path === "/" || path === "/account" || /^\/(?:o|account|integrations)\/./.test(path)) &&
      !/^\/o\/[^/]+\/invites\/[^/]+\/?$/.test(path);
    if (!isPage && !path.startsWith(ASSETS_PATH)) return otherwise.handle(request);
    try {
      countRequest?.(getAddressKey(request.address), kernel.store.now());
      const response = path.startsWith(ASSETS_PATH)
        ? (await loadFiles()).responses.get(path)
        : await renderApplicationPage(internals, request);
      if (!response) return otherwise.handle(request);
      return request.method === "HEAD" ? { ...response, body: undefined } : response;
    } catch (error) {
      const { status, message, headers } = toDocsError(error);
      const type = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
      return { status, headers: { ...headers, ...type }, body: `${message}\n` };
    }
  }

  return {
    handle,
    fetch: createFetchHandler(handle, getClientAddress),
  };
}
