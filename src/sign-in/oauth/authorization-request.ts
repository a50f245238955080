// An authorization request, read from a query or from a form of the authorization page.

import { tryParseUrl } from "../../utils/url";
import type { SignInContext } from "../context";
import { decodeClientId, isRegisteredRedirectUri, type OAuthClient } from "./clients";

export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | null;
  /** The PKCE code challenge. */
  readonly challenge: string;
  readonly scopes: readonly string[];
}

/** The part of an authorization request that is invalid. */
export type RequestFlaw = "client" | "redirect" | "request" | "scope" | "resource";

/** The parameters that are passed on from page to page. */
export const authorizationParameters = [
  ...["client_id", "redirect_uri", "response_type", "state", "code_challenge", "code_challenge_method"],
  ...["scope", "resource"],
] as const;

/**
 * Parses an authorization request. Returns its first flaw if it's invalid. An invalid request never redirects to its URI,
 * because anybody can register one.
 */
export function parseAuthorizationRequest(
  context: SignInContext,
  parameters: URLSearchParams,
): AuthorizationRequest | RequestFlaw {
  const { secrets } = context.kernel;
  const client = decodeClientId(secrets, parameters.get("client_id"));
  if (!client) return "client";
  const redirectUri = parameters.get("redirect_uri") ?? client.redirectUris[0];
  if (redirectUri === undefined || !isRegisteredRedirectUri(client, redirectUri, context.options)) return "redirect";
  const isRepeated = authorizationParameters.some((name) => name !== "resource" && parameters.getAll(name).length > 1);
  const challenge = parameters.get("code_challenge") ?? "";
  const state = parameters.get("state");
  if (
    isRepeated ||
    parameters.get("response_type") !== "code" ||
    parameters.get("code_challenge_method") !== "S256" ||
    !/^[A-Za-z0-9_-]{43}$/.test(challenge) ||
    (state?.length ?? 0) > 1000
  )
    return "request";
  const scopes = parseScopes(context, parameters.get("scope"));
  if (scopes.length === 0) return "scope";
  // A resource indicator (RFC 8707) must name this API, or a path below it.
  const areResourcesOwn = parameters.getAll("resource").every((resource) => {
    const url = tryParseUrl(resource);
    if (!url) return false;
    const path = url.pathname.replace(/\/$/, "");
    return (
      url.origin === context.origin && url.hash === "" && (path === "" || `${path}/`.startsWith(`${context.basePath}/`))
    );
  });
  if (!areResourcesOwn) return "resource";
  return { client, redirectUri, state, challenge, scopes };
}

/** Returns the requested scopes that exist. A request without scopes gets all that read. */
export function parseScopes({ kernel }: SignInContext, text: string | null): string[] {
  const { scopes } = kernel.apiInfo;
  if (!text) return scopes.filter((scope) => scope.endsWith(":read"));
  const requested = new Set(text.split(/\s+/));
  return scopes.filter((scope) => requested.has(scope));
}
