// Tasks of installations: delivered when their time has come, and not when they were taken back.

import type { Json } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test } from "vitest";
import { encodeKey } from "../../../src/storage/key";
import { dump, MINUTE, type Setting, setUp } from "../../support/setting";
import { installFromRival } from "./installed";
import { createReceiver, type Receiver } from "./receiver";

let receiver: Receiver;
let setting: Setting;
let one: string;

beforeEach(async () => {
  receiver = createReceiver();
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch });
  one = await installFromRival(setting, "bot", {});
});

const queue = async (task: object, schedule: number): Promise<string> =>
  (await setting.ask("rival", `POST ${one}/tasks`, { task, schedule })).body.id;
const waiting = async () => (await setting.ask("rival", `GET ${one}/tasks`)).body.count;
const delivered = () => receiver.taken.filter(({ event }) => event.type === "task").map(({ event }) => event);

test("a task for now is delivered at once and never queued", async () => {
  const id = await queue({ type: "now", n: 1 }, 0);
  expect(delivered()).toMatchObject([{ eventId: id, task: { type: "now", n: 1 } }]);
  expect(await waiting()).toBe(0);
});

test("a task for later is delivered at its time, and a cancelled one is not", async () => {
  const [first, second] = [await queue({ type: "first" }, 60), await queue({ type: "second" }, 60)];
  await setting.api.maintain();
  expect([delivered(), await waiting()]).toEqual([[], 2]);
  expect((await setting.ask("rival", `DELETE ${one}/tasks/${first}`)).status).toBe(204);
  setting.clock.forward(MINUTE);
  await setting.api.maintain();
  expect(delivered()).toMatchObject([{ eventId: second, task: { type: "second" } }]);
  expect(await waiting()).toBe(0);
});

test("tasks are removed with their installation", async () => {
  await queue({ type: "later" }, 60);
  expect((await setting.ask("admin", `DELETE ${one}`)).status).toBe(204);
  await setting.api.maintain();
  setting.clock.forward(MINUTE);
  await setting.api.maintain();
  expect(delivered()).toEqual([]);
  expect(JSON.stringify(await dump(setting.storage))).not.toContain("integration-task");
});

test("a task queued before tasks were recorded is delivered too", async () => {
  const installation = one.split("/").at(-1)!;
  const payload = { eventId: "evt_old", type: "task", installationId: installation, task: { type: "old" } };
  const createdAt = setting.clock.now.toISOString();
  const job: Json = {
    step: "start-task",
    payload: { organization: setting.org, installation, payload, createdAt },
    createdAt: setting.clock.now.getTime(),
    attempts: 0,
  };
  const due = setting.clock.now.getTime() + MINUTE;
  const puts = [{ key: encodeKey("job", due, "job_old"), value: job }];
  const partition = setting.storage.partition(`org-${setting.org.slice("org_".length)}`);
  await partition.commit({ checks: [], puts, deletes: [], adds: [] });
  setting.clock.forward(MINUTE);
  await setting.api.maintain();
  expect(delivered()).toMatchObject([{ eventId: "evt_old", task: { type: "old" } }]);
});
