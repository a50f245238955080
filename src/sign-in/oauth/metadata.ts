// Discovery for OAuth clients: the metadata of the authorization server (RFC 8414) and of the API as a protected resource
// (RFC 9728), and the link to them in every response with status 401.

import type { SignInContext } from "../context";

export function getServerMetadata(context: SignInContext): object {
  const { getUrl, kernel } = context;
  return {
    issuer: context.getUrl(""),
    authorization_endpoint: getUrl("/oauth/authorize"),
    token_endpoint: getUrl("/oauth/token"),
    registration_endpoint: getUrl("/oauth/register"),
    revocation_endpoint: getUrl("/oauth/revoke"),
    device_authorization_endpoint: getUrl("/oauth/device_authorization"),
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

/** Returns the metadata of the API, or of the whole host if `path` is empty. A client that knows no scopes requests all of `scopes`. */
export function getResourceMetadata(
  context: SignInContext,
  path: string,
  scopes = context.kernel.apiInfo.scopes,
): object {
  return {
    resource: `${context.origin}${path}`,
    authorization_servers: [context.getUrl("")],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_documentation: context.kernel.urls.api("/docs"),
  };
}

/** The path of the MCP server, behind the base path. */
export const AGENTS_PATH = "/v1/mcp";
