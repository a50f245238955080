// Finds the entries that either side changed. Only what people entered is compared; everything derived from it is computed again
// when the merge is written.

import { diffMaps, type MapRoot, type NodeSource } from "../prolly-tree";
import { type MergeTools, yieldToOthers } from "./bodies";
import type { Versions } from "./versions";

/** An entry in the three revisions; undefined in those that do not have it. */
export type EntryVersions<Entry> = Versions<Entry | undefined>;

export interface MergedRevisions {
  readonly source: NodeSource;
  readonly roots: Versions<MapRoot>;
  readonly tools: MergeTools;
}

/** Returns the entries under a prefix that differ between the revisions, by the rest of their keys. */
export async function findChangedEntries<Entry>(
  { source, roots: { base, ours, theirs }, tools }: MergedRevisions,
  prefix: string,
): Promise<Map<string, EntryVersions<Entry>>> {
  const entries = new Map<string, EntryVersions<Entry>>();
  for await (const { key, before, after } of diffMaps(source, base, ours, { under: prefix })) {
    const baseEntry = before as Entry | undefined;
    entries.set(key.slice(prefix.length), { base: baseEntry, ours: after as Entry | undefined, theirs: baseEntry });
    await yieldToOthers(tools);
  }
  for await (const { key, before, after } of diffMaps(source, base, theirs, { under: prefix })) {
    const id = key.slice(prefix.length);
    const baseEntry = before as Entry | undefined;
    const changedByOurs = entries.get(id) ?? { base: baseEntry, ours: baseEntry };
    entries.set(id, { ...changedByOurs, theirs: after as Entry | undefined });
    await yieldToOthers(tools);
  }
  return entries;
}
