// Boxes that formulas are made of: each has a base line, and knows how to draw itself on one.

import type { Sheet } from "../file/sheet";
import type { Choice, Typeset } from "../fonts/typeset";
import { createTextStyle } from "../text/items";
import { sumWidths } from "../text/lines";
import { drawRun, shapeText } from "../text/runs";
import type { Color } from "../theme";
import { drawable, letterOf } from "./symbols";

/** A part of a formula. */
export interface Box {
  readonly width: number;
  /** Above the base line. */
  readonly height: number;
  /** Below it. */
  readonly depth: number;
  draw(sheet: Sheet, x: number, y: number): void;
}

/** How a part of a formula is set. */
export interface Style {
  readonly typeset: Typeset;
  readonly size: number;
  readonly color: Color;
  /** How many scripts it is in. */
  readonly level: number;
  /** Whether there is room above and below, as in a formula that stands alone. */
  readonly isDisplayed: boolean;
}

/** Nothing, so wide. */
export function space(width: number): Box {
  return { width, height: 0, depth: 0, draw: () => {} };
}

/** Boxes beside one another. */
export function beside(boxes: readonly Box[]): Box {
  return {
    width: sumWidths(boxes),
    height: Math.max(0, ...boxes.map(({ height }) => height)),
    depth: Math.max(0, ...boxes.map(({ depth }) => depth)),
    draw: (sheet, x, y) => {
      let left = x;
      for (const box of boxes) {
        box.draw(sheet, left, y);
        left += box.width;
      }
    },
  };
}

/** Boxes at places: each moved to the right and up from the base line of the whole. */
export function placed(width: number, boxes: readonly (readonly [box: Box, right: number, up: number])[]): Box {
  return {
    width,
    height: Math.max(0, ...boxes.map(([box, , up]) => box.height + up)),
    depth: Math.max(0, ...boxes.map(([box, , up]) => box.depth - up)),
    draw: (sheet, x, y) => {
      for (const [box, right, up] of boxes) box.draw(sheet, x + right, y - up);
    },
  };
}

/** Letters with tails, and brackets. */
const BELOW = /[gjpqy,;()[\]{}|βγζημξρςφχψϕ∫Q/]/;
const TALL = /[A-Zbdfhkl0-9()[\]{}|/Α-Ωβδζθλξ!?∀∃∂∇∑∏∫ℝℂ'′ij]/u;

/** Characters beside one another; a letter is italic if that is asked for. */
export function glyphs(text: string, style: Style, isItalic: boolean): Box {
  return beside(Array.from(drawable(text), (character) => glyph(character, style, isItalic)));
}

function glyph(character: string, style: Style, isItalic: boolean): Box {
  const { typeset, size, color } = style;
  const letter = letterOf(character);
  const shown = letter?.text ?? character;
  const codePoint = shown.codePointAt(0)!;
  const look = letter?.look ?? (isItalic ? "italic" : "plain");
  const extent = {
    height: size * (TALL.test(shown) ? 0.7 : /[a-zα-ω.,]/u.test(shown) ? 0.47 : 0.6),
    depth: BELOW.test(shown) ? size * 0.22 : 0,
  };
  const choice = choiceFor(typeset, codePoint, look);
  if (!choice) {
    const runs = shapeText(
      typeset,
      shown,
      createTextStyle({ size, leading: size }, { color, isItalic: look === "italic" }),
    );
    const draw = (sheet: Sheet, x: number, y: number) => {
      let left = x;
      for (const run of runs) {
        drawRun(sheet, run, left, y);
        left += run.width;
      }
    };
    return { ...extent, width: sumWidths(runs), draw };
  }
  const { parts, width } = choice.face.set(shown, false);
  return {
    ...extent,
    // The tops of slanted letters reach over their end.
    width: ((width + (/[fTVWYPUKJ]/.test(shown) && look === "italic" ? 60 : 0)) * size) / 1000,
    draw: (sheet, x, y) => {
      sheet.text(x, y, { choice, parts, size, color });
    },
  };
}

function choiceFor(typeset: Typeset, codePoint: number, look: string): Choice | undefined {
  const isStrong = look === "bold" || look === "double";
  const latin = typeset.standard(isStrong ? "Times-Bold" : look === "italic" ? "Times-Italic" : "Times-Roman");
  if (codePoint < 0x7f && latin.face.has(codePoint)) return look === "double" ? { ...latin, outlines: true } : latin;
  const symbols = typeset.standard("Symbol");
  if (!symbols.face.has(codePoint)) return undefined;
  const isSmallGreek = codePoint >= 0x3b1 && codePoint <= 0x3d5;
  return { ...symbols, slants: look === "italic" && isSmallGreek, thickens: look === "bold" };
}
