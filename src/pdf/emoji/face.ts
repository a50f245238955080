// Emoji as fonts of the file: each emoji that is used is a glyph that is drawn in its colors, and stands for its characters,
// so that it is copied and found like any letter.

import { dictionary, hexadecimal, numbers, type ObjectId, refer } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import type { Face, GlyphPart, Glyphs } from "../fonts/face";
import { toUnicode } from "../fonts/to-unicode";
import { GRID, paintedShapes } from "./drawing";
import { drawingsOf, type Emoji, isDrawn } from "./read";

/** The side of an emoji, the free space at its left and right, and how far it reaches below the line: in thousandths. */
const SIDE = 1120;
const BESIDE = 60;
const BELOW = 220;

/** Glyphs of one font: a code has one byte. */
const MOST = 255;

interface Drawn {
  readonly text: string;
  readonly width: number;
  readonly operations: string;
}

/** The emoji of one printing. */
export class EmojiFace implements Face {
  readonly #emoji: Emoji;
  readonly #codes = new Map<string, number>();
  readonly #drawn: Drawn[] = [];

  constructor(
    emoji: Emoji,
    readonly resource: string,
  ) {
    this.#emoji = emoji;
  }

  get isUsed(): boolean {
    return this.#drawn.length > 0;
  }

  has(codePoint: number): boolean {
    return isDrawn(this.#emoji, codePoint);
  }

  set(text: string): Glyphs {
    const parts: GlyphPart[] = [];
    let width = 0;
    for (const [characters, name] of drawingsOf(this.#emoji, text)) {
      const code = this.#code(characters, name);
      width += this.#drawn[code]!.width;
      parts.push({ codes: `<${hexadecimal(code % MOST, 2)}>`, rise: 0, font: this.#fontOf(code) });
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

  #draw(text: string, name: string): Drawn {
    const drawing = this.#emoji.get(name);
    if (drawing !== undefined) {
      const scale = SIDE / GRID;
      const placed = `${numbers(scale, 0, 0, -scale, BESIDE, SIDE - BELOW)} cm\n${paintedShapes(drawing)}`;
      return { text, width: SIDE + 2 * BESIDE, operations: placed };
    }
    if (name === "20e3") return { text, width: 290, operations: "0.4 0.44 0.52 RG 60 w 1 j -690 -190 790 1060 re S" };
    const letters = [...text].map((letter) => letter.codePointAt(0)! - 0x1f1e6).filter((at) => at >= 0 && at < 26);
    return letters.length === 0 ? { text, width: 0, operations: "" } : { text, ...flag(letters) };
  }

  #fontOf(code: number): string {
    return `${this.resource}_${Math.floor(code / MOST)}`;
  }

  /** Writes as many fonts as the emoji need: their names and where they are. */
  write(writer: PdfWriter): Record<string, string> {
    const count = Math.ceil(this.#drawn.length / MOST);
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => {
        const drawn = this.#drawn.slice(at * MOST, (at + 1) * MOST);
        return [this.#fontOf(at * MOST), refer(writeFont(writer, drawn))];
      }),
    );
  }
}

function writeFont(writer: PdfWriter, drawn: readonly Drawn[]): ObjectId {
  const glyphs = drawn.map(({ width, operations }) => writer.stream(`${width} 0 d0\n${operations}`));
  const letters = "<</Font <</L <</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold>>>>>>";
  return writer.object(
    dictionary({
      Type: "/Font",
      Subtype: "/Type3",
      FontBBox: `[0 ${-BELOW} ${SIDE + 2 * BESIDE} ${SIDE - BELOW}]`,
      FontMatrix: "[0.001 0 0 0.001 0 0]",
      CharProcs: dictionary(Object.fromEntries(glyphs.map((id, code) => [`g${code}`, refer(id)]))),
      Encoding: `<</Type /Encoding /Differences [0 ${glyphs.map((_, code) => `/g${code}`).join(" ")}]>>`,
      FirstChar: 0,
      LastChar: drawn.length - 1,
      Widths: `[${drawn.map(({ width }) => width).join(" ")}]`,
      Resources: letters,
      ToUnicode: refer(
        writer.stream(
          toUnicode(
            drawn.map(({ text }) => text),
            2,
          ),
        ),
      ),
    }),
  );
}

/** A small flag with the letters of its country: drawings of flags would be a third of all. */
function flag(letters: readonly number[]): Pick<Drawn, "width" | "operations"> {
  const hex = letters.map((at) => hexadecimal(0x41 + at, 2)).join("");
  const ground = "0.12 0.34 0.76 rg 40 -120 1160 820 re f";
  return { width: 1240, operations: `${ground}\n1 1 1 rg BT /L 620 Tf 1 0 0 1 170 70 Tm <${hex}> Tj ET` };
}
