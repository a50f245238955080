// A durable write on LevelDB through the API, against the same entries written straight to `level`.

import { join } from "node:path";
import { Level } from "level";
import type { Batch } from "octavo";
import { through } from "../support/through";
import { levelStorage } from "./built";
import { compare, concurrently, type Row } from "./measure";
import { createSubject, inFolder } from "./subject";

const AT_ONCE = 64;
const WRITES = 640;

export const writing = () => inFolder(measured);

async function measured(directory: string): Promise<Row[]> {
  const batches: Batch[] = [];
  const level = levelStorage(join(directory, "ours"));
  let isRecording = true;
  const storage = through(level, {
    commit(batch, go) {
      if (isRecording) batches.push(batch);
      return go();
    },
  });
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
    isRecording = false;

    let next = 0;
    const row = await compare({
      what: `durable write, LevelDB, ${AT_ONCE} at once`,
      against: "the writes/s of raw level, a synced batch of the same entries each",
      budget: { atLeast: 0.35 },
      ours: concurrently(WRITES, AT_ONCE, createTeam),
      theirs: concurrently(WRITES, AT_ONCE, () => raw.batch(writes[next++ % WRITES]!, { sync: true })),
      // A server runs for days. Ours is twice as fast after its first ten thousand writes, once all of it is compiled.
      rounds: [8, 8],
    });
    return [row];
  } finally {
    await level.close();
    await raw.close();
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
