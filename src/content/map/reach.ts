// Which nodes maps are made of: for sweeping away what no map needs any more, and for saving no more than one needs.

import { type Child, type Entry, type Node, parseNode, type Root } from "./node";
import { type NodeSource, open, openLeaves, openRoot } from "./source";

/** Names of nodes. */
interface Seen {
  has(hash: string): boolean;
  add(hash: string): unknown;
}

/** Adds the hash of every node under `root` to `seen`. A node that is already in `seen` is skipped with everything
 * below it. `visit` gets the entries of the new leaves, in no order. `seen` must hold only nodes, and must not be used
 * after a walk has failed: it could then hold a node without what is below it. `turn` gives others theirs. */
export async function reach(
  source: NodeSource,
  root: Root,
  seen: Seen,
  visit?: (entry: Entry) => void,
  turn: () => Promise<void> = async () => {},
): Promise<void> {
  const ahead: { readonly level: number; readonly children: readonly Child[] }[] = [];
  const leaves: Child[] = [];
  const enter = (node: Node) => {
    if ("entries" in node) {
      if (visit) for (const entry of node.entries) visit(entry);
      return;
    }
    const children = node.children.filter(({ hash }) => !seen.has(hash));
    for (const { hash } of children) seen.add(hash);
    if (node.level > 1) ahead.push({ level: node.level - 1, children });
    // Leaves are opened only for their entries.
    else if (visit) leaves.push(...children);
  };
  if (root === null || seen.has(root)) return;
  seen.add(root);
  enter(await openRoot(source, root));
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    for (const node of await open(source, next.level, next.children)) enter(node);
    await turn();
  }
  let opened = 0;
  for await (const { leaf } of openLeaves(source, leaves)) {
    enter(leaf);
    if (++opened % LEAVES_A_TURN === 0) await turn();
  }
}

/** How many leaves are looked at before others have their turn. */
const LEAVES_A_TURN = 16;

/** How the text of a leaf begins, which names no other node. */
const LEAF = "[0,";

/** Of the nodes that several changes created, those that the map at `root` needs: the ones to save. A node that is not
 * in `created` counts as saved, with everything below it. Step by step, for there may be many. */
export function* needed(created: ReadonlyMap<string, string>, root: Root): Generator<void, Map<string, string>> {
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
