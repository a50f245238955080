// What went wrong in software of this kind, and must not here. Each test is named after a row of the table in
// docs/internals/security.md.

import { readFileSync } from "node:fs";
import { SignJWT } from "jose";
import { createDocsApi, Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { getAddressKey } from "../../src/http/rate-limit";
import { allOperations } from "../../src/operations";
import { createSecrets } from "../../src/storage/secrets";
import { openNames } from "../invariants/access";
import { examples, prepare } from "../invariants/examples";
import { web } from "../resources/content/imports-web";
import { DAY, dump, HOUR, open, type Setting, seeded, setUp } from "../support/setting";

const SECRET = "a secret of more than thirty-two characters";
let setting: Setting;

beforeEach(async () => {
  setting = await setUp(memoryStorage(), { fetch: web });
});

describe("S19: a request with two ids of which only one is authorized", () => {
  test("S19: an id of another organization in the path below one's own leads nowhere", async () => {
    const cast = await prepare(setting);
    const { ask, otherOrg, team, saml, link, ids } = cast;
    for (const path of [
      `teams/${team}`,
      `saml/${saml}`,
      `link-invites/${link}`,
      `members/${ids.edit}`,
      `teams/${team}/members`,
    ]) {
      expect((await ask("rival", `GET /v1/orgs/${otherOrg}/${path}`)).status, path).toBe(404);
    }
    expect((await ask("rival", `DELETE /v1/orgs/${otherOrg}/teams/${team}`)).status).toBe(204);
    expect((await ask("admin", `GET /v1/orgs/${cast.org}/teams/${team}`)).status).toBe(200);
  });

  test("S19: a member of another organization joins no team, and no team of theirs joins a provider", async () => {
    const { ask, org, ids, foreignTeam } = await prepare(setting);
    expect((await ask("admin", `PUT /v1/orgs/${org}/teams`, { title: "New", members: [ids.rival] })).status).toBe(400);
    expect((await ask("admin", `POST /v1/orgs/${org}/saml`, { label: "New", defaultTeam: foreignTeam })).status).toBe(
      400,
    );
  });
});

describe("S20: restoring what others deleted", () => {
  test("S20: restoring needs the permission to delete, and a deleted space is shown nowhere else", async () => {
    const { ask, org, deletedSpace } = await prepare(setting);
    for (const person of ["guest", "read", "comment", "edit", "review", "stranger", "rival"] as const) {
      expect((await ask(person, `POST /v1/spaces/${deletedSpace}/restore`)).status).toBe(404);
      expect((await ask(person, `GET /v1/spaces/${deletedSpace}`)).status).toBe(404);
    }
    const lists = [`/v1/orgs/${org}/spaces`, `/v1/orgs/${org}/members/${setting.ids.admin}/spaces`];
    for (const list of lists)
      expect(JSON.stringify((await ask("admin", `GET ${list}`)).body)).not.toContain(deletedSpace);
    for (const path of ["permissions/users", "permissions/teams", "permissions/aggregate"])
      expect((await ask("admin", `GET /v1/spaces/${deletedSpace}/${path}`)).status).toBe(404);
    expect((await ask("create", `POST /v1/spaces/${deletedSpace}/restore`)).status).toBe(200);
  });
});

describe("S22: lists with hidden resources", () => {
  test("S22: no list and no count contains what the caller may not open", async () => {
    const { ask, org, ids, space, collection, innerSpace } = await prepare(setting);
    for (const person of ["comment", "review"] as const) {
      const routes = [
        `/v1/orgs/${org}/spaces`,
        `/v1/orgs/${org}/collections`,
        `/v1/orgs/${org}/members/${ids.admin}/spaces`,
        `/v1/orgs/${org}/members/${ids.guest}/spaces`,
      ];
      for (const route of routes) {
        const { status, body } = await ask(person, `GET ${route}`);
        const all: object[] = (await ask("admin", `GET ${route}`)).body.items;
        const closed = (it: object) => [space, collection, innerSpace].some((id) => JSON.stringify(it).includes(id));
        const open = all.filter((it) => !closed(it)).length;
        expect(open, route).toBeLessThan(all.length);
        expect([status, body.count, body.items.length], route).toEqual([200, open, open]);
        expect(body.items.filter(closed)).toEqual([]);
      }
      expect((await ask(person, `GET /v1/collections/${collection}/spaces`)).status).toBe(404);
    }
    expect((await ask("guest", `GET /v1/orgs/${org}/spaces`)).body.count).toBe(2);
  });
});

describe("S24: moves whose target is not authorized", () => {
  test("S24: nothing is moved, created or sent where the caller may not create", async () => {
    const { ask, org, otherOrg, ids, space, collection } = await prepare(setting);
    await ask("admin", `PATCH /v1/spaces/${space}/permissions/users/${ids.guest}`, { role: "create" });
    expect((await ask("guest", `POST /v1/spaces/${space}/move`, { parent: collection })).status).toBe(403);
    expect((await ask("guest", `POST /v1/spaces/${space}/move`, { parent: null })).status).toBe(403);
    expect((await ask("guest", `POST /v1/orgs/${org}/spaces`, { parent: collection })).status).toBe(403);
    expect((await ask("guest", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(400);
    await ask("rival", `PATCH /v1/orgs/${otherOrg}/members/${ids.admin}`, { role: "edit" });
    expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(403);
    expect((await ask("admin", `GET /v1/spaces/${space}`)).body).toMatchObject({ organization: org });
  });
});

describe("S23: ids supplied by the client", () => {
  test("S23: no body supplies the id of what it creates", async () => {
    const { ask, org, ids, team, saml } = await prepare(setting);
    const creations: [string, object][] = [
      [`PUT /v1/orgs/${org}/teams`, { title: "New", id: team }],
      [`POST /v1/orgs/${org}/saml`, { label: "New", id: saml }],
      [`POST /v1/orgs`, { title: "New", id: org }],
      [`POST /v1/user/tokens`, { label: "New", id: "tok_x", user: ids.edit, token: "chosen-by-the-client" }],
      [`POST /v1/orgs/${org}/link-invites`, { id: "inv_x" }],
    ];
    for (const [route, send] of creations) {
      const answer = await ask("admin", route, send);
      expect(answer.status, route).toBe(400);
      expect(answer.body.error.issues[0].path).toBe("body.id");
    }
  });

  test("S23: an Idempotency-Key of one user returns nothing of another's", async () => {
    const headers = { "idempotency-key": "same" };
    const mine = await setting.ask("read", "POST /v1/user/tokens", { label: "x" }, headers);
    const theirs = await setting.ask("edit", "POST /v1/user/tokens", { label: "x" }, headers);
    expect(theirs.body.token).not.toBe(mine.body.token);
  });
});

describe("S25: privilege escalation", () => {
  test("S25: only an admin changes roles, and no one joins by an invite above the inviter's role", async () => {
    const { ask, org, ids } = setting;
    for (const person of ["read", "comment", "edit", "review", "create"] as const) {
      expect((await ask(person, `PATCH /v1/orgs/${org}/members/${ids[person]}`, { role: "admin" })).status).toBe(403);
      expect(
        (await ask(person, `POST /v1/orgs/${org}/invites`, { emails: ["x@example.com"], role: "admin" })).status,
      ).toBe(403);
      expect((await ask(person, `POST /v1/orgs/${org}/link-invites`, { role: "admin" })).status).toBe(403);
    }
  });

  test("S25: a member who opens an invite for a higher role keeps their role", async () => {
    const { ask, org } = setting;
    const link = (await ask("admin", `POST /v1/orgs/${org}/link-invites`, { role: "admin" })).body.id;
    expect((await ask("guest", `POST /v1/orgs/${org}/invites/${link}`)).body.role).toBeNull();
    expect((await ask("guest", `GET /v1/orgs/${org}/members`)).status).toBe(403);
  });

  test("S25: no one adds themselves to a team or makes themselves its owner", async () => {
    const { ask, org, ids, team } = await prepare(setting);
    expect((await ask("review", `PUT /v1/orgs/${org}/teams/${team}/members/${ids.review}`, {})).status).toBe(403);
    expect((await ask("read", `PUT /v1/orgs/${org}/teams/${team}/members/${ids.read}`, { role: "owner" })).status).toBe(
      403,
    );
  });

  test("S25: a token creates no token with more permissions or a longer life", async () => {
    const { ask, clock } = setting;
    const expiresAt = new Date(clock.now.getTime() + DAY).toISOString();
    const made = await ask("admin", "POST /v1/user/tokens", { label: "Small", scopes: ["tokens:write"], expiresAt });
    const small = { authorization: `Bearer ${made.body.token}` };
    const again = (send: object) => ask(null, "POST /v1/user/tokens", { label: "x", ...send }, small);
    for (const send of [
      { scopes: null },
      { scopes: ["members:write"] },
      { expiresAt: null },
      { expiresAt: "2999-01-01T00:00:00.000Z" },
    ]) {
      expect((await again(send)).body.error.reason).toBe("above_own_token");
    }
    expect((await again({})).body).toMatchObject({ scopes: ["tokens:write"], expiresAt });
    expect((await again({ scopes: [] })).body.scopes).toEqual([]);
  });

  test("S25: the last admin can neither leave nor step down", async () => {
    const { ask, org, ids } = setting;
    expect((await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.admin}`)).status).toBe(409);
    expect((await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.admin}`, { role: null })).status).toBe(409);
  });
});

describe("S26: members that disable authentication", () => {
  test("S26: no body and no query authenticates an anonymous caller", async () => {
    const cast = await prepare(setting);
    for (const [name, { ask, send }] of Object.entries(examples(cast))) {
      if (openNames.has(name)) continue;
      const tricks = {
        userId: cast.ids.admin,
        user: cast.ids.admin,
        token: cast.tokens.admin,
        authorization: cast.tokens.admin,
      };
      const body = ask.startsWith("GET") || ask.startsWith("DELETE") ? undefined : { ...(send as object), ...tricks };
      const route = `${ask}${ask.includes("?") ? "&" : "?"}userId=${cast.ids.admin}&access_token=${cast.tokens.admin}&token=${cast.tokens.admin}`;
      expect((await cast.ask(null, route, body)).status, name).toBe(401);
    }
  });
});

describe("S27: scopes", () => {
  test("S27: every operation has a scope derived from the routing table", () => {
    for (const { definition: operation, scope } of allOperations()) {
      const isReading = operation.method === "GET" || operation.spec.isReadOnly === true;
      expect(scope).toMatch(isReading ? /^[a-z-]+:read$/ : /^[a-z-]+:write$/);
    }
  });

  test("S27: a token without scopes reaches only what is open", async () => {
    const cast = await prepare(setting);
    const none = (await cast.ask("admin", "POST /v1/user/tokens", { label: "None", scopes: [] })).body.token;
    for (const [name, { ask, send }] of Object.entries(examples(cast))) {
      const answer = await cast.ask(null, ask, send, { authorization: `Bearer ${none}` });
      if (openNames.has(name)) expect(answer.status, name).toBe((await cast.ask(null, ask, send)).status);
      else expect(answer.body.error.reason, name).toBe("scope_missing");
    }
  });
});

describe("S29: searches that match secrets", () => {
  test("S29: members are searched by name and address and nothing else", async () => {
    const { ask, org, tokens, ids, storage } = setting;
    const hash = [...(await dump(storage)).keys()].find((key) => key.includes("token"))!.match(/[0-9a-f]{64}/)![0];
    for (const search of [tokens.edit, hash, ids.edit, "role", "2026"]) {
      expect((await ask("admin", `GET /v1/orgs/${org}/members?search=${search}`)).body.count, search).toBe(0);
    }
  });
});

describe("S30: errors that reveal existence", () => {
  test("S30: a hidden organization and a missing one look the same to a stranger in every request", async () => {
    const cast = await prepare(setting);
    const absent = `org_${"0".repeat(12)}`;
    // What is published is there for everybody.
    await cast.ask("admin", `POST /v1/orgs/${cast.org}/sites/${cast.site}/unpublish`);
    for (const [name, { ask, send }] of Object.entries(examples(cast))) {
      if (!ask.includes(cast.org) || name === "acceptInvite") continue;
      // The stranger has an address in a proven domain, and joins.
      if (name === "joinOrganization") continue;
      const hidden = await cast.ask("stranger", ask, send);
      // What a published site shows is hidden from nobody; test/resources/sites/site-audiences.test.ts has those that are not.
      if (openNames.has(name) && hidden.status === 200) continue;
      const gone = await cast.ask("stranger", ask.replace(cast.org, absent), send);
      expect(hidden.body?.error, name).toBeDefined();
      gone.body.error.requestId = hidden.body.error.requestId;
      expect([gone.status, gone.body], name).toEqual([hidden.status, hidden.body]);
    }
  });

  test("S30: an unknown token, a revoked one and an expired one get the same response", async () => {
    const { ask, clock } = setting;
    const revoked = (await ask("read", "POST /v1/user/tokens", { label: "a" })).body;
    await ask("read", `DELETE /v1/user/tokens/${revoked.id}`);
    const expiresAt = new Date(clock.now.getTime() + HOUR).toISOString();
    const over = (await ask("read", "POST /v1/user/tokens", { label: "b", expiresAt })).body;
    clock.forward(HOUR);
    const answers = await Promise.all(
      [revoked.token, over.token, "never-was"].map((token) =>
        ask(null, "GET /v1/user", undefined, { authorization: `Bearer ${token}` }),
      ),
    );
    for (const answer of answers) {
      answer.body.error.requestId = "";
      expect([answer.status, answer.body]).toEqual([401, answers[0]!.body]);
    }
  });
});

describe("S31: secrets in errors and storage", () => {
  test("S31: the storage contains no token in clear, not even in a stored response", async () => {
    const { ask, storage, tokens } = setting;
    const made = await ask("read", "POST /v1/user/tokens", { label: "x" }, { "idempotency-key": "k" });
    const everything = JSON.stringify([...(await dump(storage))]);
    for (const secret of [made.body.token, ...Object.values(tokens), SECRET]) expect(everything).not.toContain(secret);
  });

  test("S31: only the response that creates a token shows it", async () => {
    const cast = await prepare(setting);
    for (const [name, { ask, send }] of Object.entries(examples(cast))) {
      const answer = await cast.ask("admin", ask, send);
      const text = JSON.stringify(answer.body ?? null);
      for (const token of Object.values(cast.tokens)) expect(text, name).not.toContain(token);
      expect(text, name).not.toMatch(/"hash"|"secret"/);
    }
  });

  test("S31: messages of a failing storage stay internal", async () => {
    const storage = {
      ...memoryStorage(),
      partition: () => ({
        snapshot: async () => {
          throw new Unavailable("s3://key:hunter2@bucket is away", { outcome: "none" });
        },
        commit: async () => ({ ok: true as const, version: 1 }),
      }),
    };
    const api = createDocsApi(storage, { onError: () => {} });
    const answer = await api.fetch(new Request("http://x/v1/user", { headers: { authorization: "Bearer t" } }));
    expect([answer.status, (await answer.text()).includes("hunter2")]).toEqual([503, false]);
  });
});

describe("S32: access after the permission was revoked", () => {
  test("S32: a revoked token stops working with the next request", async () => {
    const { ask } = setting;
    const made = (await ask("admin", "POST /v1/user/tokens", { label: "x" })).body;
    const headers = { authorization: `Bearer ${made.token}` };
    expect((await ask(null, "GET /v1/user", undefined, headers)).status).toBe(200);
    await ask("admin", `DELETE /v1/user/tokens/${made.id}`);
    expect((await ask(null, "GET /v1/user", undefined, headers)).status).toBe(401);
  });

  test("S32: a removed member sees nothing more: no resource, list, cached response, 304 or invite", async () => {
    const { ask, org, ids } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "admin" });
    const tag = (await ask("create", `GET /v1/orgs/${org}`)).headers.get("etag")!;
    const key = { "idempotency-key": "mine" };
    await ask("create", `POST /v1/orgs/${org}/link-invites`, { role: "read" }, key);
    const link = (await ask("create", `POST /v1/orgs/${org}/link-invites`, { role: "admin" })).body.id;
    await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.create}`);
    expect((await ask("create", `GET /v1/orgs/${org}`, undefined, { "if-none-match": tag })).status).toBe(404);
    expect((await ask("create", `POST /v1/orgs/${org}/link-invites`, { role: "read" }, key)).status).toBe(404);
    expect((await ask("create", "GET /v1/orgs")).body.count).toBe(0);
    expect((await ask("create", `POST /v1/orgs/${org}/invites/${link}`)).status).toBe(404);
  });

  test("S32: a cursor shows nothing that the caller may no longer see", async () => {
    const { ask, org, ids } = setting;
    const next = (await ask("read", `GET /v1/orgs/${org}/members?limit=2`)).body.next.page;
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.read}`, { role: null });
    expect((await ask("read", `GET /v1/orgs/${org}/members?limit=2&page=${next}`)).status).toBe(403);
  });
});

describe("S33: JWT algorithms", () => {
  const jwtOf = async () =>
    (await setting.ask("read", `POST /v1/orgs/${setting.org}/ping`)).body.serviceVisitorClaims as string;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const key = createSecrets([SECRET], seeded(1)).key("visitor-claims");
  const sign = async (change: (jwt: SignJWT) => SignJWT, alg = "HS256") =>
    change(
      new SignJWT(await good())
        .setProtectedHeader({ alg })
        .setSubject(setting.ids.read)
        .setIssuer("octavo")
        .setAudience("octavo:visitor"),
    ).sign(key);
  /** The claims of a JWT of ours, for the membership that the caller has now. */
  const good = async () => {
    const [, payload] = (await jwtOf()).split(".");
    const { membership } = JSON.parse(Buffer.from(payload!, "base64url").toString());
    return { email: "x", organization: setting.org, membership };
  };
  const seconds = () => Math.floor(setting.clock.now.getTime() / 1000);

  test("S33: the JWT of ping is valid for an hour and names the user and the organization", async () => {
    const jwt = await jwtOf();
    expect(await setting.api.visitor(jwt)).toEqual({
      sub: setting.ids.read,
      email: "read@example.com",
      organization: setting.org,
    });
    setting.clock.forward(HOUR + 1000);
    expect(await setting.api.visitor(jwt)).toBeUndefined();
  });

  test("S33: alg none, another algorithm, a key named by the token and a changed payload are rejected", async () => {
    const [header, payload, signature] = (await jwtOf()).split(".") as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = [
      `${part({ alg: "none" })}.${payload}.`,
      `${part({ alg: "NONE" })}.${payload}.${signature}`,
      `${part({ alg: "RS256" })}.${payload}.${signature}`,
      `${part({ alg: "HS256", kid: "../../dev/null" })}.${payload}.${signature}`,
      `${part({ alg: "HS256", jwk: { kty: "oct", k: "AAAA" } })}.${payload}.${signature}`,
      `${header}.${part({ ...claims, sub: setting.ids.admin })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      "",
      "a.b.c",
    ];
    for (const jwt of forged) expect(await setting.api.visitor(jwt), jwt).toBeUndefined();
  });

  test("S33: the right key does not help a token with another algorithm, audience or issuer, or without expiry", async () => {
    const whole = (jwt: SignJWT) => jwt.setIssuedAt(seconds()).setExpirationTime(seconds() + 60);
    expect(await setting.api.visitor(await sign(whole))).toBeDefined();
    const wrong = [
      await sign(whole, "HS384"),
      await sign((jwt) => whole(jwt).setAudience("octavo:api")),
      await sign((jwt) => whole(jwt).setIssuer("somebody")),
      await sign((jwt) => jwt.setIssuedAt(seconds())),
      await sign((jwt) => whole(jwt).setNotBefore(seconds() + 30)),
    ];
    for (const jwt of wrong) expect(await setting.api.visitor(jwt)).toBeUndefined();
  });

  test("S33: a JWT is not an API token", async () => {
    expect(
      (await setting.ask(null, "GET /v1/user", undefined, { authorization: `Bearer ${await jwtOf()}` })).status,
    ).toBe(401);
  });
});

describe("S42: the key of the rate limit", () => {
  test("S42: an address is counted by itself, and an IPv6 one by its /64, however it is written", () => {
    expect(getAddressKey("203.0.113.9")).toBe("address:203.0.113.9");
    expect(getAddressKey("::ffff:203.0.113.9")).toBe("address:203.0.113.9");
    const same = [
      "2001:db8:1:2::1",
      "2001:db8:1:2:ffff:ffff:ffff:ffff",
      "2001:0DB8:0001:0002::9",
      "2001:db8:1:2::1%eth0",
    ];
    expect(new Set(same.map(getAddressKey))).toEqual(new Set(["address:2001:db8:1:2::/64"]));
    expect(getAddressKey("2001:db8:1:3::1")).not.toBe(getAddressKey("2001:db8:1:2::1"));
    expect(getAddressKey("::1")).toBe("address:0:0:0:0::/64");
  });

  test("S42: neither headers nor bodies nor unknown tokens create a new caller", async () => {
    const { api } = open(setting.storage, { rateLimit: { limit: 3 }, clientAddress: () => "203.0.113.9" });
    const tries = [
      { "x-forwarded-for": "198.51.100.1" },
      { forwarded: "for=198.51.100.2", "x-real-ip": "198.51.100.3" },
      { authorization: "Bearer made-up-1" },
      { authorization: "Bearer made-up-2", "x-forwarded-for": "198.51.100.4" },
    ];
    const statuses: number[] = [];
    for (const headers of tries) statuses.push((await api.fetch(new Request("http://x/v1/user", { headers }))).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test("S42: one user has one limit, with however many tokens", async () => {
    const second = (await setting.ask("read", "POST /v1/user/tokens", { label: "x" })).body.token;
    const { askWith, clock } = open(setting.storage, { rateLimit: { limit: 2 } });
    clock.now = setting.clock.now;
    await askWith(setting.tokens.read, "GET /v1/user");
    await askWith(second, "GET /v1/user");
    expect((await askWith(second, "GET /v1/user")).status).toBe(429);
  });
});

describe("S44: open redirects", () => {
  test("S44: no operation redirects or accepts a return address", async () => {
    const cast = await prepare(setting);
    for (const [name, { ask, send }] of Object.entries(examples(cast))) {
      const to = "https://evil.example/";
      const route = `${ask}${ask.includes("?") ? "&" : "?"}redirect=${to}&redirect_uri=${to}&next=${to}&return_to=${to}`;
      const { status, headers } = await cast.ask("admin", route, send);
      expect(status < 300 || status >= 400, name).toBe(true);
      expect(headers.get("location") ?? "", name).not.toContain("evil.example");
    }
  });
});

describe("S45: colliding ids", () => {
  test("S45: an id states its kind and is accepted for no other", async () => {
    const { ask, org, team, saml, link } = await prepare(setting);
    expect([org.slice(0, 4), team.slice(0, 4), saml.slice(0, 4), link.slice(0, 4)]).toEqual([
      "org_",
      "tem_",
      "sml_",
      "inv_",
    ]);
    for (const id of [saml, link, org])
      expect((await ask("admin", `GET /v1/orgs/${org}/teams/${id}`)).status).toBe(404);
    for (const id of [team, `org_${team.slice(4)}`, org.toUpperCase()])
      expect((await ask("admin", `GET /v1/orgs/${id}`)).status).toBe(404);
  });

  test("S45: ten thousand ids are distinct", async () => {
    const { generateId } = await import("../../src/storage/ids");
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    expect(new Set(Array.from({ length: 10_000 }, () => generateId("team", "000000000000", random))).size).toBe(10_000);
  });
});

test("every class of attacks tested here is in the table of docs/internals/security.md", () => {
  const table = readFileSync(new URL("../../docs/internals/security.md", import.meta.url), "utf8");
  for (const row of [
    "S19",
    "S20",
    "S22",
    "S23",
    "S24",
    "S25",
    "S26",
    "S27",
    "S29",
    "S30",
    "S31",
    "S32",
    "S33",
    "S42",
    "S44",
    "S45",
  ])
    expect(table).toMatch(new RegExp(`^\\| ${row} \\|`, "m"));
});
