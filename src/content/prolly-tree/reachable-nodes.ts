// Finds the nodes that maps consist of: to sweep the nodes that no map needs any more, and to save no more nodes than a
// map needs.

import type { Steps } from "../../utils/concurrency/steps";
import { type MapEntry, type MapNode, type MapRoot, parseNode } from "./node";
import { type NodePointer, type NodeSource, streamChildren, streamNodes } from "./node-source";
import { LEAF_START } from "./rows";

interface HashSet {
  has(hash: string): boolean;
  add(hash: string): unknown;
}

const NODES_PER_STEP = 16;

/**
 * Adds the hash of every node below `roots`, and the roots, to `seen`. A node that is already in `seen` is skipped with
 * everything below it. So `seen` must hold only nodes whose descendants it holds as well: do not use it again after a
 * call has failed.
 *
 * `visit` is called with the entries of the new leaves, in no particular order. `pause` is awaited now and then, so that
 * other work can run.
 */
export async function markReachableNodes(
  source: NodeSource,
  roots: readonly MapRoot[],
  seen: HashSet,
  visit?: (entry: MapEntry) => void,
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  const newRoots: string[] = [];
  for (const root of roots) {
    if (root === null || seen.has(root)) continue;
    seen.add(root);
    newRoots.push(root);
  }

  const pendingByLevel: NodePointer[][] = [];
  let visitedNodes = 0;
  const visitNode = (node: MapNode): Promise<void> | undefined => {
    if ("entries" in node) {
      if (visit) for (const entry of node.entries) visit(entry);
    } else {
      pendingByLevel[node.level - 1] ??= [];
      const pending = pendingByLevel[node.level - 1]!;
      // Leaves are opened only for their entries.
      const isOpened = node.level > 1 || visit !== undefined;
      for (const { key, hash } of node.children) {
        if (seen.has(hash)) continue;
        seen.add(hash);
        // The key and the hash are slices of the node's text and would keep all of it in memory. A round trip copies them.
        if (isOpened) pending.push(JSON.parse(JSON.stringify({ key, hash })) as NodePointer);
      }
    }
    return ++visitedNodes % NODES_PER_STEP === 0 ? pause() : undefined;
  };
  for await (const node of streamNodes(source, newRoots.toSorted())) await visitNode(node);
  for (let level = pendingByLevel.length - 1; level >= 0; level--)
    for await (const { node } of streamChildren(source, level, pendingByLevel[level] ?? [])) await visitNode(node);
}

/**
 * Returns the nodes that the map at `root` needs, of those that several changes created: the nodes to save. A node that
 * is not in `created` counts as saved, with everything below it.
 */
export function* collectNeededNodesInSteps(
  created: ReadonlyMap<string, string>,
  root: MapRoot,
): Steps<Map<string, string>> {
  const needed = new Map<string, string>();
  const pending = root === null ? [] : [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const text = created.get(hash);
    if (text === undefined) continue;
    needed.set(hash, text);
    // A leaf names no other node.
    if (text.startsWith(LEAF_START)) continue;
    const node = parseNode(text, hash);
    if ("children" in node) for (const child of node.children) pending.push(child.hash);
    yield;
  }
  return needed;
}
