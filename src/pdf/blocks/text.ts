// Blocks of text: paragraphs, headings, quotations, formulas, lines between them, and blocks that are only known by their text.

import type { BlockOf } from "../../content/document";
import { marked, type Strip, strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { COLOURS, SIZES } from "../look";
import { targetPlace } from "../targets";
import { oneLine, printable } from "../text/clean";
import { bled, enclosed, setContent } from "./containers";
import { formulaBox } from "./formulas";
import { setLines, setParagraph } from "./paragraphs";
import { baseStyle, itemsOf } from "./phrasing";
import { blocksIn, dataOf, fieldsOf, phrasingIn, plainText, textIn } from "./reading";
import { inside, type Setting } from "./setting";

/** A paragraph. */
export function* paragraph(block: BlockOf<"paragraph">, setting: Setting): Generator<Strip> {
  const { space, size } = setting;
  const items = itemsOf(phrasingIn(block), setting);
  yield* setLines(items, setting, {
    size,
    align: dataOf(block).align ?? setting.align,
    before: space,
    after: space,
  });
}

type HeadingBlock = BlockOf<"heading-1"> | BlockOf<"heading-2"> | BlockOf<"heading-3">;

const SPACE_ABOVE = { "heading-1": 24, "heading-2": 19, "heading-3": 15 };

/** A heading: it stays with what follows, can be linked to and is listed beside the document. */
export function* heading(block: HeadingBlock, setting: Setting): Generator<Strip> {
  const size = SIZES[block.type];
  const style = baseStyle(setting, { size: size.size, isBold: true });
  const items = itemsOf(phrasingIn(block), setting, style);
  const { id, align } = fieldsOf(block.data);
  const anchor = textIn(fieldsOf(block.meta).id) || textIn(id);
  const title = oneLine(plainText(block, MAX_TITLE * 2), MAX_TITLE);
  const level = setting.page.depth + Number(block.type.at(-1));
  const strips = setParagraph(items, setting, {
    size,
    align,
    before: setting.depth > 0 ? setting.space * 1.5 : SPACE_ABOVE[block.type],
    after: 6,
    staysWithNext: true,
  });
  for (const [at, it] of strips.entries()) {
    if (at > 0) yield it;
    else
      yield marked(it, (sheet, _, top) => {
        if (anchor) sheet.place(targetPlace(setting.page.id, anchor), top);
        if (title) sheet.bookmark({ title, level, isPage: false, top });
      });
  }
}

/** A quotation. */
export function* blockquote(block: BlockOf<"blockquote">, setting: Setting): Generator<Strip> {
  const padding = { left: 16, right: 0, top: 2, bottom: 2 };
  const content = setContent(block, inside(setting, padding.left, 0, { colour: COLOURS.muted }));
  yield* enclosed(content, setting.width, padding, setting.space + 2, (sheet, area) => {
    const { left, top, height } = bled(area);
    sheet.fillBox(left, top, 3, height, COLOURS.line, 1.5);
  });
}

/** A formula that stands alone. */
export function* math(block: BlockOf<"math">, setting: Setting): Generator<Strip> {
  const formula = textIn(dataOf(block).formula);
  const { size, space, colour } = setting;
  const box = formulaBox(formula, setting, { size: size.size * 1.15, colour, isDisplayed: true });
  if (box) yield* setParagraph([box], setting, { size, align: "center", before: space + 2, after: space + 2 });
  else yield* writtenFormula(formula, setting);
}

/** A formula that cannot be read, as it was written. */
function* writtenFormula(formula: string, setting: Setting): Generator<Strip> {
  const padding = { left: 12, right: 12, top: 7, bottom: 7 };
  const inner = inside(setting, padding.left, padding.right);
  const style = baseStyle(setting, { isMono: true, size: setting.size.size * 0.92 });
  const text = printable(formula).trim();
  const lines = setParagraph([{ text, style }], inner, { size: setting.size, align: "center" });
  yield* enclosed(lines, setting.width, padding, setting.space + 2, (sheet, area) => {
    const { left, top, width, height } = bled(area);
    sheet.fillBox(left, top, width, height, COLOURS.wash, 4);
  });
}

/** A line between blocks. */
export function* divider(_: unknown, setting: Setting): Generator<Strip> {
  yield strip({
    height: 1,
    before: 14,
    after: 14,
    draw: (sheet, left, top) =>
      sheet.line(
        [
          [left, top + 0.5],
          [left + setting.width, top + 0.5],
        ],
        COLOURS.line,
      ),
  });
}

/** What stands between the tags of a block that nobody knows; if there is nothing, its source without tags. */
export function* unknown(block: BlockOf<"unknown">, setting: Setting): Generator<Strip> {
  if (blocksIn(block).length > 0 || phrasingIn(block).length > 0) yield* setContent(block, setting);
  else yield* plainParagraph(withoutTags(textIn(dataOf(block).source)), setting);
}

/** A block of which only the text is printed. */
export function* plainBlock(block: unknown, setting: Setting): Generator<Strip> {
  yield* plainParagraph(plainText(block), setting);
}

/** A text as a paragraph. */
export function plainParagraph(text: string, setting: Setting): Strip[] {
  const words = printable(text).trim();
  if (!words) return [];
  const { space, size } = setting;
  return setParagraph([{ text: words, style: baseStyle(setting) }], setting, { size, before: space, after: space });
}

/** HTML without its tags and comments: what a reader would see of it. */
function withoutTags(source: string): string {
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
