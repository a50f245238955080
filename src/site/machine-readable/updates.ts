// The updates of a page, which its feed contains.

import type { Block, BlockOf } from "../../content/document";

/** Blocks that may contain updates. */
const CONTAINERS = new Set<Block["type"]>(["updates", "columns", "column", "if"]);

export function* walkUpdates(nodes: readonly Block[]): Generator<BlockOf<"update">> {
  for (const block of nodes) {
    if (block.type === "update") yield block;
    else if (CONTAINERS.has(block.type)) yield* walkUpdates((block.nodes as Block[]) ?? []);
  }
}

/** Returns true if a page has updates, and so a feed. */
export function hasUpdates(nodes: readonly Block[]): boolean {
  return !walkUpdates(nodes).next().done;
}
