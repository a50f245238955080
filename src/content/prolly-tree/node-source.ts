// Sources of nodes. The functions of the map ask a source for parsed nodes, many at once where they can. A source reads
// texts from a storage, holds nodes that are not saved yet, or caches parsed nodes, so that a warm read parses nothing.

import { type ChildPointer, MalformedNodeError, type MapNode, parseNode, parseNodeLazily } from "./node";

/**
 * A value that is there already, or a promise of it. Finding a page takes a hundred short reads, and awaiting nodes that
 * are in memory would take longer than the reads.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Returns nodes by their hashes, in the order of the hashes. A source throws an error of its own for a missing node. */
export interface NodeSource {
  load(hashes: readonly string[]): MaybePromise<readonly MapNode[]>;
}

/** A cache of nodes by hash: a `Map`, or an LRU cache that is bounded by `node.length`. */
export interface NodeCache {
  get(hash: string): MapNode | undefined;
  set(hash: string, node: MapNode): unknown;
}

/** Creates a source that reads the texts of nodes from a storage. */
export function createTextSource(loadTexts: (hashes: readonly string[]) => Promise<readonly string[]>): NodeSource {
  return {
    async load(hashes) {
      const texts = await loadTexts(hashes);
      return hashes.map((hash, i) => parseNodeLazily(texts[i]!, hash));
    },
  };
}

const emptySource: NodeSource = {
  async load(hashes) {
    throw new Error(`There is no node ${hashes[0]}.`);
  },
};

/**
 * Creates a source of texts in memory, such as nodes that were created and are not saved yet, on top of a source that has
 * the other nodes. It also finds texts that are added to the map later.
 */
export function createMemorySource(texts: ReadonlyMap<string, string>, below: NodeSource = emptySource): NodeSource {
  const parsedNodes = new Map<string, MapNode>();
  const getNode = (hash: string): MapNode | undefined => {
    const text = texts.get(hash);
    if (text !== undefined && !parsedNodes.has(hash)) parsedNodes.set(hash, parseNode(text, hash));
    return parsedNodes.get(hash);
  };
  return createCachedSource(below, { get: getNode, set: () => undefined });
}

/** Creates a source that caches the nodes that it returns. It returns no promise if all of them are in the cache. */
export function createCachedSource(source: NodeSource, cache: NodeCache): NodeSource {
  async function loadMissing(nodes: readonly (MapNode | undefined)[], missing: readonly string[]): Promise<MapNode[]> {
    const loaded = await source.load(missing);
    missing.forEach((hash, i) => {
      cache.set(hash, loaded[i]!);
    });
    let next = 0;
    return nodes.map((node) => node ?? loaded[next++]!);
  }
  return {
    load(hashes) {
      const nodes = hashes.map((hash) => cache.get(hash));
      const missing = hashes.filter((_, i) => nodes[i] === undefined);
      return missing.length === 0 ? (nodes as MapNode[]) : loadMissing(nodes, missing);
    },
  };
}

/** The key and the hash that a node states for one of its children. */
export type NodePointer = Pick<ChildPointer, "key" | "hash">;

export function openRootNode(source: NodeSource, root: string): MaybePromise<MapNode> {
  const nodes = source.load([root]);
  return nodes instanceof Promise ? nodes.then(([node]) => node!) : nodes[0]!;
}

/** Loads nodes of one level. Throws a `MalformedNodeError` if a node is not the one that its parent names. */
export function openNodes(
  source: NodeSource,
  level: number,
  pointers: readonly NodePointer[],
): MaybePromise<readonly MapNode[]> {
  if (pointers.length === 0) return [];
  const nodes = source.load(pointers.map(({ hash }) => hash));
  return nodes instanceof Promise
    ? nodes.then((loaded) => checkNodes(loaded, level, pointers))
    : checkNodes(nodes, level, pointers);
}

/** The number of nodes that are loaded at once when there are many. Their texts take about 4 MB. */
const NODES_PER_LOAD = 1024;

/**
 * Loads many nodes, in the order of their sorted hashes, and yields one after the other. A remote storage keeps nodes in
 * that order, so it reads each part of its data only once.
 */
export async function* streamNodes(source: NodeSource, sortedHashes: readonly string[]): AsyncGenerator<MapNode> {
  for (let start = 0; start < sortedHashes.length; start += NODES_PER_LOAD) {
    const remaining = [...(await source.load(sortedHashes.slice(start, start + NODES_PER_LOAD)))].reverse();
    // A node that was yielded is released: everything that was parsed of a whole batch may take 60 MB.
    for (let node = remaining.pop(); node; node = remaining.pop()) yield node;
  }
}

/** Loads many nodes of one level and yields each with its pointer, in the order of the hashes. */
export async function* streamChildren<Pointer extends NodePointer>(
  source: NodeSource,
  level: number,
  pointers: readonly Pointer[],
): AsyncGenerator<{ readonly node: MapNode; readonly pointer: Pointer }> {
  // A hash is a slice of a node's text, and such slices are slow to compare. Numbers made of their beginnings mostly decide.
  const sorted = pointers
    .map((pointer) => ({ pointer, prefix: Number.parseInt(pointer.hash.slice(0, 12), 16) }))
    .sort((a, b) => a.prefix - b.prefix || (a.pointer.hash < b.pointer.hash ? -1 : 1));
  const sortedHashes = sorted.map(({ pointer }) => pointer.hash);
  let next = 0;
  for await (const node of streamNodes(source, sortedHashes)) {
    const { pointer } = sorted[next++]!;
    checkNodes([node], level, [pointer]);
    yield { node, pointer };
  }
}

function checkNodes(nodes: readonly MapNode[], level: number, pointers: readonly NodePointer[]): readonly MapNode[] {
  for (const [i, node] of nodes.entries()) {
    const { key, hash } = pointers[i]!;
    if (node.level !== level || !node.hasLastKey(key))
      throw new MalformedNodeError(hash, "it is not the node that the one above it names.");
  }
  return nodes;
}
