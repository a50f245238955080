// The outline of a page: the headings of its document that the layout lists beside the text.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { getPlainText } from "../blocks/text";

export interface OutlineHeading {
  readonly id: string;
  readonly text: string;
  readonly isDeep: boolean;
}

/** Blocks whose headings are part of the outline. Headings in tabs and expandables may not be visible. */
const CONTAINERS = new Set<Block["type"]>(["if", "columns", "column", "stepper", "stepper-step", "updates", "update"]);

/**
 * Returns the headings of the two upper levels that have an id. `getBlockHeading` returns the heading of a block that has one of
 * its own, such as an operation of an API.
 */
export function buildOutline(
  nodes: readonly Block[],
  getBlockHeading: (block: Block) => OutlineHeading | undefined,
): OutlineHeading[] {
  return nodes.flatMap((block): OutlineHeading[] => {
    const heading = getBlockHeading(block);
    if (heading) return [heading];
    if ((block.type === "heading-1" || block.type === "heading-2") && block.meta?.id !== undefined) {
      const text = getPlainText((block.nodes as Phrasing[]) ?? []);
      return [{ id: block.meta.id, text, isDeep: block.type === "heading-2" }];
    }
    if (!CONTAINERS.has(block.type)) return [];
    return buildOutline((block as BlockOf<"hint">).nodes as Block[], getBlockHeading);
  });
}
