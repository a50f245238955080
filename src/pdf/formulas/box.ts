// The boxes of a formula. As in TeX, a box has a width, and a height and depth from its baseline.

import type { Sheet } from "../file/sheet";
import type { FontChoice, Typeset } from "../fonts/typeset";
import { sumWidths } from "../text/lines";
import { createTextStyle, drawRun, shapeText } from "../text/runs";
import type { PdfColor } from "../theme";
import { REPLACEMENTS, toMathLetter } from "./symbols";

/** A part of a formula that is laid out, and can be drawn at any position. */
export interface FormulaBox {
  readonly width: number;
  /** The extent above the baseline. */
  readonly height: number;
  /** The extent below the baseline. */
  readonly depth: number;
  draw(sheet: Sheet, x: number, y: number): void;
}

export interface FormulaStyle {
  readonly typeset: Typeset;
  readonly size: number;
  readonly color: PdfColor;
  /** The number of scripts around the part. */
  readonly level: number;
  /** Set for formulas in a block of their own, which have more space above and below. */
  readonly isDisplayed: boolean;
}

export function createSpace(width: number): FormulaBox {
  return { width, height: 0, depth: 0, draw: () => {} };
}

/** Places boxes next to each other. */
export function joinBoxes(boxes: readonly FormulaBox[]): FormulaBox {
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

/** Places boxes at offsets: to the right, and up from the common baseline. */
export function placeBoxes(
  width: number,
  boxes: readonly (readonly [box: FormulaBox, right: number, up: number])[],
): FormulaBox {
  return {
    width,
    height: Math.max(0, ...boxes.map(([box, , up]) => box.height + up)),
    depth: Math.max(0, ...boxes.map(([box, , up]) => box.depth - up)),
    draw: (sheet, x, y) => {
      for (const [box, right, up] of boxes) box.draw(sheet, x + right, y - up);
    },
  };
}

/** Letters with descenders, and brackets. */
const CHARACTERS_WITH_DEPTH = /[gjpqy,;()[\]{}|βγζημξρςφχψϕ∫Q/]/;
const TALL_CHARACTERS = /[A-Zbdfhkl0-9()[\]{}|/Α-Ωβδζθλξ!?∀∃∂∇∑∏∫ℝℂ'′ij]/u;

export function createGlyphs(text: string, style: FormulaStyle, isItalic: boolean): FormulaBox {
  // Invisible operators are left out, and signs that few fonts have are replaced.
  const visible = text.replace(/[\u2060-\u2064]/g, "");
  const shown = Array.from(visible, (sign) => REPLACEMENTS[sign] ?? sign).join("");
  return joinBoxes(Array.from(shown, (character) => createGlyph(character, style, isItalic)));
}

function createGlyph(character: string, style: FormulaStyle, isItalic: boolean): FormulaBox {
  const { typeset, size, color } = style;
  const letter = toMathLetter(character);
  const shown = letter?.text ?? character;
  const codePoint = shown.codePointAt(0)!;
  const look = letter?.look ?? (isItalic ? "italic" : "plain");
  const extent = {
    height: size * (TALL_CHARACTERS.test(shown) ? 0.7 : /[a-zα-ω.,]/u.test(shown) ? 0.47 : 0.6),
    depth: CHARACTERS_WITH_DEPTH.test(shown) ? size * 0.22 : 0,
  };
  // Formulas are set in Times and Symbol. Other characters have the fonts of the text.
  const isStrong = look === "bold" || look === "double";
  const times = typeset.getStandardFont(isStrong ? "Times-Bold" : look === "italic" ? "Times-Italic" : "Times-Roman");
  let choice: FontChoice | undefined;
  if (codePoint < 0x7f && times.face.has(codePoint)) choice = look === "double" ? { ...times, outlines: true } : times;
  else {
    const symbols = typeset.getStandardFont("Symbol");
    const isSmallGreek = codePoint >= 0x3b1 && codePoint <= 0x3d5;
    if (symbols.face.has(codePoint))
      choice = { ...symbols, slants: look === "italic" && isSmallGreek, thickens: look === "bold" };
  }
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
  const { parts, width } = choice.face.shape(shown, false);
  return {
    ...extent,
    // The tops of slanted letters extend beyond their advance width.
    width: ((width + (/[fTVWYPUKJ]/.test(shown) && look === "italic" ? 60 : 0)) * size) / 1000,
    draw: (sheet, x, y) => {
      sheet.drawText(x, y, { choice, parts, size, color });
    },
  };
}
