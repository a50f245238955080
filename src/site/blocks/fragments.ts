// The parts of a block that stand apart from its text.

import type { Block, Fragment } from "../../content/document";
import type { Markup } from "../../utils/html";

/** Draws blocks: given to what holds some, so that no file imports the one that imports it. */
export type RenderBlocks = (nodes: readonly Block[]) => Markup;

/** The fragment of a type. */
export function findFragment(fragments: readonly Fragment[] | undefined, type: Fragment["type"]): Fragment | undefined {
  return fragments?.find((fragment) => fragment.type === type);
}
