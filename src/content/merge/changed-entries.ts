// What either side changed, compared with the common base. Only what people entered is compared. Everything derived
// from it is computed again when the merge is written.

import { diffMaps, type MapRoot, type NodeSource } from "../prolly-tree";
import { type Tools, turn } from "./bodies";
import type { Versions } from "./versions";

/** A thing in the three revisions; undefined where it is not there. */
export type Thing<Entry> = Versions<Entry | undefined>;

/** The three revisions that are compared. */
export interface Comparing {
  readonly source: NodeSource;
  readonly roots: Versions<MapRoot>;
  readonly tools: Tools;
}

/** The things with a prefix that differ between the three revisions, by the rest of their keys. */
export async function changedThings<Entry>(
  { source, roots: { base, ours, theirs }, tools }: Comparing,
  under: string,
): Promise<Map<string, Thing<Entry>>> {
  const found = new Map<string, Thing<Entry>>();
  for await (const { key, before, after } of diffMaps(source, base, ours, { under })) {
    const old = before as Entry | undefined;
    found.set(key.slice(under.length), { base: old, ours: after as Entry | undefined, theirs: old });
    await turn(tools);
  }
  for await (const { key, before, after } of diffMaps(source, base, theirs, { under })) {
    const id = key.slice(under.length);
    const old = before as Entry | undefined;
    const known = found.get(id) ?? { base: old, ours: old };
    found.set(id, { ...known, theirs: after as Entry | undefined });
    await turn(tools);
  }
  return found;
}
