// Ranges of keys, from a first key up to another one that is not included. A child of an inner node covers a range as
// well: everything after the key of the child before it, up to its own key.

import { findSortedIndex } from "../../utils/sorted";
import type { ChildPointer, InnerNode, LeafNode, MapEntry } from "./node";

/** The keys that begin with `under`, strictly after `after` and strictly before `before`. */
export interface KeyBounds {
  /** Default: every key. */
  readonly under?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** The keys that are not less than `from` and less than `to`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** A child and a lower bound of its keys: none of them is less than `start`. */
export interface RangedChild extends Pick<ChildPointer, "key" | "hash" | "count"> {
  readonly start: string;
}

/** Keys are ASCII, so a prefix followed by this character is greater than every key with the prefix. */
const AFTER_ASCII = "\u0080";
/** No key has this character, so a key followed by it is less than every greater key. */
const BEFORE_ASCII = "\0";

export function toKeyRange({ under = "", after, before }: KeyBounds): KeyRange {
  const from = after !== undefined && after + BEFORE_ASCII > under ? after + BEFORE_ASCII : under;
  const to = before !== undefined && before < under + AFTER_ASCII ? before : under + AFTER_ASCII;
  return { from, to };
}

export function selectEntries(leaf: LeafNode, { from, to }: KeyRange): readonly MapEntry[] {
  const first = findSortedIndex(leaf.keys, from);
  const end = findSortedIndex(leaf.keys, to);
  if (first === 0 && end === leaf.keys.length) return leaf.entries;
  return leaf.keys.slice(first, end).map((_, i) => leaf.getEntry(first + i));
}

/** Returns the children that may have keys in a range, except for some hashes. `start` is the least key. */
export function selectChildren(
  inner: InnerNode,
  start: string,
  { from, to }: KeyRange,
  except?: ReadonlySet<string>,
): RangedChild[] {
  const children: RangedChild[] = [];
  for (let i = findSortedIndex(inner.keys, from); i < inner.keys.length; i++) {
    const childStart = i === 0 ? start : inner.keys[i - 1]! + BEFORE_ASCII;
    if (childStart >= to) break;
    const { key, hash, count } = inner.getChild(i);
    if (except?.has(hash)) continue;
    children.push({ key, hash, count, start: childStart });
  }
  return children;
}
