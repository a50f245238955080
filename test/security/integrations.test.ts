// What went wrong with integrations elsewhere, and what holds here.

import LZString from "lz-string";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { createReceiver, isAway, type Receiver, TUNNEL, takes } from "../resources/integrations/receiver";
import { dump, HOUR, MINUTE, open, type Setting, setUp } from "../support/setting";

const bot = "/v1/integrations/bot";
let receiver: Receiver;
let setting: Setting;
let installation: string;
let space: string;
let one: string;

beforeEach(async () => {
  receiver = createReceiver();
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch, onError: () => {} });
  const { ask, org, otherOrg } = setting;
  await ask("rival", `POST ${bot}`, {
    organization: otherOrg,
    visibility: "public",
    scopes: ["space:content:read"],
    secrets: { KEY: "very-secret" },
  });
  await ask("rival", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL, all: true });
  installation = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body.id;
  one = `${bot}/installations/${installation}`;
  space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  await ask("admin", `POST ${one}/spaces`, { space });
});

const write = () => {
  // Events are listed by their time.
  setting.clock.forward(1);
  return setting.ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }],
  });
};
const tokenOf = (kind: "installation" | "integration") => receiver.taken.at(-1)!.environment.apiTokens[kind] as string;
const askWith = (token: string, route: string, send?: unknown) =>
  setting.ask(null, route, send, { authorization: `Bearer ${token}` });

describe("S3: redirects of webhooks", () => {
  test("S3: a webhook redirect is an error and is not followed", async () => {
    receiver.behave = () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } });
    const before = receiver.tried.length;
    setting.clock.forward(1000);
    await write();
    expect(receiver.tried.slice(before).map(({ url, init }) => [url, init.redirect])).toEqual([
      [`${TUNNEL}/v1`, "manual"],
    ]);
    const [event] = (await setting.ask("rival", `GET ${bot}/events`)).body.items;
    expect(event.attempts[0].error).toMatch(/redirect/);
  });

  test("S3: a tunnel accepts only http and https, without a password", async () => {
    for (const tunnelUrl of ["file:///etc/passwd", "ftp://a.example", "https://me:pw@a.example", "//a.example", "x"])
      expect((await setting.ask("rival", `PUT ${bot}/dev`, { tunnelUrl })).status).toBe(400);
  });

  test("S3: a server without a guarded fetch reaches no tunnel", async () => {
    const { askWith } = open(setting.storage);
    const answer = await askWith(setting.tokens.rival, `PUT ${bot}/dev`, { tunnelUrl: TUNNEL });
    expect(answer.body.error.reason).toBe("no_outbound_fetch");
  });
});

describe("S19: a request with two ids of which only one is authorized", () => {
  test("S19: an installation is reachable only under its own integration, and cannot include other organizations' spaces", async () => {
    const { ask, org, otherOrg } = setting;
    await ask("admin", "POST /v1/integrations/mine", { organization: org });
    expect((await ask("admin", `GET /v1/integrations/mine/installations/${installation}`)).status).toBe(404);
    const theirs = (await ask("rival", `POST /v1/orgs/${otherOrg}/spaces`, { title: "Theirs" })).body.id;
    expect((await ask("admin", `POST ${one}/spaces`, { space: theirs })).status).toBe(400);
    expect((await ask("rival", `POST ${one}/spaces`, { space: theirs })).status).toBe(400);
    expect((await ask("rival", `POST ${bot}/installations`, { organization: org })).status).toBe(400);
    const shown = { componentId: "c", props: {}, context: { type: "document", spaceId: space } };
    expect((await ask("rival", `POST ${bot}/render`, shown)).status).toBe(404);
  });
});

describe("S21: hidden resources in event lists", () => {
  test("S21: events about a space that the integration can no longer reach are neither shown nor counted", async () => {
    await write();
    const list = async () => (await setting.ask("rival", `GET ${bot}/events`)).body;
    const before = await list();
    expect(JSON.stringify(before)).toContain(space);
    const about = before.items.find((it: { payload: { spaceId?: string } }) => it.payload.spaceId === space);
    expect((await setting.ask("rival", `GET ${bot}/events/${about.id}`)).status).toBe(200);
    await setting.ask("admin", `DELETE /v1/spaces/${space}`);
    const after = await list();
    expect(JSON.stringify(after)).not.toContain(space);
    expect(after.count).toBe(after.items.length);
    expect((await setting.ask("rival", `GET ${bot}/events/${about.id}`)).status).toBe(404);
  });

  test("S21: events are visible only to the developers of the integration", async () => {
    for (const person of ["admin", "stranger", "guest"] as const)
      expect((await setting.ask(person, `GET ${bot}/events`)).status).toBe(403);
  });

  test("S21: an installation on one space gets no events of another", async () => {
    const { ask, org } = setting;
    const other = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Closed" })).body.id;
    await ask("admin", `POST /v1/spaces/${other}/content`, {
      changes: [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }],
    });
    expect(receiver.tried.map(({ event }) => JSON.stringify(event)).join()).not.toContain(other);
  });
});

describe("S30: errors that reveal existence", () => {
  test("S30: another organization's private integration looks missing when it is read, installed or rendered", async () => {
    const { ask, org, otherOrg } = setting;
    await ask("rival", "POST /v1/integrations/hidden", { organization: otherOrg });
    const shown = { componentId: "c", props: {}, context: { type: "document", spaceId: space } };
    const asked: [string, unknown][] = [
      ["GET /v1/integrations/NAME", undefined],
      ["POST /v1/integrations/NAME/installations", { organization: org }],
      ["POST /v1/integrations/NAME/render", shown],
      ["GET /v1/integrations/NAME/installations", undefined],
      ["GET /v1/integrations/NAME/events", undefined],
      ["DELETE /v1/integrations/NAME", undefined],
      [
        `GET /v1/integrations/NAME/render?request=${LZString.compressToEncodedURIComponent(JSON.stringify(shown))}`,
        undefined,
      ],
    ];
    for (const [route, send] of asked) {
      const hidden = await ask("admin", route.replace("NAME", "hidden"), send);
      const absent = await ask("admin", route.replace("NAME", "absent"), send);
      if (hidden.body?.error) hidden.body.error.requestId = absent.body.error.requestId;
      expect([hidden.status, hidden.body], route).toEqual([absent.status, absent.body]);
      expect([404, 204]).toContain(hidden.status);
    }
    expect((await ask("rival", "GET /v1/integrations/hidden")).status).toBe(200);
  });
});

describe("S31: secrets in errors, logs and storage", () => {
  test("S31: no secret of an integration and no URL password is in the storage or in responses", async () => {
    receiver.behave = isAway;
    await write();
    receiver.behave = () => new Response("very-secret", { status: 500 });
    setting.clock.forward(MINUTE);
    await setting.api.maintain();
    const stored = [...(await dump(setting.storage)).values()].join("\n");
    expect(stored).not.toMatch(/very-secret|hunter2|octavo_app_/);
    const told = JSON.stringify((await setting.ask("rival", `GET ${bot}/events`)).body);
    expect(told).not.toMatch(/very-secret|hunter2|octavo_app_/);
  });

  test("S31: the log of a script is stored without the secrets it was given", async () => {
    const { askWith } = open(setting.storage, { now: () => setting.clock.now });
    const script = `export default { async fetch(request, env) {
      console.log(JSON.stringify(env), "https://me:hun" + "ter2@a.example/x");
      throw new Error(JSON.stringify(env.secrets));
    } }`;
    const ask = (route: string, send?: unknown) => askWith(setting.tokens.rival, route, send);
    await ask(`DELETE ${bot}/dev`);
    await ask(`POST ${bot}`, { script });
    setting.clock.forward(1000);
    await askWith(setting.tokens.admin, `PATCH ${one}`, { externalIds: ["x"] });
    const [event] = (await ask(`GET ${bot}/events`)).body.items;
    const traced = await ask(`GET ${bot}/events/${event.id}`);
    expect(traced.body.trace.logs).toMatchObject([{ level: "info", message: expect.stringContaining("•••") }]);
    const told = JSON.stringify(traced.body) + [...(await dump(setting.storage)).values()].join("\n");
    expect(told).not.toMatch(/very-secret|hunter2|octavo_app_/);
  });
});

describe("S32: access after the installation ends", () => {
  test("S32: an installation token ends after its hour, and when the installation is paused or removed or the space purged", async () => {
    const token = tokenOf("installation");
    const read = () => askWith(token, `GET /v1/spaces/${space}`);
    expect((await read()).status).toBe(200);
    expect((await askWith(token, `GET ${one}`)).body.configuration).toEqual({});
    await setting.ask("admin", `PATCH ${one}`, { status: "paused" });
    expect((await read()).status).toBe(401);
    await setting.ask("admin", `PATCH ${one}`, { status: "active" });
    expect((await read()).status).toBe(200);
    await setting.ask("admin", `DELETE ${one}/spaces/${space}`);
    expect((await read()).status).toBe(404);
    await setting.ask("admin", `POST ${one}/spaces`, { space });
    expect((await read()).status).toBe(200);
    await setting.ask("admin", `DELETE ${one}`);
    expect((await read()).status).toBe(401);
  });

  test("S32: a token ends after an hour and with its integration", async () => {
    const token = tokenOf("installation");
    const own = tokenOf("integration");
    expect((await askWith(own, `GET ${bot}/installations`)).body.count).toBe(1);
    setting.clock.forward(HOUR);
    expect((await askWith(token, `GET ${one}`)).status).toBe(401);
    const fresh = (await setting.ask("rival", `POST ${one}/tokens`)).body.token;
    expect((await askWith(fresh, `GET ${one}`)).status).toBe(200);
    await setting.ask("rival", `DELETE ${bot}`);
    expect((await askWith(fresh, `GET ${one}`)).status).toBe(401);
    expect((await askWith(own, `GET ${bot}/installations`)).status).toBe(401);
  });

  test("S32: queued deliveries are not sent after the installation is removed", async () => {
    receiver.behave = isAway;
    await write();
    await setting.ask("admin", `DELETE ${one}`);
    receiver.behave = takes;
    const before = receiver.taken.length;
    for (let i = 0; i < 5; i++) {
      setting.clock.forward(MINUTE);
      await setting.api.maintain();
    }
    expect(receiver.taken.slice(before).map(({ event }) => event.type)).toEqual(["installation_deleted"]);
  });
});

describe("S28: tokens for another audience", () => {
  test("S28: an installation token works only within its scopes and its organization", async () => {
    const { org, otherOrg } = setting;
    const token = tokenOf("installation");
    for (const route of [
      "GET /v1/user",
      "GET /v1/user/tokens",
      "GET /v1/orgs",
      `GET /v1/orgs/${org}`,
      `GET /v1/orgs/${org}/members`,
      `GET /v1/spaces/${space}/permissions/users`,
    ])
      expect((await askWith(token, route)).body.error.reason, route).toBe("scope_missing");
    const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
    const written = await askWith(token, `POST /v1/spaces/${space}/content`, { changes });
    expect(written.body.error.reason).toBe("scope_missing");
    const theirs = (await setting.ask("rival", `POST /v1/orgs/${otherOrg}/spaces`, { title: "Theirs" })).body.id;
    expect((await askWith(token, `GET /v1/spaces/${theirs}`)).status).toBe(404);
    expect((await askWith(token, `DELETE ${one}`)).status).toBe(403);
    expect((await askWith(token, `POST ${bot}`, {})).status).toBe(409);
    expect((await askWith(token, `PUT ${bot}/dev`, { tunnelUrl: TUNNEL })).status).toBe(403);
  });

  test("S28: an installation token with a write scope writes in the spaces it is on", async () => {
    const scopes = ["space:content:write", "space:content:read"];
    await setting.ask("rival", `POST ${bot}`, { scopes });
    await setting.ask("admin", `PATCH ${one}`, { scopes });
    const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
    const token = tokenOf("installation");
    expect((await askWith(token, `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
    const made = await askWith(token, `POST /v1/spaces/${space}/change-requests`, { subject: "From a bot" });
    expect(made.status).toBe(201);
    expect((await askWith(token, `POST /v1/spaces/${space}/change-requests/${made.body.id}/merge`)).status).toBe(403);
    expect((await setting.ask("admin", `GET /v1/spaces/${space}/revisions`)).status).toBe(200);
    const seen = await setting.ask("admin", `GET /v1/spaces/${space}/change-requests/${made.body.id}`);
    expect(seen.body).toMatchObject({ subject: "From a bot" });
  });

  test("S28: a forged token, or one signed for another purpose, is invalid", async () => {
    const token = tokenOf("installation");
    const [head, signature] = token.split(".") as [string, string];
    const other = tokenOf("integration").split(".")[1]!;
    for (const forged of [`${head}.${other}`, `${head}.`, head, `${head}x.${signature}`, `${token}.x`, "octavo_app_."])
      expect((await askWith(forged, `GET ${one}`)).status, forged).toBe(401);
  });
});

describe("S40: small requests that expand", () => {
  test("S40: a compressed request is rejected as soon as it exceeds the limit", async () => {
    const bomb = LZString.compressToEncodedURIComponent(JSON.stringify({ componentId: "x".repeat(400_000) }));
    expect(bomb.length).toBeLessThan(4000);
    const answer = await setting.ask("admin", `GET ${bot}/render?request=${bomb}`);
    expect([answer.status, answer.body.error.issues[0].path]).toEqual([400, "query.request"]);
  });

  test("S40: configurations, tasks and definitions have limits", async () => {
    const large = "x".repeat(20_000);
    expect((await setting.ask("admin", `PATCH ${one}`, { configuration: { large } })).status).toBe(400);
    expect((await setting.ask("rival", `POST ${one}/tasks`, { task: { type: "t", large } })).status).toBe(400);
  });
});

describe("S41: filters on hidden data", () => {
  test("S41: no filter of any list matches a secret, a script or a configuration", async () => {
    await setting.ask("rival", `POST ${bot}`, {
      script: "// needle\nexport default { fetch() {} }",
      secrets: { KEY: "needle" },
    });
    await setting.ask("admin", `PATCH ${one}`, { configuration: { key: "needle" } });
    const routes = [
      "/v1/integrations?search=needle",
      "/v1/integrations?search=KEY",
      `${bot}/installations?externalId=needle`,
      `${bot}/spaces?externalId=needle`,
    ];
    for (const route of routes) expect((await setting.ask("rival", `GET ${route}`)).body.count, route).toBe(0);
    const unknown = "/v1/integrations?secrets=needle&script=needle&configuration.key=x";
    const { issues } = (await setting.ask("rival", `GET ${unknown}`)).body.error;
    const paths = issues.map((issue: { path: string }) => issue.path);
    expect(paths).toEqual(["query.secrets", "query.script", "query.configuration.key"]);
  });

  test("S41: names that mean something in JavaScript are rejected in definitions and configurations", async () => {
    const route = `PATCH ${one}`;
    for (const name of ["__proto__", "constructor", "prototype"]) {
      expect((await setting.ask("admin", route, `{"configuration":{"${name}":1}}`)).status).toBe(400);
      expect((await setting.ask("rival", `POST ${bot}`, `{"secrets":{"${name}":"x"}}`)).status).toBe(400);
    }
  });
});
