// Tokens of visitors: what went wrong with such tokens elsewhere, row by row.

import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { createSecrets, type Purpose, toBase64url } from "../../src/storage/secrets";
import { openSite, ping, type Stage, sign } from "../resources/sites/site-stage";
import { dump, SECRET, seeded } from "../support/setting";

const MINUTE = 60_000;

const resolve = async (stage: Stage, url: string, visitor: object = {}) =>
  (await stage.askWith(null, "POST /v1/urls/published", { url, visitor })).body;
const reads = async (stage: Stage, token: string) =>
  (await stage.askWith(token, `GET /v1/spaces/${stage.space}/content`)).status;
const payloadOf = (token: string) => JSON.parse(atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
const encoded = (value: object) => toBase64url(new TextEncoder().encode(JSON.stringify(value)));
const HS256 = { alg: "HS256", typ: "JWT" };

/** A token with another header or payload, signed for a purpose or with any key. */
function forged(payload: object, { header = HS256, purpose = "visit", secret = SECRET }: Forgery = {}): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${toBase64url(createSecrets([secret], seeded(1)).digest(purpose, signed))}`;
}
interface Forgery {
  readonly header?: object;
  readonly purpose?: Purpose;
  readonly secret?: string;
}

describe("S28: tokens for another purpose", () => {
  let stage: Stage;
  let token: string;
  let payload: Record<string, unknown>;
  beforeAll(async () => {
    stage = await openSite("public");
    token = (await resolve(stage, stage.url)).apiToken;
    payload = payloadOf(token);
  });

  test("S28: a visit token works as issued, and a token made the same way works too", async () => {
    expect(await reads(stage, token)).toBe(200);
    expect(forged(payload)).toBe(token);
  });

  test.each<[string, () => string]>([
    [
      "tampered claims",
      () => [token.split(".")[0], encoded({ ...payload, claims: { plan: "pro" } }), token.split(".")[2]].join("."),
    ],
    ["a signature that was cut off", () => token.split(".").slice(0, 2).join(".")],
    ["an empty signature", () => `${token.split(".").slice(0, 2).join(".")}.`],
    ["a fourth part", () => `${token}.x`],
    ["no algorithm", () => `${encoded({ alg: "none", typ: "JWT" })}.${encoded(payload)}.`],
    ["no algorithm, and our own signature", () => forged(payload, { header: { alg: "none", typ: "JWT" } })],
    ["another algorithm", () => forged(payload, { header: { alg: "HS512", typ: "JWT" } })],
    ["a key in its header", () => forged(payload, { header: { ...HS256, jwk: { kty: "oct", k: "AA" } } })],
    ["the key of another purpose", () => forged(payload, { purpose: "visitor-claims" })],
    ["the key of downloads", () => forged(payload, { purpose: "download" })],
    ["another secret", () => forged(payload, { secret: "x".repeat(40) })],
    ["another audience", () => forged({ ...payload, aud: "octavo:visitor" })],
    ["another issuer", () => forged({ ...payload, iss: "somebody" })],
    ["no end", () => forged({ ...payload, exp: undefined })],
    ["an end in the past", () => forged({ ...payload, exp: 1 })],
  ])("S28: with %s it is not a token", async (_, make) => {
    expect(await reads(stage, make())).toBe(401);
  });

  test("S28: a JWT of ping or of the site's own key is not a visit token", async () => {
    expect(await reads(stage, await ping(stage, "admin"))).toBe(401);
    expect(await reads(stage, await sign(stage, payload))).toBe(401);
    const key = new TextEncoder().encode(stage.privateKey);
    expect(await reads(stage, await new SignJWT(payload).setProtectedHeader(HS256).sign(key))).toBe(401);
  });

  test("S28: a visit token does not sign a visitor in", async () => {
    const closed = await openSite("visitor-auth");
    const own = (await resolve(closed, closed.url, { jwtToken: await sign(closed) })).apiToken;
    expect(own).toBeTypeOf("string");
    for (const jwtToken of [own, token])
      expect((await resolve(closed, closed.url, { jwtToken })).error.reason).toBe("published_url_not_found");
    const query = `?visitorToken=${own}`;
    expect((await closed.askWith(null, `GET ${closed.at}/published${query}`)).status).toBe(404);
  });

  test("S28: a visit token writes nothing", async () => {
    const before = await dump(stage.storage);
    const { space, page, org, at } = stage;
    for (const [route, send] of [
      [`POST /v1/spaces/${space}/content`, { changes: [{ operation: "delete_page", page }] }],
      [`PATCH /v1/spaces/${space}`, { title: "Mine" }],
      [`DELETE /v1/spaces/${space}`, undefined],
      [`POST /v1/spaces/${space}/comments`, { body: { markdown: "Hm." } }],
      [`POST /v1/orgs/${org}/spaces`, { title: "Mine" }],
      [`PATCH ${at}`, { title: "Mine" }],
      ["POST /v1/user/tokens", { label: "Mine" }],
      ["POST /v1/orgs", { title: "Mine" }],
    ] as const)
      expect([route, (await stage.askWith(token, route, send)).body.error.reason]).toEqual([route, "scope_missing"]);
    expect(await dump(stage.storage)).toEqual(before);
  });
});

describe("S32: access after the permission was revoked", () => {
  /** A token, before and after something. */
  async function lasts(stage: Stage, url: string, visitor: object, end: () => Promise<unknown>): Promise<number[]> {
    const { apiToken } = await resolve(stage, url, visitor);
    return [await reads(stage, apiToken), await end().then(() => reads(stage, apiToken))];
  }

  test("a visit token ends after ten minutes and with what vouches for the visitor", async () => {
    const stage = await openSite("visitor-auth");
    const jwtToken = await sign(stage, {}, { exp: Math.floor(stage.clock.now.getTime() / 1000) + 120 });
    const forward = (ms: number) => async () => stage.clock.forward(ms);
    expect(await lasts(stage, stage.url, { jwtToken: await sign(stage) }, forward(9 * MINUTE))).toEqual([200, 200]);
    expect(await lasts(stage, stage.url, { jwtToken: await sign(stage) }, forward(11 * MINUTE))).toEqual([200, 401]);
    stage.clock.forward(-20 * MINUTE);
    expect(await lasts(stage, stage.url, { jwtToken }, forward(3 * MINUTE))).toEqual([200, 401]);
  });

  test("an unpublished site, or one with another audience, is closed at once", async () => {
    for (const [route, send] of [
      ["POST {at}/unpublish", undefined],
      ["PATCH {at}", { visibility: "unlisted" }],
      ["PATCH {at}", { visibility: "visitor-auth" }],
    ] as const) {
      const stage = await openSite("public");
      const end = () => stage.ask("admin", route.replace("{at}", stage.at), send);
      expect(await lasts(stage, stage.url, {}, end)).toEqual([200, 404]);
    }
  });

  test("a disabled, deleted or changed share link is closed at once", async () => {
    for (const [route, send] of [
      ["PATCH {link}", { active: false }],
      ["DELETE {link}", undefined],
      ["POST {link}/regenerate", undefined],
    ] as const) {
      const stage = await openSite("share-link");
      const link = (await stage.ask("admin", `POST ${stage.at}/share-links`, { name: "L" })).body;
      const other = (await stage.ask("admin", `POST ${stage.at}/share-links`, { name: "M" })).body;
      const kept = (await resolve(stage, `${stage.url}/${other.key}`)).apiToken;
      const end = () => stage.ask("admin", route.replace("{link}", `${stage.at}/share-links/${link.id}`), send);
      expect(await lasts(stage, `${stage.url}/${link.key}`, {}, end)).toEqual([200, 404]);
      expect(await reads(stage, kept)).toBe(200);
    }
  });

  test("a replaced site key ends what it vouched for, even claims on an open site", async () => {
    for (const visibility of ["visitor-auth", "public"]) {
      const stage = await openSite(visibility);
      const end = () => stage.ask("admin", `POST ${stage.at}/publishing/auth/regenerate`);
      const jwtToken = await sign(stage, { plan: "pro" });
      expect(await lasts(stage, stage.url, { jwtToken }, end)).toEqual([200, 404]);
    }
  });

  test("a member who leaves can no longer visit", async () => {
    const stage = await openSite("visitor-auth");
    const jwtToken = await ping(stage, "read");
    const end = () => stage.ask("admin", `DELETE /v1/orgs/${stage.org}/members/${stage.ids.read}`);
    expect(await lasts(stage, stage.url, { jwtToken }, end)).toEqual([200, 404]);
  });

  test("a space that leaves the site, is deleted or gets a condition is closed at once", async () => {
    for (const [route, send] of [
      ["DELETE {siteSpace}", undefined],
      ["DELETE {space}", undefined],
      ["PATCH {siteSpace}", { condition: "visitor.claims.isBeta" }],
    ] as const) {
      const stage = await openSite("public");
      const other = (await stage.ask("admin", `POST /v1/orgs/${stage.org}/spaces`, { title: "Other" })).body.id;
      await stage.ask("admin", `POST ${stage.at}/site-spaces`, { spaceId: other });
      const at = route
        .replace("{siteSpace}", `${stage.at}/site-spaces/${stage.siteSpace}`)
        .replace("{space}", `/v1/spaces/${stage.space}`);
      expect(await lasts(stage, stage.url, {}, () => stage.ask("admin", at, send))).toEqual([200, 404]);
    }
  });

  test("claims end with adaptive content", async () => {
    const stage = await openSite("public");
    const secret = {
      operation: "insert_page",
      title: "S",
      condition: "visitor.claims.isBeta",
      document: { markdown: "S" },
    };
    await stage.ask("admin", `POST /v1/spaces/${stage.space}/content`, { changes: [secret] });
    const { apiToken } = await resolve(stage, stage.url, { jwtToken: await sign(stage, { isBeta: true }) });
    const titles = async () =>
      (await stage.askWith(apiToken, `GET /v1/spaces/${stage.space}/content/pages`)).body.pages.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles()).toEqual(["Welcome", "S"]);
    await stage.ask("admin", `PATCH ${stage.at}`, { adaptiveContent: { enabled: false } });
    expect(await titles()).toEqual(["Welcome"]);
  });
});

describe("previews", () => {
  /** A site with a change request on its space, and the token of a preview that `create` made. */
  async function previewing(visibility: string, options: { isPublished?: boolean } = {}) {
    const stage = await openSite(visibility, options);
    const { ask, space, at, siteSpace } = stage;
    const changes = `/v1/spaces/${space}/change-requests`;
    const change = (await ask("edit", `POST ${changes}`, { subject: "Secret plan" })).body.id as string;
    const page = { operation: "insert_page", title: "Draft", document: { markdown: "Not yet. [f](./f)" } };
    const files = [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello"), ref: "f" }];
    const written = await ask("edit", `POST ${changes}/${change}/content`, {
      changes: [{ operation: "insert_files", files }, page],
    });
    const made = await ask("create", `POST ${at}/preview`, { siteSpaceId: siteSpace, changeRequestId: change });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const token = made.body.apiToken as string;
    return { ...stage, change, changes, token, preview: made.body, proposed: written.body.revision as string };
  }
  const published = async (stage: Stage, url: string) =>
    (await stage.askWith(null, "POST /v1/urls/published", { url })).status;

  test.each<[string, (at: Awaited<ReturnType<typeof previewing>>) => Promise<unknown>]>([
    ["its maker leaves", ({ ask, org, ids }) => ask("admin", `DELETE /v1/orgs/${org}/members/${ids.create}`)],
    [
      "its maker edits sites no longer",
      ({ ask, org, ids }) => ask("admin", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "review" }),
    ],
    [
      "its maker reads the space no longer",
      ({ ask, space }) => ask("admin", `PATCH /v1/spaces/${space}`, { defaultLevel: null }),
    ],
    ["the change request is merged", ({ ask, changes, change }) => ask("admin", `POST ${changes}/${change}/merge`)],
    [
      "the change request is archived",
      ({ ask, changes, change }) => ask("admin", `PATCH ${changes}/${change}`, { status: "archived" }),
    ],
    ["the space goes to the trash", ({ ask, space }) => ask("admin", `DELETE /v1/spaces/${space}`)],
    ["the site is deleted", ({ ask, at }) => ask("admin", `DELETE ${at}`)],
  ])("a preview ends when %s", async (_, end) => {
    const it = await previewing("public", { isPublished: false });
    const [file] = (await it.askWith(it.token, `GET /v1/spaces/${it.space}/content/files`)).body.items;
    const states = async () => [
      await reads(it, it.token),
      await published(it, it.preview.urls.preview),
      (await it.ask(null, `GET ${new URL(file.downloadURL).pathname}`)).status,
    ];
    expect(await states()).toEqual([200, 200, 200]);
    expect(((await end(it)) as { status: number }).status).toBeLessThan(300);
    expect(await states()).toEqual([404, 404, 404]);
  });

  test("a preview ends after ten minutes, even if its URL was opened meanwhile", async () => {
    const it = await previewing("public");
    it.clock.forward(9 * MINUTE);
    const later = (await resolve(it, it.preview.urls.preview)).apiToken;
    expect(await reads(it, later)).toBe(200);
    it.clock.forward(2 * MINUTE);
    expect([await reads(it, it.token), await reads(it, later)]).toEqual([401, 401]);
    expect(await published(it, it.preview.urls.preview)).toBe(404);
  });

  test("a preview continues while the site is unpublished and shows the audience nothing", async () => {
    const it = await previewing("public");
    const visit = (await resolve(it, it.url)).apiToken;
    await it.ask("admin", `POST ${it.at}/unpublish`);
    expect([await reads(it, it.token), await reads(it, visit), await published(it, it.url)]).toEqual([200, 404, 404]);
  });

  test("previewed content is visible to no one else", async () => {
    const it = await previewing("public");
    const visit = (await resolve(it, it.url)).apiToken;
    const read = async (token: string) =>
      (await it.askWith(token, `GET /v1/spaces/${it.space}/content/pages`)).body.pages.length;
    for (let round = 0; round < 2; round++) expect([await read(it.token), await read(visit)]).toEqual([2, 1]);
    expect((await it.askWith(visit, `GET /v1/spaces/${it.space}/revisions/${it.proposed}`)).status).toBe(404);
    expect((await it.askWith(it.token, `GET /v1/spaces/${it.space}/revisions/${it.proposed}`)).status).toBe(200);
  });

  test("a preview opens no other revision, space, site or change request", async () => {
    const it = await previewing("visitor-auth");
    const { ask, space, org, at, token } = it;
    const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
    const other = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Other" })).body.id;
    const closed = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Closed" })).body.id;
    await ask("admin", `PATCH /v1/spaces/${closed}`, { defaultLevel: null });
    for (const spaceId of [other, closed]) await ask("admin", `POST ${at}/site-spaces`, { spaceId });
    const apart = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Apart" })).body.id;
    const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Apart", spaces: [apart] })).body.id;
    await ask("admin", `POST /v1/orgs/${org}/sites/${site}/publish`);
    const drafts = `/v1/spaces/${other}/change-requests`;
    const change = (await ask("admin", `POST ${drafts}`, { subject: "S" })).body.id;
    const changes = [{ operation: "insert_page", title: "Leak", document: { markdown: "Leak." } }];
    const draft = (await ask("admin", `POST ${drafts}/${change}/content`, { changes })).body.revision;
    const status = async (path: string) => (await it.askWith(token, `GET /v1${path}`)).status;
    expect(await status(`/spaces/${space}/revisions/${revision}`)).toBe(404);
    // The rest of the site, as far as the maker reads it.
    expect(await status(`/spaces/${other}/content`)).toBe(200);
    expect(await status(`/spaces/${closed}/content`)).toBe(404);
    expect(await status(`/spaces/${other}/revisions/${draft}`)).toBe(404);
    expect(await status(`/spaces/${apart}/content`)).toBe(404);
    expect(await status(`/orgs/${org}/sites/${site}/published`)).toBe(404);
    expect(await status(`/spaces/${space}/change-requests/${it.change}`)).toBe(403);
    expect(await published(it, `http://localhost:3000/sites/${org}/apart?preview=${token}`)).toBe(404);
    const { structure } = (await it.askWith(token, `GET ${at}/published`)).body;
    expect(JSON.stringify(structure)).not.toContain("Closed");
  });

  test("conditions in a preview hide the rest of the site and not the previewed content", async () => {
    const it = await previewing("public");
    const { ask, org, at, space, token } = it;
    const other = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Other" })).body.id;
    const item = (await ask("admin", `POST ${at}/site-spaces`, { spaceId: other })).body.id;
    const status = async (id: string) => (await it.askWith(token, `GET /v1/spaces/${id}/content`)).status;
    expect([await status(space), await status(other)]).toEqual([200, 200]);
    for (const id of [item, it.siteSpace])
      await ask("admin", `PATCH ${at}/site-spaces/${id}`, { condition: "visitor.claims.isBeta" });
    expect([await status(space), await status(other)]).toEqual([200, 404]);
  });

  test("a hidden section in a preview shows the previewed space and nothing beside it", async () => {
    const it = await previewing("public");
    const { ask, org, at, space, token } = it;
    const section = (await ask("admin", `POST ${at}/sections`, { spaceId: space, title: "Guides" })).body.id;
    const beside = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Beside" })).body.id;
    const added = await ask("admin", `POST ${at}/site-spaces`, { spaceId: beside, sectionId: section });
    expect(added.status).toBe(201);
    const status = async (id: string) => (await it.askWith(token, `GET /v1/spaces/${id}/content`)).status;
    expect([await status(space), await status(beside)]).toEqual([200, 200]);
    const hidden = await ask("admin", `PATCH ${at}/sections/${section}`, { condition: "visitor.claims.isBeta" });
    expect(hidden.status).toBe(200);
    expect([await status(space), await status(beside)]).toEqual([200, 404]);
    const { structure } = (await it.askWith(token, `GET ${at}/published`)).body;
    expect(JSON.stringify(structure)).toContain("Guides");
    expect(JSON.stringify(structure)).not.toContain("Beside");
  });

  test("a preview reveals nothing about people or reviews", async () => {
    const it = await previewing("public");
    const { ask, changes, change, space, token } = it;
    await ask("review", `POST ${changes}/${change}/reviews`, { status: "approved", comment: { markdown: "Fine." } });
    await ask("edit", `POST ${changes}/${change}/comments`, { body: { markdown: "Internal." } });
    const read = async (path: string) => (await it.askWith(token, `GET /v1${path}`)).body;
    const told = JSON.stringify([
      it.preview,
      payloadOf(token),
      await resolve(it, it.preview.urls.preview),
      await read(`/spaces/${space}`),
      await read(`/spaces/${space}/content`),
      await read(`/spaces/${space}/revisions/${it.proposed}`),
      await read(`${it.at.slice("/v1".length)}/published`),
    ]);
    for (const word of ["usr_", "Secret plan", "approved", "Internal", '"comments":1', "createdBy", "contributors"])
      expect([word, told.includes(word)]).toEqual([word, false]);
  });

  test("a person whose token may not read content gets none by a preview", async () => {
    const it = await previewing("public");
    const make = async (scopes: readonly string[]) =>
      (await it.ask("create", "POST /v1/user/tokens", { label: "t", scopes })).body.token as string;
    const ask = async (scopes: readonly string[]) => {
      const send = { siteSpaceId: it.siteSpace, changeRequestId: it.change };
      const { status, body } = await it.askWith(await make(scopes), `POST ${it.at}/preview`, send);
      return [status, body.error?.reason];
    };
    expect(await ask(["sites:write"])).toEqual([403, "scope_missing"]);
    expect(await ask(["sites:write", "revisions:read"])).toEqual([403, "scope_missing"]);
    expect(await ask(["sites:read", "revisions:read", "change-requests:read"])).toEqual([200, undefined]);
  });

  test("a token without a preview opens no preview URL, and a changed one opens none at all", async () => {
    const it = await previewing("visitor-auth");
    const visit = (await resolve(it, it.url, { jwtToken: await sign(it) })).apiToken;
    expect(await published(it, `${it.url}?preview=${visit}`)).toBe(404);
    const [header, , signature] = it.token.split(".");
    const payload = payloadOf(it.token);
    const { preview: _, ...without } = payload;
    const { revision } = (await it.ask("admin", `GET /v1/spaces/${it.space}`)).body;
    const changed = { ...payload, preview: { ...payload.preview, changeRequest: undefined, revision } };
    for (const forgery of [without, changed]) {
      const token = [header, encoded(forgery), signature].join(".");
      expect([await reads(it, token), await published(it, `${it.url}?preview=${token}`)]).toEqual([401, 404]);
    }
    // Not even we would let in a visitor who has lost the preview.
    expect(await reads(it, forged(without))).toBe(404);
  });
});

describe("file URLs of visitors", () => {
  test("a visitor's file URL ends when the site is unpublished", async () => {
    const stage = await openSite("public");
    const files = [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello"), ref: "f" }];
    const page = { operation: "insert_page", title: "P", document: { markdown: "[f](./f)" } };
    await stage.ask("admin", `POST /v1/spaces/${stage.space}/content`, {
      changes: [{ operation: "insert_files", files }, page],
    });
    const { apiToken } = await resolve(stage, stage.url);
    const [file] = (await stage.askWith(apiToken, `GET /v1/spaces/${stage.space}/content/files`)).body.items;
    const download = () => stage.ask(null, `GET ${new URL(file.downloadURL).pathname}`);
    expect([(await download()).status, (await download()).body]).toEqual([200, "Hello"]);
    await stage.ask("admin", `POST ${stage.at}/unpublish`);
    expect((await download()).status).toBe(404);
    await stage.ask("admin", `POST ${stage.at}/publish`);
    expect((await download()).status).toBe(200);
    stage.clock.forward(3 * 60 * MINUTE);
    expect((await download()).status).toBe(404);
  });
});

describe("information about people and internals", () => {
  test("nothing about members, history, Git, conditions or variables is visible to a visitor", async () => {
    const stage = await openSite("public");
    const { ask, space } = stage;
    const changes = [
      { operation: "set_variables", variables: { codeword: "xyzzy" } },
      {
        operation: "insert_page",
        title: "Open",
        variables: { inner: "plugh" },
        condition: "visitor.claims.isBeta || true",
        document: { markdown: "---\nnote: for authors\n---\n\nText {% if visitor.claims.isBeta %}sesame{% endif %}" },
      },
    ];
    expect((await ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
    await ask("edit", `POST /v1/spaces/${space}/comments`, { body: { markdown: "Internal." } });
    const { apiToken } = await resolve(stage, stage.url);
    const read = async (path: string) => (await stage.askWith(apiToken, `GET /v1/spaces/${space}${path}`)).body;
    const all = await read("/content");
    const [, open] = all.pages;
    const told = JSON.stringify([
      all,
      await read(""),
      await read(`/content/page/${open.id}`),
      await read(`/content/page/${open.id}/document?evaluated=true`),
      await read(`/content/page/${open.id}?computed=false&metadata=true&evaluated=false`),
    ]);
    for (const word of [
      "xyzzy",
      "plugh",
      "sesame",
      "isBeta",
      "for authors",
      "createdBy",
      "usr_",
      '"comments":1',
      "condition",
    ])
      expect([word, told.includes(word)]).toEqual([word, false]);
    expect((await read("")).permissions).toMatchObject({ view: true, edit: false, comment: false });
  });

  test("S36: claims of a visitor are never expressions, even where evaluated text is requested", async () => {
    const stage = await openSite("public");
    const { ask, space, at } = stage;
    const unsigned = { type: "object", properties: { name: { type: "string" } }, additionalProperties: false };
    const jsonSchema = { type: "object", properties: { unsigned }, additionalProperties: false };
    expect((await ask("admin", `PUT ${at}/adaptive-schema`, { jsonSchema })).status).toBe(200);
    const markdown = 'Dear <code class="expression">visitor.claims.unsigned.name</code>.';
    const page = { operation: "insert_page", title: "Hello", document: { markdown } };
    const set = { operation: "set_variables", variables: { codeword: "xyzzy" } };
    const made = await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [set, page] });
    const { id } = made.body.changes.find((it: { page?: { id: string } }) => it.page).page;
    const name = '<code class="expression">space.vars.codeword</code>';
    const { apiToken } = await resolve(stage, stage.url, { unsignedClaims: { name } });
    for (const path of [`page/${id}`, `page/${id}?evaluated=true`, `page/${id}/document?evaluated=true`]) {
      const { body } = await stage.askWith(apiToken, `GET /v1/spaces/${space}/content/${path}`);
      expect(JSON.stringify(body)).toContain("Dear ");
      expect(JSON.stringify(body)).not.toContain("xyzzy");
    }
  });

  test("a visitor cannot read older revisions or ids of members' documents", async () => {
    const stage = await openSite("public");
    const { ask, space, page } = stage;
    const older = (await ask("admin", `GET /v1/spaces/${space}`)).body.revision;
    const { documentId } = (await ask("admin", `GET /v1/spaces/${space}/content/page/${page}`)).body;
    await ask("admin", `POST /v1/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page, document: { markdown: "Anew." } }],
    });
    const { apiToken } = await resolve(stage, stage.url);
    for (const path of [`revisions/${older}`, `revisions/${older}/page/${page}/document`, `documents/${documentId}`])
      expect((await stage.askWith(apiToken, `GET /v1/spaces/${space}/${path}`)).status).toBe(404);
  });
});

describe("responses cached for another visitor", () => {
  test("a response cached for one visitor is not shown to another, whatever is known about them", async () => {
    const stage = await openSite("public");
    const adaptive = {
      operation: "insert_page",
      title: "A",
      document: { markdown: '{% if visitor.claims.plan === "pro" %}\nPro.\n{% endif %}\n\nAll.' },
    };
    const made = await stage.ask("admin", `POST /v1/spaces/${stage.space}/content`, { changes: [adaptive] });
    const path = `GET /v1/spaces/${stage.space}/content/page/${made.body.changes[0].page.id}`;
    const tokens = [
      (await resolve(stage, stage.url, { jwtToken: await sign(stage, { plan: "pro" }) })).apiToken,
      (await resolve(stage, stage.url, { jwtToken: await sign(stage, { plan: "free" }) })).apiToken,
      (await resolve(stage, stage.url)).apiToken,
    ];
    for (let round = 0; round < 2; round++) {
      const texts: boolean[] = [];
      for (const token of tokens) texts.push((await stage.askWith(token, path)).body.markdown.includes("Pro."));
      expect(texts).toEqual([true, false, false]);
    }
  });
});
