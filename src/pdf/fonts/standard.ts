// The fonts that every PDF reader has: Helvetica, Courier and Times for Latin text, Symbol and ZapfDingbats for some signs. They
// add nothing to the file, and are used where the host has no font for a character.

import { formatDictionary, formatReference, type ObjectId, toHex } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { mirrorBrackets } from "../text/direction";
import { type Face, MAX_CACHED_WORDS, type ShapedText } from "./face";
import {
  COURIER,
  DINGBATS,
  HELVETICA,
  HELVETICA_BOLD,
  LATIN_BYTES,
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
  /** The glyphs of a font of symbols. */
  readonly #symbols: typeof SYMBOL | undefined;
  /** The widths of a Latin font, from the byte 0x20 on. */
  readonly #widths: readonly number[];
  readonly #shapedTexts = new Map<string, ShapedText>();
  /** Becomes true when a text is shaped. */
  isUsed = false;

  constructor(
    readonly name: StandardName,
    readonly resource: string,
  ) {
    if (name === "Symbol" || name === "ZapfDingbats") {
      this.#symbols = name === "Symbol" ? SYMBOL : DINGBATS;
      this.#widths = [];
    } else if (name === "Times-Bold") this.#widths = TIMES_BOLD;
    else if (name === "Times-Italic") this.#widths = TIMES_ITALIC;
    else if (name === "Times-Roman") this.#widths = TIMES;
    else if (name.startsWith("Courier")) this.#widths = COURIER;
    else this.#widths = name.includes("Bold") ? HELVETICA_BOLD : HELVETICA;
  }

  has(codePoint: number): boolean {
    return this.#getGlyph(codePoint) !== undefined;
  }

  #getGlyph(codePoint: number): { readonly byte: number; readonly width: number } | undefined {
    if (this.#symbols) return this.#symbols.get(codePoint);
    const byte = LATIN_BYTES.get(codePoint);
    const width = byte === undefined ? undefined : this.#widths[byte - 0x20];
    return byte === undefined || width === undefined ? undefined : { byte, width };
  }

  shape(text: string, isRightToLeft: boolean): ShapedText {
    this.isUsed = true;
    const shown = isRightToLeft ? [...mirrorBrackets(text)].reverse().join("") : text;
    let glyphs = this.#shapedTexts.get(shown);
    if (!glyphs) {
      glyphs = this.#shape(shown);
      if (this.#shapedTexts.size >= MAX_CACHED_WORDS) this.#shapedTexts.clear();
      this.#shapedTexts.set(shown, glyphs);
    }
    return glyphs;
  }

  #shape(text: string): ShapedText {
    let width = 0;
    let codes = "<";
    for (const character of text) {
      const glyph = this.#getGlyph(character.codePointAt(0)!);
      if (!glyph) continue;
      width += glyph.width;
      codes += toHex(glyph.byte, 2);
    }
    return { width, parts: [{ codes: `${codes}>`, rise: 0 }] };
  }

  /** Writes the font. */
  write(writer: PdfWriter): ObjectId {
    const texts: string[] = [];
    for (const [codePoint, { byte }] of this.#symbols ?? []) texts[byte] = String.fromCodePoint(codePoint);
    return writer.writeObject(
      formatDictionary({
        Type: "/Font",
        Subtype: "/Type1",
        BaseFont: `/${this.name}`,
        Encoding: this.#symbols ? undefined : "/WinAnsiEncoding",
        ToUnicode: this.#symbols && formatReference(writer.writeStream(formatToUnicodeMap(texts, 2))),
      }),
    );
  }
}
