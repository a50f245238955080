// What an installation hears when it is put on a site and when a place goes away under it, what it is called with there, and
// how what it wrote is signed.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY, dump, open, type Setting, setUp } from "../../support/setting";
import { createReceiver, type Delivery, isAway, type Receiver, TUNNEL, takes } from "./receiver";

const bot = "/v1/integrations/bot";
let receiver: Receiver;
let setting: Setting;
let one: string;
let installation: string;
let space: string;
let site: string;

beforeEach(async () => {
  receiver = createReceiver();
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch, onError: () => {} });
  const { ask, org } = setting;
  await ask("rival", `POST ${bot}`, {
    title: "Helpful Bot",
    visibility: "public",
    scopes: ["space:content:read", "space:content:write", "site:metadata:read"],
  });
  await ask("rival", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL, all: true });
  installation = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body.id;
  one = `${bot}/installations/${installation}`;
  space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Guide", spaces: [space] })).body.id;
  await ask("admin", `POST ${one}/spaces`, { space, configuration: { channel: "general" } });
  await ask("admin", `POST ${one}/sites`, { site, configuration: { theme: "dark" } });
});

const told = (since = 0) => receiver.taken.slice(since).map(({ event }) => event);
const lines = async (kind: "spaces" | "sites") => (await setting.ask("rival", `GET ${bot}/${kind}`)).body.count;
const last = (): Delivery => receiver.taken.at(-1)!;

describe("an installation on a site", () => {
  test("an installation on a site gets each change with the previous state, and its configuration", async () => {
    const before = receiver.taken.length;
    expect(last().event).toMatchObject({ type: "site_installation_setup", siteId: site, status: "active" });
    expect(last().event.previous).toBeUndefined();
    const { environment } = last();
    expect(environment.siteInstallation).toMatchObject({ site, configuration: { theme: "dark" } });
    expect(environment.spaceInstallation).toBeUndefined();
    const { signingSecrets } = environment;
    expect(new Set(Object.values(signingSecrets)).size).toBe(3);
    expect(Object.keys(signingSecrets)).toEqual(["integration", "installation", "siteInstallation"]);
    await setting.ask("admin", `PATCH ${one}/sites/${site}`, { configuration: { theme: "light" } });
    await setting.ask("admin", `DELETE ${one}/sites/${site}`);
    expect(told(before)).toMatchObject([
      {
        type: "site_installation_setup",
        siteId: site,
        previous: { status: "active", configuration: { theme: "dark" } },
      },
      { type: "site_installation_deleted", siteId: site, previous: { configuration: { theme: "light" } } },
    ]);
    expect(last().environment.siteInstallation).toBeUndefined();
  });

  test("an installation on a site gets events of that site only", async () => {
    const { ask, org } = setting;
    const other = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Other" })).body.id;
    await ask("admin", `POST /v1/orgs/${org}/sites/${other}/publish`);
    await ask("admin", `POST /v1/orgs/${org}/sites/${site}/publish`);
    expect(told().filter(({ type }) => type === "site_published")).toMatchObject([{ siteId: site }]);
    expect(last().environment.siteInstallation.site).toBe(site);
    await ask("admin", `PATCH ${one}`, { site_selection: "all" });
    await ask("admin", `POST /v1/orgs/${org}/sites/${other}/unpublish`);
    expect(last()).toMatchObject({ event: { type: "site_unpublished", siteId: other } });
    expect(last().environment.siteInstallation).toBeUndefined();
  });

  test("an installation on a site is identified by its public endpoint", async () => {
    const { publicEndpoint } = (await setting.ask("admin", `GET ${one}/sites/${site}`)).body.urls;
    await setting.ask(null, `GET ${new URL(publicEndpoint).pathname}/hook`);
    expect(receiver.tried.at(-1)!.event.type).toBe("fetch");
    expect(receiver.tried.at(-1)!.environment.siteInstallation.site).toBe(site);
    await setting.ask(null, `GET ${bot}/public/${installation}/${site.slice(0, -1)}x/hook`);
    expect(receiver.tried.at(-1)!.environment.siteInstallation).toBeUndefined();
  });
});

describe("simultaneous requests", () => {
  test("simultaneous installations on one site are one", async () => {
    await setting.ask("admin", `DELETE ${one}/sites/${site}`);
    const both = await Promise.all(
      (["admin", "create"] as const).map((person) => setting.ask(person, `POST ${one}/sites`, { site })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await setting.ask("admin", `GET ${one}/sites`)).body.count).toBe(1);
  });

  test("an installation on a site that is deleted meanwhile leaves nothing behind", async () => {
    await setting.ask("admin", `DELETE ${one}/sites/${site}`);
    const [, installed] = await Promise.all([
      setting.ask("admin", `DELETE /v1/orgs/${setting.org}/sites/${site}`),
      setting.ask("create", `POST ${one}/sites`, { site }),
    ]);
    expect([201, 400]).toContain(installed.status);
    await setting.api.maintain();
    expect([(await setting.ask("admin", `GET ${one}/sites`)).body.count, await lines("sites")]).toEqual([0, 0]);
  });
});

describe("deleted sites and spaces", () => {
  test("a deleted site removes its installations, which are notified together with the publisher", async () => {
    const before = receiver.taken.length;
    await setting.ask("admin", `DELETE /v1/orgs/${setting.org}/sites/${site}`);
    expect(told(before)).toMatchObject([
      { type: "site_installation_deleted", siteId: site, previous: { configuration: { theme: "dark" } } },
    ]);
    expect([await lines("sites"), await lines("spaces")]).toEqual([0, 1]);
  });

  test("a purged space removes its installations, and one in the trash does not yet", async () => {
    const before = receiver.taken.length;
    await setting.ask("admin", `DELETE /v1/spaces/${space}`);
    expect(await lines("spaces")).toBe(1);
    setting.clock.forward(8 * DAY);
    await setting.api.maintain();
    expect(told(before)).toMatchObject([
      { type: "space_installation_deleted", spaceId: space, previous: { configuration: { channel: "general" } } },
    ]);
    expect(await lines("spaces")).toBe(0);
    expect((await setting.ask("admin", `GET ${one}`)).body.spaces).toBe(0);
    expect(
      [...(await dump(setting.storage)).keys()].filter((key) => /placed-installation/.test(key)).join(),
    ).not.toContain(space);
  });

  test("a space that moves to another organization leaves no rows behind and sends no more events", async () => {
    const { ask } = setting;
    const second = (await ask("admin", "POST /v1/orgs", { title: "Second" })).body.id;
    const before = receiver.taken.length;
    expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: second })).status).toBe(200);
    await ask("admin", `POST /v1/spaces/${space}/content`, {
      changes: [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }],
    });
    expect(told(before).map(({ type }) => type)).toEqual(["space_installation_deleted"]);
    expect(await lines("spaces")).toBe(0);
  });

  test("a paused installation is notified when it is resumed", async () => {
    const { ask, org, api } = setting;
    await ask("admin", `PATCH ${one}`, { status: "paused" });
    const before = receiver.taken.length;
    await ask("admin", `DELETE /v1/orgs/${org}/sites/${site}`);
    expect(told(before)).toEqual([]);
    await ask("admin", `PATCH ${one}`, { status: "active" });
    await api.maintain();
    expect(told(before).map(({ type }) => type)).toContain("site_installation_deleted");
  });

  test("many installations are removed from one site in bounded batches", async () => {
    const { ask, org } = setting;
    for (let i = 0; i < 25; i++) {
      await ask("rival", `POST /v1/integrations/tool-${i}`, { visibility: "public" });
      const { id } = (await ask("admin", `POST /v1/integrations/tool-${i}/installations`, { organization: org })).body;
      await ask("admin", `POST /v1/integrations/tool-${i}/installations/${id}/sites`, { site });
    }
    await ask("admin", `DELETE /v1/orgs/${org}/sites/${site}`);
    for (let i = 0; i < 25; i += 8)
      expect((await ask("rival", `GET /v1/integrations/tool-${i}/sites`)).body.count).toBe(0);
    expect(
      [...(await dump(setting.storage)).keys()].filter((key) => /placed-installation/.test(key)).join(),
    ).not.toContain(site);
  });

  test("an unavailable receiver is notified later by any process", async () => {
    receiver.behave = isAway;
    await setting.ask("admin", `DELETE /v1/orgs/${setting.org}/sites/${site}`);
    receiver.behave = takes;
    const before = receiver.taken.length;
    const next = open(setting.storage, { fetch: receiver.fetch, now: () => setting.clock.now });
    setting.clock.forward(DAY / 2);
    await next.api.maintain();
    expect(told(before)).toMatchObject([{ type: "site_installation_deleted", siteId: site }]);
  });
});

describe("content written by an installation", () => {
  const signed = { object: "user", displayName: "Helpful Bot", email: "" };
  const ask = (route: string, send?: unknown) =>
    setting.ask(null, route, send, { authorization: `Bearer ${last().environment.apiTokens.installation}` });

  /** A change request, a comment on the space, and a revision, each by the installation. */
  async function write() {
    const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
    const revision = (await ask(`POST /v1/spaces/${space}/content`, { changes })).body.revision as string;
    const request = (await ask(`POST /v1/spaces/${space}/change-requests`, { subject: "From a bot" })).body;
    const comment = (await ask(`POST /v1/spaces/${space}/comments`, { body: { markdown: "Hm." } })).body;
    return { revision, request, comment };
  }

  async function authors({ revision, request, comment }: Awaited<ReturnType<typeof write>>, as: "comment" | "admin") {
    const at = `/v1/spaces/${space}`;
    const seen = async (path: string) => (await setting.ask(as, `GET ${at}/${path}`)).body;
    const { items } = await seen("revisions");
    return {
      request: (await seen(`change-requests/${request.id}`)).createdBy,
      comment: (await seen(`comments/${comment.id}`)).postedBy,
      revision: items.find((it: { id: string }) => it.id === revision).createdBy,
    };
  }

  test("what an installation writes has the title of its integration as author", async () => {
    const made = await write();
    expect(made.request.createdBy).toMatchObject({ ...signed, id: installation });
    expect(made.comment.postedBy).toMatchObject({ ...signed, id: installation });
    expect(await authors(made, "comment")).toMatchObject({ request: signed, comment: signed, revision: installation });
  });

  test("the author title remains when the installation is removed or the space moves", async () => {
    const made = await write();
    await setting.ask("admin", `DELETE ${one}`);
    await setting.ask("rival", `DELETE ${bot}`);
    expect(await authors(made, "comment")).toMatchObject({ request: signed, comment: signed, revision: installation });
    const second = (await setting.ask("admin", "POST /v1/orgs", { title: "Second" })).body.id;
    await setting.ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: second });
    expect(await authors(made, "admin")).toMatchObject({ request: signed, comment: signed });
  });

  test("the author title is updated with the next change of the installation", async () => {
    const made = await write();
    await setting.ask("rival", `POST ${bot}`, { title: "Other Bot" });
    expect((await authors(made, "comment")).request.displayName).toBe("Helpful Bot");
    await setting.ask("admin", `PATCH ${one}`, { externalIds: ["x"] });
    expect((await authors(made, "comment")).request.displayName).toBe("Other Bot");
  });

  test("the author leads to a user who is visible only to those who may list members", async () => {
    const at = `GET /v1/users/${installation}`;
    expect((await setting.ask("read", at)).body).toMatchObject({ ...signed, id: installation });
    for (const person of ["guest", "stranger", "rival"] as const)
      expect((await setting.ask(person, at)).body.error.reason, person).toBe("user_not_found");
  });
});

test("an installation on more spaces than a commit can check writes into one", async () => {
  const { ask, org } = setting;
  await ask("admin", `PATCH ${one}`, { space_selection: "all" });
  for (let made = 0; made < 1050; made += 50)
    await Promise.all(Array.from({ length: 50 }, () => ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "More" })));
  const authorization = `Bearer ${last().environment.apiTokens.installation}`;
  const changes = [{ operation: "insert_page", title: "News", document: { markdown: "Hello." } }];
  const written = await ask(null, `POST /v1/spaces/${space}/content`, { changes }, { authorization });
  expect([written.status, written.body.changes?.length]).toEqual([200, 1]);
});
