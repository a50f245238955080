// What went wrong elsewhere with code and logins of others on published sites, and what holds here.

import { exportSPKI, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import {
  answers,
  createReceiver,
  type Delivery,
  type Receiver,
  TUNNEL,
  takes,
} from "../resources/integrations/receiver";
import { dump, type Setting, setUp } from "../support/setting";

const bot = "/v1/integrations/bot";
const ALL = ["site:script:inject", "site:visitor:auth", "site:views:read"];
let receiver: Receiver;
let setting: Setting;
let one: string;
let site: string;
let at: string;

beforeEach(async () => {
  const sends = answers(302, "", { location: "https://login.example/" });
  receiver = createReceiver((delivery) => (isLogin(delivery) ? sends : takes)(delivery));
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch, onError: () => {} });
  const { ask, org, otherOrg } = setting;
  await ask("rival", `POST ${bot}`, { organization: otherOrg, visibility: "public", scopes: ALL });
  await ask("rival", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL, all: true });
  one = `${bot}/installations/${(await ask("admin", `POST ${bot}/installations`, { organization: org })).body.id}`;
  await ask("admin", `PATCH ${one}`, { site_selection: "all" });
  site = await gated("Docs");
  at = `/v1/orgs/${org}/sites/${site}`;
});

const isLogin = ({ event }: Delivery) => event.type === "fetch_visitor_authentication";

/** A site whose visitors the integration signs in. */
async function gated(title: string): Promise<string> {
  const { ask, org } = setting;
  const { id } = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title, visibility: "visitor-auth" })).body;
  await ask("admin", `POST /v1/orgs/${org}/sites/${id}/publish`);
  const chosen = { backend: "integration", integration: "bot" };
  await ask("admin", `PATCH /v1/orgs/${org}/sites/${id}/publishing/auth`, chosen);
  return id;
}

const login = (query = "", where = at) => setting.ask(null, `GET ${where}/login${query}`);
/** What the integration was given when a login began. */
async function given(where = at): Promise<Record<string, string>> {
  await login("", where);
  return receiver.tried.at(-1)!.environment.signingSecrets;
}

const seconds = () => Math.floor(setting.clock.now.getTime() / 1000);
function signed(key: string, header: Partial<JWTHeaderParameters> = {}, claims: object = { exp: seconds() + 60 }) {
  const protectedHeader = { alg: "HS256", ...header } as JWTHeaderParameters;
  return new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(new TextEncoder().encode(key));
}
const shown = async (jwt: string, where = at) =>
  (await setting.ask(null, `GET ${where}/published?visitorToken=${encodeURIComponent(jwt)}`)).status;

describe("S28: tokens for another audience", () => {
  test("S28: a visitor whom an integration signed in is a visitor of that site only", async () => {
    const jwt = await signed((await given()).siteInstallation!);
    expect(await shown(jwt)).toBe(200);
    const other = `/v1/orgs/${setting.org}/sites/${await gated("Other")}`;
    expect(await shown(jwt, other)).toBe(404);
    expect(await shown(await signed((await given(other)).siteInstallation!), other)).toBe(200);
    const asToken = { authorization: `Bearer ${jwt}` };
    for (const route of ["GET /v1/user", `GET ${at}`, `GET ${one}`])
      expect((await setting.ask(null, route, undefined, asToken)).status, route).toBe(401);
  });

  test("S28: no other secret of an integration and no secret of another one signs visitors in", async () => {
    const secrets = await given();
    for (const name of ["integration", "installation"]) expect(await shown(await signed(secrets[name]!))).toBe(404);
    const { ask, org } = setting;
    await ask("rival", "POST /v1/integrations/other", { visibility: "public", scopes: ALL });
    await ask("rival", "PUT /v1/integrations/other/dev", { tunnelUrl: TUNNEL, all: true });
    const { id } = (await ask("admin", "POST /v1/integrations/other/installations", { organization: org })).body;
    await ask("admin", `PATCH /v1/integrations/other/installations/${id}`, { site_selection: "all" });
    await ask("admin", `PATCH ${at}/publishing/auth`, { integration: "other" });
    const others = (await given()).siteInstallation!;
    expect(await shown(await signed(others))).toBe(200);
    await ask("admin", `PATCH ${at}/publishing/auth`, { integration: "bot" });
    expect(await shown(await signed(others))).toBe(404);
  });
});

describe("S32: access after the permission was revoked", () => {
  type Take = () => Promise<unknown>;
  const losses: [string, Take][] = [
    ["the installation is paused", () => setting.ask("admin", `PATCH ${one}`, { status: "paused" })],
    ["the installation is gone", () => setting.ask("admin", `DELETE ${one}`)],
    ["it is not on the site any more", () => setting.ask("admin", `PATCH ${one}`, { site_selection: "selected" })],
    ["the integration gave up its scopes", () => setting.ask("rival", `POST ${bot}`, { scopes: [] })],
    ["the integration was taken back", () => setting.ask("rival", `DELETE ${bot}`)],
    ["the site is not published", () => setting.ask("admin", `POST ${at}/unpublish`)],
  ];

  test.each([
    ...losses,
    ["another backend was chosen", () => setting.ask("admin", `PATCH ${at}/publishing/auth`, { backend: "custom" })],
  ] as [string, Take][])("S32: a visitor whom an integration signed in is signed out once %s", async (_, take) => {
    const jwt = await signed((await given()).siteInstallation!);
    expect([await shown(jwt), await shown(jwt)]).toEqual([200, 200]);
    await take();
    expect(await shown(jwt)).toBe(404);
    expect((await login()).status).toBe(404);
  });

  test.each(losses)("S32: a script is neither listed nor served once %s", async (_, take) => {
    await setting.ask("admin", `PATCH ${at}`, { visibility: "public" });
    receiver.behave = answers(200, "run()", { "content-type": "text/javascript" });
    const profile = () => setting.ask(null, `GET ${at}/published`);
    const { pathname } = new URL((await profile()).body.scripts[0].script);
    expect((await setting.ask(null, `GET ${pathname}`)).status).toBe(200);
    await take();
    const calls = receiver.tried.filter(({ event }) => event.type === "fetch_published_script").length;
    expect((await profile()).body.scripts ?? []).toEqual([]);
    const refused = await setting.ask(null, `GET ${pathname}`);
    const absent = await setting.ask(null, `GET ${pathname.slice(0, -3)}AAA`);
    refused.body.error.requestId = absent.body.error.requestId;
    expect([refused.status, refused.body]).toEqual([404, absent.body]);
    expect(receiver.tried.filter(({ event }) => event.type === "fetch_published_script").length).toBe(calls);
  });

  test("S32: a script URL opens no other site, space, installation or integration", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH ${at}`, { visibility: "public" });
    receiver.behave = answers(200, "run()", { "content-type": "text/javascript" });
    const other = await gated("Other");
    await ask("rival", "POST /v1/integrations/other", { visibility: "public", scopes: ALL });
    const { id } = (await ask("admin", "POST /v1/integrations/other/installations", { organization: org })).body;
    const { pathname } = new URL((await ask(null, `GET ${at}/published`)).body.scripts[0].script);
    const mine = one.split("/").at(-1)!;
    for (const path of [
      pathname.replace(site, other),
      pathname.replace(mine, id),
      pathname.replace("/bot/", "/other/"),
      pathname.replace("/bot/", "/other/").replace(mine, id),
      pathname.replace("/bot/", "/BOT/"),
      pathname.replace(/[^/]+$/, ""),
    ])
      expect((await ask(null, `GET ${path}`)).status, path).toBe(404);
    expect((await ask(null, `GET ${pathname}`)).status).toBe(200);
  });
});

describe("S33: JWT validation", () => {
  test("S33: a JWT of an integration must be HS256 with its key for the site, expire, and have this audience", async () => {
    const key = (await given()).siteInstallation!;
    expect(await shown(await signed(key))).toBe(200);
    expect(await shown(await signed(key, { kid: "../../etc/passwd" } as JWTHeaderParameters))).toBe(200);
    for (const alg of ["HS384", "HS512"]) expect(await shown(await signed(key, { alg })), alg).toBe(404);
    expect(await shown(await signed(key, {}, {}))).toBe(404);
    expect(await shown(await signed(key, {}, { exp: seconds() - 1 }))).toBe(404);
    expect(await shown(await signed(key, {}, { exp: seconds() + 60, nbf: seconds() + 30 }))).toBe(404);
    expect(await shown(await signed(key, {}, { exp: seconds() + 60, aud: "sit_other" }))).toBe(404);
    expect(await shown(await signed(key, {}, { exp: seconds() + 60, aud: site }))).toBe(200);
    const [, payload] = (await signed(key)).split(".");
    const none = btoa(JSON.stringify({ alg: "none" })).replace(/=+$/, "");
    for (const forged of [`${none}.${payload}.`, `${none}.${payload}`, "..", ""])
      expect(await shown(forged)).not.toBe(200);
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const rsa = await new SignJWT({ exp: seconds() + 60 }).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    expect(await shown(rsa)).toBe(404);
    expect(await shown(await signed(await exportSPKI(publicKey)))).toBe(404);
  });
});

describe("S44: open redirects", () => {
  test.each([
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/a\\..\\b",
    "/../other-site",
    "/a/../../other-site",
    "/a/%2e%2e/%2e%2e/b",
    "/.//evil.example",
    "/%2F%2Fevil.example",
    "/%5Cevil.example",
    "/a\nLocation: https://evil.example",
    "/\t/evil.example",
    " /a",
    "/a b",
    "javascript:alert(1)",
    "evil.example",
    "/%",
    "",
    `/${"a".repeat(2048)}`,
  ])("S44: %j is not a path of a site, and no integration is called with it", async (location) => {
    const before = receiver.tried.length;
    const { status, body, headers } = await login(`?location=${encodeURIComponent(location)}`);
    expect([status, body.error.issues[0].path]).toEqual([400, "query.location"]);
    expect(headers.get("location")).toBeNull();
    expect(receiver.tried.length).toBe(before);
  });

  test("S44: a path of the site is passed on unchanged", async () => {
    for (const location of ["/", "/a/b", "/a/b/", "/ü/%20x", "/a?next=https://b.example#c"]) {
      await login(`?location=${encodeURIComponent(location)}`);
      expect(receiver.tried.at(-1)!.event.location).toBe(location);
    }
  });

  test("S44: an integration redirects visitors only to web addresses, and its pages are isolated", async () => {
    expect((await login()).headers.get("location")).toBe("https://login.example/");
    for (const location of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "/v1/user", "login", ""]) {
      receiver.behave = answers(302, "", { location });
      const { status, headers } = await login();
      expect([status, headers.get("location")], location).toEqual([502, null]);
    }
    receiver.behave = answers(200, "<script>", {
      "content-type": "text/html",
      "set-cookie": "a=b",
      location: "https://evil.example",
      "cache-control": "public, max-age=600",
      "content-security-policy": "default-src *",
    });
    const { headers } = await login();
    expect(headers.get("content-security-policy")).toMatch(/^sandbox (?!.*allow-same-origin)/);
    expect(headers.get("cache-control")).toBe("no-store");
    for (const name of ["set-cookie", "location"]) expect(headers.get(name), name).toBeNull();
  });

  test("S44: the fallback address is stored, and nothing in a request replaces it", async () => {
    await setting.ask("admin", `PATCH ${at}/publishing/auth`, {
      backend: "custom",
      fallbackURL: "https://login.example.com/a?b=c",
    });
    const sent = await login("?location=/x&fallbackURL=https%3A%2F%2Fevil.example&url=https%3A%2F%2Fevil.example");
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "https://login.example.com/a?b=c"]);
  });
});

describe("S21: hidden resources", () => {
  test("S21: sites without login, unpublished sites and missing sites have the same login response", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH ${at}/publishing/auth`, { backend: "custom" });
    const make = async (more: object, isPublished: boolean) => {
      const { id } = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "One", ...more })).body;
      if (isPublished) await ask("admin", `POST /v1/orgs/${org}/sites/${id}/publish`);
      await ask("admin", `PATCH /v1/orgs/${org}/sites/${id}/publishing/auth`, { fallbackURL: "https://a.example/" });
      return id as string;
    };
    const absent = `${site.slice(0, -3)}zzz`;
    const all = [
      site,
      absent,
      await make({ visibility: "public" }, true),
      await make({ visibility: "visitor-auth" }, false),
    ];
    const told = [];
    for (const id of all) {
      const { status, body } = await login("", `/v1/orgs/${org}/sites/${id}`);
      told.push([status, body.error.reason]);
    }
    expect(told).toEqual(all.map(() => [404, "site_not_found"]));
    const elsewhere = await login("", `/v1/orgs/${setting.otherOrg}/sites/${site}`);
    expect(elsewhere.status).toBe(404);
  });

  test("S21: only site editors report views with visitor cookies, which are not shown to others", async () => {
    const view = { url: "https://a.example/", visitor: { anonymousId: "a", userAgent: "", cookies: { k: "needle" } } };
    // That a job came and went is marked.
    const stored = async () => [...(await dump(setting.storage))].filter(([key]) => !key.includes("jobs-changed"));
    const before = await stored();
    for (const person of [null, "guest", "read", "review", "stranger", "rival"] as const)
      expect((await setting.ask(person, `POST ${at}/views`, view)).status).toBeGreaterThanOrEqual(401);
    const token = receiver.tried.at(-1)!.environment.apiTokens.installation;
    const asBot = { authorization: `Bearer ${token}` };
    expect((await setting.ask(null, `POST ${at}/views`, view, asBot)).status).toBeGreaterThanOrEqual(401);
    expect(await stored()).toEqual(before);
    expect((await setting.ask("create", `POST ${at}/views`, view)).status).toBe(204);
    const told = JSON.stringify((await setting.ask("rival", `GET ${bot}/events`)).body);
    expect(told).toContain("site_view");
    expect(told + [...(await dump(setting.storage)).values()].join()).not.toContain("needle");
  });
});
