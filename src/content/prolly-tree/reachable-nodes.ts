// Which nodes maps are made of: for sweeping away what no map needs any more, and for saving no more than one needs.

import { type MapEntry, type MapNode, type MapRoot, parseNode } from "./node";
import { loadMany, type NodePointer, type NodeSource, openMany } from "./node-source";

/** Names of nodes. */
interface Seen {
  has(hash: string): boolean;
  add(hash: string): unknown;
}

/** Adds the hash of every node under `roots` to `seen`. A node that is already in `seen` is skipped with everything
 * below it. `visit` gets the entries of the new leaves, in no order. `seen` must hold only nodes, and must not be used
 * after a walk has failed: it could then hold a node without what is below it. `turn` gives others theirs. */
export async function markReachableNodes(
  source: NodeSource,
  roots: readonly MapRoot[],
  seen: Seen,
  visit?: (entry: MapEntry) => void,
  turn: () => Promise<void> = async () => {},
): Promise<void> {
  /** By level: nodes that are to be opened. */
  const ahead: NodePointer[][] = [];
  const enter = (node: MapNode) => {
    if ("entries" in node) {
      if (visit) for (const entry of node.entries) visit(entry);
      return;
    }
    ahead[node.level - 1] ??= [];
    // Leaves are opened only for their entries.
    const below = node.level > 1 || visit ? ahead[node.level - 1]! : [];
    for (const child of node.children) {
      if (seen.has(child.hash)) continue;
      seen.add(child.hash);
      below.push(namedApart(child));
    }
  };
  let entered = 0;
  const enterInTurn = (node: MapNode) => {
    enter(node);
    return ++entered % NODES_A_TURN === 0 ? turn() : undefined;
  };
  for await (const node of loadMany(source, freshIn(roots, seen))) await enterInTurn(node);
  for (let level = ahead.length - 1; level >= 0; level--)
    for await (const { node } of openMany(source, level, ahead[level] ?? [])) await enterInTurn(node);
}

/** What a node says of another one. Its texts are parts of that of the node, and would hold it; these are their own. */
function namedApart({ key, hash }: NodePointer): NodePointer {
  const [itsKey, itsHash] = JSON.parse(JSON.stringify([key, hash])) as [string, string];
  return { key: itsKey, hash: itsHash };
}

/** Those that were not in `seen`, which are in it now. */
function freshIn(roots: readonly MapRoot[], seen: Seen): string[] {
  const fresh: string[] = [];
  for (const root of roots) {
    if (root === null || seen.has(root)) continue;
    seen.add(root);
    fresh.push(root);
  }
  return fresh;
}

/** How many nodes are looked at before others have their turn. */
const NODES_A_TURN = 16;

/** How the text of a leaf begins, which names no other node. */
const LEAF = "[0,";

/** Of the nodes that several changes created, those that the map at `root` needs: the ones to save. A node that is not
 * in `created` counts as saved, with everything below it. Step by step, for there may be many. */
export function* collectNeededNodesInSteps(
  created: ReadonlyMap<string, string>,
  root: MapRoot,
): Generator<void, Map<string, string>> {
  const found = new Map<string, string>();
  const ahead = root === null ? [] : [root];
  for (let hash = ahead.pop(); hash !== undefined; hash = ahead.pop()) {
    const text = created.get(hash);
    if (text === undefined) continue;
    found.set(hash, text);
    if (text.startsWith(LEAF)) continue;
    const node = parseNode(text, hash);
    if ("children" in node) for (const child of node.children) ahead.push(child.hash);
    yield;
  }
  return found;
}
