// Blocks that are set apart from the text: hints, tabs, expandables, steps, updates.

import type { BlockOf } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { createGap, createStrip, decorateStrip, moveStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { fitText } from "../text/fit-text";
import { sumWidths } from "../text/lines";
import { createTextStyle, shapeText, toPrintableLine } from "../text/runs";
import { COLORS, HINT_COLORS, SIZES } from "../theme";
import {
  decorateFirst,
  extendArea,
  findChildren,
  joinStrips,
  layOutContent,
  replaceOuterSpace,
  wrapInFrame,
} from "./containers";
import { drawHintIcon } from "./icons";
import { getBaseStyle, toInlineItems } from "./inline-items";
import { createInnerContext, getIndentation, type LayoutContext } from "./layout-context";
import { drawLine, layOutParagraph } from "./paragraphs";
import { getBlocks, getData, getFragmentBlocks, getFragments, getPhrasing, readString } from "./read-document";

/** The layouts of blocks that are set apart from the text. */
export const boxLayouts = {
  /** Lays out a hint: a background and an icon in the color of its style. */
  hint(block: BlockOf<"hint">, context: LayoutContext): Iterable<Strip> {
    const given = getData(block).style;
    const style =
      typeof given === "string" && Object.hasOwn(HINT_COLORS, given) ? (given as keyof typeof HINT_COLORS) : "info";
    const { ground, mark } = HINT_COLORS[style];
    const left = getIndentation(context, 38) || 10;
    const padding = { left, right: 12, top: 9, bottom: 9 };
    const content = layOutContent(block, createInnerContext(context, left, padding.right, { space: 6 }));
    const signed = decorateFirst(content, (sheet, x, top, base = 11) => {
      if (left > 10) drawHintIcon(sheet, style, x - 18, top + base - context.size.size * 0.34, mark);
    });
    return wrapInFrame(signed, context.width, padding, context.space + 2, (sheet, area) => {
      const { left: x, top, width, height } = extendArea(area);
      sheet.fillBox(x, top, width, height, ground, 4);
      sheet.fillBox(x, top, 3, height, mark, 1.5);
    });
  },

  /** Lays out tabs below one another, each with its title. */
  tabs(block: BlockOf<"tabs">, context: LayoutContext): Iterable<Strip> {
    const padding = { left: 13, right: 13, top: 0, bottom: 8 };
    return wrapInFrame(
      layOutTabItems(block, context, padding.left),
      context.width,
      padding,
      context.space + 2,
      (sheet, area) => {
        const { left, top, width, height } = extendArea(area);
        sheet.strokeBox(left, top, width, height, COLORS.line, 4, 0.75);
      },
    );
  },

  /** Lays out an expandable block, which is printed open. */
  expandable(block: BlockOf<"expandable">, context: LayoutContext): Iterable<Strip> {
    const indent = getIndentation(context, 16);
    const inner = createInnerContext(context, indent, 0);
    const { space, size } = context;
    const fragment = getFragments(block).find(({ type }) => type === "expandable-title");
    const nodes = [...getBlocks(fragment).flatMap(getPhrasing), ...getPhrasing(fragment)];
    const expandableTitle = toInlineItems(nodes, inner, getBaseStyle(inner, { isBold: true }));
    const title = layOutParagraph(expandableTitle, inner, {
      size,
      before: space + 2,
      after: 4,
      staysWithNext: true,
    });
    const drawTriangle = (sheet: Sheet, left: number, top: number, ascent = 11) => {
      const [x, base] = [left - 12, top + ascent];
      sheet.fillShape(
        [
          [x, base - 6],
          [x + 8, base - 6],
          [x + 4, base - 1],
        ],
        COLORS.muted,
      );
    };
    const head = title.map((strip, at) => moveStrip(at > 0 ? strip : decorateStrip(strip, drawTriangle), indent));
    const body = context.layOutBlocks(getFragmentBlocks(block, "expandable-body"), inner);
    const padding = { left: indent, right: 0, top: 0, bottom: 0 };
    const frame = wrapInFrame(replaceOuterSpace(body, 0, 0), context.width, padding, space, (sheet, area) => {
      const { left, top, height } = extendArea(area);
      sheet.drawLine(
        [
          [left + 4, top],
          [left + 4, top + height],
        ],
        COLORS.line,
        1,
      );
    });
    return joinStrips([head, frame]);
  },

  /** Lays out steps with their numbers, on a line that connects them. */
  stepper(block: BlockOf<"stepper">, context: LayoutContext): Iterable<Strip> {
    const indent = getIndentation(context, 32);
    const padding = { left: indent, right: 0, top: 0, bottom: 0 };
    return wrapInFrame(
      layOutSteps(block, context, indent),
      context.width,
      padding,
      context.space + 8,
      (sheet, area) => {
        const { left, top, height } = extendArea(area);
        if (indent === 0) return;
        sheet.drawLine(
          [
            [left + 10, top + 8],
            [left + 10, top + height],
          ],
          COLORS.line,
          1.2,
        );
      },
    );
  },

  /** Lays out an entry of a changelog: its day, its tags and its content. */
  update(block: BlockOf<"update">, context: LayoutContext): Iterable<Strip> {
    const { date, tags } = getData(block);
    const labels = [readString(date), ...(Array.isArray(tags) ? tags.map(readString) : [])].map((text) =>
      toPrintableLine(text, 60),
    );
    const style = createTextStyle(SIZES.small, { isBold: true, color: COLORS.muted });
    const text = labels.filter(Boolean).join("  ·  ");
    const head = layOutParagraph([{ text, style }], context, {
      size: SIZES.small,
      before: 18,
      after: 4,
      staysWithNext: true,
    });
    return joinStrips([text ? head : [], layOutContent(block, context)]);
  },
};

/** Lays out the titles and the contents of tabs. */
function* layOutTabItems(block: BlockOf<"tabs">, context: LayoutContext, left: number): Generator<Strip> {
  const inner = createInnerContext(context, left, left);
  for (const [at, tab] of findChildren(block, "tabs-item").entries()) {
    const title = toPrintableLine(readString(getData(tab).title), MAX_TITLE) || String(at + 1);
    const isFirst = at === 0;
    const runs = fitText(
      inner.typeset,
      title,
      createTextStyle(SIZES.small, { isBold: true, color: COLORS.accent }),
      inner.width,
    );
    yield createStrip({
      height: 23,
      staysWithNext: true,
      draw: (sheet, x, top) => {
        const [outer, outerWidth] = [x - left, inner.width + 2 * left];
        sheet.fillBox(outer + 0.4, top + 0.4, outerWidth - 0.8, 22.6, COLORS.wash, isFirst ? 4 : 0);
        for (const y of isFirst ? [top + 23] : [top, top + 23])
          sheet.drawLine(
            [
              [outer, y],
              [outer + outerWidth, y],
            ],
            COLORS.line,
          );
        drawLine(sheet, runs, x, top + 15, SIZES.small.size);
      },
    });
    yield* replaceOuterSpace(layOutContent(tab, inner), 8, 10);
  }
}

/** Lays out steps, each with its number beside its first line. */
function* layOutSteps(block: BlockOf<"stepper">, context: LayoutContext, indent: number): Generator<Strip> {
  const inner = createInnerContext(context, indent, 0);
  for (const [at, step] of findChildren(block, "stepper-step").entries()) {
    const runs = shapeText(
      context.typeset,
      String(at + 1),
      createTextStyle(SIZES.small, { isBold: true, color: COLORS.white }),
    );
    const drawNumber = (sheet: Sheet, left: number, top: number, base = 11) => {
      if (indent === 0) return;
      const [x, y] = [left - indent + 10, top + base - 4];
      sheet.fillBox(x - 10, y - 10, 20, 20, COLORS.accent, 10);
      drawLine(sheet, runs, x - sumWidths(runs) / 2, y + 3, SIZES.small.size);
    };
    const content = [...layOutContent(step, inner)];
    yield* replaceOuterSpace(decorateFirst(content.length > 0 ? content : [createGap(20)], drawNumber), 14, 14);
  }
}
