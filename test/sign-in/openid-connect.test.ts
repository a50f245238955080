// OpenID Connect against `oidc-provider`, which nobody here wrote, and attacks in which its answers are changed on the way.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as jose from "jose";
import { memoryStorage } from "octavo/memory";
import Provider from "oidc-provider";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { users } from "../../src/resources/people/users/records";
import { createSignIn } from "../../src/sign-in";
import type { SignInOptions } from "../../src/sign-in/options";
import { DIRECTORY } from "../../src/storage/ids";
import { open } from "../support/setting";

const ORIGIN = "http://localhost:3000";
const CALLBACK = `${ORIGIN}/sign-in/openid-connect/company/callback`;

interface Account {
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** Who is at the provider, and who is signed in there. */
const accounts: Record<string, Account> = {};
let person = "";
let server: Server;
let issuer: string;
let key: jose.CryptoKey;
/** Changes what the provider answers to our server. */
let onTheWay: (url: string, body: Record<string, unknown>) => Promise<object> | object = (_, body) => body;
let behind = 0;

beforeAll(async () => {
  server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pair = await jose.generateKeyPair("ES256", { extractable: true });
  key = pair.privateKey;
  const client = { client_secret: "secret", redirect_uris: [CALLBACK], id_token_signed_response_alg: "ES256" } as const;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "octavo", ...client, post_logout_redirect_uris: [`${ORIGIN}/sign-in`] },
      { client_id: "other", ...client },
    ],
    jwks: { keys: [{ ...(await jose.exportJWK(key)), kid: "one", use: "sig", alg: "ES256" }] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    cookies: { keys: ["a key"] },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts[sub] }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on("request", (request, response) =>
    request.url!.startsWith("/interaction/")
      ? provider.interactionFinished(request, response, { login: { accountId: person } })
      : answer(request, response),
  );
});

afterAll(() => server.close());

beforeEach(() => {
  onTheWay = (_, body) => body;
  behind = 0;
});

/** A browser: it follows redirects to the provider, and keeps the cookies of each host. */
function browser(fetchHere: (request: Request) => Promise<Response>) {
  const jars: Record<string, Map<string, string>> = {};
  async function get(
    url: string,
    method = "GET",
  ): Promise<{ status: number; url: string; text: string; to: string | null }> {
    const { origin } = new URL(url);
    jars[origin] ??= new Map();
    const jar = jars[origin];
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "), origin: ORIGIN };
    const request = new Request(url, { headers, redirect: "manual", method });
    const response = await (origin === ORIGIN ? fetchHere(request) : fetch(request));
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = line.match(/^(.*?)=(.*?)(?:;|$)/)!;
      if (value === "") jar.delete(name!);
      else jar.set(name!, value!);
    }
    const to = response.headers.get("location");
    return { status: response.status, url, text: await response.text(), to: to && new URL(to, url).href };
  }
  /** Follows redirects until there is a page, or one that leads to `until`. */
  async function go(url: string, until?: string) {
    let seen = await get(url);
    while (seen.to !== null && !(until && seen.to.startsWith(until))) seen = await get(seen.to);
    return seen;
  }
  return { get, go, jars };
}

function newServer(options: SignInOptions = {}) {
  const { api, clock } = open(memoryStorage(), {
    now: () => new Date(Date.now() + behind),
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (!response.headers.get("content-type")?.includes("json")) return response;
      return Response.json(await onTheWay(String(url), await response.json()), { status: response.status });
    },
    onError: (error) => told.push(error),
  });
  const told: unknown[] = [];
  const company = { id: "company", issuer, clientId: "octavo", clientSecret: "secret", label: "Company" };
  const signIn = createSignIn(api, {
    openIdConnect: [company, { ...company, id: "second" }],
    allowSignUp: true,
    ...options,
  });
  const { kernel } = getApiInternals(api);
  const directory = () => kernel.store.read(DIRECTORY);
  return { api, clock, told, kernel, directory, ...browser(signIn.fetch), fresh: () => browser(signIn.fetch) };
}

const START = `${ORIGIN}/sign-in/openid-connect/company`;

/** Who the API says is signed in. */
const me = async ({ get }: ReturnType<typeof browser>) => JSON.parse((await get(`${ORIGIN}/v1/user`)).text);

describe("successful sign-in", () => {
  test("a person is sent to the provider and back to their destination, and stays the same user", async () => {
    const here = newServer();
    person = "ann";
    accounts.ann = { name: "Ann Lee", email: "ann@company.example", email_verified: true };
    const page = await here.get(`${ORIGIN}/sign-in?to=%2Fv1%2Fuser`);
    expect(page.text).toContain("Company");
    const back = await here.go(`${START}?to=%2Fv1%2Fuser`, ORIGIN);
    expect(new URL(back.to!).searchParams.get("iss")).toBe(issuer);
    const entered = await here.go(back.to!);
    expect(entered.url).toBe(`${ORIGIN}/v1/user`);
    const ann = await me(here);
    expect(ann).toMatchObject({ displayName: "Ann Lee", email: "ann@company.example" });
    // The address may go to somebody else. Who somebody is does not.
    accounts.ann = { ...accounts.ann, email: "other@company.example", email_verified: false };
    const again = here.fresh();
    await again.go(START);
    expect((await me(again)).id).toBe(ann.id);
    const replayed = await again.go(back.to!);
    expect(replayed.status, "an answer that was used").toBe(403);
    const out = await here.get(`${ORIGIN}/sign-out`, "POST");
    expect(out.text).toContain("/sign-in/openid-connect/company/sign-out");
    const elsewhere = new URL((await here.get(`${START}/sign-out`)).to!);
    expect(elsewhere.origin).toBe(issuer);
    expect(elsewhere.searchParams.get("post_logout_redirect_uri")).toBe(`${ORIGIN}/sign-in`);
    expect((await here.get(`${START}?to=https%3A%2F%2Fevil.example`)).to).toMatch(issuer);
    expect(here.told).toEqual([]);
  });

  test("a user is found by e-mail address only when both sides have verified it", async () => {
    const here = newServer({ allowSignUp: false });
    const { user } = await here.api.provision({ user: { displayName: "Bo", email: "bo@company.example" } });
    person = "bo";
    const come = async (account: Account) => {
      accounts.bo = account;
      const window = here.fresh();
      return { ...(await window.go(START)), window };
    };
    expect((await come({ email: "bo@company.example", email_verified: false })).text).toContain("isn’t verified");
    expect((await come({ email: "bo@company.example" })).status).toBe(403);
    expect((await come({})).status, "no address at all").toBe(403);
    const unknown = await come({ email: "nobody@company.example", email_verified: true });
    expect(unknown.status, "no newcomers").toBe(403);
    await here.kernel.store.write(DIRECTORY, (tx) =>
      users.put(tx, {
        id: "claimed",
        displayName: "X",
        email: "x@company.example",
        emailUnverified: true,
        createdAt: "2026",
      }),
    );
    const claimed = await come({ email: "x@company.example", email_verified: true });
    expect(claimed.status).toBe(403);
    expect(claimed.text, "the same answer, whoever exists").toBe(unknown.text);
    expect(claimed.text, "and no link has the code").not.toContain("code=");
    const known = await come({ email: "BO@company.example", email_verified: true });
    expect((await me(known.window)).id).toBe(user);
  });

  test("a provider may be on an address that the host trusts", async () => {
    const company = { id: "company", issuer, clientId: "octavo", clientSecret: "secret" };
    const here = newServer({ openIdConnect: [{ ...company, trustsEmails: true }] });
    person = "cy";
    accounts.cy = { email: "cy@company.example" };
    await here.go(START);
    expect(await me(here)).toMatchObject({ displayName: "Cy", email: "cy@company.example" });
  });
});

describe("rejected sign-in", () => {
  /** Signs in, with a change of the answer that leads back. */
  async function comeBack(change: (answer: URL) => void = () => {}, here = newServer()) {
    person = "eve";
    accounts.eve = { name: "Eve", email: "eve@company.example", email_verified: true };
    const { to } = await here.go(START, ORIGIN);
    const answer = new URL(to!);
    change(answer);
    const page = await here.go(answer.href);
    expect((await me(here)).error?.reason === "unauthorized").toBe(page.status !== 200);
    return { ...page, here };
  }

  /** Puts an id token into the answer that the provider did not give. */
  const forged = (make: (claims: jose.JWTPayload) => Promise<string>) => {
    onTheWay = async (url, body) =>
      url.endsWith("/token") ? { ...body, id_token: await make(jose.decodeJwt(body.id_token as string)) } : body;
  };
  const signed = (claims: jose.JWTPayload, by: jose.CryptoKey | Uint8Array = key, alg = "ES256") =>
    new jose.SignJWT(claims).setProtectedHeader({ alg, kid: "one" }).sign(by);

  test("control: an unchanged response signs in", async () => {
    expect((await comeBack()).status).toBe(200);
    forged((claims) => signed(claims));
    expect((await comeBack()).status, "a token that is signed again by the same key").toBe(200);
  });

  test.each<[string, (answer: URL) => void]>([
    ["another state", (answer) => answer.searchParams.set("state", "x")],
    ["no state", (answer) => answer.searchParams.delete("state")],
    ["another issuer: a mix-up", (answer) => answer.searchParams.set("iss", "https://evil.example")],
    ["no issuer, where the provider always says it", (answer) => answer.searchParams.delete("iss")],
    ["another code", (answer) => answer.searchParams.set("code", "x")],
    ["a refusal", (answer) => answer.searchParams.set("error", "access_denied")],
    [
      "the answer of another provider",
      (answer) => {
        answer.pathname = answer.pathname.replace("company", "second");
      },
    ],
  ])("a response with %s does not sign in", async (_, change) => {
    expect((await comeBack(change)).status).toBe(403);
  });

  test("a browser that did not begin the sign-in, or began too long ago, does not sign in", async () => {
    const here = newServer();
    const { to } = await here.go(START, ORIGIN);
    expect((await here.fresh().go(to!)).status).toBe(403);
    behind = 15 * 60_000;
    expect((await here.go(to!)).status).toBe(403);
  });

  test("a code of another client does not sign in", async () => {
    const here = newServer();
    const theirs = here.fresh();
    const began = new URL((await theirs.get(START)).to!);
    began.searchParams.set("client_id", "other");
    const { to } = await theirs.go(began.href, ORIGIN);
    const code = new URL(to!).searchParams.get("code")!;
    expect((await comeBack((answer) => answer.searchParams.set("code", code), here)).status).toBe(403);
  });

  test.each<[string, (claims: jose.JWTPayload) => Promise<string>]>([
    ["another key", async (claims) => signed(claims, (await jose.generateKeyPair("ES256")).privateKey)],
    ["no signature", async (claims) => new jose.UnsecuredJWT(claims).encode()],
    ["the secret as a key", async (claims) => signed(claims, new TextEncoder().encode("secret".repeat(8)), "HS256")],
    ["another nonce", (claims) => signed({ ...claims, nonce: "x" })],
    ["no nonce", ({ nonce: _, ...claims }) => signed(claims)],
    ["another issuer", (claims) => signed({ ...claims, iss: "https://evil.example" })],
    ["another audience", (claims) => signed({ ...claims, aud: "other" })],
    ["an end that is over", (claims) => signed({ ...claims, exp: claims.iat! - 60 })],
    ["no end", ({ exp: _, ...claims }) => signed(claims)],
    ["another person than the provider then speaks of", (claims) => signed({ ...claims, sub: "ann" })],
  ])("an ID token with %s does not sign in", async (_, make) => {
    forged(make);
    expect((await comeBack()).status).toBe(403);
  });
});

test("an invalid option is named at once", () => {
  const { api } = open(memoryStorage());
  for (const [given, what] of [
    [{ issuer: "http://login.example", clientId: "x" }, /openIdConnect\[0\]\.issuer/],
    [{ issuer: "https://login.example", clientId: "" }, /openIdConnect\[0\]\.clientId/],
  ] as const)
    expect(() => createSignIn(api, { openIdConnect: [given] })).toThrow(what);
});
