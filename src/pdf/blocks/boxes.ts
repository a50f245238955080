// Blocks that stand out from the text around them: hints, tabs, expandables, steps, updates.

import type { BlockOf } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { gap, marked, moved, type Strip, strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { COLOURS, HINTS, SIZES } from "../look";
import { oneLine } from "../text/clean";
import { fitted } from "../text/fitted";
import { plain } from "../text/items";
import { widthOf } from "../text/lines";
import { setRuns } from "../text/runs";
import { bled, childrenOf, enclosed, setContent, spaced } from "./containers";
import { hintIcon } from "./icons";
import { drawLine, setParagraph } from "./paragraphs";
import { baseStyle, itemsOf } from "./phrasing";
import { blocksIn, dataOf, fragmentBlocks, fragmentsIn, phrasingIn, textIn } from "./reading";
import { indentation, inside, type Setting } from "./setting";

/** A hint: a ground and a sign in the colour of its style. */
export function* hint(block: BlockOf<"hint">, setting: Setting): Generator<Strip> {
  const given = dataOf(block).style;
  const style = typeof given === "string" && Object.hasOwn(HINTS, given) ? (given as keyof typeof HINTS) : "info";
  const { ground, mark } = HINTS[style];
  const left = indentation(setting, 38) || 10;
  const padding = { left, right: 12, top: 9, bottom: 9 };
  const content = setContent(block, inside(setting, left, padding.right, { space: 6 }));
  const signed = withSign(content, (sheet, x, y) => {
    if (left > 10) hintIcon(sheet, style, x - 18, y - setting.size.size * 0.34, mark);
  });
  yield* enclosed(signed, setting.width, padding, setting.space + 2, (sheet, area) => {
    const { left: x, top, width, height } = bled(area);
    sheet.fillBox(x, top, width, height, ground, 4);
    sheet.fillBox(x, top, 3, height, mark, 1.5);
  });
}

/** Draws something beside the first line of strips. */
function* withSign(
  strips: Iterable<Strip>,
  sign: (sheet: Sheet, left: number, base: number) => void,
): Generator<Strip> {
  let isFirst = true;
  for (const it of strips) {
    yield isFirst ? marked(it, (sheet, left, top, base) => sign(sheet, left, top + (base ?? 11))) : it;
    isFirst = false;
  }
}

/** Tabs, each with its title, below one another. */
export function* tabs(block: BlockOf<"tabs">, setting: Setting): Generator<Strip> {
  const padding = { left: 13, right: 13, top: 0, bottom: 8 };
  yield* enclosed(setTabs(block, setting, padding.left), setting.width, padding, setting.space + 2, (sheet, area) => {
    const { left, top, width, height } = bled(area);
    sheet.strokeBox(left, top, width, height, COLOURS.line, 4, 0.75);
  });
}

function* setTabs(block: BlockOf<"tabs">, setting: Setting, left: number): Generator<Strip> {
  const inner = inside(setting, left, left);
  for (const [at, tab] of childrenOf(block, "tabs-item").entries()) {
    const title = oneLine(textIn(dataOf(tab).title), MAX_TITLE) || String(at + 1);
    yield tabTitle(title, inner, left, at === 0);
    yield* spaced(setContent(tab, inner), 8, 10);
  }
}

function tabTitle(title: string, { typeset, width }: Setting, outside: number, isFirst: boolean): Strip {
  const runs = fitted(typeset, title, plain(SIZES.small, { isBold: true, colour: COLOURS.accent }), width);
  return strip({
    height: 23,
    staysWithNext: true,
    draw: (sheet, left, top) => {
      const [x, whole] = [left - outside, width + 2 * outside];
      sheet.fillBox(x + 0.4, top + 0.4, whole - 0.8, 22.6, COLOURS.wash, isFirst ? 4 : 0);
      for (const y of isFirst ? [top + 23] : [top, top + 23])
        sheet.line(
          [
            [x, y],
            [x + whole, y],
          ],
          COLOURS.line,
        );
      drawLine(sheet, runs, left, top + 15, SIZES.small.size);
    },
  });
}

/** What can be opened is printed open. */
export function* expandable(block: BlockOf<"expandable">, setting: Setting): Generator<Strip> {
  const indent = indentation(setting, 16);
  const inner = inside(setting, indent, 0);
  const { space, size } = setting;
  const title = setParagraph(titleItems(block, inner), inner, {
    size,
    before: space + 2,
    after: 4,
    staysWithNext: true,
  });
  for (const [at, it] of title.entries())
    yield moved(at > 0 ? it : marked(it, (sheet, x, y, base) => triangle(sheet, x - 12, y + (base ?? 11))), indent);
  const body = setting.set(fragmentBlocks(block, "expandable-body"), inner);
  const padding = { left: indent, right: 0, top: 0, bottom: 0 };
  yield* enclosed(spaced(body, 0, 0), setting.width, padding, space, (sheet, area) => {
    const { left, top, height } = bled(area);
    sheet.line(
      [
        [left + 4, top],
        [left + 4, top + height],
      ],
      COLOURS.line,
      1,
    );
  });
}

function titleItems(block: BlockOf<"expandable">, setting: Setting) {
  const fragment = fragmentsIn(block).find(({ type }) => type === "expandable-title");
  const nodes = [...blocksIn(fragment).flatMap(phrasingIn), ...phrasingIn(fragment)];
  return itemsOf(nodes, setting, baseStyle(setting, { isBold: true }));
}

function triangle(sheet: Sheet, x: number, base: number): void {
  sheet.shape(
    [
      [x, base - 6],
      [x + 8, base - 6],
      [x + 4, base - 1],
    ],
    COLOURS.muted,
  );
}

/** Steps with their numbers, on a line that leads from one to the next. */
export function* stepper(block: BlockOf<"stepper">, setting: Setting): Generator<Strip> {
  const indent = indentation(setting, 32);
  const padding = { left: indent, right: 0, top: 0, bottom: 0 };
  yield* enclosed(setSteps(block, setting, indent), setting.width, padding, setting.space + 8, (sheet, area) => {
    const { left, top, height } = bled(area);
    if (indent === 0) return;
    sheet.line(
      [
        [left + 10, top + 8],
        [left + 10, top + height],
      ],
      COLOURS.line,
      1.2,
    );
  });
}

function* setSteps(block: BlockOf<"stepper">, setting: Setting, indent: number): Generator<Strip> {
  const inner = inside(setting, indent, 0);
  for (const [at, step] of childrenOf(block, "stepper-step").entries()) {
    const runs = setRuns(setting.typeset, String(at + 1), plain(SIZES.small, { isBold: true, colour: COLOURS.white }));
    const number = (sheet: Sheet, left: number, base: number) => {
      if (indent === 0) return;
      const [x, y] = [left - indent + 10, base - 4];
      sheet.fillBox(x - 10, y - 10, 20, 20, COLOURS.accent, 10);
      drawLine(sheet, runs, x - widthOf(runs) / 2, y + 3, SIZES.small.size);
    };
    const content = [...setContent(step, inner)];
    yield* spaced(withSign(content.length > 0 ? content : [gap(20)], number), 14, 14);
  }
}

/** An entry of a changelog: its day and its tags, and what it says. */
export function* update(block: BlockOf<"update">, setting: Setting): Generator<Strip> {
  const { date, tags } = dataOf(block);
  const labels = [textIn(date), ...(Array.isArray(tags) ? tags.map(textIn) : [])].map((text) => oneLine(text, 60));
  const style = plain(SIZES.small, { isBold: true, colour: COLOURS.muted });
  const text = labels.filter(Boolean).join("  ·  ");
  if (text)
    yield* setParagraph([{ text, style }], setting, { size: SIZES.small, before: 18, after: 4, staysWithNext: true });
  yield* setContent(block, setting);
}
