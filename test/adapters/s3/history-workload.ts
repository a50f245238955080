// What the processes of a history do: random transactions on a few keys of a few partitions, so that they meet. Every call
// is recorded when it begins and when it has its answer.

import { createSeededRandom } from "../../../adapters/conformance/cases";
import { type Batch, type Entry, type Json, type Key, type Storage, Unavailable } from "../../../src/storage/storage";
import type { Call, CommitCall, SnapshotCall } from "./history";

export const partitions = ["left", "right"];
/** What all marks begin with. */
export const MARKS = "mark-";
const WORK = "work-";
const registers = ["a", "b", "c"].map((name) => `${WORK}register-${name}`);
const counters = ["x", "y"].map((name) => `${WORK}counter-${name}`);

/** A call as it is written down: its beginning, and then, if there is one, its end. */
export type Line = { readonly id: string; readonly partition: string } & (
  | { readonly begins: CommitCall }
  | { readonly ends: Call }
);

export interface Workload {
  /** No other workload on the same storage has this name. */
  readonly name: string;
  readonly seed: number;
  /** How many transactions are run, by how many at once. */
  readonly transactions: number;
  readonly atOnce: number;
  readonly record: (line: Line) => void | Promise<void>;
  /** A clock that all workloads of a history share. Default: the machine's own. */
  readonly now?: () => number;
}

/** Runs the transactions. A history holds all of a workload's calls, also when it ends early. */
export async function runWorkload(storage: Storage, workload: Workload): Promise<void> {
  const random = createSeededRandom(workload.seed);
  let begun = 0;
  const worker = async () => {
    while (begun < workload.transactions) await transact(storage, workload, `${workload.name}-${begun++}`, random);
  };
  await Promise.all(Array.from({ length: workload.atOnce }, worker));
}

/** The calls of a partition, out of all lines. A commit that has only begun may have happened or not. */
export function callsOf(partition: string, lines: readonly Line[]): Call[] {
  const calls = new Map<string, Call>();
  for (const line of lines) {
    if (line.partition === partition) calls.set(line.id, "ends" in line ? line.ends : line.begins);
  }
  return [...calls.values()];
}

/** Every mark in a partition. */
export async function marksIn(storage: Storage, partition: string): Promise<Entry[]> {
  const snapshot = await storage.partition(partition).snapshot();
  const marks: Entry[] = [];
  for (;;) {
    const found = await snapshot.list({ under: MARKS, after: marks.at(-1)?.key, limit: 500 });
    marks.push(...found);
    if (found.length < 500) return marks;
  }
}

type Random = (below: number) => number;

/** Reads, decides, and writes with checks of what was read; or writes blindly; or only reads. */
async function transact(
  storage: Storage,
  { record, now = monotonic }: Workload,
  id: string,
  random: Random,
): Promise<void> {
  const name = partitions[random(partitions.length)]!;
  const partition = storage.partition(name);
  const blind = random(4) === 0;
  const began = now();
  const snapshot = await partition.snapshot().catch(passOver);
  if (!snapshot) return;
  const ended = now();
  const keys = [...registers, ...counters].filter(() => random(2) === 0);
  const got = await snapshot.get(keys).catch(passOver);
  const listed = random(3) === 0 ? await snapshot.list({ under: WORK, limit: 100 }).catch(passOver) : undefined;
  const read: SnapshotCall = {
    kind: "snapshot",
    began,
    ended,
    version: snapshot.version,
    got: got ? keys.map((key, at) => ({ key, entry: got[at] ?? null })) : [],
    listed: listed ? [{ under: WORK, entries: listed }] : [],
  };
  await record({ id: `${id}-read`, partition: name, ends: read });
  if (!got || random(5) === 0) return;

  const mark = `${MARKS}${id}`;
  const checks = blind ? [] : keys.map((key, at) => ({ key, version: got[at]?.version ?? null }));
  const batch: Batch = { ...changes(random, id), checks };
  const marked: Batch = { ...batch, puts: [...batch.puts, { key: mark, value: null }] };
  const call = { kind: "commit" as const, mark, batch: marked, began: now() };
  await record({ id, partition: name, begins: { ...call, ended: Number.MAX_VALUE, answer: "unknown" } });
  const answer = await partition.commit(marked).then(
    (committed) => (committed.ok ? { version: committed.version } : { conflict: committed.conflict }),
    (error) => outcomeOf(error),
  );
  const answered = answer === "unknown" ? Number.MAX_VALUE : now();
  await record({ id, partition: name, ends: { ...call, ended: answered, answer } });
}

/** What a transaction writes: a value that no other writes, nothing where something was, more on a counter. */
function changes(random: Random, id: string): Omit<Batch, "checks"> {
  const puts: { key: Key; value: Json }[] = [];
  const deletes: Key[] = [];
  for (const key of registers) {
    const choice = random(6);
    if (choice < 2) puts.push({ key, value: { by: id, filler: "x".repeat(random(400)) } });
    else if (choice === 2) deletes.push(key);
  }
  const adds = counters.filter(() => random(2) === 0).map((key) => ({ key, amount: 1 + random(9) }));
  return { puts, deletes, adds };
}

function outcomeOf(error: unknown): "unknown" | "none" {
  if (error instanceof Unavailable) return error.outcome;
  throw error;
}

/** A storage may be busy; whatever else it throws ends the workload. */
function passOver(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error;
}

/** The machine's monotonic clock, the same in all of its processes. */
function monotonic(): number {
  return Number(process.hrtime.bigint());
}
