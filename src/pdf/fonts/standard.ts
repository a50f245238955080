// The fonts that every PDF reader has: Helvetica, Courier and Times for Latin text, Symbol and ZapfDingbats for some signs. They
// add nothing to the file, and are used where the host has no font for a character.

import { formatDictionary, formatReference, type ObjectId, toHex } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { mirrorBrackets } from "../text/direction";
import { type Face, MAX_CACHED_WORDS, type ShapedText } from "./face";
import { formatToUnicodeMap } from "./to-unicode";

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

export class StandardFace implements Face {
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

// The metrics of the fonts that every PDF reader has: the byte of each character, and its width in thousandths of the font
// size. The numbers are those of the published metrics.

/** The characters of the bytes from 0x80 to 0x9f. All others from 0x20 on are equal to their code point. */
const HIGH_BYTES = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/** The bytes of code points in the encoding WinAnsi. */
const LATIN_BYTES: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 224 }, (_, at) => 0x20 + at).flatMap((byte) => {
    const codePoint = byte >= 0x80 && byte < 0xa0 ? HIGH_BYTES.charCodeAt(byte - 0x80) : byte;
    return codePoint === 0 || codePoint === 0x7f ? [] : [[codePoint, byte] as const];
  }),
);

/** The width of every byte from 0x20 on. */
const HELVETICA = parseWidths(
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 " +
    "278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 " +
    "667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 " +
    "556 333 500 278 556 500 722 500 500 500 334 260 334 584 0 556 0 222 556 333 1000 556 556 333 1000 667 333 " +
    "1000 0 611 0 0 222 222 333 333 350 556 1000 333 1000 500 333 944 0 500 500 278 333 556 556 556 556 260 556 " +
    "333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 " +
    "667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 " +
    "667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 " +
    "556 556 556 556 500 556 500",
);

/** The same for bold text. */
const HELVETICA_BOLD = parseWidths(
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 " +
    "333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 " +
    "667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 " +
    "611 389 556 333 611 556 778 556 556 500 389 280 389 584 0 556 0 278 556 500 1000 556 556 333 1000 667 333 " +
    "1000 0 611 0 0 278 278 500 500 350 556 1000 333 1000 556 333 944 0 500 556 278 333 556 556 556 556 280 556 " +
    "333 737 370 556 584 333 737 333 400 584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 " +
    "722 722 722 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 " +
    "667 611 556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 " +
    "611 611 611 611 556 611 556",
);

/** Every character of Courier is as wide. */
const COURIER: readonly number[] = Array<number>(224).fill(600);

/** The widths of ASCII characters in the fonts that formulas are set in: upright, italic and bold. */
const TIMES = parseWidths(
  "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 " +
    "500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 " +
    "667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 " +
    "500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541",
);

/** The same in italics. */
const TIMES_ITALIC = parseWidths(
  "250 333 420 500 500 833 778 214 333 333 500 675 250 333 250 278 500 500 500 500 500 500 500 500 500 " +
    "500 333 333 675 675 675 500 920 611 611 667 722 611 611 722 722 333 444 667 556 833 667 722 611 722 " +
    "611 500 556 722 611 833 611 556 556 389 278 389 422 500 333 500 500 444 500 444 278 500 500 278 278 " +
    "444 278 722 500 500 500 500 389 389 278 500 444 667 444 444 389 400 275 400 541",
);

/** The same for bold letters. */
const TIMES_BOLD = parseWidths(
  "250 333 555 500 500 1000 833 278 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 " +
    "500 333 333 570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 " +
    "722 556 667 722 722 1000 722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 556 278 333 " +
    "556 278 833 556 500 556 556 444 389 333 556 500 722 500 500 444 394 220 394 520",
);

/** Arrows, mathematics and Greek, as the font Symbol has them. */
const SYMBOL = parseSymbolMetrics(
  "→:ae:987 ←:ac:987 ↑:ad:603 ↓:af:603 ↔:ab:1042 ⇒:de:987 ⇐:dc:987 ⇔:db:1042 ≤:a3:549 ≥:b3:549 ≠:b9:549 " +
    "≈:bb:549 ≡:ba:549 ∞:a5:713 ∑:e5:713 ∏:d5:823 √:d6:549 ∫:f2:274 ∂:b6:494 ∇:d1:713 ∈:ce:713 ∉:cf:713 ∩:c7:768 " +
    "∪:c8:768 ⊂:cc:713 ⊃:c9:713 ∀:22:713 ∃:24:549 ∅:c6:823 ∧:d9:603 ∨:da:603 −:2d:549 ′:a2:247 ″:b2:411 α:61:631 " +
    "β:62:549 γ:67:411 δ:64:494 ε:65:439 ζ:7a:494 η:68:603 θ:71:521 ι:69:329 κ:6b:549 λ:6c:549 μ:6d:576 ν:6e:521 " +
    "ξ:78:493 ο:6f:549 π:70:549 ρ:72:549 ς:56:439 σ:73:603 τ:74:439 υ:75:576 φ:66:521 χ:63:549 ψ:79:686 ω:77:686 " +
    "Α:41:722 Β:42:667 Γ:47:603 Δ:44:612 Ε:45:611 Ζ:5a:611 Η:48:722 Θ:51:741 Ι:49:333 Κ:4b:722 Λ:4c:686 Μ:4d:889 " +
    "Ν:4e:722 Ξ:58:645 Ο:4f:722 Π:50:768 Ρ:52:556 Σ:53:592 Τ:54:611 Υ:55:690 Φ:46:763 Χ:43:722 Ψ:59:795 Ω:57:768 " +
    "Ω:57:768 ♠:aa:753 ♣:a7:753 ♥:a9:753 ♦:a8:753 ⋅:d7:250 ∗:2a:500 ∼:7e:549 ∝:b5:713 " +
    "ϑ:4a:631 ϕ:6a:603 ϖ:76:713 ϵ:65:439 ⟨:e1:329 ⟩:f1:329 ⊕:c5:768 ⊗:c4:768 ⊆:cd:713 ⊇:ca:713 ⊄:cb:713 ℵ:c0:823 " +
    "ℑ:c1:686 ℜ:c2:795 ℘:c3:987 ∠:d0:768 ⊥:5e:658 ∴:5c:863 ≅:40:549 ⌈:e9:384 ⌉:f9:384 ⌊:eb:384 ⌋:fb:384 ⇑:dd:603 " +
    "⇓:df:603 ¬:d8:713 ×:b4:549 ÷:b8:549 ±:b1:549 …:bc:1000 ∘:b0:400",
);

/** Ticks, stars and circles, as the font ZapfDingbats has them. */
const DINGBATS = parseSymbolMetrics(
  "✁:21:974 ✂:22:961 ✈:28:791 ✉:29:690 ✌:2c:549 ✍:2d:855 ✎:2e:911 ✏:2f:933 ✐:30:911 ✓:33:755 ✔:34:846 ✕:35:762 " +
    "✖:36:761 ✗:37:571 ✘:38:677 ✚:3a:760 ✝:3d:494 ★:48:816 ✦:46:793 ✧:47:794 ✩:49:823 ✪:4a:789 ✱:51:744 ✳:53:749 " +
    "✴:54:790 ✶:56:695 ●:6c:791 ❍:6d:873 ■:6e:761 ❏:6f:762 ❑:71:759 ▲:73:892 ▼:74:892 ◆:75:788 ❖:76:784 ◗:77:438 " +
    "❘:78:138 ❙:79:277 ❛:7b:392 ❜:7c:392 ❝:7d:668 ❞:7e:668 ❤:a4:910 ➔:d4:894 ➜:dc:927 ➞:de:928 ➡:e1:828 ➤:e4:917 " +
    "❶:b6:788 ❷:b7:788 ❸:b8:788 ❹:b9:788 ❺:ba:788 ①:ac:788 ②:ad:788 ③:ae:788 ④:af:788 ⑤:b0:788 ⑥:b1:788 ⑦:b2:788 " +
    "⑧:b3:788 ⑨:b4:788 ⑩:b5:788 ❢:a2:544 ☎:25:719 ☛:2a:960 ☞:2b:939",
);

function parseWidths(written: string): readonly number[] {
  return written.split(" ").map(Number);
}

/** Parses entries in the form "character:byte:width". */
function parseSymbolMetrics(written: string): ReadonlyMap<number, { readonly byte: number; readonly width: number }> {
  return new Map(
    written.split(" ").map((entry) => {
      const [character, byte, width] = entry.split(":");
      return [character!.codePointAt(0)!, { byte: Number.parseInt(byte!, 16), width: Number(width) }];
    }),
  );
}
