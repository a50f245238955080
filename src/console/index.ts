// The entry `octavo/console`: a handler beside the API with the application that people write, review and run documentation
// with. The application is one page. It calls the public operations, with the session of the person who has signed in.

import type { DocsApi } from "../api/create-docs-api";
import { getApiInternals } from "../api/internals";
import { createFetchHandler } from "../http/fetch";
import { toDocsError } from "../http/handler";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { getAddressKey } from "../http/rate-limit";
import { parseTarget } from "../http/request-target";
import { assetAnswer, OWN } from "./assets";
import type { ConsoleOptions } from "./options";
import { applicationPage } from "./page";

export type { ConsoleOptions } from "./options";

/** The console, with what is behind it. */
export interface Console {
  /** Answers a request: of the console, or handed on. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(console)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
}

/**
 * Puts the console in front of an API:
 *
 * ```ts
 * const signIn = createSignIn(api, { home: "/" });
 * http.createServer(nodeHandler(createConsole(api, { otherwise: signIn }))).listen(3000);
 * ```
 */
export function createConsole(api: DocsApi, options: ConsoleOptions = {}): Console {
  const inside = getApiInternals(api);
  const { kernel, origin, getClientAddress: addressOf, countRequest: count } = inside;
  const otherwise = options.otherwise ?? api;

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const path = parseTarget(request.url, origin)?.pathname;
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path === undefined || !isRead || !(path.startsWith(OWN) || isOfApplication(path)))
      return otherwise.handle(request);
    try {
      count?.(getAddressKey(request.address), kernel.store.now());
      const whole = path.startsWith(OWN) ? await assetAnswer(path) : await applicationPage(inside, request);
      if (!whole) return otherwise.handle(request);
      return request.method === "HEAD" ? { ...whole, body: undefined } : whole;
    } catch (error) {
      const { status, message, headers } = toDocsError(error);
      const type = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
      return { status, headers: { ...headers, ...type }, body: `${message}\n` };
    }
  }

  return {
    handle,
    fetch: createFetchHandler(handle, addressOf),
  };
}

/** Whether a path is one of `urls.app`, or of the console's own pages. The page of an invite belongs to signing in. */
function isOfApplication(path: string): boolean {
  if (/^\/o\/[^/]+\/invites\/[^/]+\/?$/.test(path)) return false;
  return path === "/" || path === "/account" || /^\/(?:o|account|integrations)\/./.test(path);
}
