// Which nodes maps are made of: for sweeping away what no map needs any more, and for saving no more than one needs.

import { type Child, type Entry, type Node, parseNode, type Root } from "./node";
import { type NodeSource, open, openRoot } from "./source";

/**
 * Adds the hash of every node under `root` to `seen`, and passes over those that are in it already with all that is below
 * them. `visit` gets the entries of the leaves that were not in it before, in no order. `seen` is for nodes alone, and is
 * of no more use once a walk has failed: either way it would hold a node without what is below it.
 */
export async function reach(
  source: NodeSource,
  root: Root,
  seen: Set<string>,
  visit?: (entry: Entry) => void,
): Promise<void> {
  const ahead: { readonly level: number; readonly children: readonly Child[] }[] = [];
  const enter = (node: Node) => {
    if ("entries" in node) {
      if (visit) for (const entry of node.entries) visit(entry);
      return;
    }
    const children = node.children.filter(({ hash }) => !seen.has(hash));
    for (const { hash } of children) seen.add(hash);
    // Leaves are opened for the sake of their entries only.
    if (visit || node.level > 1) ahead.push({ level: node.level - 1, children });
  };
  if (root === null || seen.has(root)) return;
  seen.add(root);
  enter(await openRoot(source, root));
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    for (const node of await open(source, next.level, next.children)) enter(node);
  }
}

/**
 * Of the nodes that one change after another created, those that the map at `root` is made of: the ones to save. A node
 * that is not among `created` is taken to be saved, with all that is below it.
 */
export function needed(created: ReadonlyMap<string, string>, root: Root): Map<string, string> {
  const found = new Map<string, string>();
  const ahead = root === null ? [] : [root];
  for (let hash = ahead.pop(); hash !== undefined; hash = ahead.pop()) {
    const text = created.get(hash);
    if (text === undefined) continue;
    found.set(hash, text);
    const node = parseNode(text, hash);
    if ("children" in node) for (const child of node.children) ahead.push(child.hash);
  }
  return found;
}
