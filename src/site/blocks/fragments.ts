// Access to the fragments of a block, such as its caption.

import type { Block, Fragment } from "../../content/document";
import type { Markup } from "../../utils/html";

/** Renders nested blocks. It is passed as a parameter, so that the modules of blocks do not import each other in a circle. */
export type RenderBlocks = (nodes: readonly Block[]) => Markup;

export function findFragment(fragments: readonly Fragment[] | undefined, type: Fragment["type"]): Fragment | undefined {
  return fragments?.find((fragment) => fragment.type === type);
}
