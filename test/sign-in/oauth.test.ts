// OAuth for tools, with `oauth4webapi` as the tool: nobody here wrote it.

import * as oauth from "oauth4webapi";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { createSignIn } from "../../src/sign-in";
import { beginSession } from "../../src/sign-in/begin-session";
import { createClient } from "../../src/sign-in/oauth/clients";
import { DIRECTORY } from "../../src/storage/ids";
import { DAY, HOUR, MINUTE, open, type Person, type Setting, setUp } from "../support/setting";

const ORIGIN = "http://localhost:3000";
let setting: Setting;
let send: (request: Request) => Promise<Response>;
let server: oauth.AuthorizationServer;
let client: oauth.Client;
let cookie: string;

/** The tool reaches this server through its handler. */
const through = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, init: object) => send(new Request(url, init)),
} as const;

async function cookieOf(person: Person, passed: readonly string[] = []) {
  const inside = getApiInternals(setting.api);
  const house = { ...inside, options: {}, urlOf: (path: string) => path };
  const { setCookie } = await inside.kernel.store.write(DIRECTORY, (tx) =>
    beginSession(tx, house as never, { headers: new Headers(), address: undefined } as never, {
      user: setting.ids[person],
      by: "link",
      passed,
    }),
  );
  return setCookie.split(";")[0]!;
}

beforeAll(async () => {
  setting = await setUp(memoryStorage());
  send = createSignIn(setting.api).fetch;
  cookie = await cookieOf("edit");
  const issuer = new URL(ORIGIN);
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...through });
  server = await oauth.processDiscoveryResponse(issuer, found);
  client = await register({ redirect_uris: ["https://tool.example/back", "http://127.0.0.1/back"] });
});

async function register(metadata: Record<string, oauth.JsonValue>): Promise<oauth.Client> {
  const described = { client_name: "Agent", token_endpoint_auth_method: "none", ...metadata };
  const answer = await oauth.dynamicClientRegistrationRequest(server, described as never, through);
  return oauth.processDynamicClientRegistrationResponse(answer);
}

const browse = (path: string, headers: Record<string, string> = { cookie }) =>
  send(new Request(new URL(path, ORIGIN), { headers, redirect: "manual" }));

/** What a browser posts from a page: its hidden fields, its checked boxes, and the button. */
function filled(page: string, decision: string, isChosen = (_: string) => true): URLSearchParams {
  const fields = new URLSearchParams({ decision });
  const text = (it: string) => it.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
  for (const [, name, value] of page.matchAll(/type="hidden" name="(.*?)" value="(.*?)"/g))
    fields.append(name!, text(value!));
  for (const [, name, value] of page.matchAll(/type="checkbox" name="(.*?)" value="(.*?)"/g))
    if (isChosen(value!)) fields.append(name!, value!);
  return fields;
}

const post = (path: string, body: URLSearchParams, headers: Record<string, string> = { cookie, origin: ORIGIN }) =>
  send(new Request(new URL(path, ORIGIN), { method: "POST", body, headers, redirect: "manual" }));

const REDIRECT = "http://127.0.0.1:51234/back";

/** What a tool asks for, with its verifier. */
async function ask(changes: Record<string, string | undefined> = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const asked: Record<string, string | undefined> = {
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: "code",
    state: "the state",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    scope: "spaces:read spaces:write tokens:read",
    resource: `${ORIGIN}/v1`,
    ...changes,
  };
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, it]) => (it === undefined ? [] : [[name, it]])),
  );
  return { verifier, path: `/oauth/authorize?${query}` };
}

/** Somebody allows what a tool asks for. Gives where the browser is led. */
async function allow(path: string, isChosen?: (scope: string) => boolean, decision = "allow") {
  const page = await (await browse(path)).text();
  const answer = await post("/oauth/authorize", filled(page, decision, isChosen));
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("location")!);
}

const redeemed = async (params: URLSearchParams, verifier: string, as = client, uri = REDIRECT) =>
  oauth.processAuthorizationCodeResponse(
    server,
    as,
    await oauth.authorizationCodeGrantRequest(server, as, oauth.None(), params, uri, verifier, through),
  );

async function tokensOf(isChosen?: (scope: string) => boolean) {
  const { verifier, path } = await ask();
  const params = oauth.validateAuthResponse(server, client, await allow(path, isChosen), "the state");
  return { params, verifier, tokens: await redeemed(params, verifier) };
}

const refreshed = async (token: string, as = client) =>
  oauth.processRefreshTokenResponse(
    server,
    as,
    await oauth.refreshTokenGrantRequest(server, as, oauth.None(), token, through),
  );

const refused = (code: string) => expect.objectContaining({ error: code });

describe("discovery", () => {
  test("a client discovers the authorization server from the 401 of the API", async () => {
    const refusal = await browse("/v1/user", {});
    expect(refusal.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/v1"`,
    );
    const resource = new URL(`${ORIGIN}/v1`);
    const found = await oauth.resourceDiscoveryRequest(resource, through);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, found);
    expect(metadata.authorization_servers).toEqual([ORIGIN]);
    expect((await browse("/v1/user", { authorization: "Bearer x" })).headers.get("www-authenticate")).toMatch(
      /^Bearer error="invalid_token", resource_metadata="/,
    );
    expect(server.code_challenge_methods_supported).toEqual(["S256"]);
    const preflight = new Request(server.token_endpoint!, {
      method: "OPTIONS",
      headers: { origin: "https://x.example" },
    });
    expect((await send(preflight)).headers.get("access-control-allow-origin")).toBe("*");
  });

  test("a client discovers the authorization server under a base path by both forms of the address", async () => {
    const { api } = open(memoryStorage(), { basePath: "/docs-api" });
    const { fetch } = createSignIn(api);
    for (const path of [
      "/.well-known/oauth-authorization-server/docs-api",
      "/docs-api/.well-known/oauth-authorization-server",
    ])
      expect(await (await fetch(new Request(ORIGIN + path))).json()).toMatchObject({ issuer: `${ORIGIN}/docs-api` });
    const path = "/.well-known/oauth-protected-resource/docs-api/v1";
    expect(await (await fetch(new Request(ORIGIN + path))).json()).toMatchObject({ resource: `${ORIGIN}/docs-api/v1` });
  });
});

describe("the authorization code flow", () => {
  test("a client gets the scopes that its user leaves checked, and its token is listed among the user's tokens", async () => {
    const { ask: asAlways, askWith } = setting;
    const { tokens } = await tokensOf((scope) => scope !== "spaces:write");
    expect(tokens.scope?.split(" ").sort()).toEqual(["spaces:read", "tokens:read"]);
    const { body } = await askWith(tokens.access_token, "GET /v1/user/tokens");
    const mine = body.items.find((it: { label: string }) => it.label === "Agent");
    expect(mine).toMatchObject({ scopes: expect.arrayContaining(["spaces:read", "tokens:read"]) });
    expect((await askWith(tokens.access_token, "GET /v1/user")).body.error.reason).toBe("scope_missing");
    setting.clock.forward(HOUR);
    expect((await askWith(tokens.access_token, "GET /v1/user/tokens")).status).toBe(401);
    const next = await refreshed(tokens.refresh_token!);
    expect((await askWith(next.access_token, "GET /v1/user/tokens")).status).toBe(200);
    expect((await asAlways("edit", `DELETE /v1/user/tokens/${mine.id}`)).status, "under the same id").toBe(204);
    expect((await askWith(next.access_token, "GET /v1/user/tokens")).status).toBe(401);
    await expect(refreshed(next.refresh_token!)).rejects.toEqual(refused("invalid_grant"));
  });

  test("the consent page names the client and cannot be used by another site", async () => {
    const { path } = await ask();
    const answer = await browse(path);
    const page = await answer.text();
    expect(page).toContain("Agent");
    expect(page).toContain("127.0.0.1:51234");
    expect(page).toContain("Acme");
    expect(page).not.toContain("Rival");
    expect(answer.headers.get("content-security-policy")).toContain("form-action 'self' http://127.0.0.1:51234;");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const fields = filled(page, "allow");
    for (const origin of ["https://evil.example", "null"])
      expect((await post("/oauth/authorize", fields, { cookie, origin })).status).toBe(403);
    const other = await post("/oauth/authorize", fields, { cookie: await cookieOf("read"), origin: ORIGIN });
    expect(other.headers.get("location"), "somebody else is asked first").toContain("/oauth/authorize?client_id=");
    const denied = await allow(path, undefined, "deny");
    expect(() => oauth.validateAuthResponse(server, client, denied, "the state")).toThrow(
      expect.objectContaining({ error: "access_denied" }),
    );
    expect(denied.searchParams.get("iss")).toBe(ORIGIN);
  });

  test("the authorization request survives the user signing in", async () => {
    const { path } = await ask();
    const first = await browse(path, {});
    expect(first.headers.get("location")).toBe(`${ORIGIN}/sign-in?to=%2Foauth%2Fauthorize`);
    const kept = first.headers.get("set-cookie")!.split(";")[0]!;
    const page = await (await browse("/oauth/authorize", { cookie: `${cookie}; ${kept}` })).text();
    expect(page).toContain("Agent");
  });

  test("a redirect goes only to a registered address, and every error ends on a page", async () => {
    const wrong: Record<string, string | undefined>[] = [
      { client_id: undefined },
      { client_id: `${client.client_id}x` },
      { client_id: "WyJFdmlsIl0.AAAAAAAAAAAAAAAAAAAAAA" },
      { redirect_uri: "https://tool.example/back/" },
      { redirect_uri: "https://tool.example/back?x=1" },
      { redirect_uri: "https://tool.example:444/back" },
      { redirect_uri: "https://tool.example.evil.example/back" },
      { redirect_uri: "http://127.0.0.1:1/other" },
      { redirect_uri: "http://127.0.0.2:1/back" },
      { redirect_uri: "http://localhost:1/back" },
      { redirect_uri: "https://127.0.0.1:1/back" },
      { redirect_uri: "javascript:alert(1)" },
      { response_type: "token" },
      { code_challenge: undefined },
      { code_challenge_method: "plain" },
      { code_challenge_method: undefined },
      { scope: "none:such" },
      { resource: "https://other.example/v1" },
    ];
    for (const changes of wrong) {
      const { path } = await ask(changes);
      const answer = await browse(path);
      expect([answer.status, answer.headers.get("location")], JSON.stringify(changes)).toEqual([400, null]);
    }
    const { path } = await ask();
    expect((await browse(`${path}&redirect_uri=https%3A%2F%2Fevil.example`)).status).toBe(400);
    for (const uri of [
      "http://tool.example/back",
      "javascript:alert(1)",
      "data:text/html,x",
      "https://a.example/#b",
      "x",
    ])
      await expect(register({ redirect_uris: [uri] })).rejects.toEqual(refused("invalid_redirect_uri"));
    expect((await register({ redirect_uris: ["cursor://anysphere/back"] })).client_name).toBe("Agent");
    const hidden = await register({ client_name: "A\u202eB\n\u200bC", redirect_uris: ["https://a.example/"] });
    expect(hidden.client_name).toBe("A B C");
  });

  test("there is no OpenID configuration, and the metadata promises no ID tokens", async () => {
    for (const path of ["/.well-known/openid-configuration", "/v1/.well-known/openid-configuration"])
      expect((await browse(path)).status, path).toBe(404);
    const metadata = await (await browse("/.well-known/oauth-authorization-server")).json();
    for (const name of ["id_token_signing_alg_values_supported", "userinfo_endpoint", "jwks_uri"])
      expect(metadata).not.toHaveProperty(name);
    expect(metadata.scopes_supported).not.toContain("openid");
  });

  test("a redirect URI that starts a program cannot be registered", async () => {
    const refusal = async (redirect_uris: string[], handler = send) => {
      const answer = await handler(
        new Request(`${ORIGIN}/oauth/register`, { method: "POST", body: JSON.stringify({ redirect_uris }) }),
      );
      const { error, error_description } = (await answer.json()) as Record<string, string>;
      return [answer.status, error, error_description?.split(":")[0]];
    };
    const refusedAt = (at: number) => [400, "invalid_redirect_uri", `redirect_uris[${at}]`];
    for (const uri of [
      "ms-appinstaller:?source=https://evil.example/a.msix",
      "search-ms:query=x&crumb=location:%5C%5Cevil.example",
      "MS-Settings:privacy",
      "shell:startup",
      "steam://run/1",
      "x-apple.:/back",
      "http://a.example/back",
      "https://user@a.example/",
    ]) {
      expect(await refusal(["https://a.example/", uri]), uri).toEqual(refusedAt(1));
    }
    for (const uri of ["com.example.app:/back", "vscode://publisher.extension/back", "cursor://anysphere/back"])
      expect(await refusal([uri]), uri).toEqual([201, undefined, undefined]);

    const own = createSignIn(setting.api, { oauth: { redirectSchemes: ["my-editor"] } }).fetch;
    expect(await refusal(["my-editor://back"], own)).toEqual([201, undefined, undefined]);
    expect(await refusal(["vscode://publisher.extension/back"], own)).toEqual(refusedAt(0));
    for (const scheme of ["javascript", "https", "vscode:", "VSCode"])
      expect(() => createSignIn(setting.api, { oauth: { redirectSchemes: ["vscode", scheme] } }), scheme).toThrow(
        "`oauth.redirectSchemes[1]`",
      );
  });

  test("the redirect URI of a client registered earlier is checked", async () => {
    const { id } = createClient(getApiInternals(setting.api).kernel.secrets, {
      name: "Old",
      redirectUris: ["shell:startup"],
    });
    for (const redirect_uri of ["shell:startup", undefined]) {
      const { path } = await ask({ client_id: id, redirect_uri });
      const answer = await browse(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
  });

  test("an authorization code works once, only for its client and verifier, for one minute", async () => {
    const code = async () => {
      const { verifier, path } = await ask();
      return { verifier, params: oauth.validateAuthResponse(server, client, await allow(path), "the state") };
    };
    const third = await register({ client_name: "Third", redirect_uris: ["http://127.0.0.1/back"] });
    const a = await code();
    const stolen = oauth.validateAuthResponse(
      server,
      third,
      new URL(`${REDIRECT}?${new URLSearchParams(a.params)}`),
      "the state",
    );
    await expect(redeemed(stolen, a.verifier, third)).rejects.toEqual(refused("invalid_grant"));
    await expect(redeemed(a.params, a.verifier, client, "http://127.0.0.1:9/back")).rejects.toEqual(
      refused("invalid_grant"),
    );
    const b = await code();
    await expect(redeemed(b.params, oauth.generateRandomCodeVerifier())).rejects.toEqual(refused("invalid_grant"));
    await expect(redeemed(b.params, b.verifier), "used up").rejects.toEqual(refused("invalid_grant"));
    const c = await code();
    setting.clock.forward(MINUTE);
    await expect(redeemed(c.params, c.verifier)).rejects.toEqual(refused("invalid_grant"));
    const { params, verifier, tokens } = await tokensOf();
    await expect(redeemed(params, verifier)).rejects.toEqual(refused("invalid_grant"));
    expect((await setting.askWith(tokens.access_token, "GET /v1/user/tokens")).status, "it ends the token").toBe(401);
    await expect(refreshed(tokens.refresh_token!)).rejects.toEqual(refused("invalid_grant"));
  });

  test("using a refresh token twice revokes all tokens of the client", async () => {
    const { tokens } = await tokensOf();
    const third = await register({ client_name: "Third", redirect_uris: ["http://127.0.0.1/back"] });
    await expect(refreshed(tokens.refresh_token!, third)).rejects.toEqual(refused("invalid_grant"));
    const next = await refreshed(tokens.refresh_token!);
    expect((await setting.askWith(tokens.access_token, "GET /v1/user/tokens")).status, "replaced").toBe(401);
    await expect(refreshed(tokens.refresh_token!)).rejects.toEqual(refused("invalid_grant"));
    expect((await setting.askWith(next.access_token, "GET /v1/user/tokens")).status).toBe(401);
    await expect(refreshed(next.refresh_token!)).rejects.toEqual(refused("invalid_grant"));
    const two = (await tokensOf()).tokens.refresh_token!;
    const both = await Promise.allSettled([refreshed(two), refreshed(two)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("tokens can be revoked and expire when they are not used", async () => {
    const { tokens } = await tokensOf();
    const third = await register({ client_name: "Third", redirect_uris: ["http://127.0.0.1/back"] });
    const back = async (as: oauth.Client, token: string) =>
      oauth.processRevocationResponse(await oauth.revocationRequest(server, as, oauth.None(), token, through));
    await back(third, tokens.access_token);
    await back(client, setting.tokens.edit);
    expect((await setting.ask("edit", "GET /v1/user")).status, "a token that no tool got").toBe(200);
    expect((await setting.askWith(tokens.access_token, "GET /v1/user/tokens")).status).toBe(200);
    await back(client, tokens.refresh_token!);
    expect((await setting.askWith(tokens.access_token, "GET /v1/user/tokens")).status).toBe(401);
    const unused = (await tokensOf()).tokens;
    cookie = await cookieOf("edit");
    setting.clock.forward(60 * DAY);
    await expect(refreshed(unused.refresh_token!)).rejects.toEqual(refused("invalid_grant"));
    cookie = await cookieOf("edit");
  });

  test("a client is subject to the single sign-on requirements of its user", async () => {
    const { ask: asAlways, askWith, org } = setting;
    await asAlways("admin", `POST /v1/orgs/${org}/members/${setting.ids.edit}/sso`);
    const { tokens } = await tokensOf();
    expect((await askWith(tokens.access_token, `GET /v1/orgs/${org}/spaces`)).body.error.reason).toBe("sso_required");
    const page = await (await browse((await ask()).path)).text();
    expect(page).not.toContain("Acme");
  });
});

describe("the device flow", () => {
  const began = async () =>
    oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(
        server,
        client,
        oauth.None(),
        { scope: "spaces:read users:read" },
        through,
      ),
    );
  const polled = async (code: string) =>
    oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, oauth.None(), code, through),
    );

  test("a device shows a code and gets a token after a person has entered it", async () => {
    const device = await began();
    await expect(polled(device.device_code)).rejects.toEqual(refused("authorization_pending"));
    await expect(polled(device.device_code)).rejects.toEqual(refused("slow_down"));
    expect((await browse("/device", {})).headers.get("location")).toBe(`${ORIGIN}/sign-in?to=%2Fdevice`);
    const cookieHeader = { cookie: await cookieOf("read"), origin: ORIGIN };
    const first = await (await browse(device.verification_uri_complete!, cookieHeader)).text();
    expect(first).toContain(device.user_code);
    const typedWrong = await post("/device", new URLSearchParams({ user_code: "BBBB-BBBB" }), cookieHeader);
    expect(typedWrong.status).toBe(400);
    const typed = new URLSearchParams({ user_code: device.user_code.toLowerCase().replace("-", " ") });
    const page = await (await post("/device", typed, cookieHeader)).text();
    expect(page).toContain("Agent");
    expect(
      (await post("/device", filled(page, "allow"), { ...cookieHeader, origin: "https://evil.example" })).status,
    ).toBe(403);
    expect((await post("/device", filled(page, "allow"), cookieHeader)).status).toBe(200);
    const tokens = await polled(device.device_code);
    expect((await setting.askWith(tokens.access_token, "GET /v1/user")).body.id).toBe(setting.ids.read);
    await expect(polled(device.device_code)).rejects.toEqual(refused("invalid_grant"));
  });

  test("a device is told that access was denied or that the code expired", async () => {
    const [refusedDevice, late] = [await began(), await began()];
    const headers = { cookie: await cookieOf("read"), origin: ORIGIN };
    const typed = new URLSearchParams({ user_code: refusedDevice.user_code });
    await post("/device", filled(await (await post("/device", typed, headers)).text(), "deny"), headers);
    await expect(polled(refusedDevice.device_code)).rejects.toEqual(refused("access_denied"));
    setting.clock.forward(10 * MINUTE);
    await expect(polled(late.device_code)).rejects.toEqual(refused("expired_token"));
    const guess = () => post("/device", new URLSearchParams({ user_code: "CCCC-CCCC" }), headers);
    for (let i = 0; i < 20; i++) expect((await guess()).status).toBe(400);
    expect((await guess()).status, "nobody guesses for long").toBe(429);
  });
});
