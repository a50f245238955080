// Workloads and their histories: on memory and on storages that are broken on purpose, and of processes that meet on a real
// S3 server, where one of them is killed.

import { randomUUID } from "node:crypto";
import { memoryStorage } from "octavo/memory";
import { afterAll, describe, expect, test } from "vitest";
import { createObjectStorage } from "../../../adapters/s3/engine";
import { S3Objects } from "../../../adapters/s3/s3-objects";
import { resolveTimeouts } from "../../../adapters/s3/waits";
import type { Partition, Storage } from "../../../src/storage/storage";
import { badNetwork } from "../../support/bad-network";
import { builtScript, historyOf, seeds } from "../../support/history-processes";
import { violations } from "./history";
import { callsOf, type Line, marksIn, partitions, runWorkload } from "./history-workload";
import { PATIENT } from "./patient";
import { removeAll, s3Environment, s3Server } from "./server";

describe("a workload in one process", () => {
  /** Two workloads at once on a storage that gives way before every call, and what the checker says of them. */
  async function historyOn(broken: (partition: Partition) => Partial<Partition>): Promise<string[]> {
    const storage = memoryStorage();
    const lines: Line[] = [];
    const slowly = new Map(partitions.map((name) => [name, giveWay(storage.partition(name), broken)]));
    const slow: Storage = { ...storage, partition: (name) => slowly.get(name)! };
    const run = (name: string, seed: number) =>
      runWorkload(slow, { name, seed, transactions: 300, atOnce: 4, record: (line) => void lines.push(line) });
    await Promise.all([run("one", 1), run("two", 2)]);
    const found: string[] = [];
    for (const name of partitions) found.push(...violations(callsOf(name, lines), await marksIn(storage, name)));
    return found;
  }

  function giveWay(partition: Partition, broken: (partition: Partition) => Partial<Partition>): Partition {
    const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
    const instead = broken(partition);
    return {
      snapshot: () => wait().then(() => instead.snapshot?.() ?? partition.snapshot()),
      commit: (batch) => wait().then(() => instead.commit?.(batch) ?? partition.commit(batch)),
    };
  }

  test("the history of a workload on memory is accepted", async () => {
    expect(await historyOn(() => ({}))).toEqual([]);
  });

  test("the history of a workload on a storage that ignores checks is rejected", async () => {
    const found = await historyOn((partition) => ({
      commit: (batch) => partition.commit({ ...batch, checks: [] }),
    }));
    expect(found.join("\n")).toMatch(/though its check of work-\S+ was stale/);
  });

  test("the history of a workload on a storage with stale snapshots is rejected", async () => {
    const found = await historyOn((partition) => {
      let last = partition.snapshot();
      const snapshot = () => {
        const old = last;
        last = partition.snapshot();
        return old;
      };
      return { snapshot };
    });
    expect(found.join("\n")).toMatch(/A snapshot begun after \d+ was seen has the version/);
  });

  test("the history of a workload on a storage that acknowledges before it writes is rejected", async () => {
    let count = 0;
    const found = await historyOn((partition) => ({
      commit: async (batch) => {
        const { version } = await partition.snapshot();
        return ++count % 50 === 0 ? { ok: true, version: version + 1 } : partition.commit(batch);
      },
    }));
    expect(found.join("\n")).toMatch(/was acknowledged as \d+ and is stored as nothing/);
  });
});

const server = await s3Server();
if ("leftOut" in server) console.log(`The history of processes on a real S3 server was left out: ${server.leftOut}.`);
else
  describe("a workload of many processes on a real S3 server", () => {
    const prefix = `history-${randomUUID()}`;
    const { bucket, ...config } = server;
    const script = builtScript("test/adapters/s3/history-process.ts");
    afterAll(() => removeAll(server, prefix));

    const meetingAt = async (place: string, endpoint = server.endpoint) => ({
      script: await script,
      told: [`${prefix}/${place}`],
      env: s3Environment({ ...server, endpoint }),
      open: () =>
        createObjectStorage(new S3Objects({ bucket, config, waits: resolveTimeouts(PATIENT) }), {
          prefix: `${prefix}/${place}`,
          timeouts: PATIENT,
        }),
    });

    test.each(seeds)(
      "the history of many processes on an S3 server with a kill, lost responses and clock jumps is strictly serializable: %i",
      async (seed) => {
        const network = await badNetwork(server.endpoint, seed);
        const meeting = await meetingAt(`killed-${seed}`, network.url);
        expect(await historyOf({ ...meeting, seed, killed: [0], clockJumps: true })).toEqual([]);
        expect(network.late()).toBeGreaterThan(0);
        await network.stop();
      },
    );

    test("a missing condition is detected in the history of many processes on an S3 server", async () => {
      const found = await historyOf({ ...(await meetingAt("careless")), seed: seeds[0]!, isCareless: true });
      expect(found.join("\n")).toMatch(/was acknowledged as \d+ and is stored as nothing/);
    });
  });
