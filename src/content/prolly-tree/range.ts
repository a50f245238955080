// Ranges of keys: from a first key up to, but not including, another. A child of an inner node covers a range too:
// everything after the key of the child before it, up to its own key.

import { findKeyIndex } from "./keys";
import type { ChildPointer, InnerNode, LeafNode, MapEntry } from "./node";

/** Which keys are meant: those that begin with `under`, after `after` and before `before`, both of them left out. */
export interface KeyBounds {
  /** Default: every key. */
  readonly under?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** The keys that are not less than `view` and less than `to`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** A child for readers, and a text that none of its keys is less than. */
export interface RangedChild extends Pick<ChildPointer, "key" | "hash" | "count"> {
  readonly start: string;
}

/** Greater than every continuation of a key: keys are ASCII. */
const LAST = "\u0080";
/** The smallest key after `key`. */
const next = (key: string) => `${key}\0`;

/** The range that bounds describe. */
export function toKeyRange({ under = "", after, before }: KeyBounds): KeyRange {
  const from = after !== undefined && next(after) > under ? next(after) : under;
  const to = before !== undefined && before < under + LAST ? before : under + LAST;
  return { from, to };
}

/** Those of some keys that bounds describe. */
export function filterKeys(bounds: KeyBounds, keys: readonly string[]): string[] {
  const { from, to } = toKeyRange(bounds);
  return keys.filter((key) => key >= from && key < to);
}

/** The entries of a leaf that lie in a range. */
export function selectEntries(leaf: LeafNode, { from, to }: KeyRange): readonly MapEntry[] {
  const first = findKeyIndex(leaf.keys, from);
  const end = findKeyIndex(leaf.keys, to);
  if (first === 0 && end === leaf.keys.length) return leaf.entries;
  return leaf.keys.slice(first, end).map((_, i) => leaf.getEntry(first + i));
}

/** How many entries of a leaf lie in a range. */
export function countLeafEntries({ keys }: LeafNode, { from, to }: KeyRange): number {
  return Math.max(0, findKeyIndex(keys, to) - findKeyIndex(keys, from));
}

/** The children of an inner node, whose own keys are not less than `start`, that may have keys in a range, except for
 * some. */
export function selectChildren(
  inner: InnerNode,
  start: string,
  { from, to }: KeyRange,
  except?: ReadonlySet<string>,
): RangedChild[] {
  const refs: RangedChild[] = [];
  for (let i = findKeyIndex(inner.keys, from); i < inner.keys.length; i++) {
    const begins = i === 0 ? start : next(inner.keys[i - 1]!);
    if (begins >= to) break;
    const { key, hash, count } = inner.getChild(i);
    if (except?.has(hash)) continue;
    refs.push({ key, hash, count, start: begins });
  }
  return refs;
}

/** Whether all keys of a child lie in a range. */
export function isChildWithin(ref: RangedChild, { from, to }: KeyRange): boolean {
  return ref.start >= from && ref.key < to;
}
