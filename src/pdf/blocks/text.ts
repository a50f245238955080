// Blocks of text: paragraphs, headings, quotations, formulas, dividers, and blocks of which only the text is known.

import type { BlockOf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { getPlaceName } from "../targets";
import { toPrintableLine, toPrintableText } from "../text/runs";
import { COLORS, SIZES } from "../theme";
import { decorateFirst, extendArea, layOutContent, wrapInFrame } from "./containers";
import { createFormulaBox } from "./formulas";
import { getBaseStyle, toInlineItems } from "./inline-items";
import { createInnerContext, type LayoutContext } from "./layout-context";
import { layOutLines, layOutParagraph } from "./paragraphs";
import { getBlocks, getData, getPhrasing, getPlainText, readString, toFields } from "./read-document";

type HeadingBlock = BlockOf<"heading-1"> | BlockOf<"heading-2"> | BlockOf<"heading-3">;

const SPACE_ABOVE = { "heading-1": 24, "heading-2": 19, "heading-3": 15 };

/** Lays out a heading. It stays with what follows, can be linked to, and is listed in the outline. */
export function layOutHeading(block: HeadingBlock, context: LayoutContext): Iterable<Strip> {
  const size = SIZES[block.type];
  const style = getBaseStyle(context, { size: size.size, isBold: true });
  const items = toInlineItems(getPhrasing(block), context, style);
  const { id, align } = toFields(block.data);
  const anchor = readString(toFields(block.meta).id) || readString(id);
  const title = toPrintableLine(getPlainText(block, MAX_TITLE * 2), MAX_TITLE);
  const level = context.page.depth + Number(block.type.at(-1));
  const strips = layOutParagraph(items, context, {
    size,
    align,
    before: context.depth > 0 ? context.space * 1.5 : SPACE_ABOVE[block.type],
    after: 6,
    staysWithNext: true,
  });
  return decorateFirst(strips, (sheet, _, top) => {
    if (anchor) sheet.addPlace(getPlaceName(context.page.id, anchor), top);
    if (title) sheet.addBookmark({ title, level, isPage: false, top });
  });
}

export const textLayouts = {
  paragraph(block: BlockOf<"paragraph">, context: LayoutContext): Iterable<Strip> {
    const { space, size } = context;
    const items = toInlineItems(getPhrasing(block), context);
    return layOutLines(items, context, {
      size,
      align: getData(block).align ?? context.align,
      before: space,
      after: space,
    });
  },

  blockquote(block: BlockOf<"blockquote">, context: LayoutContext): Iterable<Strip> {
    const padding = { left: 16, right: 0, top: 2, bottom: 2 };
    const content = layOutContent(block, createInnerContext(context, padding.left, 0, { color: COLORS.muted }));
    return wrapInFrame(content, context.width, padding, context.space + 2, (sheet, area) => {
      const { left, top, height } = extendArea(area);
      sheet.fillBox(left, top, 3, height, COLORS.line, 1.5);
    });
  },

  math(block: BlockOf<"math">, context: LayoutContext): Iterable<Strip> {
    const formula = readString(getData(block).formula);
    const { size, space, color } = context;
    const box = createFormulaBox(formula, context, { size: size.size * 1.15, color, isDisplayed: true });
    if (box) return layOutParagraph([box], context, { size, align: "center", before: space + 2, after: space + 2 });
    // A formula that can't be parsed is shown as its source.
    const padding = { left: 12, right: 12, top: 7, bottom: 7 };
    const inner = createInnerContext(context, padding.left, padding.right);
    const style = getBaseStyle(context, { isMono: true, size: context.size.size * 0.92 });
    const text = toPrintableText(formula).trim();
    const lines = layOutParagraph([{ text, style }], inner, { size: context.size, align: "center" });
    return wrapInFrame(lines, context.width, padding, context.space + 2, (sheet, area) => {
      const { left, top, width, height } = extendArea(area);
      sheet.fillBox(left, top, width, height, COLORS.wash, 4);
    });
  },

  /** Lays out a line between blocks. */
  divider(_: unknown, context: LayoutContext): Iterable<Strip> {
    const strip = createStrip({
      height: 1,
      before: 14,
      after: 14,
      draw: (sheet, left, top) =>
        sheet.drawLine(
          [
            [left, top + 0.5],
            [left + context.width, top + 0.5],
          ],
          COLORS.line,
        ),
    });
    return [strip];
  },

  /** Lays out the content of an unknown block, or its source without tags if there is none. */
  unknown(block: BlockOf<"unknown">, context: LayoutContext): Iterable<Strip> {
    if (getBlocks(block).length > 0 || getPhrasing(block).length > 0) return layOutContent(block, context);
    return layOutPlainText(stripTags(readString(getData(block).source)), context);
  },
};

export function layOutPlainText(text: string, context: LayoutContext): Strip[] {
  const words = toPrintableText(text).trim();
  if (!words) return [];
  const { space, size } = context;
  return layOutParagraph([{ text: words, style: getBaseStyle(context) }], context, {
    size,
    before: space,
    after: space,
  });
}

/** Removes tags and comments from HTML. */
function stripTags(source: string): string {
  let text = "";
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf("<", at);
    if (open < 0) return text + source.slice(at);
    text += source.slice(at, open);
    const isComment = source.startsWith("<!--", open);
    const end = isComment ? source.indexOf("-->", open) : source.indexOf(">", open);
    if (end < 0) return text + source.slice(open);
    at = end + (isComment ? 3 : 1);
  }
  return text;
}
