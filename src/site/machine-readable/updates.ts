// The updates of a page, which its feed contains.

import type { Block, BlockOf } from "../../content/document";

/** Blocks that may contain updates. */
const CONTAINERS = new Set<Block["type"]>(["updates", "columns", "column", "if"]);

/** Yields the updates of a page. A page has a feed if it has any. */
export function* walkUpdates(nodes: readonly Block[]): Generator<BlockOf<"update">> {
  for (const block of nodes) {
    if (block.type === "update") yield block;
    else if (CONTAINERS.has(block.type)) yield* walkUpdates((block.nodes as Block[]) ?? []);
  }
}
