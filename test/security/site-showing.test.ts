// S25, S32: whoever edits a site shows its spaces to nobody who did not see them, unless they may set up each of them. Every
// operation that could is here, with its harmless sister beside it.

import { memoryStorage } from "octavo/memory";
import { TranslatorError } from "octavo/translators";
import { beforeEach, describe, expect, test } from "vitest";
import { createReceiver, TUNNEL } from "../resources/integrations/receiver";
import { type Answer, type Setting, setUp } from "../support/setting";

const visibilities = ["public", "unlisted", "share-link", "visitor-auth"] as const;
const schema = { type: "object", properties: { isBeta: { type: "boolean" } }, additionalProperties: false };
let setting: Setting;
let open: string;
/** Closed to everybody who was not given anything on it. */
let closed: string;
let site: string;
let at: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage(), {
    fetch: createReceiver().fetch,
    translator: async () => {
      throw new TranslatorError("rejected", "The translator does not know this language.");
    },
  });
  open = await make("spaces", { title: "Open" });
  closed = await make("spaces", { title: "Closed" });
  await admin(`PATCH /v1/spaces/${closed}`, { defaultLevel: null });
  site = await make("sites", { title: "Docs", spaces: [open, closed] });
  at = `/v1/orgs/${setting.org}/sites/${site}`;
});

const admin = (route: string, send?: unknown) => setting.ask("admin", route, send);
const editor = (route: string, send?: unknown) => setting.ask("create", route, send);
const make = async (kind: string, send: object) =>
  (await admin(`POST /v1/orgs/${setting.org}/${kind}`, send)).body.id as string;
const give = (space: string, role: string) =>
  admin(`POST /v1/spaces/${space}/permissions`, { users: [{ id: setting.ids.create, role }] });
const publishAs = async (visibility: string) => {
  await admin(`PATCH ${at}`, { visibility });
  await admin(`POST ${at}/publish`);
};

/** A refusal that says nothing of what is hidden. */
function expectRefused({ status, body }: Answer): void {
  expect([status, body.error.reason, body.error.issues]).toEqual([403, "not_yours_to_show", undefined]);
  expect(JSON.stringify(body)).not.toContain(closed);
  expect(JSON.stringify(body)).not.toMatch(/Closed/);
}
const expectDone = (answer: Answer) => expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);

describe("publishing", () => {
  test("publishing needs create on every space of the site, and the error names only those that the caller sees", async () => {
    expectRefused(await editor(`POST ${at}/publish`));
    expect((await admin(`GET ${at}`)).body.published).toBe(false);
    await give(closed, "review");
    const refused = await editor(`POST ${at}/publish`);
    expect(refused.status).toBe(403);
    expect(refused.body.error.issues).toEqual([
      { path: `spaces.${closed}`, message: expect.stringContaining('"Closed"') },
    ]);
    await give(closed, "create");
    expectDone(await editor(`POST ${at}/publish`));
  });

  test("publishing again and unpublishing need no permission on spaces", async () => {
    await publishAs("public");
    expectDone(await editor(`POST ${at}/publish`));
    expectDone(await editor(`POST ${at}/unpublish`));
    expectRefused(await editor(`POST ${at}/publish`));
  });

  test("publishing checks spaces in the trash too, since they may be restored", async () => {
    await admin(`DELETE /v1/spaces/${closed}`);
    expectRefused(await editor(`POST ${at}/publish`));
    const items: { id: string; space: { id: string } }[] = (await admin(`GET ${at}/site-spaces`)).body.items;
    await editor(`DELETE ${at}/site-spaces/${items.find(({ space }) => space.id === closed)!.id}`);
    expectDone(await editor(`POST ${at}/publish`));
  });

  test("publishing a translation needs create on its source too", async () => {
    await give(closed, "read");
    const source = { space: closed };
    const made = await editor(`POST /v1/orgs/${setting.org}/translations`, { language: "de", source });
    const result = made.body.result.space;
    const other = await make("sites", { title: "German", spaces: [result] });
    const refused = await editor(`POST /v1/orgs/${setting.org}/sites/${other}/publish`);
    expect(refused.body.error.issues).toMatchObject([{ path: `spaces.${result}` }]);
    await give(closed, "create");
    expectDone(await editor(`POST /v1/orgs/${setting.org}/sites/${other}/publish`));
  });

  test("an admin publishes everything, and people who may not edit sites publish nothing", async () => {
    for (const person of ["read", "comment", "edit", "review"] as const)
      expect((await setting.ask(person, `POST ${at}/publish`)).body.error.reason).toBe("forbidden");
    expectDone(await admin(`POST ${at}/publish`));
  });
});

describe("changing the audience", () => {
  const narrower = new Set([
    "public unlisted",
    "public share-link",
    "public visitor-auth",
    "unlisted share-link",
    "unlisted visitor-auth",
    ...visibilities.map((it) => `${it} ${it}`),
  ]);
  const pairs = visibilities.flatMap((from) => visibilities.map((to) => [from, to] as const));

  test.each(pairs)(
    "changing the audience from %s to %s needs the permission on all spaces unless it admits no one new",
    async (from, to) => {
      await publishAs(from);
      const answer = await editor(`PATCH ${at}`, { visibility: to, title: "Other" });
      if (narrower.has(`${from} ${to}`)) expectDone(answer);
      else expectRefused(answer);
      await admin(`PATCH ${at}`, { visibility: from });
      await give(closed, "create");
      expectDone(await editor(`PATCH ${at}`, { visibility: to }));
    },
  );

  test("the audience of an unpublished site shows nothing yet", async () => {
    await admin(`PATCH ${at}`, { visibility: "visitor-auth" });
    expectDone(await editor(`PATCH ${at}`, { visibility: "public", adaptiveContent: { enabled: true } }));
  });

  test("changed claims affect conditions on known and unknown claims", async () => {
    await publishAs("public");
    expectDone(await editor(`PUT ${at}/adaptive-schema`, { jsonSchema: schema }));
    expectRefused(await editor(`PATCH ${at}`, { adaptiveContent: { enabled: true } }));
    await admin(`PATCH ${at}`, { adaptiveContent: { enabled: true } });
    expectRefused(await editor(`PATCH ${at}`, { adaptiveContent: { enabled: false } }));
    expectRefused(await editor(`PUT ${at}/adaptive-schema`, { jsonSchema: schema }));
    expectDone(await editor(`PATCH ${at}`, { adaptiveContent: { enabled: true }, agentsContext: "excluded" }));
  });

  test("a new address or title does not change the audience", async () => {
    await publishAs("visitor-auth");
    const changes = { title: "Other", basename: "other", hostname: "docs.example.com" };
    expectDone(await editor(`PATCH ${at}`, changes));
  });
});

describe("keys", () => {
  test("a new or enabled share link needs the permission on all spaces where keys open the site", async () => {
    const friends = (await admin(`POST ${at}/share-links`, { name: "Friends" })).body.id;
    await publishAs("share-link");
    expectRefused(await editor(`POST ${at}/share-links`, { name: "More" }));
    expectRefused(await editor(`POST ${at}/share-links/${friends}/regenerate`));
    expectDone(await editor(`PATCH ${at}/share-links/${friends}`, { active: false, name: "Foes" }));
    expectRefused(await editor(`PATCH ${at}/share-links/${friends}`, { active: true }));
    expectDone(await editor(`DELETE ${at}/share-links/${friends}`));
    await admin(`PATCH ${at}`, { visibility: "visitor-auth" });
    expectDone(await editor(`POST ${at}/share-links`, { name: "Opens nothing" }));
    expectRefused(await editor(`PATCH ${at}`, { visibility: "share-link" }));
  });

  test("a key that signs visitors, or an integration that does, needs the permission on all spaces", async () => {
    await admin("POST /v1/integrations/gate", { organization: setting.org, scopes: ["site:visitor:auth"] });
    await admin("PUT /v1/integrations/gate/dev", { tunnelUrl: TUNNEL });
    const made = await admin("POST /v1/integrations/gate/installations", { organization: setting.org });
    await admin(`POST /v1/integrations/gate/installations/${made.body.id}/sites`, { site });
    await publishAs("visitor-auth");
    expectRefused(await editor(`POST ${at}/publishing/auth/regenerate`));
    const gate = { backend: "integration", integration: "gate" };
    expectRefused(await editor(`PATCH ${at}/publishing/auth`, gate));
    expectDone(await editor(`PATCH ${at}/publishing/auth`, { fallbackURL: "https://example.com/login" }));
    expectDone(await admin(`PATCH ${at}/publishing/auth`, gate));
    expectDone(await editor(`PATCH ${at}/publishing/auth`, { ...gate, fallbackURL: null }));
    expectDone(await editor(`PATCH ${at}/publishing/auth`, { backend: "custom" }));
    await give(closed, "create");
    expectDone(await editor(`POST ${at}/publishing/auth/regenerate`));
  });
});

describe("conditions", () => {
  /** A section with each space: under a condition, and under none. */
  let guarded: string;
  let plain: string;
  let secret: string;
  let beside: string;
  beforeEach(async () => {
    const spare = await make("spaces", { title: "Spare" });
    guarded = (await admin(`POST ${at}/sections`, { spaceId: spare, title: "Guarded" })).body.id;
    const other = await make("spaces", { title: "Other" });
    plain = (await admin(`POST ${at}/sections`, { spaceId: other, title: "Plain" })).body.id;
    await admin(`PATCH ${at}/sections/${guarded}`, { condition: "visitor.claims.isBeta" });
    const items: { id: string; section: string; space: { id: string } }[] = (await admin(`GET ${at}/site-spaces`)).body
      .items;
    secret = items.find(({ space }) => space.id === closed)!.id;
    beside = items.find(({ space }) => space.id === other)!.id;
    const first = items.find(({ section }) => section === guarded)!.id;
    await admin(`POST ${at}/site-spaces/${secret}/move`, {
      position: { after: { type: "site-space", siteSpace: first } },
    });
    await admin(`PATCH ${at}/site-spaces/${secret}`, { condition: "visitor.claims.isStaff" });
    await publishAs("public");
  });

  test("conditions of a site space are removed or changed by those who may show its space", async () => {
    for (const condition of [null, "visitor.claims.isGuest"])
      expectRefused(await editor(`PATCH ${at}/site-spaces/${secret}`, { condition }));
    expectDone(await editor(`PATCH ${at}/site-spaces/${secret}`, { path: "elsewhere" }));
    expectDone(await editor(`PATCH ${at}/site-spaces/${beside}`, { condition: "visitor.claims.isGuest" }));
    expectDone(await editor(`PATCH ${at}/site-spaces/${beside}`, { condition: null }));
    await give(closed, "create");
    expectDone(await editor(`PATCH ${at}/site-spaces/${secret}`, { condition: null }));
  });

  test("conditions of a section are removed or changed by those who may show all its spaces", async () => {
    expectRefused(await editor(`PATCH ${at}/sections/${guarded}`, { condition: null }));
    expectRefused(await editor(`PATCH ${at}/sections/${guarded}`, { condition: "visitor.claims.isGuest" }));
    expectDone(await editor(`PATCH ${at}/sections/${guarded}`, { title: "Kept", description: "As before." }));
    expectDone(await editor(`PATCH ${at}/sections/${plain}`, { condition: "visitor.claims.isGuest" }));
    expectDone(await editor(`PATCH ${at}/sections/${plain}`, { condition: null }));
  });

  test("conditions are not left behind by moving out of a section", async () => {
    const position = { after: { type: "site-space", siteSpace: beside } };
    expectRefused(await editor(`POST ${at}/site-spaces/${secret}/move`, { position }));
    const sort = { item: { type: "site-space", id: secret }, position: { after: { type: "site-space", id: beside } } };
    expectRefused(await editor(`PATCH ${at}/structure/sort`, sort));
    const after = { type: "site-section", siteSection: plain };
    expectDone(await editor(`POST ${at}/sections/${guarded}/move`, { position: { after } }));
    expectDone(await editor(`POST ${at}/section-groups`, { title: "Group", sections: [guarded] }));
    await admin(`POST ${at}/unpublish`);
    expectDone(await editor(`POST ${at}/site-spaces/${secret}/move`, { position }));
  });
});
