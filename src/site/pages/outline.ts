// The headings of a document, for the list beside it.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { getPlainText } from "../blocks/text";

export interface OutlineHeading {
  readonly id: string;
  readonly text: string;
  readonly isDeep: boolean;
}

/** The headings of blocks that bring their own, such as operations of an API. */
type Brought = (block: Block) => OutlineHeading | undefined;

/** The headings of the two upper levels, where they can be led to. */
export function buildOutline(nodes: readonly Block[], brought: Brought): OutlineHeading[] {
  return [...collectHeadings(nodes, brought)];
}

function* collectHeadings(nodes: readonly Block[], brought: Brought): Generator<OutlineHeading> {
  for (const block of nodes) {
    const own = brought(block);
    if (own) yield own;
    else if ((block.type === "heading-1" || block.type === "heading-2") && block.meta?.id !== undefined)
      yield {
        id: block.meta.id,
        text: getPlainText((block.nodes as Phrasing[]) ?? []),
        isDeep: block.type === "heading-2",
      };
    else if (HOLDERS.has(block.type)) yield* collectHeadings((block as BlockOf<"hint">).nodes as Block[], brought);
  }
}

/** What is part of the page's own order. Headings in tabs and folds may not be visible. */
const HOLDERS = new Set<Block["type"]>(["if", "columns", "column", "stepper", "stepper-step", "updates", "update"]);
