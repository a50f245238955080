// What a storage is, in the plainest form that can be compared with: a sorted list of entries. It shares no code with
// any adapter, and versions are not its own: it takes those that the candidate gives.

import type { Batch, Entry, Json, Key, Range, Version } from "../adapter";

/** A partition at some version. */
export interface ModelState {
  readonly version: Version;
  readonly entries: readonly Entry[];
}

export const emptyModelState: ModelState = { version: 0, entries: [] };

export function getModelEntry(state: ModelState, key: Key): Entry | undefined {
  return state.entries.find((entry) => entry.key === key);
}

/** The first key whose check does not hold. */
export function findConflict(state: ModelState, batch: Batch): Key | undefined {
  return batch.checks.find(({ key, version }) => (getModelEntry(state, key)?.version ?? null) !== version)?.key;
}

/** The state after a batch that was committed as `version`. */
export function applyBatch(state: ModelState, batch: Batch, version: Version): ModelState {
  const entries = new Map(state.entries.map((entry) => [entry.key, entry]));
  for (const key of batch.deletes) entries.delete(key);
  for (const { key, value } of batch.puts)
    entries.set(key, { key, value: JSON.parse(JSON.stringify(value)) as Json, version });
  for (const { key, amount } of batch.adds) {
    const before = getModelEntry(state, key)?.value;
    entries.set(key, { key, value: typeof before === "number" ? before + amount : amount, version });
  }
  return { version, entries: [...entries.values()].sort((a, b) => compareBytes(a.key, b.key)) };
}

export function listModelEntries(state: ModelState, { under, after, before, reverse, limit }: Range): Entry[] {
  const within = state.entries.filter(
    ({ key }) =>
      key.startsWith(under) &&
      (after === undefined || compareBytes(key, after) > 0) &&
      (before === undefined || compareBytes(key, before) < 0),
  );
  return (reverse ? within.reverse() : within).slice(0, limit);
}

function compareBytes(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
