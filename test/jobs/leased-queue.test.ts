// Leased queues: one process at a time, another one when that has ended, and none after two have ended in a row.

import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test } from "vitest";
import { type JobContext, listJobs } from "../../src/jobs/jobs";
import {
  defineQueueJob,
  hasDiedTooOften,
  hasLease,
  type LeasedRecord,
  removeRunner,
} from "../../src/jobs/leased-queue";
import { createOutbox } from "../../src/jobs/outbox";
import { formatOrganizationId, getPartitionRef } from "../../src/storage/ids";
import { createObjectCache } from "../../src/storage/objects";
import { defineRecordSet } from "../../src/storage/records";
import { createStore } from "../../src/storage/store";
import { watch } from "../invariants/faults";
import { seeded } from "../support/setting";
import { runJobs } from "./run-jobs";

const LEASE_MS = 1000;
const payload = { organization: formatOrganizationId("000000000000"), name: "q" };
const at = getPartitionRef(payload.organization);

interface QueueRecord extends LeasedRecord {
  readonly name: string;
  readonly left: readonly string[];
}

const queues = defineRecordSet("queue", { key: (it: QueueRecord) => [it.name] });
let now: number;
let storage: ReturnType<typeof watch>;
let work: JobContext;
let done: string[];
let carry: (what: string) => Promise<void>;

beforeEach(async () => {
  now = 1_000_000;
  done = [];
  carry = async () => {};
  storage = watch(memoryStorage());
  const store = createStore(storage, {
    now: () => new Date(now),
    random: seeded(1),
    pause: async () => {},
  });
  const onError = () => {};
  work = {
    store,
    onError,
    outbox: createOutbox(store, undefined, onError),
    audit: {} as JobContext["audit"],
    objects: createObjectCache(),
    contents: createObjectCache(),
    ports: {} as JobContext["ports"],
  };
  await store.write(at.partition, (tx) => queues.put(tx, { name: "q", left: ["a", "b"] }));
});

const next = defineQueueJob<typeof payload, QueueRecord, string>("next", {
  records: queues,
  getRecordId: ({ name }) => name,
  getLeaseMs: () => LEASE_MS,
  async take(_, tx, state, runner) {
    const [what, ...left] = state!.left;
    if (what === undefined) return undefined;
    if (hasDiedTooOften(runner)) {
      await queues.put(tx, { ...removeRunner(state!), left });
      return "again";
    }
    await queues.put(tx, { ...state!, runner });
    return what;
  },
  async process(lease, what, end) {
    await carry(what);
    return lease.jobContext.store.write(at.partition, async (tx) => {
      const state = await queues.get(tx, "q");
      if (!hasLease(lease, state)) return false;
      done.push(what);
      const left = state.left.slice(1);
      await queues.put(tx, { ...removeRunner(state), left });
      if (left.length === 0) end(tx);
      return left.length > 0;
    });
  },
});

const state = async () => (await queues.get(await work.store.read(at.partition), "q"))!;
const planned = async () =>
  (await listJobs(await work.store.read(at.partition), "waiting", undefined, 10)).map(({ due }) => due);
/** Begins, and ends with its process. */
const die = async () => {
  carry = () => new Promise(() => {});
  void next.run(work, payload);
  while (!(await state()).runner || (await state()).runner!.until <= now) await Promise.resolve();
  carry = async () => {};
};

test("queued work is executed one item after another", async () => {
  expect([await next.run(work, payload), await next.run(work, payload)]).toEqual([true, false]);
  expect([done, await state()]).toEqual([["a", "b"], { name: "q", left: [] }]);
});

test("a newcomer leaves the queue to the lease holder and takes over when the lease has expired", async () => {
  await die();
  expect(await next.run(work, payload)).toBe(false);
  // Others who come leave no more than one job for that.
  expect(await next.run(work, payload)).toBe(false);
  expect([done, await planned()]).toEqual([[], [now + LEASE_MS]]);
  now += LEASE_MS;
  expect(await next.run(work, payload)).toBe(true);
  expect([done, (await state()).runner]).toEqual([["a"], undefined]);
});

test("a slow holder cannot finish what another holder has taken over", async () => {
  let goOn = () => {};
  carry = () => new Promise((resolve) => (goOn = resolve));
  const slow = next.run(work, payload);
  while (!(await state()).runner) await Promise.resolve();
  carry = async () => {};
  now += LEASE_MS;
  await next.run(work, payload);
  goOn();
  await slow;
  expect([done, (await state()).left]).toEqual([["a"], ["b"]]);
});

test("a failed item is released, and no crash is counted", async () => {
  carry = async () => Promise.reject(new Error("Away."));
  for (let tries = 0; tries < 3; tries++) await expect(next.run(work, payload)).rejects.toThrow("Away.");
  expect(await state()).toEqual({ name: "q", left: ["a", "b"] });
  carry = async () => {};
  await next.run(work, payload);
  expect(done).toEqual(["a"]);
});

test("an item that ended two processes is given up, and the items behind it are processed", async () => {
  for (let deaths = 0; deaths < 2; deaths++) {
    await die();
    now += LEASE_MS;
  }
  expect(await next.run(work, payload)).toBe(true);
  expect((await state()).left).toEqual(["b"]);
  await next.run(work, payload);
  expect(done).toEqual(["b"]);
});

test("an item begun in a commit takes the lease in that commit, and the commit of the last item ends the job", async () => {
  const { calls } = storage;
  const commits = calls.commits;
  await work.store.write(at.partition, (tx) => next.start(work, tx, payload));
  expect([done, await planned(), await state()]).toEqual([["a", "b"], [], { name: "q", left: [] }]);
  // One begins and takes "a", one ends with it, one takes "b", one ends with that and with the job.
  expect(calls.commits - commits).toBe(4);
  await work.store.write(at.partition, (tx) => next.start(work, tx, payload));
  expect([calls.commits - commits, await planned()]).toEqual([4, []]);
});

test("an item begun by a process that died is taken over by the job it left", async () => {
  carry = () => new Promise(() => {});
  void work.store.write(at.partition, (tx) => next.start(work, tx, payload));
  while ((await planned()).length === 0) await Promise.resolve();
  expect((await state()).runner).toMatchObject({ until: now + LEASE_MS });
  carry = async () => {};
  now = (await planned())[0]!;
  const { done: finished } = await runJobs(
    { ...work, store: { ...work.store } },
    at.partition,
    new Map([["next", next]]),
  );
  expect([finished, done, await planned()]).toEqual([1, ["a", "b"], []]);
});

test("an item that fails in its first run is released, and its job retries it", async () => {
  carry = async () => Promise.reject(new Error("Away."));
  await work.store.write(at.partition, (tx) => next.start(work, tx, payload));
  expect([await state(), await planned()]).toEqual([{ name: "q", left: ["a", "b"] }, [now + 1000]]);
});
