// The model test: random scripts of commits, snapshots, gets and lists run against the candidate and the model, and all answers are
// compared. A failing script is shrunk, and its seed and path are printed.

import fc from "fast-check";
import type { Batch, Committed, Entry, Json, Key, Range, Snapshot, Version } from "../adapter";
import { assert, assertEqual, isEqual } from "./assert";
import { type CallGuard, UnansweredCallError } from "./call-guard";
import { type Candidate, collectAll, type OpenedCandidate, runOnCandidate } from "./cases";

/** A partition at one version, in the simplest form. It shares no code with adapters, and takes the versions that they return. */
export class ModelState {
  constructor(
    readonly version: Version = 0,
    readonly entries: readonly Entry[] = [],
  ) {}

  get(key: Key): Entry | undefined {
    return this.entries.find((entry) => entry.key === key);
  }

  /** Returns the first key whose check fails. */
  findConflict(batch: Batch): Key | undefined {
    return batch.checks.find(({ key, version }) => (this.get(key)?.version ?? null) !== version)?.key;
  }

  /** Returns the state after a batch that was committed as `version`. */
  apply(batch: Batch, version: Version): ModelState {
    const entries = new Map(this.entries.map((entry) => [entry.key, entry]));
    for (const key of batch.deletes) entries.delete(key);
    for (const { key, value } of batch.puts)
      entries.set(key, { key, value: JSON.parse(JSON.stringify(value)) as Json, version });
    for (const { key, amount } of batch.adds) {
      const before = this.get(key)?.value;
      entries.set(key, { key, value: typeof before === "number" ? before + amount : amount, version });
    }
    const sorted = [...entries.values()].sort((a, b) => compareBytes(a.key, b.key));
    return new ModelState(version, sorted);
  }

  list({ under, after, before, reverse, limit }: Range): Entry[] {
    const listed = this.entries.filter(
      ({ key }) =>
        key.startsWith(under) &&
        (after === undefined || compareBytes(key, after) > 0) &&
        (before === undefined || compareBytes(key, before) < 0),
    );
    return (reverse ? listed.reverse() : listed).slice(0, limit);
  }
}

function compareBytes(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A check of a script. Its version is determined when the script runs, because versions are not known before. */
interface ScriptedCheck {
  readonly key: Key;
  readonly holds: "right" | "stale" | "absent" | "future";
}
interface ScriptedBatch {
  readonly checks: readonly ScriptedCheck[];
  readonly writes: readonly { readonly key: Key; readonly value?: Json; readonly amount?: number }[];
}
type ScriptStep =
  | { readonly do: "commit"; readonly partition: string; readonly change: ScriptedBatch }
  | { readonly do: "together"; readonly partition: string; readonly changes: readonly ScriptedBatch[] }
  | { readonly do: "snapshot"; readonly partition: string }
  | { readonly do: "get"; readonly which: number; readonly keys: readonly Key[] }
  | { readonly do: "list"; readonly which: number; readonly range: Range }
  | { readonly do: "partitions"; readonly after: string | undefined }
  | { readonly do: "reopen" };

const partition = fc.constantFrom("p", "p-", "q");
// Few bytes and short keys, so that scripts use the same key repeatedly. Bytes 0 and 255 are where orders tend to be wrong.
const byte = fc.constantFrom("a", "b", "\x00", "\xff", "\x80");
const key = fc.string({ unit: byte, minLength: 1, maxLength: 3 });
const bound = fc.option(fc.string({ unit: byte, maxLength: 3 }), { nil: undefined });

const change: fc.Arbitrary<ScriptedBatch> = fc.record({
  checks: fc.array(
    fc.record({
      key,
      holds: fc.oneof(
        { weight: 5, arbitrary: fc.constant("right" as const) },
        { weight: 1, arbitrary: fc.constantFrom("stale" as const, "absent" as const, "future" as const) },
      ),
    }),
    { maxLength: 3 },
  ),
  writes: fc.uniqueArray(
    fc.oneof(
      fc.record({ key, value: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json> }),
      fc.record({ key }),
      fc.record({ key, amount: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(0.1, -2.5)) }),
    ),
    { selector: (write) => write.key, maxLength: 6 },
  ),
});

const range: fc.Arbitrary<Range> = fc.record({
  under: fc.string({ unit: byte, maxLength: 2 }),
  after: bound,
  before: bound,
  reverse: fc.boolean(),
  limit: fc.constantFrom(0, 1, 2, 3, 1000),
});

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("commit" as const), partition, change }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("together" as const),
      partition,
      changes: fc.array(change, { minLength: 2, maxLength: 5 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("snapshot" as const), partition }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("get" as const), which: fc.nat(), keys: fc.array(key, { maxLength: 4 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("list" as const), which: fc.nat(), range }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("partitions" as const),
      after: fc.option(fc.constantFrom("a", "p", "p-"), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
);

/** The time for which a failing script is shrunk, in milliseconds. */
const SHRINKING_MS = 60_000;

/** Runs random scripts, each on a storage of its own. */
export async function runScripts(
  open: () => Promise<Candidate>,
  guard: CallGuard,
  options: { readonly seed: number; readonly runs: number },
): Promise<void> {
  let isOver = false;
  let until = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (script) => {
    if (isOver || Date.now() > until) return;
    try {
      await runOnCandidate(open, guard, (candidate) => runScript(candidate, script));
    } catch (error) {
      until = Math.min(until, Date.now() + SHRINKING_MS);
      // A smaller script would time out, too.
      isOver = error instanceof UnansweredCallError;
      throw error;
    }
  });
  await fc.assert(property, { seed: options.seed, numRuns: options.runs });
}

async function runScript(candidate: OpenedCandidate, script: readonly ScriptStep[]): Promise<void> {
  let storage = candidate.storage;
  let taken: { snapshot: Snapshot; state: ModelState }[] = [];
  const states = new Map<string, ModelState>();
  const getState = (name: string) => states.get(name) ?? new ModelState();

  for (const [turn, step] of script.entries()) {
    const at = `step ${turn}, ${step.do}`;
    if (step.do === "commit" || step.do === "together") {
      const before = getState(step.partition);
      const changes = step.do === "commit" ? [step.change] : step.changes;
      // The checks get the versions of the current state.
      const batches = changes.map(({ checks, writes }): Batch => {
        const versions = checks.map(({ key, holds }) => {
          const version = before.get(key)?.version ?? null;
          if (holds === "right") return { key, version };
          if (holds === "absent") return { key, version: null };
          return { key, version: holds === "stale" ? Math.max(1, (version ?? 2) - 1) : before.version + 1000 };
        });
        return {
          checks: versions,
          puts: writes.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }])),
          deletes: writes.flatMap(({ key, value, amount }) =>
            value === undefined && amount === undefined ? [key] : [],
          ),
          adds: writes.flatMap(({ key, amount }) => (amount === undefined ? [] : [{ key, amount }])),
        };
      });
      const answers = await Promise.all(batches.map((batch) => storage.partition(step.partition).commit(batch)));
      const after = replayBatches(before, batches, answers, at);
      if (after.version > 0) states.set(step.partition, after);
    } else if (step.do === "snapshot") {
      const state = getState(step.partition);
      const snapshot = await storage.partition(step.partition).snapshot();
      assertEqual(snapshot.version, state.version, `${at}: the version`);
      taken.push({ snapshot, state });
    } else if (step.do === "get" && taken.length > 0) {
      const { snapshot, state } = taken[step.which % taken.length]!;
      assertEqual(
        await snapshot.get(step.keys),
        step.keys.map((key) => state.get(key)),
        at,
      );
    } else if (step.do === "list" && taken.length > 0) {
      const { snapshot, state } = taken[step.which % taken.length]!;
      assertEqual(await snapshot.list(step.range), state.list(step.range), `${at} ${JSON.stringify(step.range)}`);
    } else if (step.do === "partitions") {
      const names = [...states.keys()].filter((name) => step.after === undefined || name > step.after);
      assertEqual(await collectAll(storage.partitions(step.after)), names.sort(), at);
    } else if (step.do === "reopen") {
      storage = await candidate.reopen();
      taken = [];
    }
  }

  for (const { snapshot, state } of taken)
    assertEqual(await snapshot.list({ under: "", limit: 1000 }), state.entries, "a snapshot at the end");
  for (const [name, state] of states) {
    const snapshot = await storage.partition(name).snapshot();
    assertEqual(await snapshot.list({ under: "", limit: 1000 }), state.entries, `the partition ${name} at the end`);
  }
}

/**
 * Returns the state after commits that ran concurrently. Their versions give the order of those that wrote. The answer of each other
 * commit must be right at some point in that order.
 */
function replayBatches(
  before: ModelState,
  batches: readonly Batch[],
  answers: readonly Committed[],
  at: string,
): ModelState {
  const pairs = batches.map((batch, i) => ({ batch, answer: answers[i]! }));
  const wrote = pairs.flatMap(({ batch, answer }) =>
    answer.ok && batch.puts.length + batch.deletes.length + batch.adds.length > 0
      ? [{ batch, version: answer.version }]
      : [],
  );
  wrote.sort((a, b) => a.version - b.version);
  const states = [before];
  for (const { batch, version } of wrote) {
    const state = states.at(-1)!;
    assert(version > state.version, `${at}: version ${version} was given after ${state.version}`);
    const conflict = state.findConflict(batch);
    assert(conflict === undefined, `${at}: a batch was accepted whose check of ${JSON.stringify(conflict)} fails`);
    states.push(state.apply(batch, version));
  }
  for (const { batch, answer } of pairs) {
    if (answer.ok && wrote.some((written) => written.batch === batch)) continue;
    const possible = states.some((state) => {
      const conflict = state.findConflict(batch);
      const expected = conflict === undefined ? { ok: true, version: state.version } : { ok: false, conflict };
      return isEqual(answer, expected);
    });
    assert(possible, `${at}: the answer ${JSON.stringify(answer)} to ${JSON.stringify(batch)} was right at no time`);
  }
  return states.at(-1)!;
}
