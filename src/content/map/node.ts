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

import { sha256Hex } from "../../sha256";
import { rankOf } from "./boundaries";
import { frozen, inOrder, type Json } from "./json";

/** The longest key. Keys are printable ASCII, so this is characters and bytes alike. */
export const MAX_KEY_BYTES = 512;
/** The largest value, in bytes of its JSON text as UTF-8. */
export const MAX_VALUE_BYTES = 16 * 1024;
/** The highest level. The boundaries keep a map of any size that can be stored far below it. */
export const MAX_LEVEL = 31;

/** The hash of a map's topmost node; null is the empty map. */
export type Root = string | null;

/** A key and its value, as they stand in a leaf. */
export interface Entry {
  readonly key: string;
  readonly value: Json;
}

/** A node as the one above it names it. */
export interface Child {
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
export interface Leaf {
  readonly level: 0;
  /** The length of its text, for caches that are bounded by what they hold. */
  readonly length: number;
  readonly entries: readonly Entry[];
}

/** A node that names the nodes of the level below. */
export interface Inner {
  readonly level: number;
  /** The length of its text, for caches that are bounded by what they hold. */
  readonly length: number;
  readonly children: readonly Child[];
}

/** A node that was read: frozen, with all that is in it. */
export type Node = Leaf | Inner;

/** Thrown when the text stored under a hash is not a node. */
export class MalformedNode extends Error {
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

/** An entry and its row in a leaf's text. Throws a RangeError when the key or the value is not one that a map can hold. */
export function entryRow(key: string, given: Json): { readonly entry: Entry; readonly text: string } {
  if (!keyForm.test(key))
    throw new RangeError(`A key is 1 to ${MAX_KEY_BYTES} printable ASCII characters; ${JSON.stringify(key)} is not.`);
  const value = frozen(inOrder(given));
  const text = JSON.stringify(value);
  const bytes = utf8.encode(text).length;
  if (bytes > MAX_VALUE_BYTES)
    throw new RangeError(`The value of ${JSON.stringify(key)} has ${bytes} bytes; at most ${MAX_VALUE_BYTES}.`);
  return { entry: Object.freeze({ key, value }), text: `[${JSON.stringify(key)},${text}]` };
}

/** A node as the one above it names it. */
export function childOf(key: string, hash: string, count: number): Child {
  const text = `[${JSON.stringify(key)},"${hash}",${count}]`;
  return Object.freeze({ key, hash, count, text, rank: rankOf(key) });
}

/** The text of a node. */
export function nodeText(level: number, rows: readonly string[]): string {
  return `[${level},${rows.join(",")}]`;
}

/** The hash that a node's text is found by. */
export function hashOf(text: string): string {
  return sha256Hex(text);
}

/** Reads the text of a node. Throws a `MalformedNode` with the hash when it is not one. */
export function parseNode(text: string, hash: string): Node {
  let node: Node | undefined;
  try {
    node = nodeOf(JSON.parse(text), text.length);
  } catch (cause) {
    throw new MalformedNode(hash, "its text cannot be read as JSON.", { cause });
  }
  if (!node) throw new MalformedNode(hash, "its text has not the shape of a node.");
  return node;
}

function nodeOf(parsed: unknown, length: number): Node | undefined {
  if (!Array.isArray(parsed) || parsed.length < 2) return undefined;
  const [level, ...rows]: unknown[] = parsed;
  if (!isWhole(level) || level > MAX_LEVEL || !rows.every(isRow)) return undefined;
  if (!rows.every(([key], i) => i === 0 || rows[i - 1]![0] < key)) return undefined;
  if (level === 0) return rows.every(isEntry) ? leaf(rows, length) : undefined;
  return rows.every(isChild) ? inner(level, rows, length) : undefined;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isTextOf = (form: RegExp, value: unknown): value is string => typeof value === "string" && form.test(value);
const isRow = (row: unknown): row is [string, ...unknown[]] => Array.isArray(row) && isTextOf(keyForm, row[0]);
const isEntry = (row: unknown[]): row is [string, Json] => row.length === 2;
const isChild = (row: unknown[]): row is [string, string, number] =>
  row.length === 3 && isTextOf(hashForm, row[1]) && isWhole(row[2]) && row[2] > 0;

/** A leaf that remembers the text of its rows: an edit writes one row and copies the others. */
class ReadLeaf implements Leaf {
  readonly level = 0;
  readonly length: number;
  readonly entries: readonly Entry[];
  #texts: readonly string[] | undefined;

  constructor(entries: readonly Entry[], length: number, texts?: readonly string[]) {
    this.entries = Object.freeze(entries);
    this.length = length;
    this.#texts = texts;
    Object.freeze(this);
  }

  get texts(): readonly string[] {
    this.#texts ??= this.entries.map(rowText);
    return this.#texts;
  }
}

const rowText = ({ key, value }: Entry) => JSON.stringify([key, value]);

/** The rows of a leaf's text. */
export function textsOf(leaf: Leaf): readonly string[] {
  return leaf instanceof ReadLeaf ? leaf.texts : leaf.entries.map(rowText);
}

function leaf(rows: readonly [string, Json][], length: number): Leaf {
  return new ReadLeaf(
    rows.map(([key, value]) => Object.freeze({ key, value: frozen(value) })),
    length,
  );
}

function inner(level: number, rows: readonly [string, string, number][], length: number): Inner {
  const children = rows.map(([key, hash, count]) => childOf(key, hash, count));
  return Object.freeze({ level, length, children: Object.freeze(children) });
}

/** A leaf that is being written, as reading its text would give it. */
export function freshLeaf(entries: readonly Entry[], texts: readonly string[], length: number): Leaf {
  return new ReadLeaf(entries, length, texts);
}

/** An inner node that is being written, as reading its text would give it. */
export function freshInner(level: number, children: readonly Child[], length: number): Inner {
  return Object.freeze({ level, length, children: Object.freeze(children) });
}
