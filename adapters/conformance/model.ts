// A model of a storage for comparison, in the simplest form: a sorted list of entries. It shares no code with the adapters. It does
// not assign versions, but takes those that the candidate returns.

import type { Batch, Entry, Json, Key, Range, Version } from "../adapter";

/** A partition at one version. */
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
