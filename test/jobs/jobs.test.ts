// Jobs: at least once, by one process at a time, again after a failure, parked in the end.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import {
  defineJob,
  enqueueJob,
  type JobContext,
  type JobType,
  LEASE_MS,
  type ListedJob,
  listJobs,
  MAX_ATTEMPTS,
  restartParkedJob,
} from "../../src/jobs/jobs";
import { createOutbox } from "../../src/jobs/outbox";
import { deleteOldProgress, listProgress } from "../../src/jobs/progress";
import { encodeKey } from "../../src/storage/key";
import { createObjectCache } from "../../src/storage/objects";
import { createStore, type Store } from "../../src/storage/store";
import { interleave } from "../storage/interleave";
import { PATIENCE_MS } from "../support/patience";
import { HOUR, seeded } from "../support/setting";
import { runJobs } from "./run-jobs";

/** A machine may be busy. */
const PATIENCE = { timeout: PATIENCE_MS };

const P = "org-a";
const place = { partition: P, code: "000000000000" };
let now: number;
let errors: unknown[];

beforeEach(() => {
  now = 1_000_000;
  errors = [];
});

/** Jobs of these tests ask for nothing that a host may replace. */
const noParts = {} as JobContext["ports"];
const workOn = (storage: Store["storage"], seed = 1): JobContext => {
  const store = createStore(storage, { now: () => new Date(now), random: seeded(seed), pause: async () => {} });
  const onError = (error: unknown) => errors.push(error);
  return {
    store,
    onError,
    outbox: createOutbox(store, undefined, onError),
    audit: {} as JobContext["audit"],
    objects: createObjectCache(),
    contents: createObjectCache(),
    ports: noParts,
  };
};
const table = (...steps: JobType<never>[]) => new Map(steps.map((it) => [it.name, it]));
const waiting = async ({ store }: JobContext) => listJobs(await store.read(P), "waiting", undefined, 100);
const enqueue = (work: JobContext, it: JobType<string>, payload: string) =>
  work.store.write(P, async (tx) => enqueueJob(work, place, tx, it, payload));

test("a job runs once after its commit and is then removed", async () => {
  const work = workOn(memoryStorage());
  const ran: string[] = [];
  const note = defineJob<string>("note", async (_, payload) => ran.push(payload));
  await enqueue(work, note, "a");
  expect(ran).toEqual(["a"]);
  expect(await waiting(work)).toEqual([]);
  expect(await runJobs(work, P, table(note))).toEqual({ done: 0, next: undefined });
});

test("a job of a failed transaction never runs", async () => {
  const work = workOn(memoryStorage());
  const ran: string[] = [];
  const note = defineJob<string>("note", async (_, payload) => ran.push(payload));
  const failing = work.store.write(P, async (tx) => {
    enqueueJob(work, place, tx, note, "a");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect([ran, await waiting(work)]).toEqual([[], []]);
});

test("enqueuing the same later job again is one job, and another payload or time is another job", async () => {
  const work = workOn(memoryStorage());
  const ran: string[] = [];
  const note = defineJob<string>("note", async (_, payload) => ran.push(payload));
  const plan = (payload: string, due: number) =>
    work.store.write(P, async (tx) => enqueueJob(work, place, tx, note, payload, new Date(due)));
  const soon = now + 1000;
  expect(await plan("a", soon)).toBe(await plan("a", soon));
  await plan("b", soon);
  await plan("a", soon + 1);
  expect((await waiting(work)).map(({ job, due }) => [job.payload, due]).sort()).toEqual([
    ["a", soon],
    ["a", soon + 1],
    ["b", soon],
  ]);
  now = soon;
  expect((await runJobs(work, P, table(note))).done).toBe(2);
  // It was done: asked for once more, it is a job again.
  now = soon - 1;
  await plan("a", soon);
  now = soon + 1;
  expect((await runJobs(work, P, table(note))).done).toBe(2);
  expect(ran.toSorted()).toEqual(["a", "a", "a", "b"]);
});

test("a job with more to do is run again until it is finished", async () => {
  const work = workOn(memoryStorage());
  let left = 3;
  await enqueue(
    work,
    defineJob<string>("count", async () => --left > 0),
    "a",
  );
  expect([left, await waiting(work)]).toEqual([0, []]);
});

describe("failing jobs", () => {
  test("a failing job is retried with growing delays and does not block others", async () => {
    const work = workOn(memoryStorage());
    let tries = 0;
    let isBroken = true;
    const shaky = defineJob<string>("shaky", async () => {
      tries++;
      if (isBroken) throw new Error("away");
    });
    await enqueue(work, shaky, "a");
    expect(tries).toBe(1);
    expect((await runJobs(work, P, table(shaky))).next).toBe(now + 1000);
    expect(tries).toBe(1);
    now += 1000;
    expect((await runJobs(work, P, table(shaky))).next).toBe(now + 2000);
    now += 2000;
    isBroken = false;
    expect(await runJobs(work, P, table(shaky))).toEqual({ done: 1, next: undefined });
    expect([tries, errors.length]).toEqual([3, 2]);
  });

  test("a failing job is parked with its error in the end, and starts anew when an admin resumes it", async () => {
    const work = workOn(memoryStorage());
    let isBroken = true;
    const hopeless = defineJob<string>("hopeless", async () => {
      if (isBroken) throw new Error(`away ${"x".repeat(2000)}`);
    });
    await enqueue(work, hopeless, "a");
    for (let round = 0; round < 50; round++) {
      now += HOUR;
      await runJobs(work, P, table(hopeless));
    }
    expect(errors.length).toBe(MAX_ATTEMPTS);
    const [job] = await listJobs(await work.store.read(P), "parked", undefined, 10);
    expect(job!.job).toMatchObject({ step: "hopeless", payload: "a", attempts: MAX_ATTEMPTS });
    expect(job!.job.error!.length).toBe(500);
    isBroken = false;
    await work.store.write(P, async (tx) => void restartParkedJob(tx, job!.id, job!.job, new Date(now)));
    expect(await runJobs(work, P, table(hopeless))).toEqual({ done: 1, next: undefined });
    expect(await listJobs(await work.store.read(P), "parked", undefined, 10)).toEqual([]);
  });
});

test("the host is notified about delayed work after the commit, and its errors stop nothing", async () => {
  const due: number[] = [];
  const work: JobContext = { ...workOn(memoryStorage()), onDue: (when) => due.push(when.getTime()) };
  const shaky = defineJob<string>("shaky", async () => {
    throw new Error("away");
  });
  const putOff = (it: JobContext) =>
    it.store.write(P, async (tx) => enqueueJob(it, place, tx, shaky, "a", new Date(now + 7000)));
  const lost = work.store.write(P, async (tx) => {
    enqueueJob(work, place, tx, shaky, "a", new Date(now + 7000));
    throw new Error("no");
  });
  await expect(lost).rejects.toThrow("no");
  expect(due).toEqual([]);
  await putOff(work);
  expect(due).toEqual([now + 7000]);
  now += 7000;
  await runJobs(work, P, table(shaky));
  expect(due.slice(1)).toEqual([now + 1000]);
  const broken: JobContext = {
    ...work,
    onDue: () => {
      throw new Error("the host's");
    },
  };
  await putOff(broken);
  expect(errors).toMatchObject([{ message: "away" }, { message: "the host's" }]);
  expect(await waiting(work)).toHaveLength(2);
});

test("the job of a dead process runs when its lease ends, and not before", async () => {
  const storage = memoryStorage();
  const work = workOn(storage);
  const ran: string[] = [];
  const note = defineJob<string>("note", async (_, payload) => ran.push(payload));
  const never = defineJob<string>("note", () => new Promise(() => {}));
  void enqueue(work, never, "a");
  await new Promise((resolve) => setImmediate(resolve));
  now += LEASE_MS - 1;
  expect(await runJobs(work, P, table(note))).toMatchObject({ done: 0 });
  now += 1;
  expect(await runJobs(work, P, table(note))).toMatchObject({ done: 1 });
  expect(ran).toEqual(["a"]);
});

describe("jobs that kill their process", () => {
  /** A process that takes the job and is never heard of again. */
  async function dies(storage: Store["storage"], ...others: JobType<never>[]): Promise<string[]> {
    const begun: string[] = [];
    const deadly = defineJob<string>("deadly", (_, payload) => {
      begun.push(payload);
      return new Promise(() => {});
    });
    void runJobs(workOn(storage), P, table(deadly, ...others));
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    now += LEASE_MS;
    return begun;
  }
  const deadly = defineJob<string>("deadly", async () => undefined);
  const parkedOn = async (storage: Store["storage"]) =>
    listJobs(await workOn(storage).store.read(P), "parked", undefined, 10);
  const put = (storage: Store["storage"], it: JobType<string>, payload: string) => {
    const work = workOn(storage, payload.charCodeAt(0));
    return work.store.write(P, async (tx) => enqueueJob(work, place, tx, it, payload, new Date(now + 1)));
  };

  test("a job that kills its process is parked the second time with an explanation, and the others go on", async () => {
    const storage = memoryStorage();
    const done: string[] = [];
    const note = defineJob<string>("note", async (_, payload) => void done.push(payload));
    await put(storage, deadly, "a");
    await put(storage, note, "b");
    now += 1;
    expect([await dies(storage, note), await dies(storage, note), await dies(storage, note)]).toEqual([
      ["a"],
      ["a"],
      [],
    ]);
    await runJobs(workOn(storage), P, table(deadly, note));
    expect([done, await waiting(workOn(storage))]).toEqual([["b"], []]);
    const [{ job }] = (await parkedOn(storage)) as [ListedJob];
    expect(job).toMatchObject({
      step: "deadly",
      attempts: 2,
      error: "It ended with its process 2 times, and is not tried again by itself.",
    });
    expect(errors).toMatchObject([{ message: expect.stringContaining("was given up") }]);
  });

  test("a parked job that killed its process starts anew with a full count when an admin resumes it", async () => {
    const storage = memoryStorage();
    await put(storage, deadly, "a");
    now += 1;
    for (let time = 0; time < 3; time++) await dies(storage);
    const [{ id, job }] = (await parkedOn(storage)) as [ListedJob];
    const { store } = workOn(storage);
    await store.write(P, async (tx) => void restartParkedJob(tx, id, job, new Date(now)));
    expect([await dies(storage), await dies(storage), await dies(storage)]).toEqual([["a"], ["a"], []]);
  });

  test("a job that made progress or failed is not counted as a killer", async () => {
    const storage = memoryStorage();
    const fails = defineJob<string>("deadly", async () => {
      throw new Error("away");
    });
    let piece = 0;
    const pieces = defineJob<string>("deadly", () =>
      ++piece % 2 === 1 ? Promise.resolve(true) : new Promise(() => {}),
    );
    await put(storage, deadly, "a");
    now += 1;
    for (let time = 0; time < 5; time++) {
      void runJobs(workOn(storage), P, table(pieces));
      await expect.poll(() => piece, PATIENCE).toBe(2 * time + 2);
      now += LEASE_MS;
    }
    for (let time = 0; time < 3; time++) {
      await runJobs(workOn(storage), P, table(fails));
      now += HOUR;
    }
    expect(await parkedOn(storage)).toEqual([]);
    expect(await runJobs(workOn(storage), P, table(deadly))).toMatchObject({ done: 1 });
  });

  test("a job that this process still runs is not counted as a killer, however slow it is", async () => {
    const storage = memoryStorage();
    const work = workOn(storage);
    let answer = () => {};
    const slow = defineJob<string>("deadly", () => new Promise<void>((come) => (answer = come)));
    await put(storage, deadly, "a");
    now += 1;
    for (let time = 0; time < 5; time++) {
      void runJobs(work, P, table(slow));
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      now += LEASE_MS;
    }
    expect(await parkedOn(storage)).toEqual([]);
    answer();
    await expect.poll(() => waiting(workOn(storage)), PATIENCE).toEqual([]);
  });

  test("every finished piece renews the lease, so that long work is not taken for dead", async () => {
    const storage = memoryStorage();
    const work = workOn(storage);
    let left = 10;
    const long = defineJob<string>("deadly", async () => {
      now += LEASE_MS / 2;
      await runJobs(workOn(storage), P, table(deadly));
      return --left > 0;
    });
    await put(storage, deadly, "a");
    now += 1;
    expect(await runJobs(work, P, table(long))).toMatchObject({ done: 1 });
    expect([left, await waiting(work), await parkedOn(storage)]).toEqual([0, [], []]);
  });
});

test("a long job reports progress when its lease is renewed, continues counting after a resume, and reports its end", async () => {
  const work = workOn(memoryStorage());
  const seen: unknown[] = [];
  let runs = 0;
  const long = defineJob<string>("long", async (_, __, mayGoOn) => {
    for (let done = 1; done <= 2; done++) {
      await mayGoOn!({ done, step: "counting" });
      now += LEASE_MS / 2;
    }
    await mayGoOn!();
    seen.push((await waiting(work)).map(({ job }) => job.progress));
    if (++runs === 1) throw new Error("It stops here.");
  });
  await enqueue(work, long, "a");
  now += HOUR;
  await runJobs(work, P, table(long));
  expect(seen).toEqual([[{ done: 2, step: "counting" }], [{ done: 4, step: "counting" }]]);
  const told = await listProgress(await work.store.read(P));
  expect(told.map(({ record }) => record)).toMatchObject([{ work: "job", status: "completed", done: 4, total: 4 }]);
  now += 2 * HOUR;
  expect(await deleteOldProgress(work.store, P)).toBe(1);
  expect(await listProgress(await work.store.read(P))).toEqual([]);
});

describe("jobs in many processes", () => {
  const jobs = ["a", "b", "c", "d", "e"];

  /** Jobs that lie there due; three processes want them at once. */
  async function play(seed: number, killOneIn?: number): Promise<Map<string, number>> {
    const storage = memoryStorage();
    const ran = new Map<string, number>();
    const note = defineJob<string>("note", async ({ store }, payload) => {
      await store.write(P, async (tx) => tx.add(encodeKey("effect", payload), 1));
      ran.set(payload, (ran.get(payload) ?? 0) + 1);
    });
    const puts = jobs.map((id, i) => ({
      key: encodeKey("job", i, id),
      value: { step: "note", payload: id, createdAt: 0, attempts: 0 },
    }));
    await storage.partition(P).commit({ checks: [], puts, deletes: [], adds: [] });
    const { storageFor, run } = interleave(storage, seed, killOneIn ? { killOneIn } : {});
    const workers = [0, 1, 2].map(
      (i) => async () => void (await runJobs(workOn(storageFor(i), seed * 10 + i), P, table(note))),
    );
    await run(workers, async () => {});
    now += LEASE_MS;
    await runJobs(workOn(storage), P, table(note));
    expect(await waiting(workOn(storage))).toEqual([]);
    return ran;
  }

  test("many processes share the jobs and run none twice", async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const ran = await play(seed);
      expect([...ran.values()], `seed ${seed}`).toEqual(jobs.map(() => 1));
    }
  });

  test("many processes that die midway leave no job undone", async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const ran = await play(seed, 12);
      expect([...ran.keys()].sort(), `seed ${seed}`).toEqual(jobs);
    }
  });
});

test("a job that waits for a resource delays only itself", async () => {
  const storage = memoryStorage();
  const work = workOn(storage);
  const done: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((come) => {
    answer = come;
  });
  const stalls = defineJob<null>("stalls", () => answered.then(() => void done.push("stalls")), { isLong: true });
  const quick = defineJob<string>("quick", async (_, name) => void done.push(name));
  const also = defineJob<null>("also", async () => void done.push("also long"), { isLong: true });
  await work.store.write(P, async (tx) => {
    enqueueJob(work, place, tx, stalls, null, new Date(now + 1));
    enqueueJob(work, place, tx, also, null, new Date(now + 2));
    enqueueJob(work, place, tx, quick, "quick", new Date(now + 3));
  });
  now += 10;
  const running = runJobs(work, P, table(stalls, quick, also));
  await expect.poll(() => done, PATIENCE).toEqual(["quick", "also long"]);
  answer();
  expect(await running).toEqual({ done: 3, next: undefined });
  expect(done).toEqual(["quick", "also long", "stalls"]);
});
