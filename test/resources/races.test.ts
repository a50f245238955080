// Two callers at once. A gate holds every commit until both have decided, so each test always is the race.

import { describe, expect, test } from "vitest";
import { onFreshStorage } from "../support/fresh-storage";
import { meeting } from "../support/processes";
import { type Answer, open, type Setting, setUp } from "../support/setting";
import { type Opened, storages } from "../support/storages";

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  let setting: Setting;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
  });

  /** Both requests at once, each having decided before either commits. */
  async function race(
    requests: [as: keyof Setting["tokens"], route: string, send?: unknown, headers?: Record<string, string>][],
  ) {
    const { askWith, clock } = open(meeting(opened.storage, requests.length), {
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    });
    clock.now = setting.clock.now;
    return Promise.all(requests.map(([as, route, send, headers]) => askWith(setting.tokens[as], route, send, headers)));
  }
  const statuses = (answers: Answer[]) => answers.map((answer) => answer.status).sort();

  test("of two admins who remove each other, one stays", async () => {
    const { ask, org, ids } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "admin" });
    const answers = await race([
      ["admin", `DELETE /v1/orgs/${org}/members/${ids.create}`],
      ["create", `DELETE /v1/orgs/${org}/members/${ids.admin}`],
    ]);
    expect(answers.filter((answer) => answer.status === 204).length).toBe(1);
    const left = await Promise.all((["admin", "create"] as const).map((as) => ask(as, `GET /v1/orgs/${org}`)));
    expect(statuses(left)).toEqual([200, 404]);
  });

  test("of two admins who both step down, one is refused with 409", async () => {
    const { ask, org, ids } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "admin" });
    const answers = await race([
      ["admin", `PATCH /v1/orgs/${org}/members/${ids.admin}`, { role: "read" }],
      ["create", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "read" }],
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)!.body.error.reason).toBe("last_admin");
    expect((await ask("read", `GET /v1/orgs/${org}/members?role=admin`)).body.count).toBe(1);
  });

  test("of two organizations that claim one host name, one gets it and the other gets 409", async () => {
    const { ask, org, otherOrg } = setting;
    const answers = await race([
      ["admin", `PATCH /v1/orgs/${org}`, { hostname: "acme" }],
      ["rival", `PATCH /v1/orgs/${otherOrg}`, { hostname: "acme" }],
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    const winner = answers.find((answer) => answer.status === 200)!.body.id;
    expect((await ask("read", "GET /v1/subdomains/acme")).body.target.organization).toBe(winner);
  });

  test("who joins an organization twice is one member, and who is invited meanwhile keeps one role", async () => {
    const { ask, org, ids } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com"] });
    const { id } = (await ask("admin", `POST /v1/orgs/${org}/link-invites`, { role: "edit" })).body;
    const answers = await race([
      ["stranger", `POST /v1/orgs/${org}/join`],
      ["stranger", `POST /v1/orgs/${org}/join`],
      ["stranger", `POST /v1/orgs/${org}/invites/${id}`],
    ]);
    expect(statuses(answers)).toEqual([200, 200, 200]);
    const { role } = (await ask("admin", `GET /v1/orgs/${org}/members/${ids.stranger}`)).body;
    expect(answers.map(({ body }) => body.role)).toEqual([role, role, role]);
    expect((await ask("admin", `GET /v1/orgs/${org}/members`)).body.count).toBe(8);
  });

  test("an organization that claims a host name twice gets it", async () => {
    const { ask, org } = setting;
    const answers = await race([
      ["admin", `PATCH /v1/orgs/${org}`, { hostname: "acme" }],
      ["admin", `PATCH /v1/orgs/${org}`, { hostname: "acme" }],
    ]);
    expect(statuses(answers)).toEqual([200, 200]);
    expect((await ask("admin", `GET /v1/orgs/${org}`)).body.hostname).toBe("acme");
  });

  test("of two teams with one title, one is created and the other gets 409", async () => {
    const { ask, org } = setting;
    const answers = await race([
      ["admin", `PUT /v1/orgs/${org}/teams`, { title: "Writers" }],
      ["admin", `PUT /v1/orgs/${org}/teams`, { title: "WRITERS" }],
    ]);
    expect(statuses(answers)).toEqual([201, 409]);
    expect((await ask("admin", `GET /v1/orgs/${org}/teams`)).body.count).toBe(1);
  });

  test("of two SAML providers with one entityID, one is created and the other gets 409", async () => {
    const answers = await race([
      ["admin", `POST /v1/orgs/${setting.org}/saml`, { label: "A", entityID: "urn:x" }],
      ["admin", `POST /v1/orgs/${setting.org}/saml`, { label: "B", entityID: "urn:x" }],
    ]);
    expect(statuses(answers)).toEqual([201, 409]);
  });

  test("a request sent twice at once with one Idempotency-Key is executed once, with the same response", async () => {
    const key = { "idempotency-key": "once" };
    const answers = await race([
      ["stranger", "POST /v1/orgs", { title: "Once" }, key],
      ["stranger", "POST /v1/orgs", { title: "Once" }, key],
    ]);
    expect(statuses(answers)).toEqual([201, 201]);
    expect(answers[0]!.body.id).toBe(answers[1]!.body.id);
    expect((await setting.ask("stranger", "GET /v1/orgs")).body.count).toBe(1);
  });

  test("of two changes based on one ETag, one is made and the other gets 412", async () => {
    const { ask, org } = setting;
    const match = { "if-match": (await ask("admin", `GET /v1/orgs/${org}`)).headers.get("etag")! };
    const answers = await race([
      ["admin", `PATCH /v1/orgs/${org}`, { title: "One" }, match],
      ["admin", `PATCH /v1/orgs/${org}`, { title: "Two" }, match],
    ]);
    expect(statuses(answers)).toEqual([200, 412]);
  });

  test("two changes of different fields of a font at once are both made", async () => {
    const { ask, org } = setting;
    const fontFaces = (weight: number) => [
      { weight, style: "normal", sources: [{ url: "https://acme.example/s.woff2" }] },
    ];
    const { body } = await ask("create", `PUT /v1/orgs/${org}/fonts`, {
      fontFamily: "Sans",
      fontFaces: fontFaces(400),
    });
    const answers = await race([
      ["create", `POST /v1/orgs/${org}/fonts/${body.id}`, { fontFamily: "Serif" }],
      ["create", `POST /v1/orgs/${org}/fonts/${body.id}`, { fontFaces: fontFaces(700) }],
    ]);
    expect(statuses(answers)).toEqual([200, 200]);
    const font = (await ask("create", `GET /v1/orgs/${org}/fonts/${body.id}`)).body;
    expect([font.fontFamily, font.fontFaces]).toEqual(["Serif", fontFaces(700)]);
  });

  test("two changes of one new redirect at once leave one redirect", async () => {
    const { ask, org } = setting;
    const site = (await ask("create", `POST /v1/orgs/${org}/sites`, { title: "Docs" })).body.id;
    const to = (url: string) => ({ redirects: [{ source: "/a", destination: { kind: "url", url } }] });
    const answers = await race([
      ["create", `PUT /v1/orgs/${org}/sites/${site}/redirects`, to("https://one.example")],
      ["create", `PUT /v1/orgs/${org}/sites/${site}/redirects`, to("https://two.example")],
    ]);
    expect(answers.map(({ body }) => body.results[0].status).sort()).toEqual(["created", "updated"]);
    expect((await ask("create", `GET /v1/orgs/${org}/sites/${site}/redirects`)).body.count).toBe(1);
  });

  test("one glossary entry that is added twice at once is stored once", async () => {
    const { ask, org } = setting;
    const entries = [{ translations: { en: "Space", de: "Bereich" } }];
    const answers = await race([
      ["create", `PUT /v1/orgs/${org}/translations-glossary`, { entries }],
      ["create", `PUT /v1/orgs/${org}/translations-glossary`, { entries }],
    ]);
    expect(statuses(answers)).toEqual([204, 204]);
    expect((await ask("create", `GET /v1/orgs/${org}/translations-glossary`)).body.count).toBe(1);
  });

  test("a host that is checked and removed at once is removed, and another organization can have it", async () => {
    const { ask, org, otherOrg } = setting;
    const host = "/v1/custom-hostnames/docs.acme.example";
    const site = (await ask("create", `POST /v1/orgs/${org}/sites`, { title: "Docs" })).body.id;
    await ask("create", `PATCH /v1/orgs/${org}/sites/${site}`, { hostname: "docs.acme.example" });
    const [checked, removed] = await Promise.all([ask("create", `PATCH ${host}`), ask("create", `DELETE ${host}`)]);
    expect([204, 404]).toContain(checked.status);
    expect(removed.status).toBe(204);
    expect((await ask("create", `GET ${host}`)).status).toBe(404);
    const theirs = (await ask("rival", `POST /v1/orgs/${otherOrg}/sites`, { title: "Docs" })).body.id;
    const taken = await ask("rival", `PATCH /v1/orgs/${otherOrg}/sites/${theirs}`, { hostname: "docs.acme.example" });
    expect(taken.status).toBe(200);
  });

  test("two invites accepted at once by one person make one member", async () => {
    const { ask, org } = setting;
    const links = await Promise.all(
      ["read", "edit"].map(async (role) => (await ask("admin", `POST /v1/orgs/${org}/link-invites`, { role })).body.id),
    );
    const answers = await race(links.map((link) => ["stranger", `POST /v1/orgs/${org}/invites/${link}`]));
    expect(statuses(answers)).toEqual([200, 200]);
    expect(answers[0]!.body.role).toBe(answers[1]!.body.role);
    expect((await ask("admin", `GET /v1/orgs/${org}/members`)).body.count).toBe(8);
  });

  test("a change by a member who is removed meanwhile is made before the removal or not at all", async () => {
    const { ask, org, ids } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "admin" });
    const [removal, change] = await race([
      ["admin", `DELETE /v1/orgs/${org}/members/${ids.create}`],
      ["create", `PATCH /v1/orgs/${org}`, { title: "Changed" }],
    ]);
    expect(removal!.status).toBe(204);
    expect([200, 404]).toContain(change!.status);
    expect((await ask("admin", `GET /v1/orgs/${org}`)).body.title).toBe(change!.status === 200 ? "Changed" : "Acme");
  });

  test("fifty spaces created at once in one place all get their position", async () => {
    const { ask, org } = setting;
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ask("create", `POST /v1/orgs/${org}/spaces`, { title: `${i}` })),
    );
    expect(new Set(statuses(made))).toEqual(new Set([201]));
    const target = { type: "space", space: made[0]!.body.id };
    const moved = await Promise.all(
      made
        .slice(1, 20)
        .map(({ body }) => ask("create", `POST /v1/spaces/${body.id}/move`, { position: { after: target } })),
    );
    expect(new Set(statuses(moved))).toEqual(new Set([200]));
    expect((await ask("create", `GET /v1/orgs/${org}/spaces`)).body.count).toBe(50);
  });

  test("of two collections moved into each other at once, one is moved and the other gets 409", async () => {
    const { ask, org } = setting;
    const make = async () => (await ask("create", `POST /v1/orgs/${org}/collections`, { title: "x" })).body.id;
    const [a, b] = [await make(), await make()];
    const answers = await race([
      ["create", `POST /v1/collections/${a}/move`, { parent: b }],
      ["create", `POST /v1/collections/${b}/move`, { parent: a }],
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect((await ask("create", `GET /v1/orgs/${org}/collections?nested=false`)).body.count).toBe(1);
  });

  test("fifty simultaneous writers lose nothing", async () => {
    const { ask, org } = setting;
    const titles = Array.from({ length: 50 }, (_, i) => `Team ${i}`);
    const answers = await Promise.all(titles.map((title) => ask("admin", `PUT /v1/orgs/${org}/teams`, { title })));
    expect(new Set(statuses(answers))).toEqual(new Set([201]));
    expect((await ask("admin", `GET /v1/orgs/${org}/teams`)).body.count).toBe(50);
  });
});
