// What integrations are told: in order, signed, again and again while the receiver is away, and nothing that is not theirs.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { getOrganizationPartition } from "../../../src/storage/ids";
import { encodeKey } from "../../../src/storage/key";
import { watch } from "../../invariants/faults";
import { until } from "../../support/patience";
import { DAY, HOUR, MINUTE, open, type Setting, setUp } from "../../support/setting";
import { through } from "../../support/through";
import { answers, createReceiver, isAway, isSigned, stalls, TUNNEL, takes } from "./receiver";

const bot = "/v1/integrations/bot";
let receiver: ReturnType<typeof createReceiver>;
let storage: ReturnType<typeof watch>;
let setting: Setting;
let installation: string;
let space: string;

beforeEach(async () => {
  receiver = createReceiver();
  storage = watch(memoryStorage());
  setting = await setUp(storage, { fetch: receiver.fetch, onError: () => {} });
  const { ask, org } = setting;
  await ask("admin", `POST ${bot}`, {
    scopes: ["space:content:read"],
    secrets: { KEY: "very-secret" },
    visibility: "public",
  });
  await ask("admin", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL, all: true });
  installation = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body.id;
  space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  await ask("admin", `POST ${bot}/installations/${installation}/spaces`, { space });
});

function write(title: string, { ask }: Pick<Setting, "ask"> = setting) {
  setting.clock.forward(1);
  const changes = [{ operation: "insert_page", title, document: { markdown: "Text." } }];
  return ask("admin", `POST /v1/spaces/${space}/content`, { changes });
}
/** A server that waits for a receiver so long. One that answers has all the time that a busy machine needs, elsewhere. */
function waiting(maxSeconds: number): Pick<Setting, "ask"> {
  const { askWith } = open(setting.storage, {
    fetch: receiver.fetch,
    integrations: { maxSeconds },
    onError: () => {},
    now: () => setting.clock.now,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  });
  return { ask: (as, route, send, headers) => askWith(as && setting.tokens[as], route, send, headers) };
}
/** Has the integration ask for scopes, and the installation hold them. */
async function hold(scopes: readonly string[]): Promise<void> {
  await setting.ask("admin", `POST ${bot}`, { scopes });
  await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, { scopes });
}
const events = async () => (await setting.ask("admin", `GET ${bot}/events?limit=1000`)).body;

/** Lets time pass as a host would: `maintain()` is called when it wants to be. */
async function pass(ms: number): Promise<void> {
  const end = setting.clock.now.getTime() + ms;
  for (let calls = 0; calls < 5000; calls++) {
    const { next } = await setting.api.maintain();
    if (next.getTime() > end) break;
    setting.clock.now = new Date(Math.max(next.getTime(), setting.clock.now.getTime() + 500));
  }
  setting.clock.now = new Date(end);
}

test("a notified integration may write into the same space while the writer waits for it", async () => {
  await hold(["space:content:read", "space:content:write"]);
  let isFirst = true;
  receiver.behave = async ({ event, environment }) => {
    if (event.type !== "space_content_updated" || !isFirst) return new Response();
    isFirst = false;
    const changes = [{ operation: "insert_page", title: "Reply", document: {} }];
    const authorization = `Bearer ${environment.apiTokens.installation}`;
    const answer = await setting.ask(null, `POST /v1/spaces/${space}/content`, { changes }, { authorization });
    return new Response(null, { status: answer.status });
  };
  await write("Question");
  expect(receiver.types().filter((type) => type === "space_content_updated").length).toBe(2);
  expect(receiver.tried.length).toBe(receiver.taken.length);
});

describe("deliveries", () => {
  test("a delivery is one signed POST with the event and its environment", async () => {
    const { org, api } = setting;
    const [first, second] = receiver.taken;
    expect(receiver.types()).toEqual(["installation_setup", "space_installation_setup"]);
    expect(first!.url).toBe(`${TUNNEL}/v1`);
    expect(first!.event).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      type: "installation_setup",
      installationId: installation,
      status: "active",
    });
    expect(first!.environment).toMatchObject({
      apiEndpoint: "http://localhost:3000",
      integration: { name: "bot", version: 1 },
      installation: { id: installation, target: { organization: org } },
      secrets: { KEY: "very-secret" },
      apiTokens: { integration: expect.any(String), installation: expect.any(String) },
      signingSecrets: { integration: expect.any(String), installation: expect.any(String) },
    });
    expect(second!.environment).toMatchObject({ spaceInstallation: { space, configuration: {} } });
    const secret = first!.environment.signingSecrets.integration;
    expect(isSigned(first!, secret)).toBe(true);
    expect(isSigned(first!, first!.environment.signingSecrets.installation)).toBe(false);
    expect(isSigned({ ...first!, bytes: first!.bytes.slice(1) }, secret)).toBe(false);
    expect((await api.maintain()).jobs).toBe(0);
  });

  test("a delivery costs three commits: the cause, the queue, and the outcome with the end of the queue", async () => {
    await hold(["space:metadata:read"]);
    setting.clock.forward(1);
    const commits = storage.calls.commits;
    await setting.ask("admin", `PATCH /v1/spaces/${space}`, { visibility: "public" });
    expect(storage.calls.commits - commits).toBe(3);
    expect((await events()).items[0]).toMatchObject({
      status: "success",
      payload: { type: "space_visibility_updated" },
    });
    const view = await storage.partition(getOrganizationPartition(setting.org)).snapshot();
    for (const left of ["event", "job", "queued-event"])
      expect(await view.list({ under: encodeKey(left), limit: 10 }), left).toEqual([]);
  });

  test("nothing is delivered when nothing changed", async () => {
    const before = receiver.taken.length;
    expect((await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, {})).status).toBe(200);
    await setting.ask("admin", `PATCH ${bot}/installations/${installation}/spaces/${space}`, {});
    expect(receiver.taken.length).toBe(before);
  });

  test("each change is delivered with the previous state", async () => {
    await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, { configuration: { a: 1 } });
    await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, { configuration: { a: 2 } });
    await setting.ask("admin", `DELETE ${bot}/installations/${installation}/spaces/${space}`);
    await setting.ask("admin", `DELETE ${bot}/installations/${installation}`);
    const told = receiver.taken.slice(2).map(({ event }) => event);
    expect(told).toMatchObject([
      { type: "installation_setup", status: "active", previous: { status: "active", configuration: {} } },
      { type: "installation_setup", previous: { configuration: { a: 1 } } },
      { type: "space_installation_deleted", spaceId: space, previous: { configuration: {} } },
      { type: "installation_deleted", previous: { configuration: { a: 2 } } },
    ]);
    expect(receiver.taken.at(-1)!.environment.installation).toBeUndefined();
    expect(receiver.taken.at(-1)!.environment.apiTokens.installation).toBeUndefined();
  });

  test("a delivery is recorded with its attempts, listed newest first, and has a trace", async () => {
    await write("One");
    const { items, count } = await events();
    expect(count).toBe(3);
    expect(items[0]).toMatchObject({
      object: "integration-event",
      integrationId: "bot",
      installationId: installation,
      status: "success",
      isOpen: false,
      payload: { type: "space_content_updated", spaceId: space },
      attempts: [{ status: 200 }],
    });
    const one = await setting.ask("admin", `GET ${bot}/events/${items[0].id}`);
    expect(one.body).toEqual({ event: items[0], trace: { logs: [] } });
    expect((await setting.ask("admin", `GET ${bot}/events/evt_none`)).body.error.reason).toBe("event_not_found");
    const first = await setting.ask("admin", `GET ${bot}/events?limit=2`);
    const rest = await setting.ask("admin", `GET ${bot}/events?limit=2&page=${first.body.next.page}`);
    expect([...first.body.items, ...rest.body.items]).toEqual(items);
  });
});

describe("receivers", () => {
  test("a failed delivery is retried after 1, 2 and 4 seconds", async () => {
    receiver.behave = answers(503);
    await write("One");
    await pass(20_000);
    const [event] = (await events()).items;
    expect(event).toMatchObject({ status: "failed", isOpen: true });
    const times = event.attempts.map(({ at }: { at: string }) => Date.parse(at));
    expect(times.slice(1).map((time: number, i: number) => time - times[i])).toEqual([1000, 2000, 4000]);
    receiver.behave = takes;
    await pass(MINUTE);
    expect((await events()).items[0]).toMatchObject({ status: "success", isOpen: false });
    expect(receiver.types().slice(2)).toEqual(["space_content_updated"]);
  });

  test.each([
    ["that is gone", isAway, "The receiver could not be reached."],
    ["that stalls", stalls, "The receiver took too long to respond."],
    ["that is asked too much", answers(429), "The receiver returned the status 429."],
  ])("a receiver that %s gets the delivery when it returns", async (_, behaviour, error) => {
    receiver.behave = behaviour;
    await write("One", waiting(0.02));
    expect((await events()).items[0].attempts).toMatchObject([{ error }]);
    receiver.behave = takes;
    await pass(5000);
    expect((await events()).items[0]).toMatchObject({ status: "success", attempts: [{ error }, { status: 200 }] });
  });

  test("an event that the receiver rejects is not sent again, and the next one follows", async () => {
    receiver.behave = answers(400);
    await write("One");
    receiver.behave = answers(406);
    await write("Two");
    receiver.behave = takes;
    await write("Three");
    expect((await events()).items.slice(0, 3)).toMatchObject([
      { status: "success", attempts: [{ status: 200 }] },
      { status: "success", attempts: [{ status: 406 }] },
      { status: "failed", isOpen: false, attempts: [{ status: 400 }] },
    ]);
  });

  test("a receiver that is down for an hour gets everything afterward, in order and once", async () => {
    receiver.behave = isAway;
    const titles = Array.from({ length: 30 }, (_, i) => `Page ${i}`);
    const revisions = [];
    for (const title of titles) {
      revisions.push((await write(title)).body.revision);
      await pass(2 * MINUTE);
    }
    expect(receiver.types().length).toBe(2);
    receiver.behave = takes;
    await pass(HOUR);
    expect(receiver.taken.slice(2).map(({ event }) => event.revisionId)).toEqual(revisions);
  });

  test("a receiver that never returns is tried hourly and loses events older than a day", async () => {
    receiver.behave = isAway;
    await write("Early");
    await pass(12 * HOUR);
    await write("Later");
    const before = receiver.tried.length;
    await pass(10 * HOUR);
    expect(receiver.tried.length - before).toBeLessThan(13);
    await pass(4 * HOUR);
    const early = (await events()).items.at(-3);
    expect(early).toMatchObject({ status: "failed", isOpen: false });
    await pass(DAY);
    expect((await events()).items[0]).toMatchObject({ status: "failed", isOpen: false });
    const waiting = receiver.tried.length;
    await pass(DAY);
    expect(receiver.tried.length).toBe(waiting);
    receiver.behave = takes;
    await write("Again");
    expect(receiver.taken.length).toBe(3);
  });

  test("an unavailable receiver delays no other", async () => {
    const { ask, org } = setting;
    await ask("admin", "POST /v1/integrations/other", { scopes: ["space:content:read"] });
    await ask("admin", "PUT /v1/integrations/other/dev", { tunnelUrl: "https://other.example" });
    const other = await ask("admin", "POST /v1/integrations/other/installations", { organization: org });
    await ask("admin", `PATCH /v1/integrations/other/installations/${other.body.id}`, { space_selection: "all" });
    receiver.behave = (delivery) => (delivery.url.startsWith(TUNNEL) ? stalls(delivery) : takes(delivery));
    const impatient = waiting(1);
    await write("One", impatient);
    await write("Two", impatient);
    const told = receiver.taken.filter(({ url }) => url.startsWith("https://other.example"));
    expect(told.map(({ event }) => event.type).slice(-2)).toEqual(["space_content_updated", "space_content_updated"]);
  });
});

describe("the receivers of an event", () => {
  const all = () => receiver.types().slice(2);

  test("an integration without the scope gets no content events", async () => {
    await hold(["space:metadata:read"]);
    await write("One");
    await setting.ask("admin", `PATCH /v1/spaces/${space}`, { visibility: "public" });
    expect(all()).toEqual(["installation_setup", "space_visibility_updated"]);
  });

  test("an installation gets the events of its spaces, or of all spaces", async () => {
    const { ask, org } = setting;
    const other = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Other" })).body.id;
    const page = { changes: [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }] };
    await ask("admin", `POST /v1/spaces/${other}/content`, page);
    expect(all()).toEqual([]);
    await ask("admin", `PATCH ${bot}/installations/${installation}`, { space_selection: "all" });
    await ask("admin", `POST /v1/spaces/${other}/content`, page);
    expect(all()).toEqual(["installation_setup", "space_content_updated"]);
  });

  test("finding the receivers costs the same, however many are installed elsewhere", async () => {
    const { ask, org } = setting;
    await hold(["space:metadata:read"]);
    const readsOf = async (visibility: string) => {
      setting.clock.forward(1);
      const before = storage.calls.reads;
      expect((await ask("admin", `PATCH /v1/spaces/${space}`, { visibility })).status).toBe(200);
      return storage.calls.reads - before;
    };
    await readsOf("public");
    const few = await readsOf("private");
    const other = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Other" })).body.id;
    for (let i = 0; i < 10; i++) {
      const name = `/v1/integrations/more-${i}`;
      await ask("admin", `POST ${name}`, { organization: org, scopes: ["space:content:read"] });
      const { id } = (await ask("admin", `POST ${name}/installations`, { organization: org })).body;
      expect((await ask("admin", `POST ${name}/installations/${id}/spaces`, { space: other })).status).toBe(201);
    }
    await readsOf("public");
    expect(await readsOf("private")).toBe(few);
  });

  test("a paused installation gets what happened to itself when resumed, and nothing it missed", async () => {
    await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, { status: "paused" });
    await write("One");
    expect(all()).toEqual([]);
    await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, { status: "active" });
    await write("Two");
    expect(all()).toEqual(["installation_setup", "installation_setup", "space_content_updated"]);
  });

  test("queued events are removed with their space, installation or integration", async () => {
    receiver.behave = isAway;
    await write("One");
    await setting.ask("admin", `DELETE ${bot}/installations/${installation}/spaces/${space}`);
    receiver.behave = takes;
    await pass(MINUTE);
    expect(all()).toEqual(["space_installation_deleted"]);
    receiver.behave = isAway;
    await setting.ask("admin", `PATCH ${bot}/installations/${installation}`, { configuration: { a: 1 } });
    await setting.ask("admin", `DELETE ${bot}/installations/${installation}`);
    receiver.behave = takes;
    await pass(MINUTE);
    expect(all()).toEqual(["space_installation_deleted", "installation_deleted"]);
    receiver.behave = isAway;
    const again = await setting.ask("admin", `POST ${bot}/installations`, { organization: setting.org });
    expect(again.status).toBe(201);
    await setting.ask("admin", `DELETE ${bot}`);
    receiver.behave = takes;
    await pass(HOUR);
    expect(all().length).toBe(2);
  });

  test("without `all`, only installations of the owner go to the tunnel", async () => {
    const { ask, otherOrg } = setting;
    await ask("admin", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL });
    setting.clock.forward(1000);
    await ask("rival", `POST ${bot}/installations`, { organization: otherOrg });
    expect(all()).toEqual([]);
    expect((await events()).items[0].attempts).toMatchObject([{ error: "The integration has no script." }]);
    await ask("admin", `DELETE ${bot}/dev`);
    await write("One");
    expect(all()).toEqual([]);
  });

  test("the host's own listener gets events too, and its errors delay no integration", async () => {
    const heard: string[] = [];
    let isWilling = false;
    const { askWith, clock, api } = open(setting.storage, {
      fetch: receiver.fetch,
      onError: () => {},
      onEvent: ({ type }) => {
        if (!isWilling) throw new Error("not now");
        heard.push(type);
      },
    });
    clock.now = new Date(setting.clock.now.getTime() + 1000);
    const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
    await askWith(setting.tokens.admin, `POST /v1/spaces/${space}/content`, { changes });
    expect(all()).toEqual(["space_content_updated"]);
    isWilling = true;
    await api.maintain();
    expect(heard).toEqual(["space_content_updated"]);
    expect(all()).toEqual(["space_content_updated"]);
  });
});

describe("processes that die", () => {
  test("an event of a process that died after its commit is delivered by another", async () => {
    const commits = { left: 1 };
    const dying = open(
      through(setting.storage, {
        async snapshot(go) {
          if (commits.left === 0) throw new Error("dead");
          return go();
        },
        async commit(_, go) {
          if (commits.left-- <= 0) throw new Error("dead");
          return go();
        },
      }),
      { fetch: receiver.fetch, onError: () => {}, now: () => setting.clock.now },
    );
    const patch = { visibility: "public" };
    await hold(["space:metadata:read"]);
    await dying.askWith(setting.tokens.admin, `PATCH /v1/spaces/${space}`, patch);
    expect(receiver.types().length).toBe(3);
    await pass(5 * MINUTE);
    expect(receiver.types().slice(3)).toEqual(["space_visibility_updated"]);
  });

  test("an event that ends two processes is given up with a message, and the next one follows", async () => {
    await hold(["space:metadata:read"]);
    let asked = 0;
    const never = (() => {
      asked++;
      return new Promise(() => {});
    }) as unknown as typeof fetch;
    /** A process that is never heard of again once it delivers something. */
    const dying = () =>
      open(setting.storage, { fetch: never, waitUntil: () => {}, onError: () => {}, now: () => setting.clock.now });
    const dead = async (times: number) => {
      await until(() => expect(asked).toBe(times));
      setting.clock.forward(5 * MINUTE);
    };
    const before = receiver.types().length;
    void dying().askWith(setting.tokens.admin, `PATCH /v1/spaces/${space}`, { visibility: "public" });
    await dead(1);
    void dying().api.maintain();
    await dead(2);
    await setting.api.maintain();
    const { items } = (await setting.ask("admin", `GET ${bot}/events`)).body;
    const [given] = items.filter(({ payload }: { payload: { type: string } }) => /visibility/.test(payload.type));
    expect(given).toMatchObject({ status: "failed", isOpen: false });
    expect(given.attempts.at(-1).error).toMatch(/^The server ended 2 times while it was at it/);
    await setting.ask("admin", `PATCH /v1/spaces/${space}`, { visibility: "private" });
    expect(receiver.types().slice(before)).toEqual(["space_visibility_updated"]);
  });
});
