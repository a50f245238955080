// Decides what a batch does to the current entries: the rules of checks, puts, deletes and adds, which all adapters share.

import { addToCounter } from "../src/storage/limits";
import type { Batch, Entry, Json, Key, Version } from "../src/storage/storage";
import { parseFrozen } from "./frozen";

/** A key after a commit: its new entry with the JSON text of the value, or neither if the key was deleted. */
export interface Write {
  readonly key: Key;
  readonly entry: Entry | undefined;
  readonly text: string | undefined;
}

/**
 * Decides a batch. `texts` is the result of `checkBatch`, `version` is the version that the commit would have, and `getEntry`
 * returns the current entry of a key. The function changes nothing: the caller must apply all of the returned writes or none.
 */
export function decideBatch(
  batch: Batch,
  texts: readonly string[],
  version: Version,
  getEntry: (key: Key) => Entry | undefined,
): { readonly conflict: Key } | { readonly writes: readonly Write[] } {
  for (const check of batch.checks) {
    if ((getEntry(check.key)?.version ?? null) !== check.version) return { conflict: check.key };
  }
  const writes: Write[] = [];
  const write = (key: Key, value: Json, text: string) =>
    void writes.push({ key, entry: Object.freeze({ key, value, version }), text });
  batch.puts.forEach(({ key, value }, i) => {
    const text = texts[i]!;
    // A string is stored as it is. Any other value is parsed again: JSON may change its form (a date becomes a string), and the
    // caller may change the object later.
    write(key, typeof value === "string" ? value : parseFrozen(text), text);
  });
  for (const key of batch.deletes) writes.push({ key, entry: undefined, text: undefined });
  for (const { key, amount } of batch.adds) {
    const sum = addToCounter(getEntry(key)?.value, amount);
    write(key, sum, JSON.stringify(sum));
  }
  return { writes };
}

/** Returns whether a batch contains no writes. A batch that only checks does not create a version. */
export function isReadOnlyBatch(batch: Batch): boolean {
  return batch.puts.length + batch.deletes.length + batch.adds.length === 0;
}
