// OAuth for tools: a command line, an agent or an application gets a token of the user with the help of a browser. Code
// flow with PKCE, device flow, dynamic registration; public clients only.

import { DocsError } from "../../errors";
import { toDocsError } from "../../http/handler";
import type { PlainResponse } from "../../http/plain-request";
import { limitJsonText } from "../../operation/json-limits";
import { checkJsonLimits } from "../../operation/validate";
import { toolCodes } from "../../resources/people/tokens/tool-codes";
import { DIRECTORY } from "../../storage/ids";
import { hashFingerprint } from "../../storage/secrets";
import { omitUndefined } from "../../utils/objects";
import { fieldsOf } from "../pages/forms";
import type { Route, SignInContext, SignInRequest, SignInRoute } from "../parts";
import { answer, errorAnswer, OAuthError, preflight } from "./answers";
import { challengeOf } from "./asked";
import { authorize, authorizePage } from "./authorize";
import { type Client, clientKey, clientWith, describedBy, registered } from "./clients";
import { createDeviceFlow } from "./device";
import { ended, grant, refresh, revoke, stop, type Tokens } from "./grants";
import { AGENTS, agentScopes, DEVICE_GRANT, resourceMetadata, serverMetadata } from "./metadata";
import { checkRedirectSchemes } from "./redirect-uris";

const MAX_REGISTRATION_BYTES = 16 * 1024;

export const oauth: SignInRoute = (house) => {
  checkRedirectSchemes(house.options);
  const devices = createDeviceFlow(house);
  const { basePath } = house;

  /** An endpoint of tools. Other sites may use it: it looks at no cookie. */
  function endpoint(path: string, run: (request: SignInRequest) => Promise<PlainResponse>): Route[] {
    return [
      {
        method: "POST",
        path,
        takesOthers: true,
        tells: "json",
        answer: (request) => answered(house, () => run(request)),
      },
      { method: "OPTIONS", path, answer: async () => preflight("POST") },
    ];
  }

  function document(path: string, isOfApp: boolean, make: () => object): Route[] {
    const at = { path, ...omitUndefined({ isOfApp: isOfApp ? (true as const) : undefined }) };
    const headers = { "cache-control": "public, max-age=300" };
    return [
      { method: "GET", ...at, tells: "json", answer: async () => answer(200, make(), headers) },
      { method: "OPTIONS", ...at, answer: async () => preflight("GET") },
    ];
  }

  const server = "/.well-known/oauth-authorization-server";
  const resource = "/.well-known/oauth-protected-resource";
  return [
    ...document(`${server}${basePath}`, true, () => serverMetadata(house)),
    ...document(server, false, () => serverMetadata(house)),
    ...document(`${resource}${basePath}/v1`, true, () => resourceMetadata(house, `${basePath}/v1`)),
    ...document(`${resource}${basePath}${AGENTS}`, true, () =>
      resourceMetadata(house, `${basePath}${AGENTS}`, agentScopes(house)),
    ),
    ...document(`${resource}${basePath}`, true, () => resourceMetadata(house, basePath)),
    ...document(resource, false, () => resourceMetadata(house, basePath)),
    { method: "GET", path: "/oauth/authorize", answer: (request) => authorizePage(house, request) },
    { method: "POST", path: "/oauth/authorize", answer: (request) => authorize(house, request) },
    { method: "GET", path: "/device", answer: devices.page },
    { method: "POST", path: "/device", answer: devices.answer },
    ...endpoint("/oauth/register", async (request) => answer(201, await register(house, request))),
    ...endpoint("/oauth/token", async (request) => answer(200, await tokenFor(house, devices.poll, request))),
    ...endpoint("/oauth/device_authorization", async (request) => {
      const fields = await fieldsOf(request);
      return answer(200, await devices.begin(request, clientIn(house, fields), fields.get("scope")));
    }),
    ...endpoint("/oauth/revoke", async (request) => {
      const fields = await fieldsOf(request);
      await revoke(house, clientIn(house, fields), fields.get("token") ?? "");
      return answer(200, undefined);
    }),
  ];
};

async function answered({ kernel }: SignInContext, run: () => Promise<PlainResponse>): Promise<PlainResponse> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OAuthError) return errorAnswer(error);
    const told = toDocsError(error);
    if (!(error instanceof DocsError)) kernel.jobs.onError(error);
    const code = told.status >= 500 ? "server_error" : told.status === 429 ? "slow_down" : "invalid_request";
    return errorAnswer(new OAuthError(code, told.message, told.status), told.headers);
  }
}

/** The tool that a form names. */
function clientIn({ kernel }: SignInContext, fields: URLSearchParams): Client {
  const client = clientWith(kernel.secrets, fields.get("client_id"));
  if (!client) throw new OAuthError("invalid_client", "This server has registered no such client.", 401);
  return client;
}

async function register({ kernel, options }: SignInContext, request: SignInRequest): Promise<object> {
  const bytes = await request.body(MAX_REGISTRATION_BYTES);
  let body: unknown;
  try {
    body = JSON.parse(limitJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).text);
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
  }
  checkJsonLimits(body, "body");
  const client = registered(kernel.secrets, describedBy(body, options));
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(kernel.store.now().getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ["authorization_code", "refresh_token", DEVICE_GRANT],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

async function tokenFor(
  house: SignInContext,
  poll: (client: Client, deviceCode: string) => Promise<Tokens>,
  request: SignInRequest,
): Promise<Tokens> {
  const fields = await fieldsOf(request);
  const client = clientIn(house, fields);
  const needed = (name: string) => {
    const value = fields.get(name);
    if (value === null || fields.getAll(name).length > 1)
      throw new OAuthError("invalid_request", `Expected \`${name}\` once.`);
    return value;
  };
  switch (fields.get("grant_type")) {
    case "authorization_code":
      return redeem(house, client, needed("code"), needed("code_verifier"), fields.get("redirect_uri"));
    case "refresh_token":
      return refresh(house, client, needed("refresh_token"), fields.get("scope"));
    case DEVICE_GRANT:
      return poll(client, needed("device_code"));
    default:
      throw new OAuthError("unsupported_grant_type", "See `grant_types_supported` in the metadata.");
  }
}

/** Gives tokens for a code. A code works once, for the tool that began, and whoever tries it in vain uses it up. */
async function redeem(
  house: SignInContext,
  client: Client,
  value: string,
  verifier: string,
  redirectUri: string | null,
): Promise<Tokens> {
  const { store } = house.kernel;
  const told = await store.write(DIRECTORY, async (tx) => {
    const code = await toolCodes.get(tx, hashFingerprint(value));
    if (!code || code.client !== clientKey(client)) return undefined;
    if (code.token !== undefined) {
      await stop(house, tx, code.token);
      return undefined;
    }
    const isRight =
      code.endsAt > store.now().toISOString() &&
      challengeOf(verifier) === code.challenge &&
      (redirectUri === null || redirectUri === code.redirectUri);
    if (!isRight) {
      await toolCodes.delete(tx, code.hash);
      return undefined;
    }
    const { id, told } = await grant(house, tx, code);
    // Kept for a day, so that a second use is noticed.
    const endsAt = new Date(store.now().getTime() + DAY_MS).toISOString();
    await toolCodes.put(tx, { ...code, endsAt, token: id });
    return told;
  });
  if (!told) throw ended();
  return told;
}

const DAY_MS = 24 * 60 * 60 * 1000;
