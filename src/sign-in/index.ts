// The entry `octavo/sign-in`: a handler beside the API, through which people come in with a browser. It answers the paths
// of its parts, and hands every other request to the API.

import { Router } from "itty-router";
import type { DocsApi } from "../api/create-docs-api";
import { getApiInternals } from "../api/internals";
import { createError, type DocsError } from "../errors";
import { createFetchHandler } from "../http/fetch";
import { toDocsError } from "../http/handler";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { getAddressKey } from "../http/rate-limit";
import { parseTarget } from "../http/request-target";
import { createAsk } from "./ask";
import { email } from "./email/email";
import { invites } from "./invites";
import { links, makeLink } from "./links";
import { oauth } from "./oauth";
import { withHint } from "./oauth/metadata";
import { openIdConnect, openIdWays } from "./oidc";
import type { SignInOptions } from "./options";
import { failedPage } from "./pages/failed";
import type { Route, SignInContext, SignInRequest, SignInRoute, Ways } from "./parts";
import { saml } from "./saml";
import { scim } from "./scim";
import { welcome } from "./welcome";

export { isRedirectScheme } from "./oauth/redirect-uris";
export type { SignInOptions } from "./options";

/** The API with people in front of it. */
export interface SignIn {
  /** Answers a request: of signing in itself, or handed to the API. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(signIn)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
  /** For the host, not reachable over HTTP: a link that signs a user in, once, within 15 minutes or so many as are given. Hand
   * it to nobody but the user. */
  readonly linkFor: (user: string, minutes?: number) => Promise<string>;
}

/** Every way to sign in, and every tool beside them. */
const parts: readonly SignInRoute[] = [welcome, email, links, invites, saml, openIdConnect, oauth, scim];

/** What has buttons on the page to sign in. */
const ways: readonly Ways[] = [openIdWays];

/**
 * Lets people in, with a browser:
 *
 * ```ts
 * http.createServer(nodeHandler(createSignIn(api))).listen(3000);
 * ```
 */
export function createSignIn(api: DocsApi, options: SignInOptions = {}): SignIn {
  const inside = getApiInternals(api);
  const { origin, basePath, getClientAddress: addressOf, cookie, kernel } = inside;
  const house: SignInContext = {
    ...inside,
    options,
    urlOf: (path) => `${origin}${basePath}${path}`,
    ask: createAsk(api.handle, basePath),
    ways: async () => (await Promise.all(ways.map((of) => of(house)))).flat(),
  };
  const find = createFinder(
    parts.flatMap((part) => part(house)),
    basePath,
  );

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const url = parseTarget(request.url, origin);
    const found = url && (await find(request.method === "HEAD" ? "GET" : request.method, url.pathname));
    if (!found) return withHint(inside, await api.handle(request), url?.pathname);
    const { method, headers, headerPairs, body, address } = request;
    const arrived: SignInRequest = {
      method,
      url: request.url,
      headers,
      headerPairs: () => headerPairs?.call(request) ?? [],
      body: (limit) => body.call(request, limit),
      address,
      params: found.params,
      query: url.searchParams,
    };
    return answered(found.route, arrived);
  }

  /** Every route is closed to other sites, unless it says otherwise. */
  async function answered(route: Route, request: SignInRequest): Promise<PlainResponse> {
    try {
      inside.countRequest?.(getAddressKey(request.address), kernel.store.now());
      if (!route.takesOthers && cookie.isCrossSite(request)) throw createError("cross_site");
      return await route.answer(request);
    } catch (error) {
      const told = toDocsError(error);
      if (told !== error) kernel.jobs.onError(error);
      if (typeof route.tells === "function") return route.tells(told);
      return route.tells === "json" ? failedJson(told) : failedPage(house, request, told);
    }
  }

  return {
    handle,
    fetch: createFetchHandler(handle, addressOf),
    linkFor: (user, minutes) => makeLink(house, user, minutes),
  };
}

/** A failure in the shape that the API has. */
function failedJson({ status, reason, message, headers }: DocsError): PlainResponse {
  const body = JSON.stringify({ error: { code: status, message, reason } });
  const type = { "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status, headers: { ...type, ...headers }, body };
}

/** Finds the route of a path with itty-router, and the decoded parameters. */
function createFinder(routes: readonly Route[], basePath: string) {
  type Probe = { method: string; url: string; params?: Record<string, string> };
  const router = Router();
  for (const route of routes)
    router.all(`${route.isOfApp ? "" : basePath}${route.path}`, ({ method }) =>
      route.method === "*" || method === route.method ? route : undefined,
    );
  return async (method: string, path: string) => {
    const probe: Probe = { method, url: `http://localhost${path}` };
    const route = (await router.fetch(probe as never)) as Route | undefined;
    if (!route) return undefined;
    const params = Object.entries(probe.params ?? {}).map(([name, value]) => [name, decoded(value)]);
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  };
}

/** A segment of a path. One that is not well-formed leads nowhere. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
