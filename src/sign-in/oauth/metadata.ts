// How a tool finds out where to ask: the metadata of the authorization server (RFC 8414) and of the API as what it
// protects (RFC 9728), and the hint to them in every 401.

import type { PlainResponse } from "../../http/plain-request";
import { listToolOperations } from "../../mcp/agents/tool-operations";
import { tryParseUrl } from "../../utils/url";
import type { SignInContext } from "../parts";

/** The identifier of this server for tools. */
export function issuerOf({ urlOf }: Pick<SignInContext, "urlOf">): string {
  return urlOf("");
}

export function serverMetadata(house: SignInContext): object {
  const { urlOf, kernel } = house;
  return {
    issuer: issuerOf(house),
    authorization_endpoint: urlOf("/oauth/authorize"),
    token_endpoint: urlOf("/oauth/token"),
    registration_endpoint: urlOf("/oauth/register"),
    revocation_endpoint: urlOf("/oauth/revoke"),
    device_authorization_endpoint: urlOf("/oauth/device_authorization"),
    scopes_supported: kernel.apiInfo.scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: kernel.urls.api("/docs"),
  };
}

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** `path`: that of the API, or an empty text for all of this host. A tool that is told of no scopes asks for all of `scopes`. */
export function resourceMetadata(house: SignInContext, path: string, scopes = house.kernel.apiInfo.scopes): object {
  return {
    resource: `${house.origin}${path}`,
    authorization_servers: [issuerOf(house)],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_documentation: house.kernel.urls.api("/docs"),
  };
}

/** The path of the server for agents, behind the base path. */
export const AGENTS = "/v1/mcp";

/** The scopes that the tools of agents need. The right to write includes the right to read. */
export function agentScopes({ kernel }: Pick<SignInContext, "kernel">): string[] {
  const needed = new Set(listToolOperations().map((name) => kernel.apiInfo.getScope(name)!));
  return [...needed]
    .filter((scope) => !needed.has(scope.replace(/:read$/, ":write")) || scope.endsWith(":write"))
    .sort();
}

/** Whether a tool that names what it wants to use (RFC 8707) means this API, or something below it. */
export function isOurs({ origin, basePath }: Pick<SignInContext, "origin" | "basePath">, resource: string): boolean {
  const url = tryParseUrl(resource);
  if (!url) return false;
  const path = url.pathname.replace(/\/$/, "");
  return url.origin === origin && url.hash === "" && (path === "" || `${path}/`.startsWith(`${basePath}/`));
}

/** A 401 of the API, with the hint where a tool gets a token. `path`: what was asked for. */
export function withHint(
  { origin, basePath }: Pick<SignInContext, "origin" | "basePath">,
  response: PlainResponse,
  path: string | undefined,
): PlainResponse {
  if (response.status !== 401) return response;
  const at = path === `${basePath}${AGENTS}` ? AGENTS : "/v1";
  const before = response.headers["www-authenticate"] ?? "Bearer";
  const hint = `resource_metadata="${origin}/.well-known/oauth-protected-resource${basePath}${at}"`;
  const challenge = `${before}${before.includes("=") ? "," : ""} ${hint}`;
  return { ...response, headers: { ...response.headers, "www-authenticate": challenge } };
}
