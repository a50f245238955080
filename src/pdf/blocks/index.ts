// Lays out every type of block. An unknown block, or one that is too deep to be indented further, is printed as plain
// text. A block that fails is replaced by a note, and the others are printed.

import type { Block, BlockOf } from "../../content/document";
import type { Strip } from "../flow/strip";
import { MAX_DEPTH } from "../limits";
import { COLORS, MIN_TEXT_WIDTH } from "../theme";
import { boxLayouts } from "./boxes";
import { cardLayouts } from "./cards";
import { layOutCode } from "./code";
import { layOutColumns } from "./columns";
import { joinStrips, layOutContent } from "./containers";
import { getBaseStyle } from "./inline-items";
import type { LayoutContext } from "./layout-context";
import { layOutList } from "./lists";
import { layOutOperation, layOutSchemas } from "./openapi";
import { layOutParagraph } from "./paragraphs";
import { layOutCaption, pictureLayouts } from "./pictures";
import { getPlainText } from "./read-document";
import { readTable } from "./read-table";
import { layOutCards } from "./table-cards";
import { layOutGrid } from "./table-grid";
import { layOutHeading, layOutPlainText, textLayouts } from "./text";

const BLOCK_LAYOUTS: {
  readonly [Type in Block["type"]]: (block: never, context: LayoutContext) => Iterable<Strip>;
} = {
  ...textLayouts,
  ...boxLayouts,
  ...cardLayouts,
  ...pictureLayouts,
  "heading-1": layOutHeading,
  "heading-2": layOutHeading,
  "heading-3": layOutHeading,
  "list-ordered": layOutList,
  "list-unordered": layOutList,
  "list-tasks": layOutList,
  "list-item": layOutContent,
  if: layOutContent,
  code: layOutCode,
  "code-line": (block, context) => layOutPlainText(getPlainText(block), context),
  "tabs-item": layOutContent,
  "stepper-step": layOutContent,
  columns: layOutColumns,
  column: layOutContent,
  swagger: layOutOperation,
  "openapi-operation": layOutOperation,
  "openapi-schemas": layOutSchemas,
  "openapi-webhook": layOutOperation,
  updates: layOutContent,
  /** Lays out a table in its view, below its caption. */
  table(block: BlockOf<"table">, context) {
    const table = readTable(block);
    if (table.columns.length === 0) return [];
    const caption = layOutCaption(block, context, "left").map((strip) => ({ ...strip, staysWithNext: true }));
    return joinStrips([
      caption,
      table.view.type === "cards" ? layOutCards(table, context) : layOutGrid(table, context),
    ]);
  },
};

/** Blocks that take space at their sides. */
const FRAMED_BLOCKS: ReadonlySet<Block["type"]> = new Set(["blockquote", "hint", "tabs", "table"]);

export function* layOutBlocks(blocks: readonly Block[], context: LayoutContext): Generator<Strip> {
  for (const block of blocks) {
    try {
      const isKnown = Object.hasOwn(BLOCK_LAYOUTS, block.type);
      const hasRoom = context.depth < MAX_DEPTH && (context.width >= MIN_TEXT_WIDTH || !FRAMED_BLOCKS.has(block.type));
      if (isKnown && hasRoom) yield* BLOCK_LAYOUTS[block.type](block as never, context);
      else yield* layOutPlainText(getPlainText(block), context);
    } catch {
      const style = getBaseStyle(context, { isItalic: true, color: COLORS.muted });
      const { size, space } = context;
      const items = [{ text: context.words.unprinted, style }];
      yield* layOutParagraph(items, context, { size, before: space, after: space });
    }
  }
}
