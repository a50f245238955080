// The outbox: events are stored with their cause, delivered in order and at least once, and never lost.

import type { DocsApiOptions, DocsEvent } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { createOutbox, type InternalReceivers } from "../../src/jobs/outbox";
import { encodeKey } from "../../src/storage/key";
import { createStore } from "../../src/storage/store";
import { open, type Setting, seeded, setUp } from "../support/setting";
import { storages } from "../support/storages";

const space = async ({ ask, org }: Setting, title = "Guide") =>
  (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title })).body.id as string;
const show = ({ ask }: Setting, id: string, visibility: string) =>
  ask("admin", `PATCH /v1/spaces/${id}`, { visibility });
const waiting = async ({ storage, org }: Setting) =>
  (await storage.partition(`org-${org.slice(4)}`).snapshot()).list({ under: encodeKey("event"), limit: 100 });

async function listening(options: DocsApiOptions = {}) {
  const heard: DocsEvent[] = [];
  const setting = await setUp(memoryStorage(), { onEvent: (event) => void heard.push(event), ...options });
  return { setting, heard };
}

describe.each(storages)("on %s", (_, openStorage) => {
  test("a change of visibility is published after its commit with the previous visibility", async () => {
    const { storage, cleanUp } = await openStorage();
    const heard: DocsEvent[] = [];
    const setting = await setUp(storage, { onEvent: (event) => void heard.push(event) });
    const id = await space(setting);
    await show(setting, id, "public");
    await setting.ask("admin", `PATCH /v1/spaces/${id}`, { title: "Manual" });
    expect(heard).toEqual([
      {
        type: "space_visibility_updated",
        eventId: expect.stringMatching(/^evt_/),
        organizationId: setting.org,
        createdAt: expect.any(String),
        spaceId: id,
        previousVisibility: "private",
        visibility: "public",
      },
    ]);
    expect(await waiting(setting)).toEqual([]);
    await storage.close();
    await cleanUp();
  });
});

test("a change of content is published with its revision", async () => {
  const { setting, heard } = await listening();
  const id = await space(setting);
  const changes = [{ operation: "insert_page", title: "A", document: {} }];
  const { body } = await setting.ask("admin", `POST /v1/spaces/${id}/content`, { changes });
  expect(heard).toMatchObject([{ type: "space_content_updated", spaceId: id, revisionId: body.revision }]);
});

test("a refused change publishes nothing", async () => {
  const { setting, heard } = await listening();
  const id = await space(setting);
  await show(setting, id, "in-collection");
  await setting.ask("read", `PATCH /v1/spaces/${id}`, { visibility: "public" });
  expect(heard).toEqual([]);
  expect(await waiting(setting)).toEqual([]);
});

test("maintain() delivers a failed event again, in order, before newer ones", async () => {
  const heard: string[] = [];
  const errors: unknown[] = [];
  let isDown = true;
  const onEvent = (event: DocsEvent) => {
    if (isDown) throw new Error("down");
    heard.push(event.type === "space_visibility_updated" ? event.visibility : "");
  };
  const setting = await setUp(memoryStorage(), { onEvent, onError: (error) => void errors.push(error) });
  const id = await space(setting);
  for (const visibility of ["public", "unlisted", "private"]) {
    expect((await show(setting, id, visibility)).status).toBe(200);
    setting.clock.forward(1);
  }
  expect(errors).toHaveLength(3);
  isDown = false;
  await show(setting, id, "public");
  expect(heard).toEqual(["public", "unlisted", "private", "public"]);
  await setting.api.maintain();
  expect(heard).toHaveLength(4);
});

test("events of a crashed process are delivered by another process", async () => {
  const setting = await setUp(memoryStorage());
  const id = await space(setting);
  await show(setting, id, "public");
  expect(await waiting(setting)).toHaveLength(1);
  const heard: DocsEvent[] = [];
  const { api } = open(setting.storage, { onEvent: (event) => void heard.push(event) });
  expect((await api.maintain()).events).toBe(1);
  expect(heard).toMatchObject([{ spaceId: id, visibility: "public" }]);
});

test("maintain() empties the outbox when no one listens", async () => {
  const setting = await setUp(memoryStorage());
  const id = await space(setting);
  await show(setting, id, "public");
  await show(setting, id, "private");
  expect((await setting.api.maintain()).events).toBe(2);
  expect(await waiting(setting)).toEqual([]);
});

test("a listener may call the API, and the events it causes are delivered after the current one", async () => {
  const heard: string[] = [];
  let other = "";
  const setting = await setUp(memoryStorage(), {
    async onEvent(event) {
      heard.push(event.type === "space_visibility_updated" ? event.spaceId : "");
      if (heard.length === 1) await show(setting, other, "public");
      heard.push("done");
    },
  });
  const id = await space(setting);
  other = await space(setting, "Other");
  await show(setting, id, "public");
  expect(heard).toEqual([id, "done", other, "done"]);
});

test("moving and restoring publish their change of visibility", async () => {
  const { setting, heard } = await listening();
  const { ask, org } = setting;
  const collection = (await ask("admin", `POST /v1/orgs/${org}/collections`, { title: "C" })).body.id;
  const id = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "S", parent: collection })).body.id;
  await ask("admin", `POST /v1/spaces/${id}/move`, { parent: null });
  expect(heard).toMatchObject([{ previousVisibility: "in-collection", visibility: "private" }]);
});

test("the events of one commit are delivered in the order in which they happened", async () => {
  const { setting, heard } = await listening();
  const id = await space(setting);
  for (let i = 0; i < 12; i++) {
    const { body } = await setting.ask("admin", `POST /v1/spaces/${id}/change-requests`, {});
    const changes = [{ operation: "insert_page", title: `Page ${i}`, document: {} }];
    await setting.ask("admin", `POST /v1/spaces/${id}/change-requests/${body.id}/content`, { changes });
    await setting.ask("admin", `POST /v1/spaces/${id}/change-requests/${body.id}/merge`);
  }
  const types = heard.map(({ type }) => type).filter((type) => type !== "change_request_created");
  expect(new Set(types.map((type, i) => `${i % 2} ${type}`)).size).toBe(2);
});

describe("internal listeners", () => {
  const place = { partition: "org", code: "000000000000" };
  const event = { type: "site_published", siteId: "site_1" } as const;

  function outboxWith(hearing: InternalReceivers) {
    const store = createStore(memoryStorage(), { now: () => new Date(0), random: seeded(1), pause: async () => {} });
    const fail = (error: unknown) => {
      throw error;
    };
    const outbox = createOutbox(store, undefined, fail, hearing);
    const left = async () => (await (await store.read("org")).list({ under: encodeKey("event"), limit: 10 })).length;
    return { store, outbox, left };
  }

  test("an internal listener that subscribes while the outbox is emptied misses no event", async () => {
    // The first is asked when something happened, the second by maintain(), the third in the commit that would clear it away.
    const answers = [false, false, true];
    const hear = async () => undefined;
    const { store, outbox, left } = outboxWith({ hasReceivers: async () => answers.shift() ?? true, deliver: hear });
    await store.write("org", async (tx) => outbox.emit(place, tx, event));
    await outbox.deliverPending("org");
    expect(await left()).toBe(1);
    await outbox.deliverPending("org");
    expect(await left()).toBe(0);
  });

  test("internal listeners get each event of several commits once, even if the process dies in between", async () => {
    const heard: string[] = [];
    let dies = true;
    const hearing: InternalReceivers = {
      hasReceivers: async () => true,
      async deliver(_tx, _event, after) {
        if (after === "2" && dies) throw new Error("dead");
        heard.push(after ?? "0");
        return after === undefined ? "1" : after === "1" ? "2" : undefined;
      },
    };
    const { store, outbox, left } = outboxWith(hearing);
    await expect(store.write("org", async (tx) => outbox.emit(place, tx, event))).rejects.toThrow("dead");
    expect([heard, await left()]).toEqual([["0", "1"], 1]);
    dies = false;
    await outbox.deliverPending("org");
    expect([heard, await left()]).toEqual([["0", "1", "2"], 0]);
    expect(await (await store.read("org")).list({ under: encodeKey("heard-event"), limit: 10 })).toEqual([]);
  });
});
