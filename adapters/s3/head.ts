// The head of a partition: its only mutable object, whose replacement is the commit. It is text: a line with the format and the checksum
// of the rest, a line of JSON, and a line for each key that was written since the last segment. DESIGN.md numbers the invariants that
// are cited here.

import sortedBtree from "sorted-btree";
import { Corrupt, type Key, type Version } from "../adapter";
import { computeChecksum } from "./checksum";
import { Item } from "./item";

// sorted-btree is a CommonJS module: in Node its exports are the default export; with bundlers it is their `default` member.
const BTree = (sortedBtree as { default?: typeof sortedBtree }).default ?? sortedBtree;

/** The keys that the head itself contains. The map copies on write, so each state of a partition has its own at no cost. */
export type RecentKeys = sortedBtree<Key, Item>;

const FORMAT = "octavo-head 1";

/** The number of writers that a head remembers. With fewer active writers, no outcome is ever forgotten (invariant 6). */
const REMEMBERED_WRITERS = 64;

/** A reference of the head to a segment, which is an immutable object with sorted keys. */
export interface SegmentRef {
  /** `<number of the head on which the attempt was made>-<random>`. A name is used for one attempt only (invariant 4). */
  readonly name: string;
  readonly bytes: number;
  readonly items: number;
  /** The offset of its index, and the checksum of the index. */
  readonly indexAt: number;
  readonly indexChecksum: string;
}

/** The attempt that created a head, and its writer. */
export interface HeadAttempt {
  readonly writer: string;
  readonly id: string;
}

/** A running compaction. Its output is not swept while the head contains the reservation (invariant 8). */
export interface Reservation {
  /** The name of the output segment. */
  readonly name: string;
  readonly inputs: readonly string[];
  /** The start time in milliseconds. It is only used to detect dead compactions; safety does not depend on it. */
  readonly at: number;
}

/** The content of a head, except for the recent keys. */
export interface Head {
  readonly partition: string;
  /** The number of heads so far, including this one; 0 if there is none. */
  readonly number: number;
  readonly version: Version;
  /** The last successful attempt of each writer and the number of the head that it created, newest first. */
  readonly writers: readonly (HeadAttempt & { readonly number: number })[];
  /** Successful attempts up to this head may have been forgotten. */
  readonly forgotten: number;
  /** Newest first: an item in an earlier segment of the list hides those of the same key in later ones. */
  readonly segments: readonly SegmentRef[];
  /** Segments that compactions have replaced. They are kept for a while for readers of older heads. */
  readonly retired: readonly { readonly name: string; readonly at: number }[];
  readonly reserved: readonly Reservation[];
}

export interface HeadState {
  readonly head: Head;
  /** Undefined if there is no head yet. */
  readonly etag: string | undefined;
  readonly recent: RecentKeys;
  /** The total number of characters in the lines of the recent keys. */
  readonly recentSize: number;
}

/** Returns the state of a partition without a head. */
export function createEmptyState(partition: string): HeadState {
  const head = { partition, number: 0, version: 0, writers: [], forgotten: 0, segments: [], retired: [], reserved: [] };
  return { head, etag: undefined, recent: createRecentKeys(), recentSize: 0 };
}

/** Creates an empty map of recent keys. */
export function createRecentKeys(): RecentKeys {
  return new BTree<Key, Item>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Returns a head as the successor that an attempt creates. Its bytes are unique, because they contain the attempt. */
export function signHead(head: Head, attempt: HeadAttempt): Head {
  const number = head.number + 1;
  const writers = [{ ...attempt, number }, ...head.writers.filter(({ writer }) => writer !== attempt.writer)];
  const dropped = writers.splice(REMEMBERED_WRITERS);
  // The last writer in the list has the oldest success, so the ones dropped before are older still.
  return { ...head, number, writers, forgotten: dropped[0]?.number ?? head.forgotten };
}

/**
 * Determines the outcome of an attempt to replace `base` from a head that was read later. The attempt can only have created the next
 * head (invariant 3), and its writer has made no other attempt since.
 */
export function resolveAttempt(now: Head, base: Head, attempt: HeadAttempt): "won" | "lost" | "open" | "forgotten" {
  if (now.number === base.number) return "open";
  const last = now.writers.find(({ writer }) => writer === attempt.writer);
  if (last?.id === attempt.id) return "won";
  // Another process uses the same writer name, for example because this process was cloned. It may have hidden our success.
  if (last) return last.number > base.number + 1 ? "forgotten" : "lost";
  return now.forgotten > base.number ? "forgotten" : "lost";
}

const utf8 = new TextEncoder();

export function encodeHead(head: Head, recent: RecentKeys): Uint8Array {
  const lines = [JSON.stringify(head)];
  for (const item of recent.values()) lines.push(item.line);
  const rest = utf8.encode(lines.join("\n"));
  const first = utf8.encode(`${FORMAT} ${computeChecksum(rest)}\n`);
  const bytes = new Uint8Array(first.length + rest.length);
  bytes.set(first);
  bytes.set(rest, first.length);
  return bytes;
}

/** Parses a head. Items that are the same in the older state `before` are reused. */
export function parseHead(object: string, etag: string, bytes: Uint8Array, before: HeadState): HeadState {
  const end = bytes.indexOf(10);
  const first = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)));
  if (!first.startsWith(`${FORMAT} `))
    throw new Corrupt(`${object} is no head that this version can read: it begins with ${JSON.stringify(first)}.`);
  const rest = bytes.subarray(end + 1);
  if (first !== `${FORMAT} ${computeChecksum(rest)}`)
    throw new Corrupt(`${object} is damaged: its checksum is another.`);
  try {
    const [json, ...lines] = new TextDecoder().decode(rest).split("\n");
    const head = JSON.parse(json!) as Head;
    if (head.partition !== before.head.partition) throw new Error(`It belongs to the partition ${head.partition}.`);
    const recent = createRecentKeys();
    let recentSize = 0;
    for (const line of lines) {
      let item = Item.parse(line);
      const previous = before.recent.get(item.key);
      if (previous?.version === item.version) item = previous;
      recent.set(item.key, item);
      recentSize += item.line.length;
    }
    return { head, etag, recent, recentSize };
  } catch (cause) {
    throw new Corrupt(`${object} is damaged: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
