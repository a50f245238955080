// The public endpoint: what goes on to an integration, and what comes back.

import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test } from "vitest";
import { type Setting, setUp } from "../../support/setting";
import { installAtHome } from "./installed";
import { answers, createReceiver, isAway, type Receiver } from "./receiver";

const bot = "/v1/integrations/bot";
const at = `http://test.invalid${bot}/public`;
let receiver: Receiver;
let setting: Setting;
let installation: string;

beforeEach(async () => {
  receiver = createReceiver();
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch });
  const one = await installAtHome(setting, "bot", { secrets: { KEY: "very-secret" } });
  installation = one.split("/").at(-1)!;
});

test("a request is passed on unchanged except for what was meant for the API", async () => {
  const body = Uint8Array.from([0, 255, 1, 254]);
  const sent = new Request(`${at}/${installation}/hooks/a?b=c&d=%20e`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${setting.tokens.read}`,
      cookie: "session=1",
      "x-forwarded-for": "10.0.0.1",
      "x-hub-signature-256": "sha256=abc",
      "content-type": "application/octet-stream",
    },
    body,
  });
  expect((await setting.api.fetch(sent)).status).toBe(200);
  const { event, environment, body: passed } = receiver.taken.at(-1)!;
  expect(event).toMatchObject({
    type: "fetch",
    installationId: installation,
    request: {
      method: "POST",
      url: `http://localhost:3000${bot}/public/${installation}/hooks/a?b=c&d=%20e`,
      headers: { "x-hub-signature-256": "sha256=abc", "content-type": "application/octet-stream" },
    },
    auth: { userId: setting.ids.read },
  });
  for (const name of ["authorization", "cookie", "x-forwarded-for"])
    expect(event.request.headers[name]).toBeUndefined();
  expect(passed).toEqual(body);
  expect(environment.installation.id).toBe(installation);
});

test("GET and HEAD requests are passed on without a body", async () => {
  for (const method of ["GET", "HEAD"]) {
    await setting.api.fetch(new Request(`${at}/integration`, { method }));
    expect(receiver.taken.at(-1)!.event.request.method).toBe(method);
    expect(receiver.taken.at(-1)!.body).toBeUndefined();
  }
  await setting.api.fetch(new Request(`${at}/integration`, { method: "POST" }));
  expect(receiver.taken.at(-1)!.body).toEqual(new Uint8Array());
});

test("an anonymous request is passed on without a user", async () => {
  await setting.api.fetch(new Request(`${at}/integration`));
  const { event, environment } = receiver.taken.at(-1)!;
  expect(event.auth).toBeUndefined();
  expect(environment.installation).toBeUndefined();
});

test("a response is returned without headers that would act on this origin", async () => {
  receiver.behave = answers(201, "<script>alert(1)</script>", {
    "content-type": "text/html",
    "set-cookie": "session=stolen",
    "access-control-allow-origin": "*",
    "strict-transport-security": "max-age=1",
    "clear-site-data": '"*"',
    "service-worker-allowed": "/",
    "content-security-policy": "default-src *",
    "x-frame-options": "ALLOWALL",
    "x-mine": "yes",
  });
  const { status, headers } = await setting.api.fetch(new Request(`${at}/integration`));
  expect(status).toBe(201);
  expect(headers.get("content-type")).toBe("text/html");
  expect(headers.get("x-mine")).toBe("yes");
  expect(headers.get("content-security-policy")).toMatch(/^sandbox (?!.*allow-same-origin)/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  for (const name of [
    "set-cookie",
    "access-control-allow-origin",
    "strict-transport-security",
    "clear-site-data",
    "service-worker-allowed",
    "x-frame-options",
  ])
    expect(headers.get(name), name).toBeNull();
});

test("a response may redirect, but not to an address that runs", async () => {
  receiver.behave = answers(302, "", { location: "https://login.example/?state=1" });
  const sent = await setting.api.fetch(new Request(`${at}/integration/login`));
  expect([sent.status, sent.headers.get("location")]).toEqual([302, "https://login.example/?state=1"]);
  for (const location of ["javascript:alert(1)", "//evil.example", "/\\evil.example"]) {
    receiver.behave = answers(302, "", { location });
    expect((await setting.api.fetch(new Request(`${at}/integration`))).headers.get("location")).toBeNull();
  }
});

test("a response without a body and a missing response are reported correctly", async () => {
  receiver.behave = answers(204);
  expect((await setting.api.fetch(new Request(`${at}/integration`, { method: "DELETE" }))).status).toBe(204);
  receiver.behave = isAway;
  const failed = await setting.api.fetch(new Request(`${at}/integration`));
  expect([failed.status, (await failed.json()).error.reason]).toEqual([502, "integration_failed"]);
});

test("a paused, removed or foreign installation is not called", async () => {
  const { ask, org } = setting;
  const call = async (path: string) => (await setting.api.fetch(new Request(`${at}/${path}`))).status;
  await ask("admin", "POST /v1/integrations/other", {});
  const other = (await ask("admin", "POST /v1/integrations/other/installations", { organization: org })).body.id;
  expect(await call(other)).toBe(404);
  await ask("admin", `PATCH ${bot}/installations/${installation}`, { status: "paused" });
  expect(await call(installation)).toBe(404);
  await ask("admin", `DELETE ${bot}/installations/${installation}`);
  expect(await call(installation)).toBe(404);
});
