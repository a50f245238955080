// A token with scopes has integrations do no more for it than it may be used for itself.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { web } from "../resources/content/imports-web";
import { dump, open, type Setting, setUp } from "../support/setting";

let setting: Setting;
let askWith: ReturnType<typeof open>["askWith"];

beforeEach(async () => {
  setting = await setUp(memoryStorage(), { fetch: web });
  const opened = open(setting.storage, { fetch: web });
  opened.clock.now = setting.clock.now;
  askWith = opened.askWith;
});

const bot = "/v1/integrations/acme-bot";
const asksForMuch = { scopes: ["space:content:write", "space:git:sync"] };
/** What those two open, by rooms. */
const enough = [
  "spaces:read",
  "revisions:write",
  "change-requests:write",
  "comments:write",
  "search:read",
  "git-sync:write",
];

async function tokenWith(scopes: readonly string[]): Promise<string> {
  return (await setting.ask("admin", "POST /v1/user/tokens", { label: "x", scopes })).body.token;
}

/** An integration of the organization that reads and writes content, installed there. */
async function installed(): Promise<string> {
  const { ask, org } = setting;
  await ask("admin", `POST ${bot}`, { organization: org, title: "Bot", ...asksForMuch });
  const made = await ask("admin", `POST ${bot}/installations`, { organization: org });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return `${bot}/installations/${made.body.id}`;
}

describe("S25: tokens for integrations", () => {
  test("S25: a token for integrations gets no token for content, and a full token does", async () => {
    const one = await installed();
    const narrow = await askWith(await tokenWith(["integrations:write"]), `POST ${one}/tokens`);
    expect([narrow.status, narrow.body.error?.reason]).toEqual([403, "above_own_scopes"]);
    for (const missing of enough) {
      const held = ["integrations:write", ...enough.filter((scope) => scope !== missing)];
      expect([missing, (await askWith(await tokenWith(held), `POST ${one}/tokens`)).status]).toEqual([missing, 403]);
    }
    const wide = await askWith(await tokenWith(["integrations:write", ...enough]), `POST ${one}/tokens`);
    expect(wide.status).toBe(200);
    // What the installation may do, it may go on doing with a token that it asks for itself.
    expect((await askWith(wide.body.token, `POST ${one}/tokens`)).status).toBe(200);
  });

  test("S25: a token for integrations publishes no script and opens no tunnel with more permissions than itself", async () => {
    await installed();
    const token = await tokenWith(["integrations:write"]);
    const before = await dump(setting.storage);
    for (const [route, send] of [
      [`POST ${bot}`, { script: "export default { fetch() {} }" }],
      [`PUT ${bot}/dev`, { tunnelUrl: "https://tunnel.example" }],
      ["POST /v1/integrations/acme-other", { organization: setting.org, title: "Other", ...asksForMuch }],
    ] as const) {
      const { status, body } = await askWith(token, route, send);
      expect([route, status, body?.error?.reason]).toEqual([route, 403, "above_own_scopes"]);
    }
    const after = await dump(setting.storage);
    for (const [key, value] of before) expect(after.get(key)).toBe(value);
  });

  test("S25: a token for integrations installs only what has no more permissions than itself", async () => {
    const { ask, otherOrg, org } = setting;
    const scoped = { organization: otherOrg, visibility: "public", title: "Spy", ...asksForMuch };
    const modest = { organization: otherOrg, visibility: "public", title: "Clock" };
    expect((await ask("rival", "POST /v1/integrations/spy", scoped)).status).toBe(200);
    expect((await ask("rival", "POST /v1/integrations/clock", modest)).status).toBe(200);
    const token = await tokenWith(["integrations:write"]);
    const spy = await askWith(token, "POST /v1/integrations/spy/installations", { organization: org });
    expect([spy.status, spy.body.error?.reason]).toEqual([403, "above_own_scopes"]);
    const clock = await askWith(token, "POST /v1/integrations/clock/installations", { organization: org });
    expect(clock.status).toBe(201);
  });

  test("S25: a token for integrations consents to nothing beyond its own permissions", async () => {
    const { ask, org } = setting;
    await ask("admin", `POST ${bot}`, { organization: org, title: "Bot" });
    const { id } = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body;
    await ask("admin", `POST ${bot}`, asksForMuch);
    const agree = async (scopes: readonly string[]) =>
      askWith(await tokenWith(scopes), `PATCH ${bot}/installations/${id}`, asksForMuch);
    const narrow = await agree(["integrations:write"]);
    expect([narrow.status, narrow.body.error?.reason]).toEqual([403, "above_own_scopes"]);
    const wide = await agree(["integrations:write", ...enough]);
    expect([wide.status, wide.body.scopes]).toEqual([200, asksForMuch.scopes]);
  });
});
