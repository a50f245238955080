// The nodes of a map and their text. A map is a tree of nodes, each found by the SHA-256 of its text, so two maps share
// what they have in common. The content of a map alone decides its tree and its root, whatever its history.
//
//   leaf    [0,[key,value],…]            entries in the order of their keys
//   inner   [level,[key,hash,count],…]   one for each node below: its last key, its hash, the entries under it
//
// The text is JSON without spaces, and the fields of a value have one order (json.ts). Keys are written in full: a
// shared beginning is a small part of a node, and every entry can be read, compared and measured alone. The empty map
// has no node. Otherwise the root is the lowest level that has only one node. So a root above the leaves has at least
// two nodes below it.
//
// boundaries.ts says where one node ends and the next begins. No node's text is longer than 28 KiB. A node of several
// rows has at most MAX_NODE_LENGTH characters of three bytes. A node of one row is a key and a value.

import { sha256Hex } from "../../utils/sha256";
import { computeKeyRank } from "./boundaries";
import { canonicalizeJson, deepFreeze, type JsonValue } from "./json";
import { findKeyIndex } from "./keys";
import {
  BEYOND_KEYS,
  findInnerRows,
  findLeafRow,
  findLeafRows,
  HASH_LENGTH,
  hasLastLeafKey,
  type NodeRows,
} from "./rows";

/** The longest key. Keys are printable ASCII, so this is characters and bytes alike. */
export const MAX_MAP_KEY_BYTES = 512;
/** The largest value, in bytes of its JSON text as UTF-8. */
export const MAX_MAP_VALUE_BYTES = 16 * 1024;
/** The highest level. The boundaries keep a map of any size that can be stored far below it. */
export const MAX_LEVEL = 31;

/** The hash of a map's topmost node; null is the empty map. */
export type MapRoot = string | null;

/** A key and its value, as they stand in a leaf. */
export interface MapEntry {
  readonly key: string;
  readonly value: JsonValue;
}

/** A node as the one above it names it. */
export interface ChildPointer {
  /** The last key under it. */
  readonly key: string;
  readonly hash: string;
  /** How many entries are under it. */
  readonly count: number;
  /** Its row in the text of the node above. */
  readonly text: string;
  /** The rank of its key. It is stored because every cut asks for it again. */
  readonly rank: number;
}

/** A node that holds entries. */
export interface LeafNode {
  readonly level: 0;
  /** The length of its text, for caches that are bounded by what they hold. */
  readonly length: number;
  /** The keys of its entries, in their order. */
  readonly keys: readonly string[];
  readonly entries: readonly MapEntry[];
  /** The entry at a place. The others are not read for it. */
  getEntry(place: number): MapEntry;
  /** The entry of a key; undefined where there is none. Of a leaf that is new, no other row is looked at for longer. */
  findEntry(key: string): MapEntry | undefined;
  /** Whether this is the last key. */
  hasLastKey(key: string): boolean;
}

/** A node that names the nodes of the level below. */
export interface InnerNode {
  readonly level: number;
  /** The length of its text, for caches that are bounded by what they hold. */
  readonly length: number;
  /** The last key under each child, in their order. */
  readonly keys: readonly string[];
  readonly children: readonly ChildPointer[];
  /** The child at a place. The others are not read for it. */
  getChild(place: number): ChildPointer;
  /** Whether this is the last key. */
  hasLastKey(key: string): boolean;
}

/** A node that was read. What it hands out is frozen, with all that is in it. */
export type MapNode = LeafNode | InnerNode;

/** Thrown when the text stored under a hash is not a node. */
export class MalformedNodeError extends Error {
  readonly hash: string;
  constructor(hash: string, why: string, options?: ErrorOptions) {
    super(`Node ${hash} is malformed: ${why}`, options);
    this.name = "MalformedNode";
    this.hash = hash;
  }
}

const utf8 = new TextEncoder();
const keyForm = /^[\x20-\x7e]{1,512}$/;
const hashForm = /^[0-9a-f]{64}$/;
/** Whole numbers above 0, of as many digits as are exact. */
const countForm = /^[1-9]\d{0,14}$/;

/** An entry and its row in a leaf's text. Throws a RangeError when the key or the value is not one that a map can hold. */
export function createEntryRow(key: string, given: JsonValue): { readonly entry: MapEntry; readonly text: string } {
  if (!keyForm.test(key))
    throw new RangeError(
      `A key is 1 to ${MAX_MAP_KEY_BYTES} printable ASCII characters; ${JSON.stringify(key)} is not.`,
    );
  const value = deepFreeze(canonicalizeJson(given));
  const text = JSON.stringify(value);
  const bytes = utf8.encode(text).length;
  if (bytes > MAX_MAP_VALUE_BYTES)
    throw new RangeError(`The value of ${JSON.stringify(key)} has ${bytes} bytes; at most ${MAX_MAP_VALUE_BYTES}.`);
  return { entry: Object.freeze({ key, value }), text: `[${JSON.stringify(key)},${text}]` };
}

/** A node as the one above it names it. */
export function childOf(key: string, hash: string, count: number): ChildPointer {
  return new NamedChild(key, hash, count);
}

/** Its text and its rank are for writers: readers do not wait for them. */
class NamedChild implements ChildPointer {
  readonly key: string;
  readonly hash: string;
  readonly count: number;
  #text: string | undefined;
  #rank: number | undefined;

  constructor(key: string, hash: string, count: number) {
    this.key = key;
    this.hash = hash;
    this.count = count;
    Object.freeze(this);
  }

  get text(): string {
    this.#text ??= `[${JSON.stringify(this.key)},"${this.hash}",${this.count}]`;
    return this.#text;
  }

  get rank(): number {
    this.#rank ??= computeKeyRank(this.key);
    return this.#rank;
  }
}

/** The text of a node. */
export function serializeNode(level: number, rows: readonly string[]): string {
  return `[${level},${rows.join(",")}]`;
}

/** The hash that a node's text is found by. */
export function hashOf(text: string): string {
  return sha256Hex(text);
}

/**
 * Reads the text of a node. Throws a `MalformedNodeError` with the hash when it is not one. Most readers want one row of a node.
 * So rows are only found here, and each is read when it is first used. One that cannot be read throws then.
 */
export function parseNode(text: string, hash: string): MapNode {
  const leaf = findLeafRows(text);
  if (leaf) return new ReadLeaf({ rows: leaf }, text.length, hash);
  const inner = findInnerRows(text);
  if (inner && inner.level <= MAX_LEVEL) return new ReadInner(inner.level, inner.rows, text.length, hash);
  let node: MapNode | undefined;
  try {
    node = nodeOf(JSON.parse(text), text.length, hash);
  } catch (cause) {
    throw new MalformedNodeError(hash, "its text cannot be read as JSON.", { cause });
  }
  if (!node) throw new MalformedNodeError(hash, SHAPELESS);
  return node;
}

/** The same, but of a leaf not even the rows are found before they are used. What is no leaf shows then. */
export function parseNodeLazily(text: string, hash: string): MapNode {
  return text.startsWith("[0,") ? new ReadLeaf({ text }, text.length, hash) : parseNode(text, hash);
}

const SHAPELESS = "its text has not the shape of a node.";

function nodeOf(parsed: unknown, length: number, hash: string): MapNode | undefined {
  if (!Array.isArray(parsed) || parsed.length < 2) return undefined;
  const [level, ...rows]: unknown[] = parsed;
  if (!isWhole(level) || level > MAX_LEVEL) return undefined;
  if (!rows.every(level === 0 ? isEntry : isChild)) return undefined;
  const keys = (rows as [string, ...unknown[]][]).map(([key]) => key);
  if (!keys.every((key, i) => key > (keys[i - 1] ?? "")) || keys.at(-1)! >= BEYOND_KEYS) return undefined;
  const texts = rows.map((row) => JSON.stringify(row));
  return level > 0
    ? new ReadInner(level, { keys, texts }, length, hash)
    : new ReadLeaf({ rows: { keys, texts } }, length, hash);
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isRow = (row: unknown): row is [string, ...unknown[]] => Array.isArray(row) && typeof row[0] === "string";
const isEntry = (row: unknown): row is [string, JsonValue] => isRow(row) && row.length === 2;
type ChildRow = readonly [key: string, hash: string, count: number];
const isChild = (row: unknown): row is ChildRow =>
  isRow(row) && row.length === 3 && typeof row[1] === "string" && isWhole(row[2]) && row[2] > 0;

/** What a leaf is made from: its text, or the rows that were found in it. */
type LeafSource = { readonly text: string } | { readonly rows: NodeRows };

/** A leaf that reads an entry when it is used, and remembers the text of its rows: an edit writes one and copies the others. */
class ReadLeaf implements LeafNode {
  readonly level = 0;
  readonly length: number;
  #source: LeafSource;
  readonly #hash: string;
  readonly #read: MapEntry[] = [];
  #wasAsked = false;
  #entries: readonly MapEntry[] | undefined;

  constructor(source: LeafSource, length: number, hash: string, entries?: readonly MapEntry[]) {
    this.#source = source;
    this.length = length;
    this.#hash = hash;
    this.#entries = entries && Object.freeze(entries);
  }

  get #rows(): NodeRows {
    if ("text" in this.#source) {
      const leaf = parseNode(this.#source.text, this.#hash);
      if (!(leaf instanceof ReadLeaf)) throw new MalformedNodeError(this.#hash, SHAPELESS);
      this.#source = { rows: leaf.#rows };
    }
    return this.#source.rows;
  }

  get keys(): readonly string[] {
    return this.#rows.keys;
  }

  get texts(): readonly string[] {
    return this.#rows.texts;
  }

  findEntry(key: string): MapEntry | undefined {
    // Whoever comes again will want other rows as well.
    if ("text" in this.#source && !this.#wasAsked) {
      this.#wasAsked = true;
      const row = findLeafRow(this.#source.text, key);
      if (row !== undefined) return row === null ? undefined : entryOf(row, this.#hash);
    }
    const at = findKeyIndex(this.keys, key);
    return this.keys[at] === key ? this.getEntry(at) : undefined;
  }

  hasLastKey(key: string): boolean {
    return ("text" in this.#source && hasLastLeafKey(this.#source.text, key)) || this.keys.at(-1) === key;
  }

  get entries(): readonly MapEntry[] {
    this.#entries ??= Object.freeze(this.keys.map((_, place) => this.getEntry(place)));
    return this.#entries;
  }

  getEntry(place: number): MapEntry {
    const known = this.#entries?.[place] ?? this.#read[place] ?? entryOf(this.texts[place]!, this.#hash);
    if (!this.#entries) this.#read[place] = known;
    return known;
  }
}

function entryOf(row: string, hash: string): MapEntry {
  try {
    const [key, value] = JSON.parse(row) as [string, JsonValue];
    if (keyForm.test(key)) return Object.freeze({ key, value: deepFreeze(value) });
  } catch (cause) {
    throw new MalformedNodeError(hash, "an entry cannot be read as JSON.", { cause });
  }
  throw new MalformedNodeError(hash, SHAPELESS);
}

/** An inner node that reads a child when it is used. */
class ReadInner implements InnerNode {
  readonly level: number;
  readonly length: number;
  readonly keys: readonly string[];
  readonly #texts: readonly string[];
  readonly #hash: string;
  readonly #read: ChildPointer[] = [];
  #children: readonly ChildPointer[] | undefined;

  constructor(
    level: number,
    { keys, texts }: NodeRows,
    length: number,
    hash: string,
    children?: readonly ChildPointer[],
  ) {
    this.level = level;
    this.keys = keys;
    this.#texts = texts;
    this.length = length;
    this.#hash = hash;
    this.#children = children && Object.freeze(children);
  }

  get children(): readonly ChildPointer[] {
    this.#children ??= Object.freeze(this.keys.map((_, place) => this.getChild(place)));
    return this.#children;
  }

  hasLastKey(key: string): boolean {
    return this.keys.at(-1) === key;
  }

  getChild(place: number): ChildPointer {
    const known =
      this.#children?.[place] ?? this.#read[place] ?? namedIn(this.#texts[place]!, this.keys[place]!, this.#hash);
    if (!this.#children) this.#read[place] = known;
    return known;
  }
}

/** The child of a key that a row of the node with this hash names. What follows the key has a form that needs no JSON. */
function namedIn(row: string, key: string, hash: string): ChildPointer {
  const comma = row.lastIndexOf(",");
  const named = row.slice(comma - HASH_LENGTH - 1, comma - 1);
  const count = row.slice(comma + 1, -1);
  if (keyForm.test(key) && hashForm.test(named) && countForm.test(count)) return childOf(key, named, Number(count));
  throw new MalformedNodeError(hash, SHAPELESS);
}

/** The rows of a leaf's text. */
export function getRowTexts(leaf: LeafNode): readonly string[] {
  return leaf instanceof ReadLeaf ? leaf.texts : leaf.entries.map(({ key, value }) => JSON.stringify([key, value]));
}

/** A leaf that is being written, as reading its text would give it. */
export function createLeaf(entries: readonly MapEntry[], texts: readonly string[], length: number): LeafNode {
  return new ReadLeaf({ rows: { keys: entries.map(({ key }) => key), texts } }, length, "", entries);
}

/** An inner node that is being written, as reading its text would give it. */
export function createInner(level: number, children: readonly ChildPointer[], length: number): InnerNode {
  return new ReadInner(level, { keys: children.map(({ key }) => key), texts: [] }, length, "", children);
}
