// The fonts that every PDF reader brings: Helvetica and Courier for Latin text, Symbol and ZapfDingbats for a few signs. They
// cost nothing in the file, and are what is left where no font was given, or none has a character.

import { dictionary, hexadecimal, type ObjectId, refer } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { mirrorBrackets } from "../text/direction";
import { type Face, type Glyphs, REMEMBERED } from "./face";
import {
  COURIER,
  DINGBATS,
  HELVETICA,
  HELVETICA_BOLD,
  latinByte,
  SYMBOL,
  TIMES,
  TIMES_BOLD,
  TIMES_ITALIC,
} from "./standard-metrics";
import { toUnicode } from "./to-unicode";

/** The names of the standard fonts that are used. */
export type StandardName =
  | "Helvetica"
  | "Helvetica-Bold"
  | "Helvetica-Oblique"
  | "Helvetica-BoldOblique"
  | "Courier"
  | "Courier-Bold"
  | "Courier-Oblique"
  | "Courier-BoldOblique"
  | "Times-Roman"
  | "Times-Italic"
  | "Times-Bold"
  | "Symbol"
  | "ZapfDingbats";

/** One of the standard fonts. */
export class StandardFace implements Face {
  readonly #glyph: (codePoint: number) => { readonly byte: number; readonly width: number } | undefined;

  readonly #remembered = new Map<string, Glyphs>();
  isUsed = false;

  constructor(
    readonly name: StandardName,
    readonly resource: string,
  ) {
    if (name === "Symbol") this.#glyph = (codePoint) => SYMBOL.get(codePoint);
    else if (name === "ZapfDingbats") this.#glyph = (codePoint) => DINGBATS.get(codePoint);
    else this.#glyph = latin(widthsOf(name));
  }

  has(codePoint: number): boolean {
    return this.#glyph(codePoint) !== undefined;
  }

  set(text: string, isRightToLeft: boolean): Glyphs {
    this.isUsed = true;
    const shown = isRightToLeft ? [...mirrorBrackets(text)].reverse().join("") : text;
    let glyphs = this.#remembered.get(shown);
    if (!glyphs) {
      glyphs = this.#set(shown);
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
      this.#remembered.set(shown, glyphs);
    }
    return glyphs;
  }

  #set(text: string): Glyphs {
    let width = 0;
    let codes = "<";
    for (const character of text) {
      const glyph = this.#glyph(character.codePointAt(0)!);
      if (!glyph) continue;
      width += glyph.width;
      codes += hexadecimal(glyph.byte, 2);
    }
    return { width, parts: [{ codes: `${codes}>`, rise: 0 }] };
  }

  /** Writes the font. */
  write(writer: PdfWriter): ObjectId {
    const signs = this.name === "Symbol" ? SYMBOL : this.name === "ZapfDingbats" ? DINGBATS : undefined;
    return writer.object(
      dictionary({
        Type: "/Font",
        Subtype: "/Type1",
        BaseFont: `/${this.name}`,
        Encoding: signs ? undefined : "/WinAnsiEncoding",
        ToUnicode: signs && refer(writer.stream(toUnicode(textsOf(signs), 2))),
      }),
    );
  }
}

/** The character of every byte. */
function textsOf(signs: typeof SYMBOL): string[] {
  const texts: string[] = [];
  for (const [codePoint, { byte }] of signs) texts[byte] = String.fromCodePoint(codePoint);
  return texts;
}

function widthsOf(name: StandardName): readonly number[] {
  if (name.startsWith("Times"))
    return name === "Times-Bold" ? TIMES_BOLD : name === "Times-Italic" ? TIMES_ITALIC : TIMES;
  return name.startsWith("Courier") ? COURIER : name.includes("Bold") ? HELVETICA_BOLD : HELVETICA;
}

function latin(widths: readonly number[]) {
  return (codePoint: number) => {
    const byte = latinByte(codePoint);
    const width = byte === undefined ? undefined : widths[byte - 0x20];
    return byte === undefined || width === undefined ? undefined : { byte, width };
  };
}
