// What the token of an installation opens: what the scopes of its integration say, on the space and the site that it is on, and
// nothing else of everything that there is.

import type { Storage } from "octavo";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../src/operations";
import { tokenScopesByScope } from "../../src/resources/integrations/installations/token-actors";
import { expectEqual } from "../invariants/entries";
import { type Cast, type Example, examples, mute, parrot, prepare } from "../invariants/examples";
import { copierOf } from "../invariants/faults";
import { web } from "../resources/content/imports-web";
import { dump, open, seeded, setUp } from "../support/setting";

const scopes = Object.keys(tokenScopesByScope) as (keyof typeof tokenScopesByScope)[];
const table = allOperations();
const isOpen = new Set(
  table.filter(({ definition: operation }) => operation.spec.target.allowsAnonymous).map(({ name }) => name),
);
let copy: () => MemoryStorage;
let cast: Cast;
let rows: Record<string, Example>;
let one: string;

beforeAll(async () => {
  const base = memoryStorage();
  cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  copy = copierOf(base);
  rows = examples(cast);
  one = `/v1/integrations/${cast.integration}/installations/${cast.installation}`;
});

function openOn(storage: Storage) {
  const { askWith, clock } = open(storage, { fetch: web, translator: mute, ask: parrot, onError: () => {} });
  clock.now = cast.clock.now;
  const asAdmin = (route: string, send?: unknown) => askWith(cast.tokens.admin, route, send);
  return { storage, askWith, clock, asAdmin };
}

const made = new Map<string, Promise<{ readonly again: () => Storage; readonly token: string }>>();

/** Everything, with a token of the installation whose integration holds these scopes: made once for the same scopes. */
async function makeToken(held: readonly string[]) {
  const storage = copy();
  const { asAdmin } = openOn(storage);
  await asAdmin(`POST /v1/integrations/${cast.integration}`, { scopes: held });
  await asAdmin(`PATCH ${one}`, { scopes: held });
  const { token } = (await asAdmin(`POST ${one}/tokens`)).body as { token: string };
  return { again: copierOf(storage), token };
}

/** A copy of everything, with such a token. */
async function stage(held: readonly string[]) {
  const name = held.join();
  made.set(name, made.get(name) ?? makeToken(held));
  const { again, token } = await made.get(name)!;
  const { askWith, ...rest } = openOn(again());
  const ask = (route: string, send?: unknown) => askWith(token, route, send);
  return { ...rest, ask, askWith, token };
}

/** The installation itself, and what anybody may find. */
const own: string[] = [
  "getInstallation",
  "listInstallationSites",
  "getSiteInstallation",
  "listInstallationSpaces",
  "getSpaceInstallation",
  "listIntegrations",
  "renderComponent",
  "renderComponentByPost",
  "createInstallationToken",
  "queueTask",
  "queueIntegrationTask",
  "listTasks",
  "getTask",
  "cancelTask",
  "updateInstallation",
  "updateSiteInstallation",
  "updateSpaceInstallation",
];
const spaces: string[] = [
  ...["listSpaces", "getSpace", "getContentByUrl", "getEmbed", "getUrlEmbed", "listSpaceIntegrations"],
  ...["listSpaceIntegrationBlocks", "listBlocksOfSpace", "listSpaceIntegrationScripts"],
];
const reading: string[] = [
  "listRevisions",
  "getRevision",
  "listRevisionPages",
  "listRevisionFiles",
  "getRevisionPage",
  "getRevisionPageByPath",
  "getRevisionReusableContent",
  "listRevisionChanges",
  "listSpaceLinks",
  "listLinksOfPage",
  "listBacklinksOfPage",
  "listBacklinksOfFile",
  "getPdf",
  "getContent",
  "listPages",
  "getPage",
  "getPageByPath",
  "listFiles",
  "getFile",
  "getReusableContent",
  "getDocument",
  "getPageDocument",
  "previewPage",
  "getReusableContentDocument",
  "getRevisionFile",
  "getRevisionPageDocument",
  "getRevisionReusableContentDocument",
  "getChangeRequestPageDocument",
  "previewChangeRequestPage",
  "getChangeRequestReusableContentDocument",
  "computeRevision",
  "listChangeRequests",
  "listOrganizationChangeRequests",
  "getChangeRequest",
  "getChangeRequestContent",
  "listChangeRequestPages",
  "getChangeRequestPage",
  "getChangeRequestPageByPath",
  "listChangeRequestFiles",
  "getChangeRequestFile",
  "getChangeRequestReusableContent",
  "listChangeRequestLinks",
  "listLinksOfChangeRequestPage",
  "listBacklinksOfChangeRequestPage",
  "listBacklinksOfChangeRequestFile",
  "listChangesOfChangeRequest",
  "getChangeRequestPdf",
  "listReviews",
  "getReview",
  "listContributors",
  "listRequestedReviewers",
  "listChangeRequestComments",
  "getChangeRequestComment",
  "listChangeRequestCommentReplies",
  "getChangeRequestCommentReply",
  "listChangeRequestCommenters",
  "listSpaceComments",
  "getSpaceComment",
  "listSpaceCommentReplies",
  "getSpaceCommentReply",
  "listSpaceCommenters",
  "searchSpace",
  "searchOrganization",
];
const writing: string[] = [
  "changeContent",
  "applyTemplate",
  "createChangeRequest",
  "updateChangeRequest",
  "updateFromSpace",
  "requestReviewers",
  "removeRequestedReviewer",
  "changeChangeRequestContent",
  "postCommentOnChangeRequest",
  "updateChangeRequestComment",
  "replyToChangeRequestComment",
  "updateChangeRequestCommentReply",
  "postCommentOnSpace",
  "updateSpaceComment",
  "replyToSpaceComment",
  "updateSpaceCommentReply",
];
const specifications: string[] = [
  "listOpenApiSpecs",
  "getOpenApiSpec",
  "listOpenApiSpecVersions",
  "getLatestOpenApiSpecVersion",
  "getLatestOpenApiSpecContent",
  "getLatestOpenApiSpecText",
  "getOpenApiSpecVersion",
  "getOpenApiSpecContent",
  "getOpenApiSpecText",
];
/** What each scope opens, beside the installation itself, on the space and the site that it is on. */
const opened: Partial<Record<(typeof scopes)[number], readonly string[]>> = {
  "space:content:read": [...spaces, ...reading],
  "space:content:write": [...spaces, ...reading, ...writing],
  "space:metadata:read": spaces,
  "space:metadata:write": [...spaces, "updateSpace"],
  "space:git:sync": ["getGitInfo", "importFromGit", "exportToGit"],
  "site:metadata:read": ["getSite", "getSiteStructure", "listSiteSectionGroups"],
  "site:adaptive:read": ["getAdaptiveSchema", "listTemplateConditions"],
  "site:adaptive:write": ["getAdaptiveSchema", "listTemplateConditions", "setAdaptiveSchema"],
  "openapi:read": specifications,
  "openapi:write": [...specifications, "createOpenApiSpec", "putOpenApiSpec"],
};
/** These the examples ask of a site that the installation is not on, or of what an installation may not change. */
const elsewhere = ["getSiteStructure", "listSiteSectionGroups", "updateSpace"];
/** The body names what the installation may not put itself on. */
const refusedByBody = ["installOnSpace", "installOnSite"];

describe("S19, S28: an installation token with every scope on one space and one site", () => {
  const allowed = new Set([...own, ...Object.values(opened).flat()].filter((name) => !elsewhere.includes(name)));

  test.each(table.map(({ name }) => name))(
    "S19, S28: an installation token with every scope on one space and one site cannot reach beyond them: %s",
    async (name) => {
      const { storage, ask, askWith } = await stage(scopes);
      const before = await dump(storage);
      const { status, body } = await ask(rows[name]!.ask, rows[name]!.send);
      if (allowed.has(name)) return expect(status, JSON.stringify(body)).toBeLessThan(300);
      if (isOpen.has(name)) {
        const anybody = await askWith(null, rows[name]!.ask, rows[name]!.send);
        const told = (it: { error?: object } | string) =>
          typeof it === "object" && it?.error ? { ...it.error, requestId: "" } : it;
        return expect([status, told(body)]).toEqual([anybody.status, told(anybody.body)]);
      }
      const isNothing = status === 204 && rows[name]!.ask.startsWith("DELETE");
      const refusals = refusedByBody.includes(name) ? [400] : [401, 403, 404];
      if (!isNothing) expect(refusals, JSON.stringify(body)).toContain(status);
      expectEqual(await dump(storage), before);
    },
  );

  test("control: the same requests have an effect for an admin", async () => {
    const refused = table.filter(({ name }) => !allowed.has(name) && !isOpen.has(name));
    expect(refused.length).toBeGreaterThan(130);
    for (const { name } of refused.filter((_, i) => i % 10 === 0)) {
      const { asAdmin } = await stage(scopes);
      const { ask, send, who } = rows[name]!;
      if (who.admin === undefined) expect((await asAdmin(ask, send)).status, name).toBeLessThan(300);
    }
  });
});

describe("S27: scopes", () => {
  const known = new Set(table.flatMap(({ name, scope }) => [name, scope]));

  test("S27: every operation in the list of scopes exists", () => {
    for (const name of Object.values(tokenScopesByScope).flat()) expect(known).toContain(name);
  });

  test.each(scopes)("S27: the scope %s opens exactly its operations", async (scope) => {
    const { ask } = await stage([scope]);
    const holds = new Set([...own, ...(opened[scope] ?? [])]);
    for (const { name } of table.filter((it) => !isOpen.has(it.name) && !holds.has(it.name))) {
      const { status, body } = await ask(rows[name]!.ask, rows[name]!.send);
      const isOfRoom = table.find((it) => it.name === name)!.resource === "integrations";
      // A source is not found for a script, which might ask itself.
      const mayAsk = name === "computeDocument" && scope === "space:content:read";
      if (!isOfRoom && !mayAsk && scope !== "space:content:write")
        expect(body?.error?.reason, name).toBe("scope_missing");
      else expect(status === 204 || status >= 400, `${name}: ${status}`).toBe(true);
    }
    for (const name of [...holds].filter((it) => !elsewhere.includes(it) && !own.includes(it))) {
      const { ask: fresh } = await stage([scope]);
      const { status, body } = await fresh(rows[name]!.ask, rows[name]!.send);
      expect(status, `${name}: ${JSON.stringify(body)}`).toBeLessThan(300);
    }
  });
});

describe("S25: privilege escalation", () => {
  test("S25: an installation configures itself and does not change where it works", async () => {
    const { ask } = await stage(scopes);
    expect((await ask(`PATCH ${one}`, { configuration: { a: 1 }, externalIds: ["x"] })).status).toBe(200);
    for (const more of [{ space_selection: "all" }, { site_selection: "all" }, { status: "active" }])
      expect((await ask(`PATCH ${one}`, more)).body.error?.reason, JSON.stringify(more)).toBe("forbidden");
    expect((await ask(`GET ${one}`)).body).toMatchObject({ space_selection: "selected", site_selection: "selected" });
  });

  test("S25: a synchronization it starts is attributed to its integration, and one of a person is not", async () => {
    const { ask, asAdmin } = await stage(["space:git:sync"]);
    const { send } = rows.importFromGit!;
    const told = async () => (await asAdmin(`GET /v1/spaces/${cast.space}/git/info`)).body.integration;
    expect((await ask(`POST /v1/spaces/${cast.space}/git/import`, send)).status).toBe(204);
    expect(await told()).toBe(cast.integration);
    expect((await asAdmin(`GET /v1/spaces/${cast.space}`)).body.gitSync.integration).toBe(cast.integration);
    expect(
      (await asAdmin(`POST /v1/spaces/${cast.space}/git/import`, { ...(send as object), ref: "refs/heads/other" }))
        .status,
    ).toBe(204);
    expect(await told()).toBeUndefined();
  });

  test("S25: an installation may rename its space and not change who sees it", async () => {
    const { ask } = await stage(["space:metadata:write"]);
    const at = `PATCH /v1/spaces/${cast.space}`;
    const marks = { title: "Renamed", emoji: "1f4d8", icon: "book", language: "fr" };
    expect((await ask(at, marks)).body).toMatchObject(marks);
    for (const more of [{ visibility: "public" }, { defaultLevel: "admin" }, { editMode: "live" }])
      expect((await ask(at, { title: "Again", ...more })).body.error?.reason, JSON.stringify(more)).toBe("forbidden");
    expect((await ask(`PATCH /v1/spaces/${cast.innerSpace}`, { title: "Mine" })).status).toBe(404);
    expect((await ask(`GET /v1/spaces/${cast.space}`)).body.title).toBe("Renamed");
  });

  test("S25: a token that an installation requests lives no longer than the requesting token", async () => {
    const { ask, askWith, clock } = await stage(scopes);
    clock.forward(30 * 60_000);
    const { token, expiresAt } = (await ask(`POST ${one}/tokens`)).body;
    expect(Date.parse(expiresAt) - clock.now.getTime()).toBe(30 * 60_000);
    expect((await askWith(token, `GET ${one}`)).status).toBe(200);
    clock.forward(30 * 60_000);
    expect((await askWith(token, `GET ${one}`)).status).toBe(401);
  });

  test("S25: no one is admitted under the id of an installation", async () => {
    const host = open(copy(), {
      authenticate: async () => ({ id: cast.installation, displayName: "Somebody", email: "somebody@example.com" }),
      random: seeded(2),
    });
    expect((await host.askWith(null, `GET /v1/spaces/${cast.space}`)).status).toBe(404);
    const { body } = await host.askWith(null, "GET /v1/user");
    expect(body).toMatchObject({ displayName: "Somebody", id: expect.stringMatching(/^usr_[0-9a-z]{16}$/) });
  });
});

describe("S22, S24: an installation on a site", () => {
  const at = (id: string) => `/v1/orgs/${cast.org}/sites/${id}`;

  test("S22, S24: an installation on a site reads that site only, and of its spaces those it is on", async () => {
    const { ask } = await stage(["site:metadata:read"]);
    expect((await ask(`GET ${at(cast.site)}`)).body).toMatchObject({ object: "site", id: cast.site, siteSpaces: 2 });
    expect((await ask(`GET ${at(cast.plan)}`)).body.error.reason).toBe("site_not_found");
    expect((await ask(`GET /v1/orgs/${cast.otherOrg}/sites/${cast.foreignSite}`)).status).toBe(404);
    expect((await ask(`GET ${at(cast.site)}/structure`)).status).toBe(200);
    const { items } = (await ask(`GET ${at(cast.site)}/site-spaces`)).body;
    expect(items.map((it: { space: { id: string } }) => it.space.id)).toEqual([cast.space]);
  });

  test("S22, S24: an installation on all sites reads all of them", async () => {
    const { ask, asAdmin } = await stage(["site:metadata:read"]);
    await asAdmin(`PATCH ${one}`, { site_selection: "all" });
    expect((await ask(`GET ${at(cast.plan)}`)).status).toBe(200);
    expect((await ask(`GET /v1/orgs/${cast.otherOrg}/sites/${cast.foreignSite}`)).status).toBe(404);
  });

  test("S22, S24: an installation learns about visitors only where it may", async () => {
    const { ask } = await stage(["site:adaptive:write"]);
    const schema = {
      jsonSchema: { type: "object", properties: { plan: { type: "string" } }, additionalProperties: false },
    };
    const set = await ask(`PUT ${at(cast.site)}/adaptive-schema`, schema);
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    expect((await ask(`PUT ${at(cast.plan)}/adaptive-schema`, schema)).status).toBe(404);
    expect((await ask(`PATCH ${at(cast.site)}`, { title: "Mine" })).body.error.reason).toBe("scope_missing");
  });
});

describe("S32: access after the permission was revoked", () => {
  const read = () => `GET /v1/orgs/${cast.org}/sites/${cast.site}`;

  test("S32: a token reads a site only while its installation is there and not paused", async () => {
    const { ask, asAdmin } = await stage(["site:metadata:read"]);
    expect((await ask(read())).status).toBe(200);
    await asAdmin(`DELETE ${one}/sites/${cast.site}`);
    expect((await ask(read())).status).toBe(404);
    await asAdmin(`POST ${one}/sites`, { site: cast.site });
    expect((await ask(read())).status).toBe(200);
    await asAdmin(`PATCH ${one}`, { status: "paused" });
    expect((await ask(read())).status).toBe(401);
    await asAdmin(`PATCH ${one}`, { status: "active" });
    await asAdmin(`DELETE /v1/orgs/${cast.org}/sites/${cast.site}`);
    expect((await ask(read())).status).toBe(404);
    expect((await ask(`GET ${one}/sites`)).body.count).toBe(0);
  });

  test("S32: a removed scope is gone with the next request", async () => {
    const { ask, asAdmin } = await stage(["site:metadata:read"]);
    expect((await ask(read())).status).toBe(200);
    await asAdmin(`POST /v1/integrations/${cast.integration}`, { scopes: [] });
    expect((await ask(read())).body.error.reason).toBe("scope_missing");
  });

  test("S32: a printed space ends when the requesting installation is paused", async () => {
    const { ask, asAdmin, askWith } = await stage(["space:content:read"]);
    const { url } = (await ask(`GET /v1/spaces/${cast.space}/pdf`)).body;
    const path = `GET ${new URL(url).pathname}`;
    expect((await askWith(null, path)).status).toBe(200);
    await asAdmin(`PATCH ${one}`, { status: "paused" });
    expect((await askWith(null, path)).status).toBe(404);
  });
});
