// Secrets are not readable in the storage: a copy of the data without the installation's secret gives no access.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { createSetKeys } from "../../src/storage/records";
import { createStore } from "../../src/storage/store";
import { dump, forgetSecret, HOUR, open, type Setting, setUp } from "../support/setting";

const SPEC = JSON.stringify({ openapi: "3.1.0", info: { title: "API", version: "1" }, paths: {} });
const SPEC_URL = "https://specs.example/openapi.json?token=spec-url-secret";
const TUNNEL = "https://tunnel.example/tunnel-path-secret";
const GIT = { url: "https://ada:git-password-secret@git.example/book.git", ref: "refs/heads/main" };

const fetch = (async (input: RequestInfo | URL) => {
  const { hostname } = new URL(String(input instanceof Request ? input.url : input));
  if (hostname === "specs.example") return new Response(SPEC, { headers: { etag: '"1"' } });
  return new Response("", { status: 503 });
}) as typeof globalThis.fetch;

/** Everything that is stored, with the bytes of blobs, as it lies there and as text. */
async function stored({ storage }: Pick<Setting, "storage">): Promise<string> {
  const texts = [...(await dump(storage))].map(([key, value]) => `${key} ${value}`);
  for await (const name of storage.blobs.list()) {
    const blob = await storage.blobs.get(name);
    texts.push(await new Response(blob!.stream).text());
  }
  // Objects may lie there as base64.
  const decoded = texts.flatMap((text) => [...text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)].map(([it]) => atOnce(it)));
  return [...texts, ...decoded].join("\n");
}

function atOnce(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}

/** Gives every kind of secret there is, and says which texts may be found nowhere. */
async function told(setting: Setting): Promise<Record<string, string>> {
  const { ask, org } = setting;
  const sent = async (as: "admin" | "rival", route: string, send?: unknown, headers?: Record<string, string>) => {
    const answer = await ask(as, route, send, headers);
    expect(answer.status, `${route} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const space = (await sent("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).id;
  const link = await sent("admin", `POST /v1/orgs/${org}/link-invites`, {});
  const mail = await sent("admin", `POST /v1/orgs/${org}/invites`, { emails: ["new@example.com"] });
  const token = await sent("admin", "POST /v1/user/tokens", { label: "a" }, { "idempotency-key": "k" });

  const bot = "/v1/integrations/bot";
  await sent("rival", `POST ${bot}`, { visibility: "public", secrets: { KEY: "opens-the-other-side" } });
  await sent("rival", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL, all: true });
  const { id: installation } = await sent("admin", `POST ${bot}/installations`, { organization: org });
  const at = `${bot}/installations/${installation}`;
  for (const key of ["first-configuration-secret", "second-configuration-secret"])
    await sent("admin", `PATCH ${at}`, { configuration: { key } });
  await sent("admin", `POST ${at}/spaces`, { space, configuration: { key: "space-configuration-secret" } });
  await sent("admin", `PATCH ${at}/spaces/${space}`, { configuration: { key: "other-configuration-secret" } });

  await sent("admin", `POST /v1/orgs/${org}/openapi`, { slug: "api", source: { url: SPEC_URL } });
  await sent("admin", `POST /v1/spaces/${space}/git/import`, GIT);
  const { id: site } = await sent("admin", `POST /v1/orgs/${org}/sites`, {
    title: "Site",
    visibility: "share-link",
    spaces: [space],
  });
  const sitePath = `/v1/orgs/${org}/sites/${site}`;
  const share = await sent("admin", `POST ${sitePath}/share-links`, { name: "a" });
  const { privateKey } = await sent("admin", `POST ${sitePath}/publishing/auth/regenerate`);
  return {
    "the id of a link invite": link.id,
    "the id of an invite by e-mail": mail.invites[0].id,
    "an API token": token.token,
    "another API token": setting.tokens.admin,
    "a secret of an integration": "opens-the-other-side",
    "the path of a tunnel": "tunnel-path-secret",
    "a configuration": "second-configuration-secret",
    "a configuration before the last": "first-configuration-secret",
    "a configuration on a space": "space-configuration-secret",
    "another configuration on a space": "other-configuration-secret",
    "the address of a specification": "spec-url-secret",
    "a password of Git": "git-password-secret",
    "a share key": new URL(share.urls?.published ?? `https://x.example/${share.key}`).pathname.split("/").at(-1)!,
    "the key that signs visitors": privateKey,
    "the secret itself": "a secret of more than thirty-two",
  };
}

test("S31: nothing that grants access is found in clear in the storage, whatever was written", async () => {
  const setting = await setUp(memoryStorage(), {
    fetch,
    git: { client: { readRemote: away, pushRemote: away } },
    onError() {},
  });
  const secrets = await told(setting);
  const look = async () => {
    const found = await stored(setting);
    expect(Object.values(secrets).every((it) => typeof it === "string" && it.length > 8)).toBe(true);
    expect(Object.entries(secrets).flatMap(([name, it]) => (found.includes(it) ? [name] : []))).toEqual([]);
    // What is looked at is really what is stored.
    expect(found).toContain("new@example.com");
  };
  await look();
  setting.clock.forward(HOUR);
  await setting.api.maintain();
  await look();
});

async function away(): Promise<never> {
  throw new Error("Nobody is there.");
}

/** Everything is told to one process, and asked for in another. */
async function toldThenOpened(options: { readonly secret?: string } = {}) {
  const setting = await setUp(memoryStorage(), {
    fetch,
    git: { client: { readRemote: away, pushRemote: away } },
    onError() {},
  });
  await told(setting);
  if (options.secret !== undefined) await forgetSecret(setting.storage);
  const other = open(setting.storage, { fetch, ...options });
  other.clock.now = setting.clock.now;
  const ask = (route: string) => other.askWith(setting.tokens.admin, route);
  return { setting, org: setting.org, ask };
}

test("encrypted values read back as given, in another process with the same secret too", async () => {
  const { org, ask } = await toldThenOpened();
  const [{ installation: installed }] = (await ask(`GET /v1/orgs/${org}/installations`)).body.items;
  expect(installed.configuration).toEqual({ key: "second-configuration-secret" });
  const [onSpace] = (await ask(`GET /v1/integrations/bot/installations/${installed.id}/spaces`)).body.items;
  expect(onSpace.configuration).toEqual({ key: "other-configuration-secret" });
  expect((await ask(`GET /v1/orgs/${org}/openapi/api`)).body.sourceURL).toBe(SPEC_URL);
  const [link] = (await ask(`GET /v1/orgs/${org}/link-invites`)).body.items;
  expect((await ask(`GET /v1/orgs/${org}/link-invites/${link.id}`)).body).toEqual(link);
});

test("with another secret, encrypted values are treated as missing, and nothing fails", async () => {
  const { org, ask } = await toldThenOpened({ secret: "another secret of more than thirty-two characters" });
  const [{ installation: installed }] = (await ask(`GET /v1/orgs/${org}/installations`)).body.items;
  expect(installed.configuration).toEqual({});
  expect((await ask(`GET /v1/orgs/${org}/openapi/api`)).status).toBe(200);
  expect((await ask(`GET /v1/orgs/${org}/link-invites`)).status).toBe(200);
});

test("values stored before encryption are readable and are encrypted with the next write", async () => {
  const setting = await setUp(memoryStorage());
  const { ask, org, storage, clock } = setting;
  const plain = createStore(storage, { now: () => clock.now, random: (n) => new Uint8Array(n), pause: async () => {} });
  let home = "";
  for await (const name of storage.partitions()) if (name.includes(org.split("_")[1]!)) home = name;
  const id = `inv_${org.split("_")[1]}0123456789abcdef`;
  const invite = {
    id,
    email: null,
    role: "read",
    sso: false,
    createdAt: clock.now.toISOString(),
    createdBy: setting.ids.admin,
    expiresAt: null,
    acceptedBy: null,
  };
  // As it was once: an invite under its id, in clear.
  const { recordKey, indexKey, totalKey } = createSetKeys("invite");
  await plain.write(home, async (tx) => {
    tx.put(recordKey([id]), invite);
    tx.put(indexKey("links", [invite.createdAt, id]), [id]);
    tx.put(totalKey("links", []), 1);
  });
  expect(await stored(setting)).toContain(id);
  expect((await ask("admin", `GET /v1/orgs/${org}/link-invites/${id}`)).body).toMatchObject({ id, role: "read" });
  expect((await ask("admin", `PATCH /v1/orgs/${org}/link-invites/${id}`, { role: "comment" })).status).toBe(200);
  expect(await stored(setting)).not.toContain(id);
  expect((await ask("admin", `GET /v1/orgs/${org}/link-invites`)).body).toMatchObject({
    items: [{ id, role: "comment" }],
    count: 1,
  });
  expect((await ask("stranger", `POST /v1/orgs/${org}/invites/${id}`)).body).toMatchObject({ role: "comment" });
  expect((await ask("admin", `DELETE /v1/orgs/${org}/link-invites/${id}`)).status).toBe(204);
  expect((await ask("admin", `GET /v1/orgs/${org}/link-invites`)).body).toMatchObject({ items: [], count: 0 });
});
