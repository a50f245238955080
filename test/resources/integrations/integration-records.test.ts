// What is written down of integrations: everything that they were told and asked, for as long as was promised, and nothing that
// people typed into it.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type EventRecord,
  eventRecords,
  storeEventRecord,
  storeInvocationRecord,
} from "../../../src/resources/integrations/delivery/queue-records";
import { createStore, type Store } from "../../../src/storage/store";
import { processInCommits } from "../../../src/storage/transaction-budget";
import { DAY, dump, type Setting, seeded, setUp } from "../../support/setting";
import { through } from "../../support/through";
import { answers, createReceiver, isAway, type Receiver, TUNNEL } from "./receiver";

const bot = "/v1/integrations/bot";

describe("call records", () => {
  let receiver: Receiver;
  let setting: Setting;
  let installation: string;
  let space: string;

  beforeEach(async () => {
    receiver = createReceiver();
    setting = await setUp(memoryStorage(), { fetch: receiver.fetch });
    const { ask, org } = setting;
    await ask("admin", `POST ${bot}`, {});
    await ask("admin", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL });
    installation = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body.id;
    await ask("admin", `PATCH ${bot}/installations/${installation}`, { space_selection: "all" });
    space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
    setting.clock.forward(1000);
  });

  const render = () =>
    setting.ask("read", `POST ${bot}/render`, {
      componentId: "card",
      props: { token: "typed-by-somebody" },
      state: { field: "typed-by-somebody" },
      context: { type: "document", spaceId: space },
      action: { action: "save", value: "typed-by-somebody" },
    });
  const newest = async () => (await setting.ask("admin", `GET ${bot}/events?limit=1`)).body.items[0];

  test("a call is recorded without what was typed, and has a trace", async () => {
    receiver.behave = answers(200, JSON.stringify({ type: "complete" }));
    expect((await render()).status).toBe(200);
    const event = await newest();
    expect(event).toMatchObject({
      id: expect.stringMatching(/^cal_/),
      installationId: installation,
      status: "success",
      isOpen: false,
      attempts: [{ status: 200 }],
      payload: { type: "ui_render", componentId: "card", action: { action: "save" }, context: { spaceId: space } },
    });
    expect((await setting.ask("admin", `GET ${bot}/events/${event.id}`)).body.trace).toEqual({ logs: [] });
    expect(JSON.stringify([...(await dump(setting.storage))])).not.toContain("typed-by-somebody");
  });

  test("a failed call records its reason for the developers of the integration", async () => {
    receiver.behave = answers(200, JSON.stringify({ type: "element", element: { type: "nonsense" } }));
    expect((await render()).status).toBe(502);
    expect(await newest()).toMatchObject({
      status: "failed",
      attempts: [{ error: "Its response isn't an element that can be rendered." }],
    });
    receiver.behave = isAway;
    setting.clock.forward(1000);
    await setting.api.fetch(new Request(`http://test.invalid${bot}/public/integration/x?key=hunter2`));
    const event = await newest();
    expect(event).toMatchObject({ status: "failed", attempts: [{ error: "The receiver could not be reached." }] });
    expect(event.payload.request).toEqual({
      method: "GET",
      url: `http://localhost:3000${bot}/public/integration/x`,
    });
    expect(event.installationId).toBeUndefined();
  });

  test("a call about a space that the integration can no longer reach is not shown", async () => {
    receiver.behave = answers(200, JSON.stringify({ type: "complete" }));
    await render();
    const { id } = await newest();
    await setting.ask("admin", `DELETE /v1/spaces/${space}`);
    expect((await setting.ask("admin", `GET ${bot}/events/${id}`)).status).toBe(404);
    expect((await newest()).id).not.toBe(id);
  });

  test("simultaneous calls are recorded in few commits", async () => {
    let commits = 0;
    const counting = through(memoryStorage(), {
      async commit(_, go) {
        commits++;
        await new Promise((turn) => setImmediate(turn));
        return go();
      },
    });
    const busy = await setUp(counting, { fetch: receiver.fetch });
    await busy.ask("admin", `POST ${bot}`, {});
    await busy.ask("admin", `PUT ${bot}/dev`, { tunnelUrl: TUNNEL });
    commits = 0;
    const call = () => busy.api.fetch(new Request(`http://test.invalid${bot}/public/integration`));
    await Promise.all(Array.from({ length: 40 }, call));
    expect((await busy.ask("admin", `GET ${bot}/events`)).body.count).toBe(40);
    expect(commits).toBeLessThan(20);
  });
});

describe("many installations", () => {
  test("all of an organization's installations get an event, even more than fit into a commit", async () => {
    const receiver = createReceiver();
    const setting = await setUp(memoryStorage(), { fetch: receiver.fetch });
    const { ask, org } = setting;
    const names = Array.from({ length: 45 }, (_, i) => `/v1/integrations/bot-${i}`);
    for (const name of names) {
      await ask("admin", `POST ${name}`, { scopes: ["space:metadata:read"] });
      await ask("admin", `PUT ${name}/dev`, { tunnelUrl: TUNNEL });
      const { id } = (await ask("admin", `POST ${name}/installations`, { organization: org })).body;
      await ask("admin", `PATCH ${name}/installations/${id}`, { space_selection: "all" });
    }
    const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
    await ask("admin", `PATCH /v1/spaces/${space}`, { visibility: "public" });
    const told = receiver.taken.filter(({ event }) => event.type === "space_visibility_updated");
    expect(told.length).toBe(45);
    expect(new Set(told.map(({ event }) => event.installationId)).size).toBe(45);
    expect(new Set(told.map(({ event }) => event.eventId)).size).toBe(1);
  });
});

describe("retention", () => {
  const partition = "org";
  const start = Date.parse("2026-01-01T00:00:00Z");
  let store: Store;

  beforeEach(() => {
    store = createStore(memoryStorage(), { now: () => new Date(start), random: seeded(1), pause: async () => {} });
  });

  const record = (number: number, more: Partial<EventRecord> = {}): EventRecord => ({
    id: `evt_${String(number).padStart(6, "0")}`,
    definition: "int_1",
    integration: "bot",
    installation: "ins_1",
    organization: "org_1",
    createdAt: new Date(start + number).toISOString(),
    payload: { eventId: `evt_${number}`, type: "task" },
    status: "success",
    isOpen: false,
    attempts: [],
    logs: [],
    ...more,
  });
  /** Seeds many at once; keeping one after the other is what is tested. */
  async function seed(count: number, more: Partial<EventRecord> = {}) {
    for (let at = 0; at < count; at += 50)
      await store.write(partition, async (tx) => {
        for (let i = at; i < Math.min(at + 50, count); i++) await eventRecords.put(tx, record(i, more));
      });
  }
  const total = async (name: "told" | "calls") => eventRecords.total(await store.read(partition), name, "int_1");
  const oldest = async () =>
    (await eventRecords.list(await store.read(partition), "ofIntegration", { under: ["int_1"], limit: 1 }))[0]!.record
      .id;
  const keep = (it: EventRecord, now: number) =>
    store.write(partition, (tx) => storeEventRecord(tx, it, new Date(now)));

  test("delivery records are kept for 30 days, and the newest 10,000 for longer", async () => {
    await seed(10_003);
    await keep(record(10_003), start + 30 * DAY - 1);
    expect([await total("told"), await oldest()]).toEqual([10_004, "evt_000000"]);
    await keep(record(10_004), start + 31 * DAY);
    await keep(record(10_005), start + 31 * DAY);
    expect([await total("told"), await oldest()]).toEqual([10_001, "evt_000005"]);
    await keep(record(10_006), start + 400 * DAY);
    expect([await total("told"), await oldest()]).toEqual([10_001, "evt_000006"]);
  });

  test("of call records, only the newest 10,000 are kept, since anyone can make calls", async () => {
    await seed(10_000, { isCall: true });
    const calls = Array.from({ length: 10 }, (_, i) => record(10_000 + i, { isCall: true }));
    await processInCommits(store, partition, calls, storeInvocationRecord);
    expect(await total("calls")).toBeLessThanOrEqual(10_000);
    expect(await oldest()).not.toBe("evt_000000");
    expect(await total("told")).toBe(0);
  });

  test("a record is at most as large as an entry may be", async () => {
    const line = { message: "€".repeat(8000), timestamp: new Date(start).toISOString(), level: "info" as const };
    const attempt = { at: new Date(start).toISOString(), error: "€".repeat(1000) };
    const large = record(1, { logs: [line, line, line], attempts: Array.from({ length: 40 }, () => attempt) });
    await keep(large, start);
    const kept = await eventRecords.get(await store.read(partition), large.id, "ins_1");
    expect(kept).toMatchObject({
      logs: [],
      payload: large.payload,
      attempts: Array.from({ length: 5 }, () => attempt),
    });
  });
});
