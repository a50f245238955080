// Emoji as Type 3 fonts: each emoji that is used is a colored glyph that is mapped to its characters, so that it can be copied
// and searched like a letter.

import { formatDictionary, formatNumbers, formatReference, toHex } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import type { Face, GlyphPart, ShapedText } from "../fonts/face";
import { formatToUnicodeMap } from "../fonts/to-unicode";
import { type EmojiDrawings, hasEmojiDrawing, splitIntoDrawings } from "./drawings-by-name";

/** The side of an emoji, the space at its left and right, and its depth, in thousandths of the font size. */
const SIDE = 1120;
const SIDE_SPACE = 60;
const DEPTH = 220;

/** The number of grid steps along each side of a drawing, whose origin is its upper left corner. */
const GRID_SIZE = 128;

const SHAPE = /^([0-9a-f]{6})(?:([fe])|s(\d+)(?!\d))(.*)$/;

/** The maximum number of glyphs in a font, whose codes have one byte. */
const MAX_GLYPHS_PER_FONT = 255;

interface EmojiGlyph {
  readonly text: string;
  readonly width: number;
  readonly operations: string;
}

export class EmojiFace implements Face {
  readonly #emoji: EmojiDrawings;
  readonly #codes = new Map<string, number>();
  readonly #glyphs: EmojiGlyph[] = [];

  constructor(
    emoji: EmojiDrawings,
    readonly resource: string,
  ) {
    this.#emoji = emoji;
  }

  get isUsed(): boolean {
    return this.#glyphs.length > 0;
  }

  has(codePoint: number): boolean {
    return hasEmojiDrawing(this.#emoji, codePoint);
  }

  shape(text: string): ShapedText {
    const parts: GlyphPart[] = [];
    let width = 0;
    for (const [characters, name] of splitIntoDrawings(this.#emoji, text)) {
      const code = this.#getCode(characters, name);
      width += this.#glyphs[code]!.width;
      parts.push({ codes: `<${toHex(code % MAX_GLYPHS_PER_FONT, 2)}>`, rise: 0, font: this.#getFontResource(code) });
    }
    return { width, parts };
  }

  #getCode(text: string, name: string): number {
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.#glyphs.push(this.#draw(text, name)) - 1;
      this.#codes.set(name, code);
    }
    return code;
  }

  #draw(text: string, name: string): EmojiGlyph {
    const drawing = this.#emoji.get(name);
    if (drawing !== undefined) {
      // The shapes of a drawing are separated by `;`; each has a color, a fill or stroke, and a path.
      const shapes = drawing.split(";").map((shape) => {
        const [, color = "000000", fill, width, path = ""] = SHAPE.exec(shape) ?? [];
        const rgb = formatNumbers(...[0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255));
        // The points of a path are relative to the one before, and become absolute.
        let [x, y] = [0, 0];
        const operations: string[] = [];
        for (const [, type, list] of path.matchAll(/([mlcz])([^mlcz]*)/g)) {
          if (type === "z") operations.push("h");
          else {
            const values = [...list!.matchAll(/-?\d+/g)].map(Number);
            const points = values.map((value, at) => value + (at % 2 === 0 ? x : y));
            [x, y] = points.slice(-2) as [number, number];
            operations.push(`${points.join(" ")} ${type}`);
          }
        }
        if (fill) return `${rgb} rg ${operations.join(" ")} ${fill === "e" ? "f*" : "f"}`;
        return `${rgb} RG ${width} w 1 J ${operations.join(" ")} S`;
      });
      const scale = SIDE / GRID_SIZE;
      const placed = `${formatNumbers(scale, 0, 0, -scale, SIDE_SPACE, SIDE - DEPTH)} cm\n${shapes.join("\n")}`;
      return { text, width: SIDE + 2 * SIDE_SPACE, operations: placed };
    }
    if (name === "20e3") return { text, width: 290, operations: "0.4 0.44 0.52 RG 60 w 1 j -690 -190 790 1060 re S" };
    const letters = [...text].map((letter) => letter.codePointAt(0)! - 0x1f1e6).filter((at) => at >= 0 && at < 26);
    if (letters.length === 0) return { text, width: 0, operations: "" };
    // A flag is a box with the letters of its country. Drawings of flags would add half of the size of all others.
    const hex = letters.map((at) => toHex(0x41 + at, 2)).join("");
    const box = "0.12 0.34 0.76 rg 40 -120 1160 820 re f";
    return { text, width: 1240, operations: `${box}\n1 1 1 rg BT /L 620 Tf 1 0 0 1 170 70 Tm <${hex}> Tj ET` };
  }

  #getFontResource(code: number): string {
    return `${this.resource}_${Math.floor(code / MAX_GLYPHS_PER_FONT)}`;
  }

  /** Writes the fonts of the emoji, and returns their references by resource name. */
  write(writer: PdfWriter): Record<string, string> {
    const references: Record<string, string> = {};
    for (let start = 0; start < this.#glyphs.length; start += MAX_GLYPHS_PER_FONT) {
      const drawn = this.#glyphs.slice(start, start + MAX_GLYPHS_PER_FONT);
      const glyphs = drawn.map(({ width, operations }) => writer.writeStream(`${width} 0 d0\n${operations}`));
      const texts = drawn.map(({ text }) => text);
      const letters = "<</Font <</L <</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold>>>>>>";
      const id = writer.writeObject(
        formatDictionary({
          Type: "/Font",
          Subtype: "/Type3",
          FontBBox: `[0 ${-DEPTH} ${SIDE + 2 * SIDE_SPACE} ${SIDE - DEPTH}]`,
          FontMatrix: "[0.001 0 0 0.001 0 0]",
          CharProcs: formatDictionary(Object.fromEntries(glyphs.map((id, code) => [`g${code}`, formatReference(id)]))),
          Encoding: `<</Type /Encoding /Differences [0 ${glyphs.map((_, code) => `/g${code}`).join(" ")}]>>`,
          FirstChar: 0,
          LastChar: drawn.length - 1,
          Widths: `[${drawn.map(({ width }) => width).join(" ")}]`,
          Resources: letters,
          ToUnicode: formatReference(writer.writeStream(formatToUnicodeMap(texts, 2))),
        }),
      );
      references[this.#getFontResource(start)] = formatReference(id);
    }
    return references;
  }
}
