// Names that are unique across partitions, under every order of steps that a few hundred seeds come up with: writers that
// claim and give up, others that die in the middle, and a sweeper that takes abandoned wishes for dead at once.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import {
  deleteDirectoryEntry,
  deleteExpiredReservations,
  getClaimingPartition,
  holdName,
  releaseName,
  reserveName,
} from "../../src/storage/claims";
import { DIRECTORY } from "../../src/storage/ids";
import { encodeKey } from "../../src/storage/key";
import { createStore, type Store } from "../../src/storage/store";
import { seeded } from "../support/setting";
import { runs } from "../support/test-length";
import { firstFailure, interleave } from "./interleave";

const claim = { kind: "subdomain" as const, name: "acme" };
const used = encodeKey("uses");
const partitions = ["org-a", "org-b", "org-c"];
const world = (seed: number) => ({ now: () => new Date(0), random: seeded(seed), pause: async () => {} });

type Take = (store: Store, partition: string) => Promise<boolean>;

const take: Take = async (store, partition) => {
  const attempt = await reserveName(store, partition, claim);
  if (attempt === undefined) return false;
  await store.write(partition, async (tx) => {
    await holdName(tx, claim, attempt);
    tx.put(used, claim.name);
  });
  return true;
};

const giveUp = async (store: Store, partition: string) => {
  await store.write(partition, async (tx) => {
    releaseName(tx, claim);
    tx.delete(used);
  });
  await deleteDirectoryEntry(store, partition, claim);
};

async function play(seed: number, takeName: Take, killOneIn?: number): Promise<void> {
  const storage = memoryStorage();
  const { storageFor, run } = interleave(storage, seed, killOneIn ? { killOneIn } : {});
  const direct = createStore(storage, world(seed));
  const holders = async () => {
    const uses = await Promise.all(partitions.map(async (name) => (await direct.read(name)).get(used)));
    return uses.filter((name) => name === claim.name).length;
  };
  const writers = partitions.map((partition, i) => async () => {
    const store = createStore(storageFor(i), world(seed * 10 + i));
    for (let round = 0; round < 2; round++) {
      const isOurs = await takeName(store, partition).catch(() => false);
      if (isOurs && round === 0) await giveUp(store, partition);
    }
  });
  const sweeper = async () => {
    const store = createStore(storageFor(partitions.length), world(seed * 10 + 9));
    for (let round = 0; round < 2; round++) {
      for (const partition of partitions) await deleteExpiredReservations(store, partition, new Date(1));
    }
  };
  await run([...writers, sweeper], async () => expect(await holders()).toBeLessThanOrEqual(1));

  // Whatever was left behind, the name can be had again.
  for (const partition of partitions) await deleteExpiredReservations(direct, partition, new Date(1));
  for (const partition of partitions) {
    if ((await (await direct.read(partition)).get(used)) !== undefined) await giveUp(direct, partition);
  }
  expect(await take(direct, "org-d")).toBe(true);
  expect(await getClaimingPartition(await direct.read(DIRECTORY), claim)).toBe("org-d");
}

describe("the holder of a name", () => {
  test("a name has one holder at every moment when claims, releases and sweeps interleave", async () => {
    for (let seed = 1; seed <= runs(800); seed++) await play(seed, take);
  });

  test("a name has one holder at every moment even when writers die midway", async () => {
    for (let seed = 1; seed <= runs(800); seed++) await play(seed, take, 15);
  });

  test("control: trusting a directory entry without recording the intent fails", async () => {
    const naive: Take = async (store, partition) => {
      const entry = encodeKey("claimed", claim.kind, claim.name);
      const isFree = await store.write(DIRECTORY, async (tx) => {
        const held = (await tx.get(entry)) as { partition: string } | undefined;
        if (held && held.partition !== partition) {
          const theirs = await (await store.read(held.partition)).get(used);
          if (theirs !== undefined) return false;
        }
        tx.put(entry, { partition });
        return true;
      });
      if (isFree) await store.write(partition, async (tx) => tx.put(used, claim.name));
      return isFree;
    };
    expect(await firstFailure(200, (seed) => play(seed, naive))).toBeDefined();
  });
});

test("an expired reservation cannot be used and leaves nothing behind", async () => {
  const store = createStore(memoryStorage(), world(1));
  const attempt = await reserveName(store, "org-a", claim);
  await deleteExpiredReservations(store, "org-a", new Date(1));
  await expect(store.write("org-a", (tx) => holdName(tx, claim, attempt!))).rejects.toThrow("ran out");
  expect(await reserveName(store, "org-b", claim)).toBeDefined();
  expect(await reserveName(store, "org-a", claim)).toBeUndefined();
});
