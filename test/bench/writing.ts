// A durable write on LevelDB through the API, against the same entries written straight to `level`.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Level } from "level";
import type { Batch, Partition, Storage } from "octavo";
import { levelStorage } from "./built";
import { compare, concurrently, type Row } from "./measure";
import { createSubject } from "./subject";

const AT_ONCE = 64;
const WRITES = 640;

export async function writing(): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "octavo-bench-"));
  const batches: Batch[] = [];
  const storage = recording(levelStorage(join(directory, "ours")), batches);
  const raw = new Level<Uint8Array, string>(join(directory, "raw"), { keyEncoding: "view", valueEncoding: "utf8" });
  try {
    const { path, ask } = await createSubject(storage);
    let teams = 0;
    const createTeam = () => ask("PUT", `${path}/teams`, { title: `Team ${++teams}` });

    // The batches of a round, as the storage was handed them: the same keys and values, write for write.
    batches.length = 0;
    await concurrently(WRITES, AT_ONCE, createTeam)();
    const writes = batches.splice(0).map(operationsOf);
    if (writes.length !== WRITES) throw new Error(`${WRITES} writes took ${writes.length} commits: others interfered.`);
    storage.stop();

    let next = 0;
    const row = await compare({
      what: `durable write, LevelDB, ${AT_ONCE} at once`,
      against: "the writes/s of raw level, a synced batch of the same entries each",
      budget: { atLeast: 0.35 },
      ours: concurrently(WRITES, AT_ONCE, createTeam),
      theirs: concurrently(WRITES, AT_ONCE, () => raw.batch(writes[next++ % WRITES]!, { sync: true })),
      rounds: 8,
      // A server runs for days. Ours is twice as fast after its first ten thousand writes, once all of it is compiled.
      warmUp: 8,
    });
    return [row];
  } finally {
    await storage.close();
    await raw.close();
    await rm(directory, { recursive: true });
  }
}

type Operation = { type: "put"; key: Uint8Array; value: string } | { type: "del"; key: Uint8Array };

function operationsOf({ puts, deletes, adds }: Batch): Operation[] {
  return [
    ...puts.map(({ key, value }) => ({ type: "put" as const, key: bytesOf(key), value: JSON.stringify(value) })),
    ...adds.map(({ key, amount }) => ({ type: "put" as const, key: bytesOf(key), value: String(amount) })),
    ...deletes.map((key) => ({ type: "del" as const, key: bytesOf(key) })),
  ];
}

function bytesOf(key: string): Uint8Array {
  return Uint8Array.from(key, (character) => character.charCodeAt(0));
}

/** A storage whose commits are noted until `stop`. */
function recording(storage: Storage, batches: Batch[]): Storage & { stop(): void } {
  let isRecording = true;
  const noted = (partition: Partition): Partition => ({
    snapshot: () => partition.snapshot(),
    commit(batch) {
      if (isRecording) batches.push(batch);
      return partition.commit(batch);
    },
  });
  return {
    partition: (name) => (isRecording ? noted(storage.partition(name)) : storage.partition(name)),
    partitions: (after) => storage.partitions(after),
    blobs: storage.blobs,
    close: () => storage.close(),
    stop() {
      isRecording = false;
    },
  };
}
