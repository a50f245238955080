// Storages with one deliberate fault each, to prove that the conformance suite notices it. Each control is the memory
// adapter with one promise broken.

import { type Candidate, defineConformanceTests } from "octavo/conformance";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import type { Batch, Blobs, Entry, Partition, Range, Snapshot, Storage } from "../../src/storage/storage";
import { PATIENCE_MS } from "../support/patience";

/** The conformance tests, from a runner that runs nothing. */
function suite(open: () => Promise<Candidate>): Map<string, () => Promise<void>> {
  const tests = new Map<string, () => Promise<void>>();
  defineConformanceTests({ test: (name, run) => tests.set(name, run), open, seed: 1, timeoutMs: PATIENCE_MS });
  return tests;
}

/** The part behind the colon of a test's name. */
type Noticed = string;
const scripts: Noticed = "every answer is the model's";

interface Break {
  snapshot?: (partition: Partition) => Promise<Snapshot>;
  commit?: (partition: Partition, batch: Batch) => ReturnType<Partition["commit"]>;
  get?: (snapshot: Snapshot, keys: readonly string[]) => ReturnType<Snapshot["get"]>;
  list?: (snapshot: Snapshot, range: Range) => ReturnType<Snapshot["list"]>;
  blobs?: (blobs: Blobs) => Partial<Blobs>;
  partitions?: (storage: Storage, after?: string) => AsyncIterable<string>;
  close?: (storage: Storage) => Promise<void>;
}

function brokenStorage(broken: Break): Storage {
  const storage = memoryStorage();
  const view = (snapshot: Snapshot): Snapshot => ({
    version: snapshot.version,
    get: (keys) => broken.get?.(snapshot, keys) ?? snapshot.get(keys),
    list: (range) => broken.list?.(snapshot, range) ?? snapshot.list(range),
  });
  return {
    partition(name) {
      const partition = storage.partition(name);
      return {
        snapshot: async () => view(await (broken.snapshot?.(partition) ?? partition.snapshot())),
        commit: async (batch) => broken.commit?.(partition, batch) ?? partition.commit(batch),
      };
    },
    partitions: (after) => broken.partitions?.(storage, after) ?? storage.partitions(after),
    blobs: {
      put: (name, bytes) => storage.blobs.put(name, bytes),
      get: (name, range) => storage.blobs.get(name, range),
      delete: (name) => storage.blobs.delete(name),
      list: (after) => storage.blobs.list(after),
      ...broken.blobs?.(storage.blobs),
    },
    close: () => broken.close?.(storage) ?? storage.close(),
  };
}

const inMemory = (make: () => Storage) => async (): Promise<Candidate> => {
  const storage = make();
  return { storage, reopen: async () => storage };
};
const broken = (parts: () => Break) => inMemory(() => brokenStorage(parts()));

const everything = { under: "", limit: Number.POSITIVE_INFINITY };
const inLocaleOrder = (a: Entry, b: Entry) => a.key.localeCompare(b.key);

/** Each control, and the tests that must fail on it. */
const controls: Record<string, { open: () => Promise<Candidate>; noticed: Noticed[] }> = {
  "loses one write in twenty": {
    open: broken(() => {
      let commits = 0;
      return {
        commit: async (partition, batch) => {
          if (++commits % 20 !== 0) return partition.commit(batch);
          return partition.commit({ ...batch, puts: batch.puts.slice(1) });
        },
      };
    }),
    noticed: ["the sum of a bank is the same in every snapshot"],
  },
  "tears a batch in two": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const half = Math.ceil(batch.puts.length / 2);
        const first = await partition.commit({ ...batch, puts: batch.puts.slice(0, half), deletes: [], adds: [] });
        if (!first.ok) return first;
        await new Promise((resolve) => setTimeout(resolve, 0));
        return partition.commit({ ...batch, checks: [], puts: batch.puts.slice(half) });
      },
    })),
    noticed: ["a batch is seen entirely or not at all", scripts],
  },
  "applies a refused batch nevertheless": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const answer = await partition.commit(batch);
        if (!answer.ok) await partition.commit({ ...batch, checks: [] });
        return answer;
      },
    })),
    noticed: ["nothing of a refused batch is applied", scripts],
  },
  "ignores every check": {
    open: broken(() => ({ commit: (partition, batch) => partition.commit({ ...batch, checks: [] }) })),
    noticed: ["increments by check and put lose nothing", scripts],
  },
  "ignores checks for absence": {
    open: broken(() => ({
      commit: (partition, batch) =>
        partition.commit({ ...batch, checks: batch.checks.filter(({ version }) => version !== null) }),
    })),
    noticed: ["of commits on the absence of one key, exactly one wins"],
  },
  "checks first and writes later": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const checked = await partition.commit({ ...batch, puts: [], deletes: [], adds: [] });
        if (!checked.ok) return checked;
        return partition.commit({ ...batch, checks: [] });
      },
    })),
    noticed: ["two writers who each check what the other writes do not both win", scripts],
  },
  "names the last failing key": {
    open: broken(() => ({
      commit: (partition, batch) => partition.commit({ ...batch, checks: [...batch.checks].reverse() }),
    })),
    noticed: ["a refusal names the first check that failed", scripts],
  },
  "sorts by locale": {
    open: broken(() => ({
      list: async (snapshot, range) => {
        const { under, after, before, reverse, limit } = range;
        const found = (await snapshot.list(everything))
          .filter(({ key }) => key.startsWith(under))
          .filter(({ key }) => after === undefined || key > after)
          .filter(({ key }) => before === undefined || key < before)
          .sort(inLocaleOrder);
        return (reverse ? found.reverse() : found).slice(0, limit);
      },
    })),
    noticed: ["keys are ordered by their bytes"],
  },
  "takes `after` as included": {
    open: broken(() => ({
      list: async (snapshot, range) => {
        const { after, ...rest } = range;
        if (after === undefined) return snapshot.list(range);
        const found = (await snapshot.list({ ...rest, limit: everything.limit })).filter(({ key }) => key >= after);
        return found.slice(0, range.limit);
      },
    })),
    noticed: ["`after` and `before` leave out their own keys", scripts],
  },
  "gives snapshots that move": {
    open: broken(() => ({
      snapshot: async (partition) => {
        const { version } = await partition.snapshot();
        return {
          version,
          get: async (keys) => (await partition.snapshot()).get(keys),
          list: async (range) => (await partition.snapshot()).list(range),
        };
      },
    })),
    noticed: ["a snapshot does not change while it is read", scripts],
  },
  "gives snapshots whose gets move and whose lists do not": {
    open: broken(() => ({
      snapshot: async (partition) => {
        const snapshot = await partition.snapshot();
        return {
          version: snapshot.version,
          get: async (keys) => (await partition.snapshot()).get(keys),
          list: (range) => snapshot.list(range),
        };
      },
    })),
    noticed: ["a batch is seen entirely or not at all"],
  },
  "acknowledges before it applies": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const { version } = await partition.snapshot();
        setTimeout(() => partition.commit(batch).catch(() => {}), 1);
        return { ok: true, version: version + 1 };
      },
    })),
    noticed: ["a snapshot holds every commit acknowledged before it", scripts],
  },
  "serves snapshots a commit late": {
    open: broken(() => {
      const last = new Map<Partition, Snapshot>();
      return {
        snapshot: async (partition) => {
          const now = await partition.snapshot();
          const before = last.get(partition) ?? now;
          last.set(partition, now);
          return before;
        },
      };
    }),
    noticed: ["a snapshot holds every commit acknowledged before it"],
  },
  "gives the same version twice": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const answer = await partition.commit(batch);
        return answer.ok ? { ok: true, version: Math.ceil(answer.version / 2) } : answer;
      },
    })),
    noticed: ["versions grow with every commit, and entries carry that of their own", scripts],
  },
  "forgets when it is opened again": {
    open: async () => {
      const storage = memoryStorage();
      const reopen = async () => {
        await storage.close();
        return memoryStorage();
      };
      return { storage, reopen };
    },
    noticed: ["what was acknowledged is there when the storage is opened again", scripts],
  },
  "forgets the last commit when it is opened again": {
    open: async () => {
      let kept: (() => Promise<unknown>)[] = [];
      const storage = brokenStorage({});
      const partition = (name: string): Partition => ({
        snapshot: () => storage.partition(name).snapshot(),
        commit: async (batch) => {
          const answer = await storage.partition(name).commit(batch);
          kept.push(() => again.partition(name).commit({ ...batch, checks: [] }));
          return answer;
        },
      });
      const again = memoryStorage();
      const reopen = async () => {
        for (const redo of kept.slice(0, -1)) await redo();
        kept = [];
        return again;
      };
      return { storage: { ...storage, partition }, reopen };
    },
    noticed: ["what was acknowledged is there when the storage is opened again"],
  },
  "adds by put": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const found = await (await partition.snapshot()).get(batch.adds.map(({ key }) => key));
        await new Promise((resolve) => setTimeout(resolve, 0));
        const sums = batch.adds.map(({ key, amount }, i) => ({
          key,
          value: ((found[i]?.value as number | undefined) ?? 0) + amount,
        }));
        return partition.commit({ ...batch, puts: [...batch.puts, ...sums], adds: [] });
      },
    })),
    noticed: ["adds at the same time all count, whatever the order"],
  },
  "takes more puts than it may": {
    open: broken(() => ({
      commit: async (partition, batch) => {
        const allowed = { ...batch, puts: batch.puts.slice(0, 500) };
        return batch.puts.length > 500 ? partition.commit(allowed) : partition.commit(batch);
      },
    })),
    noticed: ["a batch has at most 500 entries"],
  },
  "cuts off long texts": {
    open: broken(() => ({
      commit: (partition, batch) =>
        partition.commit({
          ...batch,
          puts: batch.puts.map(({ key, value }) => ({
            key,
            value: typeof value === "string" && value.length < 65_000 ? value.slice(0, 32_767) : value,
          })),
        }),
    })),
    noticed: ["a value has at most 64 KiB of JSON, as UTF-8"],
  },
  "mixes partitions": {
    open: inMemory(() => {
      const storage = memoryStorage();
      return { ...storage, partition: () => storage.partition("one"), close: () => storage.close() };
    }),
    noticed: ["partitions do not see each other", scripts],
  },
  "lists partitions that were only read": {
    open: inMemory(() => {
      const storage = brokenStorage({});
      const seen = new Set<string>();
      return {
        ...storage,
        partition: (name) => {
          seen.add(name);
          return storage.partition(name);
        },
        async *partitions(after = "") {
          yield* [...seen].filter((name) => name > after).sort();
        },
      };
    }),
    noticed: ["partitions are listed, in order, once they were committed to"],
  },
  "keeps what a failing stream has sent": {
    open: broken(() => ({
      blobs: (blobs) => ({
        put: async (name, bytes) => {
          if (bytes instanceof Uint8Array) return blobs.put(name, bytes);
          const pieces: Uint8Array[] = [];
          try {
            for await (const piece of bytes) pieces.push(piece.slice());
          } finally {
            await blobs.put(name, new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer()));
          }
          return { size: (await blobs.get(name))!.size };
        },
      }),
    })),
    noticed: ["a stream that fails leaves nothing, and the error comes back"],
  },
  "ignores the range of a blob": {
    open: broken(() => ({ blobs: (blobs) => ({ get: (name) => blobs.get(name) }) })),
    noticed: ["a range is what it says, and ends with the blob"],
  },
  "overwrites a blob": {
    open: broken(() => ({
      blobs: (blobs) => ({
        put: async (name, bytes) => {
          await blobs.delete(name);
          return blobs.put(name, bytes);
        },
      }),
    })),
    noticed: ["a name is used once"],
  },
  "goes on after close": {
    open: broken(() => ({ close: async () => {} })),
    noticed: ["a closed storage refuses every call"],
  },
};

test("the conformance suite passes for a correct storage", async () => {
  for (const run of suite(broken(() => ({}))).values()) await run();
});

for (const [name, { open, noticed }] of Object.entries(controls)) {
  test(`the conformance suite detects a storage that ${name}`, async () => {
    for (const part of noticed) {
      const found = [...suite(open)].filter(([name]) => name.endsWith(`: ${part}`));
      expect(found, part).toHaveLength(1);
      await expect(found[0]![1](), part).rejects.toThrow();
    }
  });
}

test("a failing random script prints its seed and path and fails again with that seed", async () => {
  const messages: string[] = [];
  for (let i = 0; i < 2; i++) {
    const run = suite(controls["names the last failing key"]!.open).get(`random scripts: ${scripts}`)!;
    await run().catch((error: Error) => messages.push(error.message));
  }
  expect(messages[0]).toMatch(/seed: 1, path: "[\d:]+"/);
  expect(messages[1]).toBe(messages[0]);
});
