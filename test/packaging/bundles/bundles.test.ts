// Integrations as a bundler emits them, published and run: each has its event, from the API through the sandbox and back.

import { createHmac, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { strToU8, zipSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { showSpace } from "../../resources/integrations/installed";
import { type Setting, setUp } from "../../support/setting";

// Bundles an integration as the tools of integrations do: one ES module, with everything in it, in the forms that such
// tools are set to.

/** Each is bundled in another form; the others in the plain one. */
const forms: Readonly<Record<string, BuildOptions>> = {
  oauth: { minify: true },
  "git-app": { minify: true, sourcemap: "inline" },
  webhook: { keepNames: true },
  block: { minify: true, keepNames: true },
  source: { target: "es2017" },
  bus: { target: "es2020", minify: true },
  report: { minify: true, define: { global: "globalThis" } },
};

const built = new Map<string, Promise<string>>();

/** The text of a bundle, by the name of its source. */
function builtBundle(name: string): Promise<string> {
  const known = built.get(name) ?? bundle(name);
  built.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./sources/${name}.js`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["worker", "browser"],
    ...forms[name],
  });
  return outputFiles![0]!.text;
}

/** What the tools of integrations send beside the script. */
const manifest = {
  runtime: "v2",
  title: "Bundle",
  description: "An integration as a bundler emits it.",
  summary: "# Overview\n\nWhat it does.",
  visibility: "private",
  target: "all",
  categories: ["other"],
  externalLinks: [{ label: "Documentation", url: "https://docs.example/" }],
  contentSecurityPolicy: "default-src 'none';\n  script-src 'self';\n",
  configurations: {},
};

let setting: Setting;
/** What other hosts answer, and what they were sent. */
let others: Record<string, (request: Request) => Response | Promise<Response>>;
let sent: Request[];

beforeEach(async () => {
  others = {};
  sent = [];
  const fetch = (async (input: string, init?: RequestInit) => {
    const request = new Request(input, init);
    if (request.url.startsWith("http://localhost:3000/")) return setting.api.fetch(request);
    sent.push(request.clone());
    const answer = others[new URL(request.url).hostname];
    return answer ? answer(request) : new Response("", { status: 404 });
  }) as typeof globalThis.fetch;
  setting = await setUp(memoryStorage(), { fetch });
});

/** Publishes a bundle and installs it: the path of the installation. */
async function installed(name: string, more: object = {}): Promise<string> {
  const script = await builtBundle(name);
  const at = `/v1/integrations/${name}`;
  const { ask, org } = setting;
  const published = await ask("admin", `POST ${at}`, { ...manifest, organization: org, script, ...more });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  expect(published.body).toMatchObject({ version: 1, contentSecurityPolicy: "default-src 'none'; script-src 'self';" });
  return `${at}/installations/${(await ask("admin", `POST ${at}/installations`, { organization: org })).body.id}`;
}

const idOf = (installation: string) => installation.split("/").at(-1)!;

/** A request to the public endpoint of an installation. */
function call(installation: string, path = "", init: RequestInit = {}): Promise<Response> {
  const name = installation.split("/")[3];
  const url = `http://localhost:3000/v1/integrations/${name}/public/${idOf(installation)}${path}`;
  return setting.api.fetch(new Request(url, { redirect: "manual", ...init }));
}

/** The newest event of a type, with its trace. */
async function traced(name: string, type: string) {
  const at = `/v1/integrations/${name}/events`;
  await setting.api.maintain();
  const { items } = (await setting.ask("admin", `GET ${at}`)).body;
  const found = items.find((it: { payload: { type: string } }) => it.payload.type === type);
  return (await setting.ask("admin", `GET ${at}/${found.id}`)).body as {
    event: { status: string };
    trace: { logs: { message: string }[] };
  };
}

test("an OAuth flow with an AES-GCM encrypted state ends in the configuration of the installation", async () => {
  const secrets = { CLIENT_ID: "client", CLIENT_SECRET: "very-secret" };
  const one = await installed("oauth", {
    secrets,
    configurations: { account: { properties: { token: { type: "string" } }, required: ["token"] } },
  });
  const first = await call(one, "/login");
  expect(first.status).toBe(302);
  const to = new URL(first.headers.get("location")!);
  expect(to.searchParams.get("client_id")).toBe("client");
  expect(to.searchParams.get("state")).not.toContain("very-secret");
  others["login.example"] = () => Response.json({ access_token: "granted" });
  const query = new URLSearchParams({ code: "c", state: to.searchParams.get("state")! });
  expect(await (await call(one, `/login?${query}`)).text()).toBe("<p>Saved: 200</p>");
  expect(await sent.at(-1)!.text()).toBe("code=c&client_secret=very-secret");
  expect((await setting.ask("admin", `GET ${one}`)).body).toMatchObject({
    status: "active",
    configuration: { token: "granted" },
    externalIds: ["granted"],
  });
  const forged = new URLSearchParams({ code: "c", state: `${to.searchParams.get("state")}x` });
  expect((await call(one, `/login?${forged}`)).status).toBe(400);
});

test("an integration signs a JWT with RSA", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  others["git.example"] = () => Response.json([{}, {}]);
  await installed("git-app", { secrets: { PRIVATE_KEY: pem, APP_ID: "7" } });
  const { event, trace } = await traced("git-app", "installation_setup");
  expect(event.status).toBe("success");
  expect(trace.logs[0]!.message).toMatch(/^2 installations for ins_/);
  const { headers } = sent.at(-1)!;
  expect(headers.get("user-agent")).toBe("Octavo");
  const [head, claims, signature] = headers.get("authorization")!.replace("Bearer ", "").split(".");
  const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
  const data = Buffer.from(`${head}.${claims}`);
  expect(verify("RSA-SHA256", data, key, Buffer.from(signature!, "base64url"))).toBe(true);
  expect(JSON.parse(Buffer.from(claims!, "base64url").toString())).toMatchObject({ iss: "7" });
});

test("a webhook is accepted when its HMAC is correct", async () => {
  const one = await installed("webhook", { secrets: { HOOK: "key" } });
  const body = JSON.stringify({ action: "opened", number: 5 });
  const header = `sha256=${createHmac("sha256", "key").update(body).digest("hex")}`;
  const taken = await call(one, "/hook", { method: "POST", body, headers: { "x-hub-signature-256": header } });
  expect([taken.status, await taken.json()]).toEqual([202, { taken: "opened 5" }]);
  setting.clock.forward(1000);
  const wrong = await call(one, "/hook", {
    method: "POST",
    body: `${body} `,
    headers: { "x-hub-signature-256": header },
  });
  expect(wrong.status).toBe(401);
  expect((await traced("webhook", "fetch")).trace.logs[0]!.message).toMatch(
    /^HttpError: The signature is wrong\n +at /,
  );
  const read = await call(one, "/hook");
  expect([read.status, await read.text()]).toEqual([405, "null"]);
});

test("an integration renders a block, handles its actions, rejects invalid input and completes", async () => {
  const { ask, org } = setting;
  const one = await installed("block", { blocks: [{ id: "counter", title: "Counter", urlUnfurl: [] }] });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  await ask("admin", `POST ${one}/spaces`, { spaceId: space });
  const context = { type: "document", spaceId: space, editable: true, theme: "light" };
  const render = (more: object) =>
    ask("admin", "POST /v1/integrations/block/render", { componentId: "counter", props: {}, context, ...more });
  const first = await render({});
  expect([first.status, first.body.state]).toEqual([200, { count: 0 }]);
  const next = await render({ state: { count: 1500 }, action: { action: "add", by: 1000 } });
  expect(JSON.stringify(next.body.element)).toContain("2,500 times");
  const renamed = await render({ state: { count: 1 }, action: { action: "rename", title: "New" } });
  expect(renamed.body.props).toEqual({ title: "New" });
  expect((await render({ action: { action: "rename" } })).status).toBe(422);
  expect((await render({ action: { action: "none" } })).status).toBe(400);
  expect((await render({ componentId: "none" })).status).toBe(404);
  const done = await render({ state: { count: 3 }, action: { action: "done" } });
  expect(done.body).toMatchObject({ type: "complete", returnValue: { count: 3 } });
});

test("a content source returns pages whose text is computed when they are read", async () => {
  const { ask, org } = setting;
  const summary =
    "# Table of contents\n\n* [Welcome](README.md)\n* ```yaml\n  type: integration:source:items\n  props:\n    tone: kindly\n  ```\n";
  const book = zipSync({ "SUMMARY.md": strToU8(summary), "README.md": strToU8("# Welcome\n") });
  others["x.example"] = () => new Response(book as BodyInit);
  const one = await installed("source", { contentSources: [{ id: "items", title: "Items" }] });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  await ask("admin", `POST /v1/spaces/${space}/content/import`, { url: "https://x.example/b.zip", source: "zip" });
  await ask("admin", `POST ${one}/spaces`, { spaceId: space });
  const { body } = await ask("read", `GET /v1/spaces/${space}/content/path/items/second-item`);
  expect(body).toMatchObject({ title: "Second item", type: "document" });
  expect(body.markdown).toContain("Written on February 1, 2026, kindly.");
});

test("a site script of an integration is what visitors load", async () => {
  const { ask } = setting;
  const one = await installed("site-script", {
    scopes: ["site:script:inject"],
    configurations: { account: { properties: { id: { type: "string" } }, required: ["id"] } },
  });
  const { at, site } = await showSpace(setting, { visibility: "public" });
  await ask("admin", `PATCH ${one}`, { configuration: { id: "T-1" } });
  expect((await ask("admin", `POST ${one}/sites`, { siteId: site })).status).toBe(201);
  const [listed] = (await ask(null, `GET ${at}/published`)).body.scripts;
  const { pathname, search } = new URL(listed.script);
  expect((await ask(null, `GET ${pathname}${search}`)).body).toBe(
    '(function (id) { window.tracker = { id: id }; })("T-1");',
  );
});

test("visitors are redirected to a login with a state that is signed for the site", async () => {
  const { ask } = setting;
  const one = await installed("visitors", { scopes: ["site:visitor:auth"] });
  const { at, site } = await showSpace(setting, { visibility: "visitor-auth" });
  await ask("admin", `POST ${one}/sites`, { siteId: site });
  await ask("admin", `PATCH ${at}/publishing/auth`, { backend: "integration", integration: "visitors" });
  const { status, headers } = await setting.api.fetch(
    new Request(`http://localhost:3000${at}/login?location=/one`, { redirect: "manual" }),
  );
  expect(status).toBe(302);
  const [state, signature] = new URL(headers.get("location")!).searchParams.get("state")!.split(".");
  expect(JSON.parse(Buffer.from(state!, "base64url").toString())).toMatchObject({ siteId: site });
  expect(Buffer.from(signature!, "base64url")).toHaveLength(64);
});

test("classes that publish events to each other are notified of a change and call the API", async () => {
  const { ask, org } = setting;
  const one = await installed("bus", { scopes: ["space:content:read", "space:metadata:read"] });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  await ask("admin", `POST ${one}/spaces`, { spaceId: space });
  const changes = [{ operation: "insert_page", title: "New", document: { markdown: "Hello." } }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const { event, trace } = await traced("bus", "space_content_updated");
  expect(event.status).toBe("success");
  expect(trace.logs.map(({ message }) => message).sort()).toEqual(
    ["waiting: 1", "AbortError Enough", " 200", "/content/pages 200", "drained true"].sort(),
  );
});

test("a response body can be a stream derived from another stream", async () => {
  const pieces = ["data: on", "e\nid: 1\nda", "ta: zwei ü", "\n"].map((piece) => new TextEncoder().encode(piece));
  others["model.example"] = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      }),
    );
  const one = await installed("stream");
  expect(await (await call(one)).text()).toBe("ONE\nZWEI Ü\n2 lines");
});

describe("a CommonJS library", () => {
  test("a CommonJS library finds an environment without Node names and formats numbers and dates", async () => {
    const one = await installed("report");
    expect(await (await call(one)).json()).toEqual([
      "Views",
      "all: 1,234,567.9",
      "Jan 1, 1970",
      ["a", "b", "C"],
      { isDevelopment: false, isNode: false, agent: "Octavo" },
    ]);
  });

  test("an error in a CommonJS library reports where it happened", async () => {
    const one = await installed("report");
    expect((await call(one, "?fail=1")).status).toBe(500);
    const { trace } = await traced("report", "fetch");
    expect(trace.logs[0]!.message).toMatch(/^TypeError: cannot read property 'member' of undefined\n +at /);
  });
});

test("every source in this folder is bundled", async () => {
  const { readdir } = await import("node:fs/promises");
  const files = await readdir(fileURLToPath(new URL("./sources/", import.meta.url)));
  const names = files
    .map((file) => file.replace(/\.\w+$/, ""))
    .filter((name) => name !== "runtime" && name !== "common");
  expect(names).toHaveLength(10);
  for (const name of names) expect(await builtBundle(name), name).toMatch(/export\s*\{[^}]*\bdefault\b|export default/);
});
