// A model of a storage for comparison, in the simplest form: a sorted list of entries. It shares no code with the adapters. It does
// not assign versions, but takes those that the candidate returns.

import type { Batch, Entry, Json, Key, Range, Version } from "../adapter";

/** A partition at one version. */
export interface ModelState {
  readonly version: Version;
  readonly entries: readonly Entry[];
}

export const emptyModelState: ModelState = { version: 0, entries: [] };

export function getModelEntry(state: ModelState, key: Key): Entry | undefined {
  return state.entries.find((entry) => entry.key === key);
}

/** Returns the first key whose check fails. */
export function findConflict(state: ModelState, batch: Batch): Key | undefined {
  return batch.checks.find(({ key, version }) => (getModelEntry(state, key)?.version ?? null) !== version)?.key;
}

/** Returns the state after a batch that was committed as `version`. */
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
  const listed = state.entries.filter(
    ({ key }) =>
      key.startsWith(under) &&
      (after === undefined || compareBytes(key, after) > 0) &&
      (before === undefined || compareBytes(key, before) < 0),
  );
  return (reverse ? listed.reverse() : listed).slice(0, limit);
}

function compareBytes(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
