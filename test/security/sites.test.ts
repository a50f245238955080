// What went wrong with published content elsewhere, row by row.

import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { openSite, ping, type Stage, schema, sign, unsigned } from "../resources/sites/site-stage";
import { DAY, dump, HOUR } from "../support/setting";

const profile = (stage: Stage, query = "") => stage.askWith(null, `GET ${stage.at}/published${query}`);
const withJwt = async (stage: Stage, jwt: string) =>
  (await profile(stage, `?visitorToken=${encodeURIComponent(jwt)}`)).status;

describe("S22: search and lists with hidden content", () => {
  /** What a visitor's search says on a site whose hidden pages and blocks hold these words. */
  async function answers(hidden: string, queries: readonly string[]) {
    const stage = await openSite("public");
    const changes = [
      {
        operation: "insert_page",
        title: "Open",
        document: { markdown: "The kingfishar sat by the river, as kingfishers do." },
      },
      ...[1, 2, 3, 4].map((n) => ({
        operation: "insert_page",
        title: `Closed ${n}`,
        condition: "visitor.claims.isBeta",
        document: { markdown: hidden },
      })),
      ...[1, 2, 3, 4].map((n) => ({
        operation: "insert_page",
        title: `Half open ${n}`,
        document: { markdown: `A river.\n\n{% if visitor.claims.isBeta %}\n${hidden}\n{% endif %}` },
      })),
    ];
    expect((await stage.ask("admin", `POST /v1/spaces/${stage.space}/content`, { changes })).status).toBe(200);
    const found: unknown[] = [];
    for (const query of queries) {
      const { body } = await stage.askWith(null, `POST ${stage.at}/search`, { query });
      found.push({
        count: body.count,
        items: body.items.flatMap(({ pages }: { pages: { title: string; sections: { body: string }[] }[] }) =>
          pages.map(({ title, sections }) => [title, sections.map((it) => it.body)]),
        ),
      });
    }
    return found;
  }

  test("S22: a response is the same whatever invisible content contains", async () => {
    const queries = ["kingfisher", "kingfish", "river", "kingfisher river", "zanzibar", "Closed", "sat"];
    const plain = await answers("Nothing of note.", queries);
    expect(await answers("The kingfisher kingfisher of the river sat in Zanzibar.", queries)).toEqual(plain);
    expect(plain[0]).toMatchObject({ count: 1, items: [["Open", [expect.stringContaining("kingfishar")]]] });
    expect(plain[4]).toEqual({ count: 0, items: [] });
  });
});

describe("S28: tokens for another purpose", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openSite("visitor-auth");
  });

  test("S28: visitor JWTs of the site or of ping are not API tokens", async () => {
    for (const jwt of [await sign(stage), await ping(stage, "admin")]) {
      for (const route of [
        "GET /v1/user",
        `GET /v1/orgs/${stage.org}`,
        `GET ${stage.at}`,
        `GET ${stage.at}/share-links`,
      ])
        expect((await stage.askWith(jwt, route)).status, route).toBe(401);
      expect((await stage.askWith(jwt, `GET ${stage.at}/published`)).status).toBe(404);
    }
  });

  test("S28: API tokens, share keys and the signing key are not visitor JWTs", async () => {
    const { key } = (await stage.ask("admin", `POST ${stage.at}/share-links`, { name: "Link" })).body;
    for (const other of [stage.tokens.admin, key, stage.privateKey]) {
      expect(await withJwt(stage, other)).toBe(404);
      expect((await profile(stage, `?shareKey=${other}`)).status).toBe(404);
    }
    for (const token of [key, stage.privateKey]) expect((await stage.askWith(token, "GET /v1/user")).status).toBe(401);
  });
});

describe("S31: secrets in the storage", () => {
  test("S31: neither share keys nor the signing key are in the storage in clear, and only those who may show every space read the key", async () => {
    const stage = await openSite("share-link");
    const { key } = (await stage.ask("admin", `POST ${stage.at}/share-links`, { name: "Link" })).body;
    const stored = [...(await dump(stage.storage)).entries()].flat().join("\n");
    for (const secret of [key, stage.privateKey]) expect(stored.includes(secret)).toBe(false);
    const read = [
      await stage.ask("admin", `GET ${stage.at}/share-links`),
      await stage.ask("admin", `GET ${stage.at}`),
      await stage.askWith(null, `GET ${stage.at}/published?shareKey=${key}`),
    ];
    for (const answer of read)
      for (const secret of [key, stage.privateKey])
        expect(JSON.stringify(answer.body).replaceAll(`/${key}`, "").includes(secret)).toBe(false);
    const auth = async (token: string) => (await stage.askWith(token, `GET ${stage.at}/publishing/auth`)).body;
    const narrow = async (scopes: string[]) =>
      (await stage.ask("admin", "POST /v1/user/tokens", { label: "Narrow", scopes })).body.token;
    expect((await auth(stage.tokens.admin)).privateKey).toBe(stage.privateKey);
    expect((await auth(await narrow(["sites:read", "sites:write"]))).privateKey).toBe(stage.privateKey);
    expect(await auth(await narrow(["sites:read"]))).toMatchObject({ hasPrivateKey: true });
    expect(JSON.stringify(await auth(await narrow(["sites:read"])))).not.toContain(stage.privateKey);
    // An editor of the site who may not show one of its spaces takes it off, and still does not see the key.
    await stage.ask("admin", `PATCH /v1/spaces/${stage.space}`, { defaultLevel: "edit" });
    for (const _ of ["published", "taken off"]) {
      expect(JSON.stringify(await auth(stage.tokens.create))).not.toContain(stage.privateKey);
      const change = await stage.ask("create", `PATCH ${stage.at}/publishing/auth`, { fallbackURL: null });
      expect([change.status, "privateKey" in change.body]).toEqual([200, false]);
      expect((await stage.ask("create", `POST ${stage.at}/unpublish`)).status).toBe(200);
    }
  });

  test("S31: the encrypted key of one site differs from that of another", async () => {
    const stage = await openSite("visitor-auth");
    const { ask, org, space } = stage;
    const other = (await ask("admin", `POST /v1/orgs/${org}/sites`, { visibility: "visitor-auth", spaces: [space] }))
      .body.id;
    await ask("admin", `POST /v1/orgs/${org}/sites/${other}/publish`);
    await ask("admin", `POST /v1/orgs/${org}/sites/${other}/publishing/auth/regenerate`);
    const jwt = await sign(stage);
    expect(await withJwt(stage, jwt)).toBe(200);
    expect(await withJwt({ ...stage, at: `/v1/orgs/${org}/sites/${other}` }, jwt)).toBe(404);
  });
});

describe("S32: access after the permission was revoked", () => {
  /** Lets somebody in, takes the right away, and sees what the very next request gets. */
  async function ends(
    visibility: string,
    query: (stage: Stage) => Promise<string>,
    take: (stage: Stage) => Promise<unknown>,
  ) {
    const stage = await openSite(visibility);
    const shown = await query(stage);
    const looks = [
      () => profile(stage, shown),
      () => stage.askWith(null, `GET ${stage.at}/site-spaces${shown}`),
      () => stage.askWith(null, `GET ${stage.at}/site-spaces/${stage.siteSpace}/pages${shown}`),
      () => stage.askWith(null, `GET ${stage.at}/site-spaces/${stage.siteSpace}/page/${stage.page}${shown}`),
      () => stage.askWith(null, `POST ${stage.at}/search${shown}`, { query: "reader" }),
    ];
    for (const look of [...looks, ...looks]) expect((await look()).status).toBe(200);
    const etag = (await profile(stage, shown)).headers.get("etag")!;
    await take(stage);
    for (const look of looks) expect((await look()).status).toBe(404);
    const again = await stage.ask(null, `GET ${stage.at}/published${shown}`, undefined, { "if-none-match": etag });
    expect(again.status).toBe(404);
  }

  const key = async ({ ask, at }: Stage) =>
    `?shareKey=${(await ask("admin", `POST ${at}/share-links`, { name: "L" })).body.key}`;
  const jwt = async (stage: Stage) => `?visitorToken=${await sign(stage)}`;
  const member = async (stage: Stage) => `?visitorToken=${await ping(stage, "read")}`;
  const nothing = async () => "";
  const linkOf = async ({ ask, at }: Stage) =>
    `${at}/share-links/${(await ask("admin", `GET ${at}/share-links`)).body.items[0].id}`;

  test.each<[string, string, (stage: Stage) => Promise<string>, (stage: Stage) => Promise<unknown>]>([
    [
      "a share key that is switched off",
      "share-link",
      key,
      async (s) => s.ask("admin", `PATCH ${await linkOf(s)}`, { active: false }),
    ],
    ["a share key that is deleted", "share-link", key, async (s) => s.ask("admin", `DELETE ${await linkOf(s)}`)],
    [
      "a share key that is renewed",
      "share-link",
      key,
      async (s) => s.ask("admin", `POST ${await linkOf(s)}/regenerate`),
    ],
    ["a site that is unpublished", "public", nothing, (s) => s.ask("admin", `POST ${s.at}/unpublish`)],
    ["a site that is deleted", "public", nothing, (s) => s.ask("admin", `DELETE ${s.at}`)],
    [
      "a site that is closed to the public",
      "public",
      nothing,
      (s) => s.ask("admin", `PATCH ${s.at}`, { visibility: "visitor-auth" }),
    ],
    [
      "a key on a site that asks for JWTs now",
      "share-link",
      key,
      (s) => s.ask("admin", `PATCH ${s.at}`, { visibility: "visitor-auth" }),
    ],
    [
      "a JWT of a key that was renewed",
      "visitor-auth",
      jwt,
      (s) => s.ask("admin", `POST ${s.at}/publishing/auth/regenerate`),
    ],
    ["a JWT that is over", "visitor-auth", jwt, async (s) => s.clock.forward(DAY + 1000)],
    [
      "a JWT that the schema refuses now",
      "visitor-auth",
      async (s) => `?visitorToken=${await sign(s, { seats: 3 })}`,
      (s) =>
        s.ask("admin", `PUT ${s.at}/adaptive-schema`, {
          jsonSchema: { ...schema, properties: { seats: { type: "boolean" } } },
        }),
    ],
    [
      "a member who left",
      "visitor-auth",
      member,
      (s) => s.ask("admin", `DELETE /v1/orgs/${s.org}/members/${s.ids.read}`),
    ],
    ["what ping gave, an hour later", "visitor-auth", member, async (s) => s.clock.forward(HOUR + 1000)],
  ])("S32: access ends at once: %s", (_, visibility, query, take) => ends(visibility, query, take));

  test("S32: a new condition hides a page at once, even with a valid key", async () => {
    const stage = await openSite("public");
    const look = () => stage.askWith(null, `GET ${stage.at}/site-spaces/${stage.siteSpace}/page/${stage.page}`);
    expect([(await look()).status, (await look()).status]).toEqual([200, 200]);
    const changes = [{ operation: "update_page", page: stage.page, condition: "visitor.claims.isBeta" }];
    await stage.ask("admin", `POST /v1/spaces/${stage.space}/content`, { changes });
    expect((await look()).status).toBe(404);
  });
});

describe("S33: JWT validation", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openSite("visitor-auth");
  });

  test("control: a valid JWT is accepted", async () => {
    expect(await withJwt(stage, await sign(stage))).toBe(200);
    expect(await withJwt(stage, await sign(stage, { aud: stage.site }))).toBe(200);
    expect(await withJwt(stage, await sign(stage, { nbf: 1 }))).toBe(200);
  });

  const later = () => Math.floor(stage.clock.now.getTime() / 1000) + 60;
  const part = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  test("S33: alg none is rejected in any spelling, with or without a signature", async () => {
    const [, body, signature] = (await sign(stage)).split(".");
    expect(await withJwt(stage, unsigned(stage))).toBe(404);
    for (const alg of ["none", "None", "NONE", "", "hs256", "HS384", "HS512", "RS256"])
      for (const end of ["", signature]) expect(await withJwt(stage, `${part({ alg })}.${body}.${end}`), alg).toBe(404);
  });

  test("S33: another algorithm of the same family with the right key is rejected", async () => {
    for (const alg of ["HS384", "HS512"]) {
      const jwt = await new SignJWT({}).setProtectedHeader({ alg }).setExpirationTime(later());
      expect(await withJwt(stage, await jwt.sign(new TextEncoder().encode(stage.privateKey.padEnd(64, "="))))).toBe(
        404,
      );
    }
  });

  test("S33: a public key is rejected, as a secret or as itself", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const spki = await exportSPKI(publicKey);
    const own = await new SignJWT({}).setProtectedHeader({ alg: "RS256" }).setExpirationTime(later()).sign(privateKey);
    expect(await withJwt(stage, own)).toBe(404);
    expect(await withJwt(stage, await sign(stage, {}, { key: spki }))).toBe(404);
  });

  test("S33: a header with its own key or a key URL is rejected", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await crypto.subtle.exportKey("jwk", publicKey as CryptoKey)) };
    const headers = [
      { jwk },
      { jku: "https://evil.example/keys" },
      { kid: "../../dev/null" },
      { kid: "' OR 1=1" },
      { x5u: "https://evil.example" },
    ];
    for (const header of headers) {
      const forged = new SignJWT({})
        .setProtectedHeader({ alg: "RS256", ...header } as never)
        .setExpirationTime(later());
      expect(await withJwt(stage, await forged.sign(privateKey)), JSON.stringify(header)).toBe(404);
      expect(await withJwt(stage, await sign(stage, {}, { header, key: "x".repeat(43) }))).toBe(404);
    }
    for (const key of ["", "null", "undefined", "0"].map((it) => it.padEnd(32, "\0")))
      expect(await withJwt(stage, await sign(stage, {}, { header: { kid: "/dev/null" }, key }))).toBe(404);
  });

  test("S33: a key id does not affect a valid token, and unknown critical headers are rejected", async () => {
    expect(await withJwt(stage, await sign(stage, {}, { header: { kid: "whatever" } }))).toBe(200);
    const [, body, signature] = (await sign(stage)).split(".");
    expect(await withJwt(stage, `${part({ alg: "HS256", crit: ["x"], x: 1 })}.${body}.${signature}`)).toBe(404);
  });

  test.each<[string, object, { exp?: number | null; key?: string }]>([
    ["without an end", {}, { exp: null }],
    ["that is over", {}, { exp: 1 }],
    ["with an end that is no number", { exp: "tomorrow" }, { exp: null }],
    ["that is not good yet", { nbf: 4_000_000_000 }, {}],
    ["for somebody else", { aud: "https://other.example" }, {}],
    ["for several others", { aud: ["a", "b"] }, {}],
    ["with the key's bytes in another form", {}, { key: "=".repeat(43) }],
    ["with a claim of the wrong type", { isBeta: "yes" }, {}],
    ["with a value that is not listed", { plan: "gold" }, {}],
  ])("S33: a JWT that is %s is rejected", async (_, claims, options) => {
    expect(await withJwt(stage, await sign(stage, claims, options))).toBe(404);
  });

  test("S33: a changed claim and values that are not JWTs are rejected", async () => {
    const [head, , signature] = (await sign(stage)).split(".");
    expect(await withJwt(stage, `${head}.${part({ exp: later(), isBeta: true })}.${signature}`)).toBe(404);
    for (const text of ["x", "..", "a.b.c", "e30.e30.", " ", "%00"]) expect(await withJwt(stage, text), text).toBe(404);
  });

  test("S33: no JWT is valid before the site has a key", async () => {
    const { ask, org, space } = stage;
    const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { visibility: "visitor-auth", spaces: [space] }))
      .body.id;
    const at = `/v1/orgs/${org}/sites/${site}`;
    await ask("admin", `POST ${at}/publish`);
    for (const key of ["", "null", "undefined", stage.privateKey])
      expect(await withJwt({ ...stage, at }, await sign(stage, {}, { key: key.padEnd(32, "\0") }))).toBe(404);
  });
});

describe("S36, S37: conditions of a site", () => {
  const hostile = [
    "visitor.claims.constructor.constructor('return 1')()",
    "visitor.claims.__proto__",
    "visitor['claims']['__proto__']",
    "visitor.claims['const' + 'ructor']",
    "'constructor' in visitor.claims",
    "visitor.constructor",
    "globalThis",
    "this",
    "process.env",
    "[].map.constructor",
    "visitor.claims.toString",
  ];

  test.each(hostile)("S36: the condition %s hides its target or is rejected", async (condition) => {
    const stage = await openSite("public");
    const set = await stage.ask("admin", `PATCH ${stage.at}/site-spaces/${stage.siteSpace}`, { condition });
    expect([200, 400]).toContain(set.status);
    const { structure } = (await profile(stage)).body;
    expect(structure.structure.length).toBe(set.status === 200 ? 0 : 1);
  });

  test("S37: a condition that is too long or too deep is rejected with its location", async () => {
    const stage = await openSite("public");
    const set = (condition: string) =>
      stage.ask("admin", `PATCH ${stage.at}/site-spaces/${stage.siteSpace}`, { condition });
    for (const condition of [
      `${"(".repeat(400)}1${")".repeat(400)}`,
      `${"!".repeat(1000)}1`,
      "a".repeat(1025),
      "a ++ b",
    ]) {
      const { status, body } = await set(condition);
      expect(status).toBe(400);
      expect(body.error.issues[0].path).toBe("body.condition");
    }
    expect((await set("a ++ b")).body.error.issues[0].message).toMatch(/\(at \d+\)|position \d+|at \d+/);
    expect((await set("visitor.claims.isBeta")).status).toBe(200);
  });
});

describe("S38: schemas with patterns and references", () => {
  test.each([
    ["pattern", { type: "string", pattern: "^(a+)+$" }],
    ["$ref", { $ref: "https://evil.example/schema.json" }],
    ["$data", { type: "string", pattern: { $data: "1/x" } }],
    ["format", { type: "string", format: "regex" }],
    ["if", { type: "string", if: {} }],
    ["default", { type: "boolean", default: true }],
  ])("S38: %s is rejected, and the member is named", async (name, claim) => {
    const stage = await openSite("public");
    const jsonSchema = { type: "object", properties: { a: claim }, additionalProperties: false };
    const { status, body } = await stage.ask("admin", `PUT ${stage.at}/adaptive-schema`, { jsonSchema });
    expect(status).toBe(400);
    const member = name === "$ref" ? "type" : name === "$data" ? "pattern" : name;
    expect(body.error.issues).toMatchObject([{ path: `body.jsonSchema.properties.a.${member}` }]);
  });

  test("S7: keys that lead to prototypes are rejected in the schema and in claims", async () => {
    const stage = await openSite("public");
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const text = `{"jsonSchema":{"type":"object","properties":{"${key}":{"type":"boolean"}},"additionalProperties":false}}`;
      expect((await stage.ask("admin", `PUT ${stage.at}/adaptive-schema`, text)).status).toBe(400);
      const said = encodeURIComponent(`{"${key}":{"isGuest":true}}`);
      expect((await profile(stage, `?unsignedClaims=${said}`)).status).toBe(200);
    }
    expect(({} as Record<string, unknown>).isGuest).toBeUndefined();
  });
});

describe("S44: open redirects", () => {
  test("S44: the login address must be a web address, and nothing here redirects there", async () => {
    const stage = await openSite("visitor-auth");
    const set = (fallbackURL: string) => stage.ask("admin", `PATCH ${stage.at}/publishing/auth`, { fallbackURL });
    for (const url of [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "vbscript:x",
      "file:///etc/passwd",
      " https://x.example",
    ])
      expect((await set(url)).status, url).toBe(400);
    expect((await set("https://login.example.com/")).status).toBe(200);
    const refused = await profile(stage, "?fallbackURL=https%3A%2F%2Fevil.example");
    expect(refused.status).toBe(400);
    expect(refused.body.error.issues).toMatchObject([{ path: "query.fallbackURL" }]);
    for (const answer of [refused, await profile(stage)]) {
      expect(answer.headers.get("location")).toBeNull();
      expect(JSON.stringify(answer.body)).not.toContain("example");
    }
  });
});
