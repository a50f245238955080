// An integration asks for scopes; what an installation may do is what an admin of its organization agreed to. A version that
// asks for more gets nothing by asking, at any of the doors that a scope opens.

import { strToU8, zipSync } from "fflate";
import { SignJWT } from "jose";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { installFromRival, showSpace } from "../resources/integrations/installed";
import { createReceiver, type Receiver } from "../resources/integrations/receiver";
import { DAY, people, type Setting, setUp } from "../support/setting";

const bot = "/v1/integrations/bot";
const BOOK = "https://files.example/book.zip";
const ALL = [
  "space:content:read",
  "space:content:write",
  "openapi:read",
  "site:views:read",
  "site:script:cookies",
  "site:script:inject",
  "site:visitor:auth",
];
let receiver: Receiver;
let setting: Setting;
let one: string;
let space: string;
let site: string;
let at: string;

/** Published by the rival, installed in the organization, on a space and on a site of it. */
beforeEach(async () => {
  receiver = createReceiver();
  const fetch = ((url: string, init?: RequestInit) =>
    String(url) === BOOK
      ? Promise.resolve(new Response(book as BodyInit))
      : receiver.fetch(url, init)) as typeof globalThis.fetch;
  setting = await setUp(memoryStorage(), { fetch, onError: () => {} });
  one = await installFromRival(setting, "bot", { scopes: [], contentSources: [{ id: "pages", title: "Pages" }] });
  ({ space, site, at } = await showSpace(setting));
  await setting.ask("admin", `POST ${one}/spaces`, { space });
  await setting.ask("admin", `POST ${one}/sites`, { site });
});

const askFor = (scopes: readonly string[]) => setting.ask("rival", `POST ${bot}`, { scopes });
const agreeTo = (scopes: readonly string[]) => setting.ask("admin", `PATCH ${one}`, { scopes });
const shown = async () => (await setting.ask("admin", `GET ${one}`)).body;
const tokenNow = async () => (await setting.ask("rival", `POST ${one}/tokens`)).body.token as string;
const askWith = (token: string, route: string, send?: unknown) =>
  setting.ask(null, route, send, { authorization: `Bearer ${token}` });

async function write(): Promise<void> {
  setting.clock.forward(1000);
  const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
  await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes });
}

async function view(): Promise<void> {
  setting.clock.forward(1000);
  const visitor = { anonymousId: "a", userAgent: "Browser", cookies: { session: "crumb" } };
  await setting.ask("admin", `POST ${at}/views`, { url: "https://docs.example.com/", visitor });
}

/** A book with a page that the integration computes from a specification and from the space itself. */
const SUMMARY = `* [Welcome](README.md)
* \`\`\`yaml
  type: integration:bot:pages
  dependencies:
    spec: { ref: { kind: openapi, spec: pets } }
    here: { ref: { kind: space } }
  \`\`\`
`;
const book = zipSync({ "SUMMARY.md": strToU8(SUMMARY), "README.md": strToU8("# Welcome\n") });

/** Whether the source of a computed page is told of what the page depends on. */
async function toldOf(): Promise<boolean[]> {
  await setting.ask("admin", `GET /v1/spaces/${space}/content/pages`);
  const { dependencies } = receiver.tried.findLast(({ event }) => event.type === "content_compute_revision")!.event;
  return [dependencies.spec.value !== null, dependencies.here.value !== null];
}

describe("a version that requests more scopes", () => {
  test("a version that requests more scopes leaves installations and tokens with what was agreed, and lists the new scopes", async () => {
    const old = await tokenNow();
    await askFor(ALL);
    for (const token of [old, await tokenNow()]) {
      expect((await askWith(token, `GET /v1/spaces/${space}/content`)).status).toBe(403);
      expect((await askWith(token, `GET /v1/orgs/${setting.org}/openapi`)).status).toBe(403);
      expect((await askWith(token, `POST /v1/spaces/${space}/change-requests`, {})).status).toBe(403);
    }
    expect(await shown()).toMatchObject({ status: "active", scopes: [], pendingScopes: ALL });
    const { body } = await setting.ask("admin", `GET /v1/orgs/${setting.org}/installations`);
    expect(body.items[0].installation).toMatchObject({ scopes: [], pendingScopes: ALL });
    expect((await agreeTo(ALL)).body).toMatchObject({ status: "active", scopes: ALL, pendingScopes: [] });
    expect((await askWith(old, `GET /v1/spaces/${space}/content`)).status).toBe(200);
  });

  test("a version without consent to its scopes gets no events of spaces and sites", async () => {
    await askFor(ALL);
    await write();
    await view();
    expect(receiver.types()).not.toContain("space_content_updated");
    expect(receiver.types()).not.toContain("site_view");
    await agreeTo(ALL);
    await write();
    await view();
    expect(receiver.types()).toEqual(expect.arrayContaining(["space_content_updated", "site_view"]));
  });

  test("a version without consent to its scopes gets no visitor cookies for earlier views", async () => {
    await askFor(["site:views:read"]);
    await agreeTo(["site:views:read"]);
    await askFor(["site:views:read", "site:script:cookies"]);
    await view();
    const told = () => receiver.taken.findLast(({ event }) => event.type === "site_view")!.event.visitor.cookies;
    expect(told()).toEqual({});
    await agreeTo(["site:views:read", "site:script:cookies"]);
    await view();
    expect(told()).toEqual({ session: "crumb" });
  });

  test("a version without consent to its scopes adds no script to a site, and no cookies to an existing one", async () => {
    const scripts = async () => (await setting.ask(null, `GET ${at}/published`)).body.scripts;
    await askFor(["site:script:inject"]);
    expect(await scripts()).toEqual([]);
    await agreeTo(["site:script:inject"]);
    await askFor(["site:script:inject", "site:script:cookies"]);
    expect(await scripts()).toMatchObject([{ cookies: false }]);
    await agreeTo(["site:script:inject", "site:script:cookies"]);
    expect(await scripts()).toMatchObject([{ cookies: true }]);
  });

  test("a version without consent to its scopes signs no visitors in", async () => {
    const { ask, clock } = setting;
    await askFor(["site:visitor:auth"]);
    const choose = () => ask("admin", `PATCH ${at}/publishing/auth`, { backend: "integration", integration: "bot" });
    expect((await choose()).status).toBe(400);
    await agreeTo(["site:visitor:auth"]);
    expect((await choose()).status).toBe(200);
    await ask("admin", `PATCH ${at}`, { visibility: "visitor-auth" });
    const installed = receiver.taken.findLast(({ event }) => event.type === "site_installation_setup")!;
    const key = installed.environment.signingSecrets.siteInstallation as string;
    const jwt = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(Math.floor((clock.now.getTime() + DAY) / 1000))
      .sign(new TextEncoder().encode(key));
    const reads = async () => (await ask(null, `GET ${at}/published?visitorToken=${jwt}`)).status;
    expect(await reads()).toBe(200);
    await agreeTo([]);
    expect(await reads()).toBe(404);
  });

  test("a version without consent to its scopes computes no pages", async () => {
    const { ask, org } = setting;
    const text = "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n";
    await ask("admin", `PUT /v1/orgs/${org}/openapi/pets`, { source: { text } });
    await ask("admin", `POST /v1/spaces/${space}/content/import`, { url: BOOK, source: "zip" });
    receiver.behave = () => Response.json({ pages: [] });
    const scopes = ["space:content:read", "openapi:read"];
    await askFor(scopes);
    expect(await toldOf()).toEqual([false, false]);
    await agreeTo(scopes);
    expect(await toldOf()).toEqual([true, true]);
  });

  test("the installation can read the scopes that it has", async () => {
    await askFor(ALL);
    await setting.ask("rival", `POST ${one}/tasks`, { task: { type: "look" } });
    const { environment } = receiver.taken.findLast(({ event }) => event.type === "task")!;
    expect(environment.installation).toMatchObject({ scopes: [], pendingScopes: ALL });
    expect(environment.integration.scopes).toEqual(ALL);
  });
});

describe("consent", () => {
  test("only admins of the organization that installed may consent", async () => {
    await askFor(["space:content:read"]);
    for (const person of people) {
      if (person === "admin") continue;
      const { status } = await setting.ask(person, `PATCH ${one}`, { scopes: ["space:content:read"] });
      expect(status, person).toBe(["guest", "stranger"].includes(person) ? 404 : 403);
    }
    const told = receiver.taken.findLast(({ environment }) => environment.apiTokens.installation)!.environment;
    for (const token of [await tokenNow(), told.apiTokens.installation, told.apiTokens.integration]) {
      const answer = await askWith(token, `PATCH ${one}`, { scopes: ["space:content:read"] });
      expect(answer.status).toBe(403);
      expect((await askWith(token, `PATCH ${one}`, { externalIds: ["x"] })).status).toBe(200);
    }
    expect((await shown()).scopes).toEqual([]);
  });

  test("consent applies to what was read, and not to a version in between or to scopes that were not requested", async () => {
    await askFor(["space:content:read"]);
    const read = (await shown()).pendingScopes;
    await askFor(["space:content:read", "space:content:write"]);
    expect((await agreeTo(read)).body).toMatchObject({
      scopes: ["space:content:read"],
      pendingScopes: ["space:content:write"],
    });
    const refused = await agreeTo(["space:content:read", "openapi:read"]);
    expect(refused.body.error.issues).toEqual([{ path: "body.scopes.1", message: expect.any(String) }]);
    expect(refused.status).toBe(400);
    expect((await agreeTo(["anything"])).status).toBe(400);
  });

  test("consent can be withdrawn, and can be limited when installing", async () => {
    const { ask, org } = setting;
    await askFor(ALL);
    await agreeTo(ALL);
    const token = await tokenNow();
    expect((await askWith(token, `GET /v1/spaces/${space}/content`)).status).toBe(200);
    await agreeTo(["openapi:read"]);
    expect((await askWith(token, `GET /v1/spaces/${space}/content`)).status).toBe(403);
    expect((await askWith(token, `GET /v1/orgs/${org}/openapi`)).status).toBe(200);
    await ask("admin", `DELETE ${one}`);
    const some = { organization: org, scopes: ["openapi:read"] };
    const again = await ask("admin", `POST ${bot}/installations`, some);
    expect(again.body).toMatchObject({
      scopes: ["openapi:read"],
      pendingScopes: ALL.filter((it) => it !== "openapi:read"),
    });
    await ask("admin", `DELETE ${bot}/installations/${again.body.id}`);
    const beyond = { organization: org, scopes: ["space:git:sync"] };
    expect((await ask("admin", `POST ${bot}/installations`, beyond)).status).toBe(400);
    const all = await ask("admin", `POST ${bot}/installations`, { organization: org });
    expect(all.body).toMatchObject({ scopes: ALL, pendingScopes: [] });
  });

  test("consent ends when a version drops a scope, and requesting it again needs new consent", async () => {
    await askFor(["space:content:read", "openapi:read"]);
    await agreeTo(["space:content:read", "openapi:read"]);
    const token = await tokenNow();
    await askFor(["openapi:read"]);
    expect((await askWith(token, `GET /v1/spaces/${space}/content`)).status).toBe(403);
    expect(await shown()).toMatchObject({ scopes: ["openapi:read"], pendingScopes: [] });
    await askFor(["space:content:read", "openapi:read"]);
    expect(await shown()).toMatchObject({ scopes: ["openapi:read"], pendingScopes: ["space:content:read"] });
    expect((await askWith(token, `GET /v1/spaces/${space}/content`)).status).toBe(403);
  });
});

describe("a storage from before consent was recorded", () => {
  /** Takes out of the storage what an earlier release did not write. */
  async function age(): Promise<void> {
    const { storage } = setting;
    for await (const name of storage.partitions()) {
      const partition = storage.partition(name);
      const rows = await (await partition.snapshot()).list({ under: "", limit: 10_000 });
      for (const { key, value } of rows) {
        const record = value as Record<string, unknown> | null;
        if (typeof record !== "object" || record === null || !("agreed" in record || "scopesSince" in record)) continue;
        const { agreed: _, scopesSince: __, ...rest } = record;
        await partition.commit({ checks: [], puts: [{ key, value: rest as never }], deletes: [], adds: [] });
      }
    }
  }

  test("an installation stored before consent was recorded has the scopes requested then, and no more later", async () => {
    await askFor(["space:content:read"]);
    await agreeTo(["space:content:read"]);
    await age();
    expect(await shown()).toMatchObject({ scopes: ["space:content:read"], pendingScopes: [] });
    await askFor(["space:content:read", "space:content:write"]);
    const { scopes, pendingScopes } = await shown();
    expect([scopes, pendingScopes]).toEqual([["space:content:read"], ["space:content:write"]]);
    await askFor(["space:content:write"]);
    expect((await shown()).scopes).toEqual([]);
    expect((await agreeTo(["space:content:write"])).body.scopes).toEqual(["space:content:write"]);
  });
});
