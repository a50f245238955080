// Emoji as Type 3 fonts: each emoji that is used is a colored glyph that is mapped to its characters, so that it can be copied
// and searched like a letter.

import { formatDictionary, formatNumbers, formatReference, type ObjectId, toHex } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import type { Face, GlyphPart, ShapedText } from "../fonts/face";
import { formatToUnicodeMap } from "../fonts/to-unicode";
import { formatDrawing, GRID_SIZE } from "./drawing";
import { type EmojiDrawings, hasEmojiDrawing, splitIntoDrawings } from "./drawings-by-name";

/** The side of an emoji, the space at its left and right, and its depth, in thousandths of the font size. */
const SIDE = 1120;
const BESIDE = 60;
const BELOW = 220;

/** The maximum number of glyphs in a font, whose codes have one byte. */
const MAX_GLYPHS_PER_FONT = 255;

interface EmojiGlyph {
  readonly text: string;
  readonly width: number;
  readonly operations: string;
}

/** The emoji of one document. */
export class EmojiFace implements Face {
  readonly #emoji: EmojiDrawings;
  readonly #codes = new Map<string, number>();
  readonly #drawn: EmojiGlyph[] = [];

  constructor(
    emoji: EmojiDrawings,
    readonly resource: string,
  ) {
    this.#emoji = emoji;
  }

  get isUsed(): boolean {
    return this.#drawn.length > 0;
  }

  has(codePoint: number): boolean {
    return hasEmojiDrawing(this.#emoji, codePoint);
  }

  shape(text: string): ShapedText {
    const parts: GlyphPart[] = [];
    let width = 0;
    for (const [characters, name] of splitIntoDrawings(this.#emoji, text)) {
      const code = this.#code(characters, name);
      width += this.#drawn[code]!.width;
      parts.push({ codes: `<${toHex(code % MAX_GLYPHS_PER_FONT, 2)}>`, rise: 0, font: this.#fontOf(code) });
    }
    return { width, parts };
  }

  #code(text: string, name: string): number {
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.#drawn.push(this.#draw(text, name)) - 1;
      this.#codes.set(name, code);
    }
    return code;
  }

  #draw(text: string, name: string): EmojiGlyph {
    const drawing = this.#emoji.get(name);
    if (drawing !== undefined) {
      const scale = SIDE / GRID_SIZE;
      const placed = `${formatNumbers(scale, 0, 0, -scale, BESIDE, SIDE - BELOW)} cm\n${formatDrawing(drawing)}`;
      return { text, width: SIDE + 2 * BESIDE, operations: placed };
    }
    if (name === "20e3") return { text, width: 290, operations: "0.4 0.44 0.52 RG 60 w 1 j -690 -190 790 1060 re S" };
    const letters = [...text].map((letter) => letter.codePointAt(0)! - 0x1f1e6).filter((at) => at >= 0 && at < 26);
    return letters.length === 0 ? { text, width: 0, operations: "" } : { text, ...drawFlag(letters) };
  }

  #fontOf(code: number): string {
    return `${this.resource}_${Math.floor(code / MAX_GLYPHS_PER_FONT)}`;
  }

  /** Writes the fonts of the emoji, and returns their references by resource name. */
  write(writer: PdfWriter): Record<string, string> {
    const count = Math.ceil(this.#drawn.length / MAX_GLYPHS_PER_FONT);
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => {
        const drawn = this.#drawn.slice(at * MAX_GLYPHS_PER_FONT, (at + 1) * MAX_GLYPHS_PER_FONT);
        return [this.#fontOf(at * MAX_GLYPHS_PER_FONT), formatReference(writeEmojiFont(writer, drawn))];
      }),
    );
  }
}

function writeEmojiFont(writer: PdfWriter, drawn: readonly EmojiGlyph[]): ObjectId {
  const glyphs = drawn.map(({ width, operations }) => writer.writeStream(`${width} 0 d0\n${operations}`));
  const letters = "<</Font <</L <</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold>>>>>>";
  return writer.writeObject(
    formatDictionary({
      Type: "/Font",
      Subtype: "/Type3",
      FontBBox: `[0 ${-BELOW} ${SIDE + 2 * BESIDE} ${SIDE - BELOW}]`,
      FontMatrix: "[0.001 0 0 0.001 0 0]",
      CharProcs: formatDictionary(Object.fromEntries(glyphs.map((id, code) => [`g${code}`, formatReference(id)]))),
      Encoding: `<</Type /Encoding /Differences [0 ${glyphs.map((_, code) => `/g${code}`).join(" ")}]>>`,
      FirstChar: 0,
      LastChar: drawn.length - 1,
      Widths: `[${drawn.map(({ width }) => width).join(" ")}]`,
      Resources: letters,
      ToUnicode: formatReference(
        writer.writeStream(
          formatToUnicodeMap(
            drawn.map(({ text }) => text),
            2,
          ),
        ),
      ),
    }),
  );
}

/** Draws a flag as a box with the letters of its country. Drawings of flags would add half of the size of all others. */
function drawFlag(letters: readonly number[]): Pick<EmojiGlyph, "width" | "operations"> {
  const hex = letters.map((at) => toHex(0x41 + at, 2)).join("");
  const ground = "0.12 0.34 0.76 rg 40 -120 1160 820 re f";
  return { width: 1240, operations: `${ground}\n1 1 1 rg BT /L 620 Tf 1 0 0 1 170 70 Tm <${hex}> Tj ET` };
}
