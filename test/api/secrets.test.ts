// The secret: a wrong one refuses to work, a list of them replaces one, and what every purpose makes under the old one
// works until the old one is dropped.

import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { SignJWT } from "jose";
import { createDocsApi, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { createDomainVerifier } from "../../src/ports/domain-verification";
import { deriveSigningSecret, deriveSigningSecrets } from "../../src/resources/integrations/delivery/signature";
import { defineRecordSet } from "../../src/storage/records";
import { createSealedStorage, resealPartition } from "../../src/storage/sealed-storage";
import { createSecrets, type Purpose, toBase64url } from "../../src/storage/secrets";
import { createStore } from "../../src/storage/store";
import { watch } from "../invariants/faults";
import { DAY, dump, forgetSecret, SECRET as OLD, open, type Setting, seeded, setUp } from "../support/setting";
import { through } from "../support/through";

const NEW = "the secret that replaces it, of more than thirty-two characters";
const OTHER = "a third secret, of more than thirty-two characters, too";

const ada = { displayName: "Ada", email: "ada@example.com" };

/** What became of a storage that is opened with a secret. */
async function openedWith(storage: Storage, secret: string | readonly string[] | undefined) {
  const errors: unknown[] = [];
  const api = createDocsApi(storage, { ...(secret ? { secret } : {}), onError: (error) => errors.push(error) });
  const refused = await api.ready().catch((error: Error) => error);
  return { api, errors, says: refused?.message };
}

describe("the secret", () => {
  let storage: Storage;
  beforeEach(async () => {
    storage = memoryStorage();
    await createDocsApi(storage, { secret: OLD }).provision({
      user: ada,
      token: { label: "a", value: "0123456789abcdef" },
    });
  });

  test("the same secret opens the data again", async () => {
    expect((await openedWith(storage, OLD)).says).toBeUndefined();
  });

  test.each<[string, string | undefined, string]>([
    [
      "a wrong one",
      NEW,
      "The data was written with a different secret. Pass that secret, or a list that includes it: [new, old].",
    ],
    ["none", undefined, "The data was written with a secret, but none was given. Pass the same secret."],
  ])("%s causes every request to be refused, and nothing is read or written", async (_, secret, says) => {
    const before = await dump(storage);
    const { api, errors, says: said } = await openedWith(storage, secret);
    expect(said).toBe(`createDocsApi: \`secret\` was rejected. ${says}`);
    const headers = { authorization: "Bearer 0123456789abcdef" };
    for (const request of [
      new Request("http://x/v1/user", { headers }),
      new Request("http://x/v1/orgs", {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: '{"title":"Acme"}',
      }),
      new Request("http://x/v1/orgs/org_kbjrd3qgn57q/sites/sit_kbjrd3qgn57q0000/published"),
    ]) {
      const answer = await api.fetch(request);
      const { error } = await answer.json();
      expect([answer.status, error.reason]).toEqual([503, "wrong_secret"]);
    }
    const ready = await (await api.fetch(new Request("http://x/v1/ready"))).json();
    expect(ready.error.message).toBe("The server is not ready: the secret doesn't match the data.");
    expect(errors.splice(0).map(String)).toEqual([`Error: ${said}`]);
    await expect(api.call("getCurrentUser", {}, { user: "a" })).rejects.toMatchObject({ reason: "wrong_secret" });
    await expect(api.provision({ user: ada })).rejects.toMatchObject({ reason: "wrong_secret" });
    await expect(api.maintain()).rejects.toThrow(says);
    await expect(api.visitor("a.b.c")).rejects.toThrow(says);
    expect(errors).toEqual([]);
    expect(await dump(storage)).toEqual(before);
  });

  test("a wrong secret is reported to onError once, even if no one asked whether the API is ready", async () => {
    const errors: unknown[] = [];
    const api = createDocsApi(storage, { secret: NEW, onError: (error) => errors.push(error) });
    const headers = { authorization: "Bearer 0123456789abcdef" };
    for (let i = 0; i < 3; i++)
      expect((await api.fetch(new Request("http://x/v1/user", { headers }))).status).toBe(503);
    expect(errors.map(String)).toEqual([expect.stringContaining("The data was written with a different secret")]);
  });

  test("no secret is needed where nothing is read: the OpenAPI document and requests without a token", async () => {
    const { api } = await openedWith(storage, NEW);
    expect((await api.fetch(new Request("http://x/v1/user"))).status).toBe(401);
    expect(await api.openapi()).toMatchObject({ openapi: "3.1.0" });
  });

  test("a secret is replaced by passing a list, and an invalid list is rejected", async () => {
    expect((await openedWith(storage, [NEW, OTHER])).says).toContain("a different secret");
    expect((await openedWith(storage, [NEW, OLD])).says).toBeUndefined();
    expect((await openedWith(storage, [OTHER, NEW, OLD])).says).toBeUndefined();
    expect((await openedWith(storage, [OLD, NEW, OTHER])).says).toBeUndefined();
  });

  test("a replaced secret must stay in the list while values may still be encrypted with it", async () => {
    await openedWith(storage, [NEW, OLD]);
    expect((await openedWith(storage, NEW)).says).toContain(
      "still encrypted with an older secret. Pass the list [new, old]",
    );
    expect((await openedWith(storage, OLD)).says).toContain("a different secret");
  });

  test("a lost secret is given up by hand as docs/reference/secrets.md describes", async () => {
    await storage.partition("directory").commit({ checks: [], puts: [], deletes: ["\x03secret\0"], adds: [] });
    expect((await openedWith(storage, NEW)).says).toBeUndefined();
    expect((await openedWith(storage, OLD)).says).toContain("a different secret");
  });

  test("the secret cannot be derived from what is stored", async () => {
    expect(JSON.stringify([...(await dump(storage))])).not.toContain(OLD.slice(0, 8));
  });
});

describe("the digest of the secret", () => {
  const digestIn = async (storage: Storage) => [...(await dump(storage))].filter(([key]) => key.includes("secret"));

  test("no digest is stored if no secret was ever given", async () => {
    const storage = memoryStorage();
    await createDocsApi(storage).provision({ user: ada });
    expect(await digestIn(storage)).toEqual([]);
    expect((await openedWith(storage, OLD)).says).toBeUndefined();
    expect(await digestIn(storage)).toHaveLength(1);
  });

  test("the digest is written the next time data of an older version is opened", async () => {
    const { storage } = await setUp(memoryStorage());
    await forgetSecret(storage);
    expect((await openedWith(storage, OLD)).says).toBeUndefined();
    expect((await openedWith(storage, NEW)).says).toContain("a different secret");
  });

  test("the digest matches exactly one secret when two processes open a new storage with different secrets", async () => {
    const storage = memoryStorage();
    const opened = await Promise.all([OLD, NEW, OTHER].map((secret) => openedWith(storage, secret)));
    expect(opened.filter(({ says }) => says === undefined)).toHaveLength(1);
  });

  test("checking the digest costs one read on the first request and none afterward", async () => {
    const { storage, tokens } = await setUp(memoryStorage());
    const costs = async (prepare: (api: ReturnType<typeof open>["api"]) => Promise<unknown>) => {
      const watched = watch(storage);
      const { api, askWith } = open(watched);
      await prepare(api);
      const before = watched.calls.total;
      await askWith(tokens.admin, "GET /v1/user");
      return watched.calls.total - before;
    };
    expect(await costs(async () => {})).toBe((await costs((api) => api.ready())) + 1);
  });

  test("the digest is checked again after the storage was unavailable", async () => {
    const { storage, tokens } = await setUp(memoryStorage());
    let isDown = true;
    const flaky = through(storage, {
      snapshot: (go) => (isDown ? Promise.reject(new Error("Nobody is there.")) : go()),
    });
    const { api, askWith } = open(flaky, { onError() {} });
    await expect(api.ready()).rejects.toThrow("Nobody is there.");
    isDown = false;
    expect((await askWith(tokens.admin, "GET /v1/user")).status).toBe(200);
  });
});

type Opened = ReturnType<typeof open> & { readonly secrets: readonly string[] };

/** What was made under the old secret, and whether it still works. */
interface Use {
  readonly make: (setting: Setting) => Promise<string>;
  readonly works: (made: string, other: Opened, setting: Setting) => Promise<boolean>;
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const ok = (answer: { readonly status: number }) => answer.status < 300;
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
const keyed = { "idempotency-key": "k" };

async function newSite({ ask, org }: Setting, visibility: string): Promise<string> {
  const at = `/v1/orgs/${org}/sites`;
  const { id } = (await ask("admin", `POST ${at}`, { title: "Docs", visibility })).body;
  await ask("admin", `POST ${at}/${id}/publish`);
  return `${at}/${id}`;
}

async function installed({ ask, org }: Setting): Promise<string> {
  const bot = "/v1/integrations/bot";
  await ask("rival", `POST ${bot}`, { visibility: "public", icon: png, scopes: ["space:content:read"] });
  const { id } = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body;
  return `${bot}/installations/${id}`;
}

/** A purpose whose values are digests that are compared: the rest is the same function for all of them. */
const compared = (purpose: Purpose): Use => ({
  make: async () => toBase64url(createSecrets([OLD], seeded(1)).digest(purpose, "text")),
  works: async (made, { secrets }) => createSecrets(secrets, seeded(1)).isDigest(purpose, "text", made),
});

const uses: Record<Exclude<Purpose, "secret-check">, Use> = {
  cursor: {
    make: async ({ ask, org }) => (await ask("admin", `GET /v1/orgs/${org}/members?limit=1`)).body.next.page,
    works: async (page, { askWith }, { org, tokens }) =>
      ok(await askWith(tokens.admin, `GET /v1/orgs/${org}/members?limit=1&page=${page}`)),
  },
  "visitor-claims": {
    make: async ({ ask, org }) => (await ask("admin", `POST /v1/orgs/${org}/ping`)).body.serviceVisitorClaims,
    works: async (jwt, { api }) => (await api.visitor(jwt)) !== undefined,
  },
  "at-rest": {
    async make(setting) {
      const at = await installed(setting);
      await setting.ask("admin", `PATCH ${at}`, { configuration: { key: "configured" } });
      return at;
    },
    works: async (at, { askWith }, { tokens }) =>
      (await askWith(tokens.admin, `GET ${at}`)).body.configuration?.key === "configured",
  },
  "fresh-code": {
    make: async ({ ask }) => (await ask("admin", "POST /v1/orgs", { title: "Keyed" }, keyed)).body.id,
    works: async (id, { askWith }, { tokens }) =>
      (await askWith(tokens.admin, "POST /v1/orgs", { title: "Keyed" }, keyed)).body.id === id,
  },
  audit: {
    // The setting has written events. None is sealed yet, so each is checked by its own MAC.
    make: async ({ org }) => org,
    works: async (organization, { api }) => (await api.verifyAudit({ organization })).problems.length === 0,
  },
  "saml-request": compared("saml-request"),
  download: compared("download"),
  pdf: {
    async make({ ask, org }) {
      const { id } = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body;
      return pathOf((await ask("admin", `GET /v1/spaces/${id}/pdf`)).body.url);
    },
    works: async (path, { askWith }) => ok(await askWith(null, `GET ${path}`)),
  },
  "integration-asset": {
    async make(setting) {
      await installed(setting);
      return pathOf((await setting.ask("rival", "GET /v1/integrations/bot")).body.urls.icon);
    },
    works: async (path, { askWith }) => ok(await askWith(null, `GET ${path}`)),
  },
  "integration-signing": {
    make: async () => deriveSigningSecret(createSecrets([OLD], seeded(1)), "integration"),
    works: async (made, { secrets }) =>
      deriveSigningSecrets(createSecrets(secrets, seeded(1)), "integration").includes(made),
  },
  "installation-token": {
    async make(setting) {
      const at = await installed(setting);
      return `${at} ${(await setting.ask("rival", `POST ${at}/tokens`)).body.token}`;
    },
    async works(made, { askWith }) {
      const [at, token] = made.split(" ");
      return ok(await askWith(token!, `GET ${at}`));
    },
  },
  "oauth-client": compared("oauth-client"),
  "published-script": compared("published-script"),
  visit: {
    async make(setting) {
      const { id: space } = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body;
      const at = await newSite(setting, "public");
      await setting.ask("admin", `POST ${at}/site-spaces`, { spaceId: space });
      const { urls } = (await setting.ask("admin", `GET ${at}`)).body;
      const { apiToken } = (await setting.ask(null, "POST /v1/urls/published", { url: urls.published })).body;
      return `${space} ${apiToken}`;
    },
    async works(made, { askWith }) {
      const [space, token] = made.split(" ");
      return ok(await askWith(token!, `GET /v1/spaces/${space}/content`));
    },
  },
  "share-key": {
    async make(setting) {
      const at = await newSite(setting, "share-link");
      return `${at}/published?shareKey=${(await setting.ask("admin", `POST ${at}/share-links`, { name: "Press" })).body.key}`;
    },
    works: async (path, { askWith }) => ok(await askWith(null, `GET ${path}`)),
  },
  invite: {
    make: async ({ ask, org }) => (await ask("admin", `POST /v1/orgs/${org}/link-invites`, {})).body.id,
    works: async (id, { askWith }, { org, tokens }) =>
      ok(await askWith(tokens.stranger, `POST /v1/orgs/${org}/invites/${id}`)),
  },
  "sign-in": compared("sign-in"),
  "domain-proof": {
    make: async () =>
      createDomainVerifier(createSecrets([OLD], seeded(1)), undefined, () => {}).getProofRecord("org", "a.example")
        .value,
    works: (published, { secrets }) =>
      createDomainVerifier(
        createSecrets(secrets, seeded(1)),
        ({ token }) => token === published,
        () => {},
      ).isProven({
        organization: "org",
        domain: "a.example",
        kind: "site",
      }),
  },
};

/** Other uses of the key that encrypts. */
const sealed: Record<string, Use> = {
  "the key that signs visitors of a site": {
    async make(setting) {
      const at = await newSite(setting, "visitor-auth");
      const { privateKey } = (await setting.ask("admin", `POST ${at}/publishing/auth/regenerate`)).body;
      const jwt = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setExpirationTime("10y");
      return `${at}/published?visitorToken=${await jwt.sign(new TextEncoder().encode(privateKey))}`;
    },
    works: async (path, { askWith }) => ok(await askWith(null, `GET ${path}`)),
  },
  "the answer for an Idempotency-Key": {
    make: async ({ ask }) => (await ask("admin", "POST /v1/user/tokens", { label: "a" }, keyed)).body.token,
    works: async (token, { askWith }, { tokens }) =>
      (await askWith(tokens.admin, "POST /v1/user/tokens", { label: "a" }, keyed)).body.token === token,
  },
};

describe.each(Object.entries({ ...uses, ...sealed }))("%s", (_, { make, works }) => {
  async function under(secrets: readonly string[]) {
    const setting = await setUp(memoryStorage());
    const made = await make(setting);
    expect(made).toMatch(/./);
    if (!secrets.includes(OLD)) await forgetSecret(setting.storage);
    const other = open(setting.storage, { secret: secrets, random: seeded(2) });
    other.clock.now = setting.clock.now;
    return works(made, { ...other, secrets }, setting);
  }

  test("a value made under the old secret works with both secrets in the list", async () => {
    expect(await under([NEW, OLD])).toBe(true);
  });

  test("a value works before the change when other processes have the list in the other order", async () => {
    expect(await under([OLD, NEW])).toBe(true);
  });

  test("a value made under the old secret is rejected when only the new secret is given", async () => {
    expect(await under([NEW])).toBe(false);
  });
});

test("an idempotency key that created an organization under the old secret creates no second one under both secrets", async () => {
  const { storage, ask, tokens, clock } = await setUp(memoryStorage());
  const { id } = (await ask("stranger", "POST /v1/orgs", { title: "Keyed" }, keyed)).body;
  const other = open(storage, { secret: [NEW, OLD], random: seeded(2) });
  other.clock.now = clock.now;
  const again = await other.askWith(tokens.stranger, "POST /v1/orgs", { title: "Keyed" }, keyed);
  expect([again.body.id, again.headers.get("idempotent-replayed")]).toEqual([id, "true"]);
  const fresh = { "idempotency-key": "another" };
  const first = await other.askWith(tokens.stranger, "POST /v1/orgs", { title: "Fresh" }, fresh);
  expect((await other.askWith(tokens.stranger, "POST /v1/orgs", { title: "Fresh" }, fresh)).body.id).toBe(
    first.body.id,
  );
});

describe("replacing the secret", () => {
  async function rotated(wait: number) {
    const setting = await setUp(memoryStorage());
    const { storage, clock } = setting;
    const config = await uses["at-rest"].make(setting);
    const invite = await uses.invite.make(setting);
    const visitor = await sealed["the key that signs visitors of a site"]!.make(setting);
    const during = open(storage, { secret: [NEW, OLD], random: seeded(2) });
    during.clock.now = clock.now;
    await during.api.ready();
    during.clock.forward(wait);
    await during.api.maintain();
    return { ...setting, storage, config, invite, visitor, now: during.clock.now };
  }

  test("maintain() encrypts everything with the new secret a day after the change, and then the new secret alone is enough", async () => {
    const { now, config, invite, visitor, ...setting } = await rotated(DAY);
    const alone = open(setting.storage, { secret: NEW, random: seeded(3) });
    alone.clock.now = now;
    await alone.api.ready();
    const other = { ...alone, secrets: [NEW] };
    expect(await uses["at-rest"].works(config, other, setting)).toBe(true);
    expect(await sealed["the key that signs visitors of a site"]!.works(visitor, other, setting)).toBe(true);
    expect(await uses.invite.works(invite, other, setting)).toBe(true);
    expect(await uses.audit.works(setting.org, other, setting)).toBe(true);
    const { items } = (await alone.askWith(setting.tokens.admin, `GET /v1/orgs/${setting.org}/link-invites`)).body;
    expect(items).toEqual([expect.objectContaining({ id: invite })]);
    await expect(open(setting.storage, { secret: OLD, onError() {} }).api.ready()).rejects.toThrow(
      "a different secret",
    );
  });

  test("maintain() keeps the old secret until the day is over, because stored responses and signed values still use it", async () => {
    const { storage } = await rotated(DAY - 1);
    await expect(open(storage, { secret: NEW, onError() {} }).api.ready()).rejects.toThrow(
      "still encrypted with an older secret",
    );
  });

  test("maintain() continues where it was interrupted", async () => {
    const setting = await setUp(memoryStorage());
    const { storage, ask, org, clock } = setting;
    const config = await uses["at-rest"].make(setting);
    const invites: string[] = [];
    for (let i = 0; i < 12; i++) invites.push((await ask("admin", `POST /v1/orgs/${org}/link-invites`, {})).body.id);
    let left = Number.POSITIVE_INFINITY;
    const cut = through(storage, {
      async commit(_, go) {
        if (left-- <= 0) throw new Error("Nobody is there.");
        return go();
      },
    });
    const errors: unknown[] = [];
    const during = open(cut, { secret: [NEW, OLD], random: seeded(2), onError: (error) => errors.push(error) });
    during.clock.now = clock.now;
    await during.api.ready();
    during.clock.forward(DAY);
    const alone = () => {
      const opened = open(storage, { secret: NEW, random: seeded(3), onError() {} });
      opened.clock.now = during.clock.now;
      return { ...opened, secrets: [NEW] };
    };
    let interruptions = 0;
    for (left = 4; ; left = 8) {
      errors.length = 0;
      await during.api.maintain();
      if (errors.length === 0) break;
      await expect(alone().api.ready()).rejects.toThrow("still encrypted with an older secret");
      expect(++interruptions).toBeLessThan(20);
    }
    expect(interruptions).toBeGreaterThan(1);
    const other = alone();
    expect(await uses["at-rest"].works(config, other, setting)).toBe(true);
    const { items } = (await other.askWith(setting.tokens.admin, `GET /v1/orgs/${org}/link-invites`)).body;
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual(invites.sort());
    for (const id of invites) expect(await uses.invite.works(id, other, setting)).toBe(true);
  });

  test("maintain() encrypts again the declared fields of record sets and the texts that resources encrypt themselves", async () => {
    type Row = { id: string; open: string; field: string; text: string };
    const rows = defineRecordSet("rotated", {
      key: (row: Row) => [row.id],
      sealed: [{ path: ["field"] }],
      sealedText: { name: "text", context: (row) => `row ${row.id}` },
    });
    const storage = memoryStorage();
    const under = (...list: string[]) => {
      const secrets = createSecrets(list, seeded(1));
      const world = { now: () => new Date(), random: seeded(1), pause: async () => {} };
      return { secrets, store: createStore(createSealedStorage(storage, secrets), world) };
    };
    const old = under(OLD);
    for (let i = 0; i < 25; i++)
      await old.store.write("directory", async (tx) =>
        rows.put(tx, { id: `${i}`, open: "o", field: "f", text: await old.secrets.encrypt("t", `row ${i}`) }),
      );
    await resealPartition(storage, "directory", under(NEW, OLD).secrets);
    const { store, secrets } = under(NEW);
    const view = await store.read("directory");
    for (let i = 0; i < 25; i++) {
      const row = (await rows.get(view, `${i}`))!;
      expect([row.open, row.field, await secrets.decrypt(row.text, `row ${i}`)]).toEqual(["o", "f", "t"]);
    }
    const before = await dump(storage);
    await resealPartition(storage, "directory", under(NEW, OLD).secrets);
    expect(await dump(storage)).toEqual(before);
  });

  test("everything that is encrypted is either encrypted again, expires or is fetched anew", async () => {
    const root = new URL("../../src/", import.meta.url);
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".ts"));
    // In the sandbox scripts encrypt with keys of their own, and nothing is stored.
    const ours = files.filter((name) => !name.startsWith("sandbox"));
    const encrypting = ours.filter((name) => /\.encrypt\(/.test(readFileSync(new URL(name, root), "utf8")));
    expect(encrypting.sort()).toEqual([
      "events/stream-position.ts", // where a stream goes on: a reader who comes later begins anew
      "execution/idempotency.ts", // for a day
      "resources/content/git-sync/operations.ts", // sealedText of git-request
      "resources/content/openapi-specs/process-source.ts", // what a server said: fetched anew
      "resources/integrations/definitions/publish-integration.ts", // sealedText of integration-secrets
      "resources/sites/addresses/preview-site.ts", // in tokens and URLs, for hours
      "resources/sites/audience/signing-key.ts", // sealedText of publishing-auth
      "sign-in/oidc/index.ts", // a cookie, for 15 minutes
      "sign-in/saml/decryption.ts", // with the key of an assertion, and nothing is stored
      "sign-in/saml/sealed-state.ts", // on its way through a browser, for minutes
      "sign-in/saml/start-sign-in.ts", // in a cookie, for minutes
      "storage/sealed-storage.ts", // fields that sets declare
      "storage/secrets.ts",
    ]);
  });

  test("maintain() leaves data with a single secret unchanged", async () => {
    const { storage, api, clock } = await setUp(memoryStorage());
    clock.forward(2 * DAY);
    await api.maintain();
    const before = await dump(storage);
    clock.forward(2 * DAY);
    await api.maintain();
    expect(await dump(storage)).toEqual(before);
  });
});
