// OAuth 2.1 for tools: a command line, an agent or an application gets a token of the user through a browser. Supports the
// authorization code grant with PKCE, the device authorization grant and dynamic registration, for public clients only.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { DocsError } from "../../errors";
import { toDocsError } from "../../http/handler";
import type { PlainResponse } from "../../http/plain-request";
import { operationsByTool } from "../../mcp/agents/tool-operations";
import { limitJsonTextInSteps } from "../../operation/json-limits";
import { checkJsonLimits } from "../../operation/validate";
import { tokens } from "../../resources/people/tokens/records";
import { toolCodes } from "../../resources/people/tokens/tool-codes";
import { DIRECTORY } from "../../storage/ids";
import { toBase64url } from "../../storage/secrets";
import { runStepsSync } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import type { SignInContext, SignInRequest, SignInRoute, SignInRouteFactory } from "../context";
import { readFormFields } from "../pages/forms";
import { handleDecision, showAuthorizationPage } from "./authorize";
import { createClient, decodeClientId, getClientKey, type OAuthClient, parseClientMetadata } from "./clients";
import { createDeviceFlow } from "./device";
import {
  createGrant,
  createInvalidGrantError,
  deleteGrant,
  refreshGrant,
  revokeGrant,
  type TokenResponse,
} from "./grants";
import { AGENTS_PATH, DEVICE_GRANT, getResourceMetadata, getServerMetadata } from "./metadata";
import { isRedirectScheme } from "./redirect-uris";
import { createOAuthErrorResponse, createOAuthResponse, createPreflightResponse, OAuthError } from "./responses";

const MAX_REGISTRATION_BYTES = 16 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export const createOAuthRoutes: SignInRouteFactory = (context) => {
  // The options may only allow schemes of applications.
  const index = (context.options.oauth?.redirectSchemes ?? []).findIndex((scheme) => !isRedirectScheme(scheme));
  if (index >= 0)
    throw new TypeError(
      `createSignIn: \`oauth.redirectSchemes[${index}]\` must be the scheme of an application in lowercase letters and without a colon, such as vscode.`,
    );
  const deviceFlow = createDeviceFlow(context);
  const { basePath, kernel } = context;

  /** Creates an endpoint for clients, with errors in the format of OAuth. Pages of other sites may use it, because it reads no cookie. */
  function createEndpoint(path: string, respond: (request: SignInRequest) => Promise<PlainResponse>): SignInRoute[] {
    return [
      {
        method: "POST",
        path,
        allowsCrossSite: true,
        errorFormat: "json",
        async handle(request) {
          try {
            return await respond(request);
          } catch (error) {
            if (error instanceof OAuthError) return createOAuthErrorResponse(error);
            const { status, message, headers } = toDocsError(error);
            if (!(error instanceof DocsError)) context.kernel.jobs.onError(error);
            const code = status >= 500 ? "server_error" : status === 429 ? "slow_down" : "invalid_request";
            return createOAuthErrorResponse(new OAuthError(code, message, status), headers);
          }
        },
      },
      { method: "OPTIONS", path, handle: async () => createPreflightResponse("POST") },
    ];
  }

  /** Creates the route of a metadata document. `isAppPath`: the path isn't below the base path. */
  function createDocument(path: string, isAppPath: boolean, getMetadata: () => object): SignInRoute[] {
    const location = { path, ...omitUndefined({ isAppPath: isAppPath ? (true as const) : undefined }) };
    const headers = { "cache-control": "public, max-age=300" };
    return [
      {
        method: "GET",
        ...location,
        errorFormat: "json",
        handle: async () => createOAuthResponse(200, getMetadata(), headers),
      },
      { method: "OPTIONS", ...location, handle: async () => createPreflightResponse("GET") },
    ];
  }

  const server = "/.well-known/oauth-authorization-server";
  const resource = "/.well-known/oauth-protected-resource";
  return [
    ...createDocument(`${server}${basePath}`, true, () => getServerMetadata(context)),
    ...createDocument(server, false, () => getServerMetadata(context)),
    ...createDocument(`${resource}${basePath}/v1`, true, () => getResourceMetadata(context, `${basePath}/v1`)),
    ...createDocument(`${resource}${basePath}${AGENTS_PATH}`, true, () => {
      // The scopes that the tools of the MCP server need. A scope that writes includes the one that reads.
      const needed = new Set(
        Object.values(operationsByTool)
          .flat()
          .map((name) => kernel.apiInfo.getScope(name)!),
      );
      const scopes = [...needed]
        .filter((scope) => !needed.has(scope.replace(/:read$/, ":write")) || scope.endsWith(":write"))
        .sort();
      return getResourceMetadata(context, `${basePath}${AGENTS_PATH}`, scopes);
    }),
    ...createDocument(`${resource}${basePath}`, true, () => getResourceMetadata(context, basePath)),
    ...createDocument(resource, false, () => getResourceMetadata(context, basePath)),
    { method: "GET", path: "/oauth/authorize", handle: (request) => showAuthorizationPage(context, request) },
    { method: "POST", path: "/oauth/authorize", handle: (request) => handleDecision(context, request) },
    { method: "GET", path: "/device", handle: deviceFlow.showDevicePage },
    { method: "POST", path: "/device", handle: deviceFlow.handleForm },
    ...createEndpoint("/oauth/register", async (request) => {
      const bytes = await request.body(MAX_REGISTRATION_BYTES);
      let body: unknown;
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        body = JSON.parse(runStepsSync(limitJsonTextInSteps(text)).text);
      } catch {
        throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
      }
      checkJsonLimits(body, "body");
      const client = createClient(kernel.secrets, parseClientMetadata(body, context.options));
      return createOAuthResponse(201, {
        client_id: client.id,
        client_id_issued_at: Math.floor(kernel.store.now().getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ["authorization_code", "refresh_token", DEVICE_GRANT],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      });
    }),
    ...createEndpoint("/oauth/token", async (request) =>
      createOAuthResponse(200, await exchangeGrant(context, deviceFlow.poll, request)),
    ),
    ...createEndpoint("/oauth/device_authorization", async (request) => {
      const fields = await readFormFields(request);
      const client = getClientOrThrow(context, fields);
      return createOAuthResponse(200, await deviceFlow.begin(request, client, fields.get("scope")));
    }),
    ...createEndpoint("/oauth/revoke", async (request) => {
      const fields = await readFormFields(request);
      await revokeGrant(context, getClientOrThrow(context, fields), fields.get("token") ?? "");
      return createOAuthResponse(200, undefined);
    }),
  ];
};

function getClientOrThrow({ kernel }: SignInContext, fields: URLSearchParams): OAuthClient {
  const client = decodeClientId(kernel.secrets, fields.get("client_id"));
  if (!client) throw new OAuthError("invalid_client", "This server has registered no such client.", 401);
  return client;
}

async function exchangeGrant(
  context: SignInContext,
  pollDevice: (client: OAuthClient, deviceCode: string) => Promise<TokenResponse>,
  request: SignInRequest,
): Promise<TokenResponse> {
  const { store } = context.kernel;
  const fields = await readFormFields(request);
  const client = getClientOrThrow(context, fields);
  const requireField = (name: string) => {
    const value = fields.get(name);
    if (value === null || fields.getAll(name).length > 1)
      throw new OAuthError("invalid_request", `Expected \`${name}\` once.`);
    return value;
  };
  switch (fields.get("grant_type")) {
    case "authorization_code": {
      // A code works once and for its own client. A failed attempt invalidates it as well.
      const value = requireField("code");
      const verifier = requireField("code_verifier");
      const redirectUri = fields.get("redirect_uri");
      const response = await store.write(DIRECTORY, async (tx) => {
        const code = await toolCodes.get(tx, sha256Hex(value));
        if (!code || code.client !== getClientKey(client)) return undefined;
        if (code.token !== undefined) {
          // A code that is used twice ends its grant.
          const token = await tokens.find(tx, "id", code.token);
          if (token) await deleteGrant(context, tx, token);
          return undefined;
        }
        // The challenge is the S256 code challenge of the PKCE code verifier (RFC 7636).
        const isValid =
          code.endsAt > store.now().toISOString() &&
          toBase64url(sha256(utf8ToBytes(verifier))) === code.challenge &&
          (redirectUri === null || redirectUri === code.redirectUri);
        if (!isValid) {
          await toolCodes.delete(tx, code.hash);
          return undefined;
        }
        const { id, tokenResponse } = await createGrant(context, tx, code);
        // The used code stays for a day, so that a second use is detected.
        const endsAt = new Date(store.now().getTime() + DAY_MS).toISOString();
        await toolCodes.put(tx, { ...code, endsAt, token: id });
        return tokenResponse;
      });
      if (!response) throw createInvalidGrantError();
      return response;
    }
    case "refresh_token":
      return refreshGrant(context, client, requireField("refresh_token"), fields.get("scope"));
    case DEVICE_GRANT:
      return pollDevice(client, requireField("device_code"));
    default:
      throw new OAuthError("unsupported_grant_type", "See `grant_types_supported` in the metadata.");
  }
}
