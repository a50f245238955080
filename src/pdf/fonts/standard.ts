// The fonts that every PDF reader has: Helvetica, Courier and Times for Latin text, Symbol and ZapfDingbats for some signs. They
// add nothing to the file, and are used where the host has no font for a character.

import { formatDictionary, formatReference, type ObjectId, toHex } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { mirrorBrackets } from "../text/direction";
import { type Face, MAX_CACHED_WORDS, type ShapedText } from "./face";
import {
  COURIER,
  DINGBATS,
  getLatinByte,
  HELVETICA,
  HELVETICA_BOLD,
  SYMBOL,
  TIMES,
  TIMES_BOLD,
  TIMES_ITALIC,
} from "./standard-metrics";
import { formatToUnicodeMap } from "./to-unicode";

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

  readonly #remembered = new Map<string, ShapedText>();
  isUsed = false;

  constructor(
    readonly name: StandardName,
    readonly resource: string,
  ) {
    if (name === "Symbol") this.#glyph = (codePoint) => SYMBOL.get(codePoint);
    else if (name === "ZapfDingbats") this.#glyph = (codePoint) => DINGBATS.get(codePoint);
    else this.#glyph = createLatinLookup(getLatinWidths(name));
  }

  has(codePoint: number): boolean {
    return this.#glyph(codePoint) !== undefined;
  }

  shape(text: string, isRightToLeft: boolean): ShapedText {
    this.isUsed = true;
    const shown = isRightToLeft ? [...mirrorBrackets(text)].reverse().join("") : text;
    let glyphs = this.#remembered.get(shown);
    if (!glyphs) {
      glyphs = this.#set(shown);
      if (this.#remembered.size >= MAX_CACHED_WORDS) this.#remembered.clear();
      this.#remembered.set(shown, glyphs);
    }
    return glyphs;
  }

  #set(text: string): ShapedText {
    let width = 0;
    let codes = "<";
    for (const character of text) {
      const glyph = this.#glyph(character.codePointAt(0)!);
      if (!glyph) continue;
      width += glyph.width;
      codes += toHex(glyph.byte, 2);
    }
    return { width, parts: [{ codes: `${codes}>`, rise: 0 }] };
  }

  /** Writes the font. */
  write(writer: PdfWriter): ObjectId {
    const signs = this.name === "Symbol" ? SYMBOL : this.name === "ZapfDingbats" ? DINGBATS : undefined;
    return writer.writeObject(
      formatDictionary({
        Type: "/Font",
        Subtype: "/Type1",
        BaseFont: `/${this.name}`,
        Encoding: signs ? undefined : "/WinAnsiEncoding",
        ToUnicode: signs && formatReference(writer.writeStream(formatToUnicodeMap(listSymbolTexts(signs), 2))),
      }),
    );
  }
}

/** Lists the character of every byte. */
function listSymbolTexts(signs: typeof SYMBOL): string[] {
  const texts: string[] = [];
  for (const [codePoint, { byte }] of signs) texts[byte] = String.fromCodePoint(codePoint);
  return texts;
}

function getLatinWidths(name: StandardName): readonly number[] {
  if (name.startsWith("Times"))
    return name === "Times-Bold" ? TIMES_BOLD : name === "Times-Italic" ? TIMES_ITALIC : TIMES;
  return name.startsWith("Courier") ? COURIER : name.includes("Bold") ? HELVETICA_BOLD : HELVETICA;
}

function createLatinLookup(widths: readonly number[]) {
  return (codePoint: number) => {
    const byte = getLatinByte(codePoint);
    const width = byte === undefined ? undefined : widths[byte - 0x20];
    return byte === undefined || width === undefined ? undefined : { byte, width };
  };
}
