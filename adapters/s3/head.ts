// The head of a partition: its one mutable object, and the only place where a commit happens. It is text: a line with
// the format and the checksum of the rest, a line of JSON, and a line for each key that was written since the last
// segment. DESIGN.md numbers the invariants that are cited here.

import sortedBtree from "sorted-btree";
import { Corrupt, type Key, type Version } from "../adapter";
import { computeChecksum } from "./checksum";
import { Item } from "./item";

// sorted-btree is CommonJS: Node hands out its exports as the default, bundlers hand out their `default`.
const BTree = (sortedBtree as { default?: typeof sortedBtree }).default ?? sortedBtree;

/** The keys that the head carries itself. It copies on write, so each state of a partition has its own at no cost. */
export type RecentKeys = sortedBtree<Key, Item>;

const FORMAT = "octavo-head 1";

/** How many writers a head remembers. Fewer than these at work, and no outcome is ever forgotten (invariant 6). */
const REMEMBERED_WRITERS = 64;

/** An immutable object with sorted keys, as the head names it. */
export interface SegmentRef {
  /** `<number of the head that the attempt was made on>-<random>`: the name serves one attempt (invariant 4). */
  readonly name: string;
  readonly bytes: number;
  readonly items: number;
  /** Where its index begins, and the checksum of that. */
  readonly indexAt: number;
  readonly indexChecksum: string;
}

/** Who made a head: a writer, and which of its attempts it was. */
export interface HeadAttempt {
  readonly writer: string;
  readonly id: string;
}

/** A compaction that is under way. Its output is safe from sweepers as long as the head names it (invariant 8). */
export interface Reservation {
  /** The name of the segment to come. */
  readonly name: string;
  readonly inputs: readonly string[];
  /** When it began, in ms. It is only used to give up on dead compactions; safety does not depend on it. */
  readonly at: number;
}

/** What a head says, except for the recent keys. */
export interface Head {
  readonly partition: string;
  /** How many heads there were, this one included; 0: none. */
  readonly number: number;
  readonly version: Version;
  /** The last successful attempt of each writer and the head that it made, the newest first. */
  readonly writers: readonly (HeadAttempt & { readonly number: number })[];
  /** Up to this head, successes may have been forgotten. */
  readonly forgotten: number;
  /** The newest first: what an earlier one says about a key hides what a later one does. */
  readonly segments: readonly SegmentRef[];
  /** Segments that a compaction replaced; they stay a while for readers of older heads. */
  readonly retired: readonly { readonly name: string; readonly at: number }[];
  readonly reserved: readonly Reservation[];
}

/** A partition at one head. */
export interface HeadState {
  readonly head: Head;
  /** `undefined`: there is no head yet. */
  readonly etag: string | undefined;
  readonly recent: RecentKeys;
  /** How many characters the lines of the recent keys have together. */
  readonly recentSize: number;
}

/** A partition without a head. */
export function createEmptyState(partition: string): HeadState {
  const head = { partition, number: 0, version: 0, writers: [], forgotten: 0, segments: [], retired: [], reserved: [] };
  return { head, etag: undefined, recent: createRecentKeys(), recentSize: 0 };
}

/** A map of recent keys without any. */
export function createRecentKeys(): RecentKeys {
  return new BTree<Key, Item>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The head that follows another, made by this attempt. Its bytes are like no other's, since the attempt is in them. */
export function signHead(head: Head, attempt: HeadAttempt): Head {
  const number = head.number + 1;
  const writers = [{ ...attempt, number }, ...head.writers.filter(({ writer }) => writer !== attempt.writer)];
  const dropped = writers.splice(REMEMBERED_WRITERS);
  // The last in the list has the oldest success of all, so what was dropped before is older still.
  return { ...head, number, writers, forgotten: dropped[0]?.number ?? head.forgotten };
}

/**
 * What became of an attempt to replace `base`, told by a head that was read later. It could only become the very next
 * head (invariant 3), and its writer has made no other attempt since.
 */
export function resolveAttempt(now: Head, base: Head, attempt: HeadAttempt): "won" | "lost" | "open" | "forgotten" {
  if (now.number === base.number) return "open";
  const last = now.writers.find(({ writer }) => writer === attempt.writer);
  if (last?.id === attempt.id) return "won";
  // Another process uses our writer name, for example because this process was cloned. It may have hidden our success.
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

/** The state that a head says. What is the same as in `before`, which is older, is taken over from it, parsed as it is. */
export function parseHead(object: string, etag: string, bytes: Uint8Array, before: HeadState): HeadState {
  const end = bytes.indexOf(10);
  const first = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)));
  if (!first.startsWith(`${FORMAT} `))
    throw new Corrupt(`${object} is no head that this version can read: it begins with ${JSON.stringify(first)}.`);
  const rest = bytes.subarray(end + 1);
  if (first !== `${FORMAT} ${computeChecksum(rest)}`)
    throw new Corrupt(`${object} is damaged: its checksum is another.`);
  try {
    return parseLines(new TextDecoder().decode(rest).split("\n"), etag, before);
  } catch (cause) {
    throw new Corrupt(`${object} is damaged: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function parseLines(lines: readonly string[], etag: string, before: HeadState): HeadState {
  const head = JSON.parse(lines[0]!) as Head;
  if (head.partition !== before.head.partition) throw new Error(`It belongs to the partition ${head.partition}.`);
  const recent = createRecentKeys();
  let recentSize = 0;
  for (let i = 1; i < lines.length; i++) {
    let item = Item.parse(lines[i]!);
    const known = before.recent.get(item.key);
    if (known?.version === item.version) item = known;
    recent.set(item.key, item);
    recentSize += item.line.length;
  }
  return { head, etag, recent, recentSize };
}
