// Processes that write the same record all the time. Nobody is refused, and everybody gets a share, also a process that is much
// farther away from the storage than another one. The time is modelled: the waits for the storage, and nothing else, take time.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import type { Storage } from "../../src/storage/storage";
import { createJitteredPause, createStore } from "../../src/storage/store";
import { ModelClock } from "../stress/contention/model-clock";
import { seeded } from "../support/setting";
import { through } from "../support/through";

/** A process, with the number of its writers and the time that each of its requests to the storage takes, in milliseconds. */
interface Process {
  readonly writers: number;
  readonly requestMs: number;
}

/** The time for which the writers write, in milliseconds. */
const DURATION_MS = 30_000;

/** Returns a storage that is reached through a network. */
function addDistance(storage: Storage, clock: ModelClock, requestMs: number): Storage {
  const request = async <T>(run: () => Promise<T>): Promise<T> => {
    await clock.sleep(requestMs / 2);
    const result = await run();
    await clock.sleep(requestMs / 2);
    return result;
  };
  return through(storage, {
    snapshot: request,
    get: (_, go) => request(go),
    list: (_, go) => request(go),
    commit: (_, go) => request(go),
  });
}

/** Runs the processes, and returns the longest time that a write of each took and the number of its writes. */
async function runProcesses(processes: readonly Process[]) {
  const clock = new ModelClock(false);
  const storage = memoryStorage();
  const results = await Promise.all(
    processes.map(async ({ writers, requestMs }, number) => {
      const random = seeded(number);
      const store = createStore(addDistance(storage, clock, requestMs), {
        now: () => new Date(clock.now()),
        random,
        pause: createJitteredPause(random, (ms) => clock.sleep(ms)),
        clock: () => clock.now(),
      });
      const times: number[] = [];
      const writeRepeatedly = async () => {
        while (clock.now() < DURATION_MS) {
          const startedAt = clock.now();
          await store.write("partition", async (tx) => {
            tx.put("record", (((await tx.get("record")) as number | undefined) ?? 0) + 1);
          });
          times.push(clock.now() - startedAt);
        }
      };
      await Promise.all(Array.from({ length: writers }, writeRepeatedly));
      return { writes: times.length, slowest: Math.max(...times) };
    }),
  );
  const snapshot = await storage.partition("partition").snapshot();
  const [record] = await snapshot.get(["record"]);
  expect(record?.value).toBe(results.reduce((sum, { writes }) => sum + writes, 0));
  return results;
}

describe("processes that write the same record", () => {
  test("two processes that are equally far away get the same share", async () => {
    const [one, other] = await runProcesses([
      { writers: 16, requestMs: 20 },
      { writers: 16, requestMs: 20 },
    ]);
    expect(one!.writes / other!.writes).toBeGreaterThan(0.8);
    expect(one!.writes / other!.writes).toBeLessThan(1.25);
    expect(Math.max(one!.slowest, other!.slowest)).toBeLessThan(3000);
  });

  test("four processes get the same share", async () => {
    const results = await runProcesses(Array.from({ length: 4 }, () => ({ writers: 8, requestMs: 20 })));
    const writes = results.map((result) => result.writes);
    expect(Math.min(...writes) / Math.max(...writes)).toBeGreaterThan(0.8);
    expect(Math.max(...results.map(({ slowest }) => slowest))).toBeLessThan(6000);
  });

  test("a single writer is not held up by a process with many", async () => {
    const [one, many] = await runProcesses([
      { writers: 1, requestMs: 20 },
      { writers: 64, requestMs: 20 },
    ]);
    // A process is one contender, however many of its writers wait.
    expect(one!.writes).toBeGreaterThan(many!.writes / 64 / 2);
    expect(Math.max(one!.slowest, many!.slowest)).toBeLessThan(6000);
  });

  test.each([4, 30])("a process that is %d times as far away as another one is not refused", async (factor) => {
    const [near, far] = await runProcesses([
      { writers: 16, requestMs: 10 },
      { writers: 16, requestMs: 10 * factor },
    ]);
    // Its writes take longer, and it commits less often: but it does commit all the time.
    expect(far!.writes).toBeGreaterThan(16 * 3);
    expect(near!.writes).toBeGreaterThan(far!.writes);
    expect(Math.max(near!.slowest, far!.slowest)).toBeLessThan(15_000);
  });
});
