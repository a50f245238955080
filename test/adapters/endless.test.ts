// Storages that never answer, or never come to an end: the suite must end nevertheless, with a sentence that names the call.

import type { Batch, Blobs, Partition, Snapshot, Storage } from "octavo/adapter";
import { type Candidate, defineConformanceTests } from "octavo/conformance";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { PATIENCE_MS as MOST_PATIENCE_MS } from "../support/patience";

const never = () => new Promise<never>(() => {});

/** Little, for what never answers; nobody waits for the rest. */
const PATIENCE_MS = 200;

/** Runs all tests of the suite, one after the other; gives what those that failed have said. */
async function failuresOf(open: () => Promise<Candidate>, patience = MOST_PATIENCE_MS): Promise<string[]> {
  const tests: (() => Promise<void>)[] = [];
  defineConformanceTests({ test: (_, run) => tests.push(run), open, seed: 1, runs: 5, timeoutMs: patience });
  const said: string[] = [];
  for (const run of tests) await run().catch((error: Error) => said.push(`${error.message} ${error.cause ?? ""}`));
  return said;
}

interface Faults {
  readonly partition?: (partition: Partition) => Partial<Partition>;
  readonly snapshot?: (snapshot: Snapshot) => Partial<Snapshot>;
  readonly blobs?: (blobs: Blobs) => Partial<Blobs>;
  readonly storage?: Partial<Storage>;
}

function faulty({ partition: ofPartition, snapshot: ofSnapshot, blobs: ofBlobs, storage: ofStorage }: Faults) {
  return async (): Promise<Candidate> => {
    const sound = memoryStorage();
    const view = (it: Snapshot): Snapshot => ({
      version: it.version,
      get: (keys) => it.get(keys),
      list: (range) => it.list(range),
      ...ofSnapshot?.(it),
    });
    const storage: Storage = {
      partition(name) {
        const it = sound.partition(name);
        const commit = (batch: Batch) => it.commit(batch);
        return { snapshot: async () => view(await it.snapshot()), commit, ...ofPartition?.(it) };
      },
      partitions: (after) => sound.partitions(after),
      blobs: {
        put: (name, bytes) => sound.blobs.put(name, bytes),
        get: (name, range) => sound.blobs.get(name, range),
        delete: (name) => sound.blobs.delete(name),
        list: (after) => sound.blobs.list(after),
        ...ofBlobs?.(sound.blobs),
      },
      close: () => sound.close(),
      ...ofStorage,
    };
    return { storage, reopen: async () => storage };
  };
}

async function* endlessly() {
  for (;;) yield "a";
}
async function* stuck() {
  yield "a";
  await never();
}
const stream = (pull: UnderlyingDefaultSource<Uint8Array>["pull"] & {}) => new ReadableStream<Uint8Array>({ pull });
const megabyte = new Uint8Array(1024 * 1024);

const controls: Readonly<Record<string, readonly [open: () => Promise<Candidate>, says: string]>> = {
  "parts go on for ever": [
    faulty({ snapshot: (it) => ({ list: ({ after: _, before: __, ...range }) => it.list(range) }) }),
    "`list` does not end: parts go on after the last key",
  ],
  "every commit with a check is refused": [
    faulty({
      partition: (it) => ({
        commit: async (batch) => (batch.checks[0] ? { ok: false, conflict: batch.checks[0].key } : it.commit(batch)),
      }),
    }),
    "`commit` refused 1000 times in a row",
  ],
  "commits never conflict": [
    faulty({ partition: (it) => ({ commit: (batch) => it.commit({ ...batch, checks: [] }) }) }),
    "the number: expected 80",
  ],
  "the list of partitions never ends": [faulty({ storage: { partitions: endlessly } }), "`partitions` does not end"],
  "the list of partitions gets stuck": [faulty({ storage: { partitions: stuck } }), "`partitions` did not answer"],
  "the list of blobs never ends": [faulty({ blobs: () => ({ list: endlessly }) }), "`blobs.list` does not end"],
  "a snapshot never comes": [faulty({ partition: () => ({ snapshot: never }) }), "`snapshot` did not answer"],
  "a get never answers": [faulty({ snapshot: () => ({ get: never }) }), "`snapshot.get` did not answer"],
  "a commit never answers": [faulty({ partition: () => ({ commit: never }) }), "`commit` did not answer"],
  "a blob is never stored": [faulty({ blobs: () => ({ put: never }) }), "`blobs.put` did not answer"],
  "the bytes of a blob never end": [
    faulty({ blobs: () => ({ get: async () => ({ size: 1000, stream: stream((it) => it.enqueue(megabyte)) }) }) }),
    "The stream of `blobs.get` does not end",
  ],
  "the bytes of a blob never come": [
    faulty({ blobs: () => ({ get: async () => ({ size: 1000, stream: stream(never) }) }) }),
    "`the stream of blobs.get` did not answer",
  ],
  "it never closes": [faulty({ storage: { close: never } }), "`close` did not answer"],
  "it never opens": [never, "`open` did not answer"],
  "it never opens again": [
    async () => ({ storage: memoryStorage(), reopen: never }),
    "`reopen` did not answer within 200 ms.",
  ],
};

// Most of them wait.
test.concurrent.each(Object.entries(controls))("the conformance suite ends when %s", async (_, [open, says]) => {
  const said = await failuresOf(open, says.includes("did not answer") ? PATIENCE_MS : undefined);
  expect(
    said.some((message) => message.includes(says)),
    said.join("\n"),
  ).toBe(true);
});

test("the suite calls a method that never settles three times, and then stops calling it", async () => {
  const said = await failuresOf(faulty({ partition: () => ({ commit: never }) }), PATIENCE_MS);
  expect(said.filter((message) => message.startsWith("`commit` did not answer"))).toHaveLength(3);
  expect(said.at(-1)).toContain("Not asked: commit, commit, commit did not answer within 200 ms.");
});

test("the suite detects a storage that does not see the writes of another instance", async () => {
  const said = await failuresOf(async () => {
    const storage = memoryStorage();
    return { storage, reopen: async () => storage, another: async () => memoryStorage() };
  });
  expect(said.length).toBeGreaterThanOrEqual(4);
});

test("defineConformanceTests rejects a kit without a runner or a storage with a clear message", () => {
  const kit = { test, open: never };
  for (const name of ["test", "open"])
    expect(() => defineConformanceTests({ ...kit, [name]: undefined })).toThrow(
      `defineConformanceTests: \`${name}\` must be a function.`,
    );
});
