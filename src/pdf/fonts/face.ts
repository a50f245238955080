// The interface of all fonts of a printed file.

/** The maximum number of shaped words in a cache. */
export const MAX_CACHED_WORDS = 20_000;

/** A text that was shaped in one font. Widths are in thousandths of the font size. */
export interface ShapedText {
  readonly width: number;
  readonly parts: readonly GlyphPart[];
}

/** Glyphs at the same vertical position: the operand of the PDF operator `TJ`. */
export interface GlyphPart {
  readonly codes: string;
  readonly rise: number;
  /** The font resource of the codes. Default: that of the face. */
  readonly font?: string;
}

export interface Face {
  readonly resource: string;
  /** Becomes true when a text is shaped. */
  readonly isUsed: boolean;
  /** Checks for a glyph of a character. */
  has(codePoint: number): boolean;
  /** Shapes a text whose characters all have glyphs. The glyphs are in visual order, also for right-to-left text. */
  shape(text: string, isRightToLeft: boolean): ShapedText;
}
