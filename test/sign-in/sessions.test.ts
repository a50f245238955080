// Sessions: the cookie is who somebody is, other sites cannot use it, and Single sign-on is demanded where it is.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { members } from "../../src/resources/people/members/records";
import { beginSession } from "../../src/sign-in/begin-session";
import { DIRECTORY, getOrganizationPartition } from "../../src/storage/ids";
import { DAY, type Person, type Setting, setUp } from "../support/setting";

const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };
let setting: Setting;

beforeAll(async () => {
  setting = await setUp(memoryStorage());
});

/** Begins a session, and gives the header that a browser then sends. */
async function cookieOf(person: Person, passed: readonly string[] = []) {
  const inside = getApiInternals(setting.api);
  const house = { ...inside, options: {} };
  const request = { method: "POST", headers: new Headers({ "user-agent": "A browser" }), address: "192.0.2.1" };
  const { setCookie } = await inside.kernel.store.write(DIRECTORY, (tx) =>
    beginSession(tx, house, request, { user: setting.ids[person], by: "link", passed }),
  );
  return { cookie: setCookie.split(";")[0]! };
}

describe("sessions", () => {
  test("a session authenticates its user until it is idle for too long", async () => {
    const { askWith, ids, clock } = setting;
    const cookie = await cookieOf("edit");
    for (let days = 0; days < 30; days += 10) {
      expect((await askWith(null, "GET /v1/user", undefined, cookie)).body.id).toBe(ids.edit);
      clock.forward(10 * DAY);
    }
    expect((await askWith(null, "GET /v1/user", undefined, cookie)).status).toBe(200);
    clock.forward(15 * DAY);
    expect((await askWith(null, "GET /v1/user", undefined, cookie)).status).toBe(401);
  });

  test("a session ends after its maximum lifetime, however much it is used", async () => {
    const { askWith, clock } = setting;
    const cookie = await cookieOf("edit");
    for (let days = 0; days < 90; days += 9) {
      expect((await askWith(null, "GET /v1/user", undefined, cookie)).status).toBe(200);
      clock.forward(9 * DAY);
    }
    expect((await askWith(null, "GET /v1/user", undefined, cookie)).status).toBe(401);
  });

  test("a token in the header takes precedence over a session", async () => {
    const { askWith, ids, tokens } = setting;
    const cookie = await cookieOf("edit");
    expect((await askWith(tokens.read, "GET /v1/user", undefined, cookie)).body.id).toBe(ids.read);
    expect((await askWith("octavo_unknown", "GET /v1/user", undefined, cookie)).status).toBe(401);
  });

  test("a session cannot be used for changes from another site", async () => {
    const { askWith } = setting;
    const cookie = await cookieOf("edit");
    const make = (headers: object) =>
      askWith(null, "POST /v1/user/tokens", { label: "mine" }, { ...cookie, ...(headers as Record<string, string>) });
    expect((await make(SAME_ORIGIN)).status).toBe(201);
    expect((await make({ origin: "http://localhost:3000" })).status).toBe(201);
    for (const headers of [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "http://localhost:3001" },
      { origin: "null" },
      { origin: "https://evil.example", ...SAME_ORIGIN },
    ])
      expect((await make(headers)).body.error.reason, JSON.stringify(headers)).toBe("cross_site");
  });
});

describe("members who must use Single sign-on", () => {
  test("a member who must use Single sign-on has no other way in, by a session or by tokens created in one", async () => {
    const { api, ask, askWith, org, ids } = setting;
    const { kernel } = getApiInternals(api);
    const made = await ask("admin", `POST /v1/orgs/${org}/saml`, { label: "Company" });
    await kernel.store.write(getOrganizationPartition(org), async (tx) => {
      const member = (await members.get(tx, ids.create))!;
      await members.put(tx, { ...member, sso: true });
    });
    const [other, through] = [await cookieOf("create"), await cookieOf("create", [made.body.id])];
    const space = await askWith(null, `POST /v1/orgs/${org}/spaces`, { title: "A" }, { ...through, ...SAME_ORIGIN });
    expect(space.status).toBe(201);
    const seen = (headers: Record<string, string>, path: string) => askWith(null, `GET ${path}`, undefined, headers);
    for (const path of [`/v1/orgs/${org}`, `/v1/spaces/${space.body.id}`, `/v1/orgs/${org}/members`]) {
      expect((await seen(through, path)).status).toBe(200);
      expect((await seen(other, path)).body.error.reason).toBe("sso_required");
    }
    expect((await seen(through, "/v1/orgs")).body.items).toHaveLength(1);
    expect((await seen(other, "/v1/orgs")).body.items).toHaveLength(0);
    for (const [headers, status] of [
      [through, 200],
      [other, 403],
    ] as const) {
      const token = await askWith(null, "POST /v1/user/tokens", { label: "t" }, { ...headers, ...SAME_ORIGIN });
      expect((await askWith(token.body.token, `GET /v1/orgs/${org}`)).status).toBe(status);
    }
    expect((await ask("create", `GET /v1/orgs/${org}`)).status, "a token of the host").toBe(200);
    await ask("admin", `DELETE /v1/orgs/${org}/saml/${made.body.id}`);
    expect((await seen(through, `/v1/orgs/${org}`)).body.error.reason).toBe("sso_required");
  });
});
