// What a batch does to the entries it meets: the rule of checks, puts, deletes and adds, written once for every adapter.

import { sumOf } from "../src/store/limits";
import type { Batch, Entry, Key, Version } from "../src/store/storage";
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
  const written = (key: Key, text: string): Write => ({
    key,
    entry: Object.freeze({ key, value: parseFrozen(text), version }),
    text,
  });
  return {
    writes: [
      ...batch.puts.map(({ key }, i) => written(key, texts[i]!)),
      ...batch.deletes.map((key): Write => ({ key, entry: undefined, text: undefined })),
      ...batch.adds.map(({ key, amount }) => written(key, JSON.stringify(sumOf(entryAt(key)?.value, amount)))),
    ],
  };
}

/** Whether a batch writes at all. One that only checks is answered and leaves no version behind. */
export function writesNothing(batch: Batch): boolean {
  return batch.puts.length + batch.deletes.length + batch.adds.length === 0;
}
