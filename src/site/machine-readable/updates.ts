// The updates of a page, wherever they stand on it.

import type { Block, BlockOf } from "../../content/document";

/** Blocks that may hold updates. */
const HOLDERS = new Set<Block["type"]>(["updates", "columns", "column", "if"]);

export function* walkUpdates(nodes: readonly Block[]): Generator<BlockOf<"update">> {
  for (const block of nodes) {
    if (block.type === "update") yield block;
    else if (HOLDERS.has(block.type)) yield* walkUpdates((block.nodes as Block[]) ?? []);
  }
}

/** Whether a page has a feed. */
export function hasUpdates(nodes: readonly Block[]): boolean {
  return !walkUpdates(nodes).next().done;
}
