// Where nodes come from. The map's functions ask a source for parsed nodes, many at once where they can; a source reads
// texts, holds nodes that are not saved yet, or keeps parsed ones so that a warm read parses nothing.

import { type ChildPointer, MalformedNodeError, type MapNode, parseNode, parseNodeLazily } from "./node";

/** A value that is at hand, or that comes. A page is found by a hundred short reads, and waiting for nodes that are in memory
 * would take longer than the reads. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Hands out nodes by their hashes, in the order asked. A node that is missing is an error of the source's own. */
export interface NodeSource {
  load(hashes: readonly string[]): MaybePromise<readonly MapNode[]>;
}

/** What `createCachedSource` keeps nodes in: a `Map`, or an LRU cache that is bounded by `node.length`. */
export interface NodeCache {
  get(hash: string): MapNode | undefined;
  set(hash: string, node: MapNode): unknown;
}

/** A source that reads the texts of nodes from where they are stored. */
export function createTextSource(texts: (hashes: readonly string[]) => Promise<readonly string[]>): NodeSource {
  return {
    async load(hashes) {
      const found = await texts(hashes);
      return hashes.map((hash, i) => parseNodeLazily(found[i]!, hash));
    },
  };
}

/**
 * A source that holds texts in memory, such as nodes that were created and are not saved yet, over another one that has
 * the rest. Texts that are added to the map later are found as well.
 */
export function createMemorySource(texts: ReadonlyMap<string, string>, below: NodeSource = nothing): NodeSource {
  const parsed = new Map<string, MapNode>();
  const held = (hash: string): MapNode | undefined => {
    const text = texts.get(hash);
    if (text !== undefined && !parsed.has(hash)) parsed.set(hash, parseNode(text, hash));
    return parsed.get(hash);
  };
  return createCachedSource(below, { get: held, set: () => undefined });
}

/** A source that has some nodes at hand, such as those of a map that is not saved yet, over another one that has the rest. */
export function createLayeredSource(nodes: ReadonlyMap<string, MapNode>, below: NodeSource): NodeSource {
  return createCachedSource(below, { get: (hash) => nodes.get(hash), set: () => undefined });
}

/** A source that keeps the nodes it has handed out in a cache. */
export function createCachedSource(source: NodeSource, cache: NodeCache): NodeSource {
  async function completed(nodes: readonly (MapNode | undefined)[], missing: readonly string[]): Promise<MapNode[]> {
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
      return missing.length === 0 ? (nodes as MapNode[]) : completed(nodes, missing);
    },
  };
}

const nothing: NodeSource = {
  async load(hashes) {
    throw new Error(`There is no node ${hashes[0]}.`);
  },
};

/** What the node above says of one. */
export type NodePointer = Pick<ChildPointer, "key" | "hash">;

/** The root node. */
export function openRootNode(source: NodeSource, root: string): MaybePromise<MapNode> {
  const nodes = source.load([root]);
  return nodes instanceof Promise ? nodes.then(([node]) => node!) : nodes[0]!;
}

/** The nodes that `children` name, which are of this level. One that is not what its parent says throws. */
export function openNodes(
  source: NodeSource,
  level: number,
  children: readonly NodePointer[],
): MaybePromise<readonly MapNode[]> {
  if (children.length === 0) return [];
  const nodes = source.load(children.map(({ hash }) => hash));
  return nodes instanceof Promise ? nodes.then((it) => asNamed(it, level, children)) : asNamed(nodes, level, children);
}

/** How many nodes are asked for at once, where there are many. Their texts take about 4 MB. */
const NODES_AT_ONCE = 1024;

/** The nodes of these hashes, in the order of the hashes. Many are asked for at once: so a storage that is far away, which
 * keeps them in that order, reads each part of what it has only once. */
export function loadMany(source: NodeSource, hashes: readonly string[]): AsyncGenerator<MapNode> {
  return loadSorted(source, hashes.toSorted());
}

async function* loadSorted(source: NodeSource, sorted: readonly string[]): AsyncGenerator<MapNode> {
  for (let done = 0; done < sorted.length; done += NODES_AT_ONCE) {
    const last = [...(await source.load(sorted.slice(done, done + NODES_AT_ONCE)))].reverse();
    // One that was looked at is held no longer: what was parsed of all of them may take 60 MB.
    for (let node = last.pop(); node; node = last.pop()) yield node;
  }
}

/** The nodes that `children` name, which are of this level, in the order of their hashes. */
export async function* openMany<Of extends NodePointer>(
  source: NodeSource,
  level: number,
  children: readonly Of[],
): AsyncGenerator<{ readonly node: MapNode; readonly named: Of }> {
  // A hash is a part of a node's text, and such parts are slow to compare: mostly their beginnings decide, as numbers.
  const sorted = children
    .map((named) => ({ named, start: Number.parseInt(named.hash.slice(0, 12), 16) }))
    .sort((a, b) => a.start - b.start || (a.named.hash < b.named.hash ? -1 : 1));
  const hashes = sorted.map(({ named }) => named.hash);
  let next = 0;
  for await (const node of loadSorted(source, hashes)) {
    const { named } = sorted[next++]!;
    checkNamed(node, level, named);
    yield { node, named };
  }
}

function asNamed(nodes: readonly MapNode[], level: number, children: readonly NodePointer[]): readonly MapNode[] {
  for (let i = 0; i < nodes.length; i++) checkNamed(nodes[i]!, level, children[i]!);
  return nodes;
}

function checkNamed(node: MapNode, level: number, { key, hash }: NodePointer): void {
  if (node.level !== level || !node.hasLastKey(key))
    throw new MalformedNodeError(hash, "it is not the node that the one above it names.");
}
