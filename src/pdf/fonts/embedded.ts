// A font that is embedded in the file, as a subset of the glyphs that are used. Each glyph is mapped to its text, so that
// copying and searching work.

import type { Font, Glyph, GlyphPosition, Subset } from "fontkit";
import { formatDictionary, formatNumber, formatReference, type ObjectId, toHex } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { mirrorBrackets } from "../text/direction";
import { type Face, type GlyphPart, MAX_CACHED_WORDS, type ShapedText } from "./face";
import { formatToUnicodeMap } from "./to-unicode";

/** The features for monospaced text: ligatures would merge signs of code. */
const WITHOUT_LIGATURES = { liga: false, clig: false, calt: false, dlig: false };

/** The text of a glyph that is only a part of a character, such as a dot below a letter. Readers require some text. */
const INVISIBLE_TEXT = "\u2060";

interface UsedGlyph {
  readonly glyph: number;
  readonly width: number;
  readonly text: string;
}

export class EmbeddedFace implements Face {
  readonly #font: Font;
  readonly #subset: Subset;
  readonly #scale: number;
  readonly #isMonospaced: boolean;
  readonly #codes = new Map<string, number>();
  readonly #used: UsedGlyph[] = [];
  readonly #shapedTexts = new Map<string, ShapedText>();

  constructor(
    font: Font,
    readonly resource: string,
    isMonospaced: boolean,
  ) {
    this.#font = font;
    this.#subset = font.createSubset();
    this.#scale = 1000 / font.unitsPerEm;
    this.#isMonospaced = isMonospaced;
    this.#used.push({ glyph: 0, width: font.getGlyph(0).advanceWidth * this.#scale, text: "" });
  }

  has(codePoint: number): boolean {
    return this.#font.hasGlyphForCodePoint(codePoint);
  }

  shape(text: string, isRightToLeft: boolean): ShapedText {
    const key = isRightToLeft ? `<${text}` : `>${text}`;
    let glyphs = this.#shapedTexts.get(key);
    if (!glyphs) {
      glyphs = this.#shape(text, isRightToLeft);
      if (this.#shapedTexts.size >= MAX_CACHED_WORDS) this.#shapedTexts.clear();
      this.#shapedTexts.set(key, glyphs);
    }
    return glyphs;
  }

  #shape(text: string, isRightToLeft: boolean): ShapedText {
    const features = this.#isMonospaced ? WITHOUT_LIGATURES : {};
    const [shown, direction] = isRightToLeft ? [mirrorBrackets(text), "rtl"] : [text, "ltr"];
    const run = this.#font.layout(shown, features, undefined, undefined, direction);
    const parts = new PartWriter();
    let width = 0;
    for (const [at, glyph] of run.glyphs.entries()) {
      const position = run.positions[at]!;
      const ownText = String.fromCodePoint(...glyph.codePoints) || INVISIBLE_TEXT;
      const code = this.#getCode(glyph, isRightToLeft ? mirrorBrackets(ownText) : ownText);
      parts.add(code, glyph.advanceWidth, position, this.#scale);
      width += position.xAdvance * this.#scale;
    }
    return { width, parts: parts.finish() };
  }

  /** Returns the code for a glyph and its text. A glyph that is used for several texts has a code for each. */
  #getCode(glyph: Glyph, text: string): number {
    const key = this.#isCff ? `${glyph.id}` : `${glyph.id} ${text}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      // The type says boolean, but the result is the glyph's number in the subset.
      const included = Number(this.#subset.includeGlyph(glyph));
      code = this.#isCff ? included : this.#used.length;
      this.#codes.set(key, code);
      this.#used[code] = { glyph: included, width: glyph.advanceWidth * this.#scale, text };
    }
    return code;
  }

  /** PostScript outlines have no table from codes to glyphs: there the code is the glyph. */
  get #isCff(): boolean {
    return "cff" in this.#subset;
  }

  get isUsed(): boolean {
    return this.#used.length > 1;
  }

  /** Writes the font with the glyphs that were used. */
  write(writer: PdfWriter): ObjectId {
    const name = `/${this.#createName()}`;
    const system = "<</Registry (Adobe) /Ordering (Identity) /Supplement 0>>";
    const descendant = writer.writeObject(
      formatDictionary({
        Type: "/Font",
        Subtype: this.#isCff ? "/CIDFontType0" : "/CIDFontType2",
        BaseFont: name,
        CIDSystemInfo: system,
        FontDescriptor: formatReference(this.#writeDescriptor(writer, name)),
        W: `[0 [${this.#used.map(({ width }) => formatNumber(width)).join(" ")}]]`,
        CIDToGIDMap: this.#isCff ? undefined : formatReference(writer.writeStream(this.#createGlyphTable())),
      }),
    );
    return writer.writeObject(
      formatDictionary({
        Type: "/Font",
        Subtype: "/Type0",
        BaseFont: name,
        Encoding: "/Identity-H",
        DescendantFonts: `[${formatReference(descendant)}]`,
        ToUnicode: formatReference(
          writer.writeStream(
            formatToUnicodeMap(
              this.#used.map(({ text }) => text),
              4,
            ),
          ),
        ),
      }),
    );
  }

  #writeDescriptor(writer: PdfWriter, name: string): ObjectId {
    const font = this.#font;
    const { minX, minY, maxX, maxY } = font.bbox;
    const scaled = (value: number) => formatNumber((Number.isFinite(value) ? value : 0) * this.#scale);
    const data = this.#subset.encode();
    const file = this.#isCff
      ? writer.writeStream(data, { Subtype: "/CIDFontType0C" })
      : writer.writeStream(data, { Length1: data.length });
    return writer.writeObject(
      formatDictionary({
        Type: "/FontDescriptor",
        FontName: name,
        // Symbolic: characters are found by glyph, not by name.
        Flags: 4 + (this.#isMonospaced ? 1 : 0) + (font.italicAngle ? 64 : 0),
        FontBBox: `[${[minX, minY, maxX, maxY].map(scaled).join(" ")}]`,
        ItalicAngle: font.italicAngle || 0,
        Ascent: scaled(font.ascent),
        Descent: scaled(font.descent),
        CapHeight: scaled(font.capHeight || font.ascent),
        StemV: 80,
        [this.#isCff ? "FontFile3" : "FontFile2"]: formatReference(file),
      }),
    );
  }

  /** Returns the name of the subset, which begins with a tag of six letters. */
  #createName(): string {
    const order = Number(this.resource.slice(1));
    const letters = [0, 1, 2].map((at) => String.fromCharCode(65 + (Math.floor(order / 26 ** (2 - at)) % 26))).join("");
    const name = (this.#font.postscriptName ?? "").replace(/[^A-Za-z0-9-]/g, "").slice(0, 60);
    return `OCT${letters}+${name || "Font"}`;
  }

  /** Returns the table from codes to glyphs, with two bytes each. */
  #createGlyphTable(): Uint8Array {
    const table = new Uint8Array(this.#used.length * 2);
    const view = new DataView(table.buffer);
    for (const [code, { glyph }] of this.#used.entries()) view.setUint16(code * 2, glyph);
    return table;
  }
}

/** Writes glyphs with their adjustments. A new part begins where the vertical position changes. */
class PartWriter {
  readonly #parts: GlyphPart[] = [];
  #codes = "";
  #hexadecimal = "";
  #rise = 0;

  add(code: number, advance: number, position: GlyphPosition, scale: number): void {
    const rise = position.yOffset * scale;
    if (rise !== this.#rise) {
      this.#close();
      this.#rise = rise;
    }
    this.#move(-position.xOffset * scale);
    this.#hexadecimal += toHex(code, 4);
    this.#move((advance + position.xOffset - position.xAdvance) * scale);
  }

  finish(): readonly GlyphPart[] {
    this.#close();
    return this.#parts;
  }

  /** Moves to the left, in thousandths of the font size. */
  #move(by: number): void {
    const moved = formatNumber(by);
    if (moved === "0") return;
    this.#flush();
    this.#codes += moved;
  }

  #flush(): void {
    if (this.#hexadecimal) this.#codes += `<${this.#hexadecimal}>`;
    this.#hexadecimal = "";
  }

  #close(): void {
    this.#flush();
    if (this.#codes) this.#parts.push({ codes: this.#codes, rise: this.#rise });
    this.#codes = "";
  }
}
