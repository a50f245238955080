// What a batch does to the entries it meets: the rule of checks, puts, deletes and adds, written once for every adapter.

import { sumOf } from "../src/storage/limits";
import type { Batch, Entry, Json, Key, Version } from "../src/storage/storage";
import { parseFrozen } from "./frozen";

/** One key after a commit: the entry it holds with its JSON text, or neither when it was deleted. */
export interface Write {
  readonly key: Key;
  readonly entry: Entry | undefined;
  readonly text: string | undefined;
}

/**
 * Decides a batch that `checkBatch` let pass and gave the `texts` of. It changes nothing: the caller applies the
 * `writes`, all of them or none, as commit `version`.
 */
export function decide(
  batch: Batch,
  texts: readonly string[],
  version: Version,
  entryAt: (key: Key) => Entry | undefined,
): { readonly conflict: Key } | { readonly writes: readonly Write[] } {
  for (const check of batch.checks) {
    if ((entryAt(check.key)?.version ?? null) !== check.version) return { conflict: check.key };
  }
  const writes: Write[] = [];
  const write = (key: Key, value: Json, text: string) =>
    void writes.push({ key, entry: Object.freeze({ key, value, version }), text });
  batch.puts.forEach(({ key, value }, i) => {
    const text = texts[i]!;
    // A text is as it was given. Other values may be written in another form, such as a date, and may change later.
    write(key, typeof value === "string" ? value : parseFrozen(text), text);
  });
  for (const key of batch.deletes) writes.push({ key, entry: undefined, text: undefined });
  for (const { key, amount } of batch.adds) {
    const sum = sumOf(entryAt(key)?.value, amount);
    write(key, sum, JSON.stringify(sum));
  }
  return { writes };
}

/** Whether a batch writes at all. One that only checks is answered and leaves no version behind. */
export function writesNothing(batch: Batch): boolean {
  return batch.puts.length + batch.deletes.length + batch.adds.length === 0;
}
