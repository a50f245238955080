// The entry `octavo/sign-in`: a handler in front of the API, through which people sign in with a browser. It handles the
// routes of the sign-in methods, and hands every other request to the API.

import { Router } from "itty-router";
import type { DocsApi } from "../api/create-docs-api";
import { getApiInternals } from "../api/internals";
import { createError } from "../errors";
import { createFetchHandler } from "../http/fetch";
import { toDocsError } from "../http/handler";
import { getRequestLanguage } from "../http/language";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { getAddressKey } from "../http/rate-limit";
import { parseTarget } from "../http/request-target";
import { loadMessages } from "../locales/messages";
import { tryDecodeUriComponent } from "../utils/url";
import type { SignInButtonFactory, SignInContext, SignInRequest, SignInRoute, SignInRouteFactory } from "./context";
import { createEmailRoutes } from "./email/email";
import { createInviteRoutes } from "./invite-page";
import { createOAuthRoutes } from "./oauth";
import { AGENTS_PATH } from "./oauth/metadata";
import { createOpenIdButtons, createOpenIdRoutes } from "./oidc";
import type { SignInOptions } from "./options";
import { showErrorPage } from "./pages/error-pages";
import { createSamlRoutes } from "./saml";
import { createScimRoutes } from "./scim";
import { createLinkRoutes, createSignInLink } from "./sign-in-links";
import { createSignInPageRoutes } from "./sign-in-page";

export { isRedirectScheme } from "./oauth/redirect-uris";
export type { SignInOptions } from "./options";

/** The API together with the sign-in pages. */
export interface SignIn {
  /** Handles a request to a sign-in route, or hands it to the API. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without `Request` and `Response`: `nodeHandler(signIn)` of `octavo/node` uses it. */
  readonly handle: (request: PlainRequest) => Promise<PlainResponse>;
  /**
   * Creates a link that signs a user in once, within a number of minutes (default: 15). For the host alone: it isn't
   * reachable over HTTP. Give the link to nobody but the user.
   */
  readonly createSignInLink: (user: string, minutes?: number) => Promise<string>;
}

const routeFactories: readonly SignInRouteFactory[] = [
  createSignInPageRoutes,
  createEmailRoutes,
  createLinkRoutes,
  createInviteRoutes,
  createSamlRoutes,
  createOpenIdRoutes,
  createOAuthRoutes,
  createScimRoutes,
];

const buttonFactories: readonly SignInButtonFactory[] = [createOpenIdButtons];

/**
 * Adds sign-in with a browser to an API:
 *
 * ```ts
 * http.createServer(nodeHandler(createSignIn(api))).listen(3000);
 * ```
 */
export function createSignIn(api: DocsApi, options: SignInOptions = {}): SignIn {
  const internals = getApiInternals(api);
  const { origin, basePath, getClientAddress, cookie, kernel } = internals;
  const context: SignInContext = {
    ...internals,
    options,
    getUrl: (path) => `${origin}${basePath}${path}`,
    listButtons: async () => (await Promise.all(buttonFactories.map((createButtons) => createButtons(context)))).flat(),
  };
  const router = Router();
  for (const route of routeFactories.flatMap((createRoutes) => createRoutes(context)))
    router.all(`${route.isAppPath ? "" : basePath}${route.path}`, ({ method }) =>
      route.method === "*" || method === route.method ? route : undefined,
    );

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const url = parseTarget(request.url, origin);
    const routerRequest: { method: string; url: string; params?: Record<string, string> } = {
      method: request.method === "HEAD" ? "GET" : request.method,
      url: `http://localhost${url?.pathname}`,
    };
    const route = url && ((await router.fetch(routerRequest as never)) as SignInRoute | undefined);
    if (!route) {
      const response = await api.handle(request);
      if (response.status !== 401) return response;
      // A response with status 401 gets a link to the metadata.
      const resourcePath = url?.pathname === `${internals.basePath}${AGENTS_PATH}` ? AGENTS_PATH : "/v1";
      const existing = response.headers["www-authenticate"] ?? "Bearer";
      const link = `resource_metadata="${internals.origin}/.well-known/oauth-protected-resource${internals.basePath}${resourcePath}"`;
      const challenge = `${existing}${existing.includes("=") ? "," : ""} ${link}`;
      return { ...response, headers: { ...response.headers, "www-authenticate": challenge } };
    }
    const { method, headers, headerPairs, body, address } = request;
    const params: Record<string, string> = {};
    // A malformed segment becomes an empty text, which matches no record.
    for (const [name, value] of Object.entries(routerRequest.params ?? {}))
      params[name] = tryDecodeUriComponent(value) ?? "";
    const language = getRequestLanguage({ query: url.searchParams, headers });
    const routeRequest: SignInRequest = {
      method,
      url: request.url,
      headers,
      headerPairs: () => headerPairs?.call(request) ?? [],
      body: (limit) => body.call(request, limit),
      address,
      params,
      query: url.searchParams,
      language,
      messages: await loadMessages(language),
    };
    // Every route is closed to other sites, unless it allows them.
    try {
      internals.countRequest?.(getAddressKey(address), kernel.store.now());
      if (!route.allowsCrossSite && cookie.isCrossSite(routeRequest)) throw createError("cross_site");
      return await route.handle(routeRequest);
    } catch (error) {
      const docsError = toDocsError(error);
      if (docsError !== error) kernel.jobs.onError(error);
      if (typeof route.errorFormat === "function") return route.errorFormat(docsError);
      if (route.errorFormat !== "json") return showErrorPage(context, routeRequest, docsError);
      // The same format as the errors of the API.
      const { status, reason, message } = docsError;
      return {
        status,
        headers: {
          "content-type": "application/json; charset=utf-8",
          "x-content-type-options": "nosniff",
          ...docsError.headers,
        },
        body: JSON.stringify({ error: { code: status, message, reason } }),
      };
    }
  }

  return {
    handle,
    fetch: createFetchHandler(handle, getClientAddress),
    createSignInLink: (user, minutes) => createSignInLink(context, user, minutes),
  };
}
