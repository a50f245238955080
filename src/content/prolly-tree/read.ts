// Reading a map. Every function goes down level by level and asks for all nodes of a level at once. So a read waits
// once for each level, and not at all where the nodes are in memory.

import type { Json } from "./json";
import { indexOfKey } from "./keys";
import type { Child, Entry, Node, Root } from "./node";
import { type Bounds, childrenIn, countIn, entriesIn, isWithin, type Range, type Ref, rangeOf } from "./range";
import { type NodeSource, open, openMany, openRoot, type Soon } from "./source";

/** The value of a key; undefined when the map has none. Most reads are of one key, and this takes half the time of reading many. */
export async function get(source: NodeSource, root: Root, key: string): Promise<Json | undefined> {
  if (root === null) return undefined;
  const top = openRoot(source, root);
  let node = top instanceof Promise ? await top : top;
  while (!("entries" in node)) {
    const at = indexOfKey(node.keys, key);
    if (at === node.keys.length) return undefined;
    const opened: Soon<readonly Node[]> = open(source, node.level - 1, [node.child(at)]);
    node = (opened instanceof Promise ? await opened : opened)[0]!;
  }
  return node.find(key)?.value;
}

/** The values of keys, in the order asked; undefined where the map has none. */
export async function getMany(source: NodeSource, root: Root, keys: readonly string[]): Promise<(Json | undefined)[]> {
  const values = new Array<Json | undefined>(keys.length).fill(undefined);
  if (root === null || keys.length === 0) return values;
  const top = openRoot(source, root);
  let asked: readonly Asked[] = [{ node: top instanceof Promise ? await top : top, places: [...keys.keys()] }];
  while (asked.length > 0) {
    const below = new Map<Child, number[]>();
    for (const { node, places } of asked) {
      if (places.length === 1 && "entries" in node) values[places[0]!] = node.find(keys[places[0]!]!)?.value;
      else for (const place of places) look(node, keys[place]!, place, values, below);
    }
    const opened = open(source, asked[0]!.node.level - 1, [...below.keys()]);
    const nodes = opened instanceof Promise ? await opened : opened;
    asked = [...below.values()].map((places, i) => ({ node: nodes[i]!, places }));
  }
  return values;
}

/** A node, and where the keys that lead to it stand among those asked for. */
interface Asked {
  readonly node: Node;
  readonly places: readonly number[];
}

/** Takes the value out of a leaf, or notes which child of an inner node to ask. */
function look(node: Node, key: string, place: number, values: (Json | undefined)[], below: Map<Child, number[]>): void {
  const at = indexOfKey(node.keys, key);
  if ("entries" in node) {
    if (node.keys[at] === key) values[place] = node.entry(at).value;
    return;
  }
  if (at === node.keys.length) return;
  const child = node.child(at);
  const places = below.get(child);
  if (places) places.push(place);
  else below.set(child, [place]);
}

/** What a list is asked for. */
export interface ListOptions extends Bounds {
  /** From the last to the first. Default: false. */
  readonly reverse?: boolean | undefined;
  /** Default: all of them. */
  readonly limit?: number | undefined;
}

/** The entries of a range, in key order or against it. */
export async function list(source: NodeSource, root: Root, options: ListOptions = {}): Promise<Entry[]> {
  return (await listMany(source, root, [options]))[0]!;
}

/** The entries of each of some ranges. They wait together, once for each level. */
export async function listMany(source: NodeSource, root: Root, asked: readonly ListOptions[]): Promise<Entry[][]> {
  if (root === null) return asked.map(() => []);
  const node = openRoot(source, root);
  const top = { node: node instanceof Promise ? await node : node, start: "" };
  const lists = asked.map((options) => ({ options, range: rangeOf(options), opened: [top] as readonly Opened[] }));
  for (let { level } = top.node; level > 0; level--) {
    const needed = lists.map((it) => childrenFor(it));
    const children = new Map(needed.flat().map((ref) => [ref.hash, ref]));
    const opened = open(source, level - 1, [...children.values()]);
    const nodes = opened instanceof Promise ? await opened : opened;
    const byHash = new Map([...children.keys()].map((hash, i) => [hash, nodes[i]!]));
    for (const [i, refs] of needed.entries())
      lists[i]!.opened = refs.map(({ hash, start }) => ({ node: byHash.get(hash)!, start }));
  }
  return lists.map(({ options: { reverse = false, limit }, range, opened }) => {
    const entries = opened.flatMap(({ node }) => ("entries" in node ? entriesIn(node, range) : []));
    return (reverse ? entries.reverse() : entries).slice(0, limit);
  });
}

/** The children of a level that a list needs, in their order. */
function childrenFor(it: {
  readonly options: ListOptions;
  readonly range: Range;
  readonly opened: readonly Opened[];
}): Ref[] {
  const { reverse = false, limit = Number.POSITIVE_INFINITY } = it.options;
  if (!(limit > 0)) return [];
  const refs = it.opened.flatMap(({ node, start }) => ("entries" in node ? [] : childrenIn(node, start, it.range)));
  return reverse ? enough(refs.reverse(), it.range, limit).reverse() : enough(refs, it.range, limit);
}

/** The first children of some: as many as surely have `limit` entries of the range below them. */
function enough(refs: Ref[], range: Range, limit: number): Ref[] {
  let sure = 0;
  const end = refs.findIndex((ref) => {
    if (isWithin(ref, range)) sure += ref.count;
    return sure >= limit;
  });
  return end < 0 ? refs : refs.slice(0, end + 1);
}

/** Entries that follow each other in their map. Some pieces have none: the caller may give others a turn there. */
export interface Piece {
  /** The place of the piece among all of them. */
  readonly at: number;
  readonly entries: readonly Entry[];
}

const NOTHING: Piece = { at: 0, entries: [] };

/** Every entry of a range, those of one leaf at a time. They come in the order in which leaves are read. */
export async function* each(source: NodeSource, root: Root, bounds: Bounds = {}): AsyncGenerator<Piece> {
  if (root === null) return;
  const range = rangeOf(bounds);
  let opened = await openTop(source, root);
  while (opened.length > 0 && opened[0]!.node.level > 1)
    opened = await openBelow(source, opened, refsIn(opened, range));
  const leaves: (Ref & { readonly at: number })[] = [];
  for (const { node, start } of opened) {
    if ("entries" in node) yield { at: 0, entries: entriesIn(node, range) };
    else for (const ref of childrenIn(node, start, range)) leaves.push({ ...ref, at: leaves.length });
    yield NOTHING;
  }
  for await (const { node, named } of openMany(source, 0, leaves))
    if ("entries" in node) yield { at: named.at, entries: entriesIn(node, range) };
}

/** The children of inner nodes that may have keys in a range. */
function refsIn(opened: readonly Opened[], range: Range): Ref[] {
  return opened.flatMap(({ node, start }) => ("entries" in node ? [] : childrenIn(node, start, range)));
}

/** How many entries a range has. Only the nodes at its two ends are read. */
export async function count(source: NodeSource, root: Root, bounds: Bounds = {}): Promise<number> {
  const range = rangeOf(bounds);
  let total = 0;
  let opened = root === null ? [] : await openTop(source, root);
  while (opened.length > 0) {
    const ends: Ref[] = [];
    for (const { node, start } of opened) {
      if ("entries" in node) total += countIn(node, range);
      else
        for (const ref of childrenIn(node, start, range)) {
          if (isWithin(ref, range)) total += ref.count;
          else ends.push(ref);
        }
    }
    opened = await openBelow(source, opened, ends);
  }
  return total;
}

/** A node and a text that none of its keys is less than. */
interface Opened {
  readonly node: Node;
  readonly start: string;
}

async function openTop(source: NodeSource, root: string): Promise<Opened[]> {
  return [{ node: await openRoot(source, root), start: "" }];
}

async function openBelow(source: NodeSource, above: readonly Opened[], refs: readonly Ref[]): Promise<Opened[]> {
  const nodes = await open(source, above[0]!.node.level - 1, refs);
  return refs.map(({ start }, i) => ({ node: nodes[i]!, start }));
}
