// What integrations are asked for on behalf of a site, what may come back of it, and what they hear of its visitors.

import { SignJWT } from "jose";
import type { DocsEvent } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { dump, open, type Setting, setUp } from "../../support/setting";
import { installFromRival, showSpace } from "../integrations/installed";
import { answers, createReceiver, isAway, type Receiver, takes } from "../integrations/receiver";

const ALL = ["site:script:inject", "site:visitor:auth", "site:views:read", "space:views:read"];
const bot = "/v1/integrations/bot";
let receiver: Receiver;
let setting: Setting;
let one: string;
let space: string;
let site: string;
let at: string;

beforeEach(async () => {
  receiver = createReceiver();
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch });
  one = await install("bot", ALL);
  await setting.ask("admin", `PATCH ${one}`, { site_selection: "all" });
  ({ space, site, at } = await showSpace(setting, { visibility: "public" }));
});

async function install(name: string, scopes: readonly string[], more: object = {}): Promise<string> {
  setting.clock.forward(1000);
  return installFromRival(setting, name, { scopes, ...more });
}

/** Has the integration ask for scopes, and the installation hold them. */
async function hold(scopes: readonly string[]): Promise<void> {
  await setting.ask("rival", `POST ${bot}`, { scopes });
  await setting.ask("admin", `PATCH ${one}`, { scopes });
}

const scripts = async (): Promise<{ script: string; space?: string }[]> =>
  (await setting.ask(null, `GET ${at}/published`)).body.scripts;
const fetched = async (url: string) => setting.ask(null, `GET ${new URL(url).pathname}${new URL(url).search}`);
/** What the integration was asked, as it is written down for those who run it. */
const recorded = async (type: string): Promise<{ payload: { type: string } }[]> =>
  (await setting.ask("rival", `GET ${bot}/events`)).body.items.filter(
    (it: { payload: { type: string } }) => it.payload.type === type,
  );
const installationId = () => one.split("/").at(-1);

describe("scripts", () => {
  const javascript = (body: string, headers: Record<string, string> = {}) =>
    answers(200, body, { "content-type": "text/javascript", ...headers });

  test("loading the profile calls no integration, and loading a script calls its integration and is recorded", async () => {
    const before = receiver.tried.length;
    const [listed] = await scripts();
    expect(receiver.tried.length).toBe(before);
    receiver.behave = javascript("run()");
    expect((await fetched(listed!.script)).body).toBe("run()");
    const { event, environment } = receiver.taken.at(-1)!;
    expect(event).toMatchObject({ type: "fetch_published_script", installationId: installationId(), siteId: site });
    expect(event.spaceId).toBeUndefined();
    expect(environment.installation.id).toBe(installationId());
    expect(await recorded("fetch_published_script")).toMatchObject([{ status: "success", payload: { siteId: site } }]);
  });

  test("a response that is not JavaScript is not returned", async () => {
    const [listed] = await scripts();
    const bad = [
      answers(200, "<script>", { "content-type": "text/html" }),
      answers(200, "run()"),
      answers(200, "run()", { "content-type": "text/javascript; charset=utf-7" }),
      answers(200, "run()", { "content-type": "text/javascript, text/html" }),
      answers(201, "run()", { "content-type": "text/javascript" }),
      answers(404, "run()", { "content-type": "text/javascript" }),
      answers(302, "", { location: "https://evil.example/" }),
      isAway,
    ];
    for (const behave of bad) {
      receiver.behave = behave;
      const { status, body } = await fetched(listed!.script);
      expect([status, body.error.reason]).toEqual([502, "integration_failed"]);
    }
    receiver.behave = javascript("run()");
    expect((await fetched(listed!.script)).status).toBe(200);
  });

  test("a script has only its type and cache headers", async () => {
    const [listed] = await scripts();
    receiver.behave = javascript("run()", {
      "set-cookie": "a=b",
      "access-control-allow-origin": "*",
      "service-worker-allowed": "/",
      "content-security-policy": "default-src *",
      "x-mine": "yes",
    });
    const { headers } = await fetched(listed!.script);
    expect([...headers.keys()].sort()).toEqual([
      "cache-control",
      "content-security-policy",
      "content-type",
      "cross-origin-resource-policy",
      "x-content-type-options",
      "x-request-id",
    ]);
    expect(headers.get("content-security-policy")).toBe("sandbox");
  });

  test.each([
    [undefined, "public, max-age=60"],
    ["max-age=5", "public, max-age=5"],
    ["public, max-age=31536000, immutable", "public, max-age=3600"],
    ["private, max-age=10", "private, max-age=10"],
    ["no-store, max-age=10", "no-store"],
    ["no-cache", "no-cache"],
    ["max-age=-1", "public, max-age=60"],
  ])("the cache header %s is limited to %s", async (said, kept) => {
    const [listed] = await scripts();
    receiver.behave = javascript("run()", said === undefined ? {} : { "cache-control": said });
    expect((await fetched(listed!.script)).headers.get("cache-control")).toBe(kept);
  });

  test("scripts are listed in order of installation, and an unconfigured one is absent", async () => {
    const { ask } = setting;
    const schema = { space: { properties: { key: { type: "string" } }, required: ["key"] } };
    const later = await install("another", ["space:script:inject"], { configurations: schema });
    await ask("admin", `POST ${later}/spaces`, { space });
    expect(await scripts()).toMatchObject([{ script: expect.stringContaining("/integrations/bot/") }]);
    await ask("admin", `PATCH ${later}/spaces/${space}`, { configuration: { key: "k" } });
    expect(await scripts()).toMatchObject([
      { script: expect.stringContaining("/integrations/bot/") },
      { script: expect.stringContaining("/integrations/another/"), space },
    ]);
  });

  test("an installation on the site and its spaces adds its script once", async () => {
    await hold(["site:script:inject", "space:script:inject"]);
    await setting.ask("admin", `PATCH ${one}`, { space_selection: "all" });
    expect((await scripts()).map((it) => it.space)).toEqual([undefined]);
    await setting.ask("admin", `PATCH ${one}`, { site_selection: "selected" });
    expect((await scripts()).map((it) => it.space)).toEqual([space]);
  });

  test("the script of a space that the visitor cannot see is absent", async () => {
    const { ask } = setting;
    await hold(["space:script:inject"]);
    await ask("admin", `PATCH ${one}`, { space_selection: "all" });
    expect(await scripts()).toHaveLength(1);
    const [shown] = (await ask("admin", `GET ${at}/site-spaces`)).body.items;
    await ask("admin", `PATCH ${at}/site-spaces/${shown.id}`, { condition: "visitor.claims.beta" });
    expect(await scripts()).toEqual([]);
  });
});

describe("visitor login", () => {
  beforeEach(async () => {
    await setting.ask("admin", `PATCH ${at}`, { visibility: "visitor-auth" });
    await setting.ask("admin", `PATCH ${at}/publishing/auth`, { backend: "integration", integration: "bot" });
  });
  const signed = (key: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(Math.floor(setting.clock.now.getTime() / 1000) + 60)
      .sign(new TextEncoder().encode(key));
  const login = (query = "") => setting.ask(null, `GET ${at}/login${query}`);

  test("the integration learns which site it signs visitors in for and uses the given key", async () => {
    receiver.behave = answers(302, "", { location: "https://login.example/" });
    await login("?location=%2Fa%2Fb%23c");
    const { event, environment } = receiver.tried.at(-1)!;
    expect(event).toMatchObject({
      type: "fetch_visitor_authentication",
      installationId: installationId(),
      siteId: site,
      location: "/a/b#c",
    });
    const jwt = await signed(environment.signingSecrets.siteInstallation);
    expect((await setting.ask(null, `GET ${at}/published?visitorToken=${jwt}`)).status).toBe(200);
    const ours = await signed((await setting.ask("admin", `POST ${at}/publishing/auth/regenerate`)).body.privateKey);
    for (const token of [jwt, ours])
      expect((await setting.ask(null, `GET ${at}/published?visitorToken=${token}`)).status).toBe(200);
  });

  test("the visitor's destination is passed to the integration and recorded nowhere", async () => {
    await login("?location=%2Fa%3Fneedle");
    expect(receiver.tried.at(-1)!.event.location).toBe("/a?needle");
    expect(await recorded("fetch_visitor_authentication")).toMatchObject([{ payload: { siteId: site } }]);
    expect([...(await dump(setting.storage)).values()].join()).not.toContain("needle");
  });

  test("an integration on the site handles the login once it is configured", async () => {
    const { ask } = setting;
    const needed = { site: { properties: { key: { type: "string" } }, required: ["key"] } };
    await ask("rival", `POST ${bot}`, { configurations: needed });
    await ask("admin", `PATCH ${one}`, { site_selection: "selected" });
    expect((await login()).status).toBe(404);
    expect((await ask("admin", `POST ${one}/sites`, { site })).body.status).toBe("pending");
    expect((await login()).status).toBe(404);
    await ask("admin", `PATCH ${one}`, { site_selection: "all" });
    expect((await login()).status).toBe(404);
    await ask("admin", `PATCH ${one}/sites/${site}`, { configuration: { key: "k" } });
    expect((await login()).status).toBe(200);
    const { environment } = receiver.taken.at(-1)!;
    expect(environment.siteInstallation).toMatchObject({ site, configuration: { key: "k" } });
    const jwt = await signed(environment.signingSecrets.siteInstallation);
    const { status, body } = await ask(null, `GET ${at}/published?visitorToken=${jwt}`);
    expect([status, body.scripts.length]).toEqual([200, 1]);
    await ask("admin", `PATCH ${one}`, { site_selection: "selected" });
    await ask("admin", `DELETE ${one}/sites/${site}`);
    expect((await ask(null, `GET ${at}/published?visitorToken=${jwt}`)).status).toBe(404);
  });

  test("a failed login says so and opens nothing", async () => {
    for (const behave of [isAway, answers(406), answers(500, "no"), answers(302), answers(304), answers(204)]) {
      receiver.behave = behave;
      expect((await login()).body.error.reason).toBe("integration_failed");
    }
    const failed = { status: "failed", attempts: [{ error: expect.stringMatching(/\.$/) }] };
    expect(await recorded("fetch_visitor_authentication")).toMatchObject(Array.from({ length: 6 }, () => failed));
    expect((await setting.ask(null, `GET ${at}/published`)).status).toBe(404);
  });
});

describe("views", () => {
  const view = (more: object = {}) => ({
    url: "https://docs.example.com/one",
    visitor: { anonymousId: "a", userAgent: "Browser", cookies: { _id: "1" } },
    ...more,
  });
  const report = (more?: object) => setting.ask("create", `POST ${at}/views`, view(more));
  const heard = () => receiver.taken.map(({ event }) => event).filter(({ type }) => /_view$/.test(type));
  /** What is told of one view is told in no order. */
  const heardSince = (count: number) =>
    heard()
      .slice(count)
      .sort((a, b) => (a.type < b.type ? -1 : 1));

  test("a view is delivered to the installations of the site, and with a space also to those of the space", async () => {
    await report();
    expect(heard()).toMatchObject([{ type: "site_view", siteId: site, referrer: "", visitor: { ip: "" } }]);
    await report({ spaceId: space });
    expect(heard().map(({ type }) => type)).toEqual(["site_view", "site_view"]);
    await setting.ask("admin", `POST ${one}/spaces`, { space });
    await report({ spaceId: space });
    expect(heardSince(2)).toMatchObject([
      { type: "site_view", siteId: site },
      { type: "space_view", spaceId: space },
    ]);
  });

  test("cookies are delivered only to installations with the scope for them and that kind of view", async () => {
    await setting.ask("admin", `POST ${one}/spaces`, { space });
    await report({ spaceId: space });
    expect(heard().map(({ visitor }) => visitor.cookies)).toEqual([{}, {}]);
    await hold([...ALL, "site:script:cookies"]);
    await report({ spaceId: space });
    expect(heardSince(2).map(({ type, visitor }) => [type, visitor.cookies])).toEqual([
      ["site_view", { _id: "1" }],
      ["space_view", {}],
    ]);
  });

  test("queued cookies are no longer delivered after the scope is removed", async () => {
    await hold([...ALL, "site:script:cookies"]);
    receiver.behave = isAway;
    await report();
    await hold(ALL);
    receiver.behave = takes;
    setting.clock.forward(5000);
    await setting.api.maintain();
    expect(heard().map(({ visitor }) => visitor.cookies)).toEqual([{}]);
  });

  test("a view that no one receives leaves only counts", async () => {
    await hold(["site:script:inject", "space:views:read"]);
    const uncounted = async () => [...(await dump(setting.storage))].filter(([key]) => !key.startsWith("insights-"));
    const before = await uncounted();
    expect((await report({ spaceId: space })).status).toBe(204);
    expect(await uncounted()).toEqual(before);
    await setting.ask("admin", `PATCH ${one}`, { space_selection: "all" });
    await report({ spaceId: space });
    expect(heard().map(({ type }) => type)).toEqual(["space_view"]);
  });

  test("the receivers of views are never older than the view, in a process that changed nothing itself", async () => {
    const { storage, clock, tokens, ask } = setting;
    const other = open(storage, { fetch: receiver.fetch, now: () => clock.now });
    const hearsOne = async () => {
      const before = heard().length;
      expect((await other.askWith(tokens.create, `POST ${at}/views`, view())).status).toBe(204);
      return heard().length > before;
    };
    const scopes = ["site:views:read"];
    expect(await hearsOne()).toBe(true);
    await ask("admin", `PATCH ${one}`, { status: "paused" });
    expect(await hearsOne()).toBe(false);
    await ask("admin", `PATCH ${one}`, { status: "active" });
    expect(await hearsOne()).toBe(true);
    // The integration is in another organization.
    await ask("rival", `POST ${bot}`, { scopes: [] });
    expect(await hearsOne()).toBe(false);
    await ask("rival", `POST ${bot}`, { scopes });
    expect(await hearsOne()).toBe(false);
    await ask("admin", `PATCH ${one}`, { scopes });
    expect(await hearsOne()).toBe(true);
    await ask("admin", `PATCH ${one}`, { site_selection: "selected" });
    expect(await hearsOne()).toBe(false);
    await ask("admin", `POST ${one}/sites`, { site });
    expect(await hearsOne()).toBe(true);
    await ask("admin", `DELETE ${one}`);
    expect(await hearsOne()).toBe(false);
    one = await install("bot", scopes);
    await ask("admin", `PATCH ${one}`, { site_selection: "all" });
    expect(await hearsOne()).toBe(true);
  });

  test("a listener of the host receives every view", async () => {
    await setting.ask("admin", `DELETE ${one}`);
    const told: DocsEvent[] = [];
    const { askWith } = open(setting.storage, { onEvent: (event) => void told.push(event) });
    await askWith(setting.tokens.create, `POST ${at}/views`, view({ spaceId: space }));
    const views = told.filter(({ type }) => /_view$/.test(type)).sort((a, b) => (a.type < b.type ? -1 : 1));
    expect(views).toMatchObject([
      { type: "site_view", siteId: site, visitor: { cookies: { _id: "1" } } },
      { type: "space_view", spaceId: space },
    ]);
  });
});
