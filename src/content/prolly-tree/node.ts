// The nodes of a map and their text. A node is found by the SHA-256 of its text, so maps share the nodes that they have
// in common.
//
//   leaf    [0,[key,value],…]            entries in the order of their keys
//   inner   [level,[key,hash,count],…]   one row for each node below: its last key, its hash, the number of its entries
//
// The text is JSON without spaces, and the members of a value have one order (json.ts). Keys are written in full: a
// shared prefix is a small part of a node, and every entry can be read, compared and measured alone. The empty map has no
// node. Otherwise the root is the lowest level that has only one node, so a root above the leaves has at least two
// children.
//
// boundaries.ts decides where one node ends and the next begins. No node's text is longer than 28 KiB. A node of several
// rows has at most MAX_NODE_LENGTH characters of three bytes. A node of one row is a key and a value.

import { findSortedIndex } from "../../utils/sorted";
import { computeKeyRank } from "./boundaries";
import { canonicalizeJson, deepFreeze, type JsonValue } from "./json";
import { BEYOND_KEYS, findLeafRow, findNodeRows, HASH_LENGTH, hasLastLeafKey, LEAF_START, type NodeRows } from "./rows";

/** The longest key. Keys are printable ASCII, so this counts characters and bytes alike. */
export const MAX_MAP_KEY_BYTES = 512;
/** The largest value, in bytes of its JSON text as UTF-8. */
export const MAX_MAP_VALUE_BYTES = 16 * 1024;
/** The highest level. The boundaries keep a map of any size that can be stored far below it. */
const MAX_LEVEL = 31;

/** The hash of a map's topmost node. Null is the empty map. */
export type MapRoot = string | null;

/** A key and its value. */
export interface MapEntry {
  readonly key: string;
  readonly value: JsonValue;
}

/** A node that was read. Everything that it returns is deeply frozen. */
export type MapNode = LeafNode | InnerNode;

/** Thrown if the text stored under a hash is not a node. */
export class MalformedNodeError extends Error {
  readonly hash: string;
  constructor(hash: string, why: string, options?: ErrorOptions) {
    super(`Node ${hash} is malformed: ${why}`, options);
    this.name = "MalformedNodeError";
    this.hash = hash;
  }
}

const INVALID_SHAPE = "its text has not the shape of a node.";

const utf8 = new TextEncoder();
const keyPattern = /^[\x20-\x7e]{1,512}$/;
const hashPattern = /^[0-9a-f]{64}$/;
/** Positive integers with as many digits as are exact. */
const countPattern = /^[1-9]\d{0,14}$/;

/** An entry with its row in the text of a leaf. */
export interface EntryRow {
  readonly key: string;
  readonly text: string;
  readonly entry: MapEntry;
}

/** Returns the row of an entry. Throws a `RangeError` if the map cannot hold the key or the value. */
export function createEntryRow(key: string, input: JsonValue): EntryRow {
  if (!keyPattern.test(key))
    throw new RangeError(
      `A key is 1 to ${MAX_MAP_KEY_BYTES} printable ASCII characters; ${JSON.stringify(key)} is not.`,
    );
  const value = deepFreeze(canonicalizeJson(input));
  const text = JSON.stringify(value);
  const bytes = utf8.encode(text).length;
  if (bytes > MAX_MAP_VALUE_BYTES)
    throw new RangeError(`The value of ${JSON.stringify(key)} has ${bytes} bytes; at most ${MAX_MAP_VALUE_BYTES}.`);
  return { key, text: `[${JSON.stringify(key)},${text}]`, entry: Object.freeze({ key, value }) };
}

/**
 * Parses the text of a node. Throws a `MalformedNodeError` if the text is not a node.
 *
 * Most readers want one row of a node. So this function only finds the rows, and a row is parsed when it is first used.
 * A row that cannot be parsed throws then.
 */
export function parseNode(text: string, hash: string): MapNode {
  const found = findNodeRows(text);
  if (found?.level === 0) return new LeafNode({ rows: found.rows }, text.length, hash);
  if (found && found.level <= MAX_LEVEL) return new InnerNode(found.level, found.rows, text.length, hash);
  let node: MapNode | undefined;
  try {
    node = createNodeFromJson(JSON.parse(text), text.length, hash);
  } catch (cause) {
    throw new MalformedNodeError(hash, "its text cannot be read as JSON.", { cause });
  }
  if (!node) throw new MalformedNodeError(hash, INVALID_SHAPE);
  return node;
}

/** Parses a node without finding the rows of a leaf before their use; only then a malformed leaf throws. */
export function parseNodeLazily(text: string, hash: string): MapNode {
  return text.startsWith(LEAF_START) ? new LeafNode({ text }, text.length, hash) : parseNode(text, hash);
}

/** Returns the node that a parsed text describes, or undefined if it describes none. */
function createNodeFromJson(json: unknown, length: number, hash: string): MapNode | undefined {
  if (!Array.isArray(json) || json.length < 2) return undefined;
  const [level, ...rows]: unknown[] = json;
  const isNonNegativeInteger = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 0;
  if (!isNonNegativeInteger(level) || level > MAX_LEVEL) return undefined;
  const isRow = (row: unknown): row is [string, ...unknown[]] => {
    if (!Array.isArray(row) || typeof row[0] !== "string") return false;
    if (level === 0) return row.length === 2;
    return row.length === 3 && typeof row[1] === "string" && isNonNegativeInteger(row[2]) && row[2] > 0;
  };
  if (!rows.every(isRow)) return undefined;
  const keys = rows.map(([key]) => key);
  if (!keys.every((key, i) => key > (keys[i - 1] ?? "")) || keys.at(-1)! >= BEYOND_KEYS) return undefined;
  const texts = rows.map((row) => JSON.stringify(row));
  return level > 0
    ? new InnerNode(level, { keys, texts }, length, hash)
    : new LeafNode({ rows: { keys, texts } }, length, hash);
}

/** The source of a leaf: its text, or the rows that were found in it. */
type LeafSource = { readonly text: string } | { readonly rows: NodeRows };

/** A node that holds entries, parsed when used. It keeps the row texts, because an edit copies most of them. */
export class LeafNode {
  readonly level = 0;
  /** The length of the node's text, for caches that are bounded by the size of their content. */
  readonly length: number;
  readonly #hash: string;
  #source: LeafSource;
  #wasSearched = false;
  /** The entries that were parsed so far, as long as `#entries` does not hold all of them. */
  readonly #parsedEntries: MapEntry[] = [];
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
      if (!(leaf instanceof LeafNode)) throw new MalformedNodeError(this.#hash, INVALID_SHAPE);
      this.#source = { rows: leaf.#rows };
    }
    return this.#source.rows;
  }

  /** The keys of the entries, in order. */
  get keys(): readonly string[] {
    return this.#rows.keys;
  }

  get rowTexts(): readonly string[] {
    return this.#rows.texts;
  }

  get entries(): readonly MapEntry[] {
    this.#entries ??= Object.freeze(this.keys.map((_, index) => this.getEntry(index)));
    return this.#entries;
  }

  /** Returns the entry at an index. The other rows are not parsed. */
  getEntry(index: number): MapEntry {
    const entry = this.#entries?.[index] ?? this.#parsedEntries[index] ?? this.#parseEntry(this.rowTexts[index]!);
    if (!this.#entries) this.#parsedEntries[index] = entry;
    return entry;
  }

  findEntry(key: string): MapEntry | undefined {
    // The first search looks for this row only. A second search finds all rows, because others will probably follow.
    if ("text" in this.#source && !this.#wasSearched) {
      this.#wasSearched = true;
      const row = findLeafRow(this.#source.text, key);
      if (row !== undefined) return row === null ? undefined : this.#parseEntry(row);
    }
    const index = findSortedIndex(this.keys, key);
    return this.keys[index] === key ? this.getEntry(index) : undefined;
  }

  hasLastKey(key: string): boolean {
    return ("text" in this.#source && hasLastLeafKey(this.#source.text, key)) || this.keys.at(-1) === key;
  }

  #parseEntry(row: string): MapEntry {
    try {
      const [key, value] = JSON.parse(row) as [string, JsonValue];
      if (keyPattern.test(key)) return Object.freeze({ key, value: deepFreeze(value) });
    } catch (cause) {
      throw new MalformedNodeError(this.#hash, "an entry cannot be read as JSON.", { cause });
    }
    throw new MalformedNodeError(this.#hash, INVALID_SHAPE);
  }
}

/** A node that names the nodes of the level below. It parses a row when it is used. */
export class InnerNode {
  readonly level: number;
  /** The length of the node's text, for caches that are bounded by the size of their content. */
  readonly length: number;
  /** The last key of each child, in order. */
  readonly keys: readonly string[];
  readonly #rowTexts: readonly string[];
  readonly #hash: string;
  /** The children that were parsed so far, as long as `#children` does not hold all of them. */
  readonly #parsedChildren: ChildPointer[] = [];
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
    this.#rowTexts = texts;
    this.length = length;
    this.#hash = hash;
    this.#children = children && Object.freeze(children);
  }

  get children(): readonly ChildPointer[] {
    this.#children ??= Object.freeze(this.keys.map((_, index) => this.getChild(index)));
    return this.#children;
  }

  /** Returns the child at an index. The other rows are not parsed. */
  getChild(index: number): ChildPointer {
    const child = this.#children?.[index] ?? this.#parsedChildren[index] ?? this.#parseChild(index);
    if (!this.#children) this.#parsedChildren[index] = child;
    return child;
  }

  hasLastKey(key: string): boolean {
    return this.keys.at(-1) === key;
  }

  /** Parses the row at an index. The part after the key has a form that needs no JSON parser. */
  #parseChild(index: number): ChildPointer {
    const key = this.keys[index]!;
    const row = this.#rowTexts[index]!;
    const comma = row.lastIndexOf(",");
    const hash = row.slice(comma - HASH_LENGTH - 1, comma - 1);
    const count = row.slice(comma + 1, -1);
    if (keyPattern.test(key) && hashPattern.test(hash) && countPattern.test(count))
      return new ChildPointer(key, hash, Number(count));
    throw new MalformedNodeError(this.#hash, INVALID_SHAPE);
  }
}

/** A node as the node above names it. */
export class ChildPointer {
  /** The last key of the child. */
  readonly key: string;
  readonly hash: string;
  /** The number of entries below the child. */
  readonly count: number;
  #text: string | undefined;
  #rank: number | undefined;

  constructor(key: string, hash: string, count: number) {
    this.key = key;
    this.hash = hash;
    this.count = count;
    Object.freeze(this);
  }

  /** The row in the text of the node above. Only writers need it, so it is computed on first use. */
  get text(): string {
    this.#text ??= `[${JSON.stringify(this.key)},"${this.hash}",${this.count}]`;
    return this.#text;
  }

  /** The rank of the key. It is computed on first use and remembered, because every split asks for it again. */
  get rank(): number {
    this.#rank ??= computeKeyRank(this.key);
    return this.#rank;
  }
}
