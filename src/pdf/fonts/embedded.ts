// A font that is put into the file, with the glyphs that were used and no others. Each glyph carries the text that it stands
// for, so that what is copied or searched is what was written.

import type { Font, Glyph, GlyphPosition, Subset } from "fontkit";
import { dictionary, hexadecimal, number, type ObjectId, refer } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { mirrorBrackets } from "../text/direction";
import { type Face, type GlyphPart, type Glyphs, REMEMBERED } from "./face";
import { toUnicode } from "./to-unicode";

/** What code must not be set with: two signs that become one. */
const PLAIN_FEATURES = { liga: false, clig: false, calt: false, dlig: false };

/** The text of a glyph that is a part of another one, as a dot below a letter. Readers want some; this one is not seen. */
const NOTHING = "\u2060";

/** A glyph under the code that the file knows it by. */
interface Used {
  readonly glyph: number;
  readonly width: number;
  readonly text: string;
}

/** A font of which a part is embedded. */
export class EmbeddedFace implements Face {
  readonly #font: Font;
  readonly #subset: Subset;
  readonly #scale: number;
  readonly #isMonospaced: boolean;
  readonly #codes = new Map<string, number>();
  readonly #used: Used[] = [];
  readonly #remembered = new Map<string, Glyphs>();

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

  set(text: string, isRightToLeft: boolean): Glyphs {
    const key = isRightToLeft ? `<${text}` : `>${text}`;
    let glyphs = this.#remembered.get(key);
    if (!glyphs) {
      glyphs = this.#shape(text, isRightToLeft);
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
      this.#remembered.set(key, glyphs);
    }
    return glyphs;
  }

  #shape(text: string, isRightToLeft: boolean): Glyphs {
    const features = this.#isMonospaced ? PLAIN_FEATURES : {};
    const [shown, direction] = isRightToLeft ? [mirrorBrackets(text), "rtl"] : [text, "ltr"];
    const run = this.#font.layout(shown, features, undefined, undefined, direction);
    const parts = new PartWriter();
    let width = 0;
    for (const [at, glyph] of run.glyphs.entries()) {
      const position = run.positions[at]!;
      const told = String.fromCodePoint(...glyph.codePoints) || NOTHING;
      const code = this.#code(glyph, isRightToLeft ? mirrorBrackets(told) : told);
      parts.add(code, glyph.advanceWidth, position, this.#scale);
      width += position.xAdvance * this.#scale;
    }
    return { width, parts: parts.finish() };
  }

  /** The code of a glyph that stands for a text. One glyph may stand for several: then it has as many codes. */
  #code(glyph: Glyph, text: string): number {
    const key = this.#isCff ? `${glyph.id}` : `${glyph.id} ${text}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      // The types promise a boolean; what comes is the glyph's number in the subset.
      const included = Number(this.#subset.includeGlyph(glyph));
      code = this.#isCff ? included : this.#used.length;
      this.#codes.set(key, code);
      this.#used[code] = { glyph: included, width: glyph.advanceWidth * this.#scale, text };
    }
    return code;
  }

  /** Outlines in the manner of PostScript know no table from codes to glyphs: there the code is the glyph. */
  get #isCff(): boolean {
    return "cff" in this.#subset;
  }

  get isUsed(): boolean {
    return this.#used.length > 1;
  }

  /** Writes the font with the glyphs that were used. */
  write(writer: PdfWriter): ObjectId {
    const name = `/${this.#name()}`;
    const system = "<</Registry (Adobe) /Ordering (Identity) /Supplement 0>>";
    const descendant = writer.object(
      dictionary({
        Type: "/Font",
        Subtype: this.#isCff ? "/CIDFontType0" : "/CIDFontType2",
        BaseFont: name,
        CIDSystemInfo: system,
        FontDescriptor: refer(this.#writeDescriptor(writer, name)),
        W: `[0 [${this.#used.map(({ width }) => number(width)).join(" ")}]]`,
        CIDToGIDMap: this.#isCff ? undefined : refer(writer.stream(this.#glyphTable())),
      }),
    );
    return writer.object(
      dictionary({
        Type: "/Font",
        Subtype: "/Type0",
        BaseFont: name,
        Encoding: "/Identity-H",
        DescendantFonts: `[${refer(descendant)}]`,
        ToUnicode: refer(
          writer.stream(
            toUnicode(
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
    const scaled = (value: number) => number((Number.isFinite(value) ? value : 0) * this.#scale);
    const data = this.#subset.encode();
    const file = this.#isCff
      ? writer.stream(data, { Subtype: "/CIDFontType0C" })
      : writer.stream(data, { Length1: data.length });
    return writer.object(
      dictionary({
        Type: "/FontDescriptor",
        FontName: name,
        // Symbolic: its characters are found by glyph, not by name.
        Flags: 4 + (this.#isMonospaced ? 1 : 0) + (font.italicAngle ? 64 : 0),
        FontBBox: `[${[minX, minY, maxX, maxY].map(scaled).join(" ")}]`,
        ItalicAngle: font.italicAngle || 0,
        Ascent: scaled(font.ascent),
        Descent: scaled(font.descent),
        CapHeight: scaled(font.capHeight || font.ascent),
        StemV: 80,
        [this.#isCff ? "FontFile3" : "FontFile2"]: refer(file),
      }),
    );
  }

  /** A subset has a name of its own, with six letters before it. */
  #name(): string {
    const order = Number(this.resource.slice(1));
    const letters = [0, 1, 2].map((at) => String.fromCharCode(65 + (Math.floor(order / 26 ** (2 - at)) % 26))).join("");
    const name = (this.#font.postscriptName ?? "").replace(/[^A-Za-z0-9-]/g, "").slice(0, 60);
    return `OCT${letters}+${name || "Font"}`;
  }

  /** Which glyph a code is, two bytes each. */
  #glyphTable(): Uint8Array {
    const table = new Uint8Array(this.#used.length * 2);
    const view = new DataView(table.buffer);
    for (const [code, { glyph }] of this.#used.entries()) view.setUint16(code * 2, glyph);
    return table;
  }
}

/** Writes glyphs one after another, with what they are moved by; a new part begins where the height changes. */
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
    this.#hexadecimal += hexadecimal(code, 4);
    this.#move((advance + position.xOffset - position.xAdvance) * scale);
  }

  finish(): readonly GlyphPart[] {
    this.#close();
    return this.#parts;
  }

  /** Moves to the left by thousandths. */
  #move(by: number): void {
    const moved = number(by);
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
