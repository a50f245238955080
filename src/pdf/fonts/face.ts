// What the printer asks of a font, wherever it comes from.

/** Words that a font remembers as it has set them. */
export const REMEMBERED = 20_000;

/** A text as it is set in one font, in thousandths of its size. */
export interface Glyphs {
  readonly width: number;
  readonly parts: readonly GlyphPart[];
}

/** Glyphs that stand at one height: what goes between the brackets of a PDF's `TJ`. */
export interface GlyphPart {
  readonly codes: string;
  readonly rise: number;
  /** The resource that the codes are of, where a face has several. Left out: that of the face. */
  readonly font?: string;
}

/** A font that text of this printing is set in. */
export interface Face {
  /** Its name among the resources of the file. */
  readonly resource: string;
  /** Whether any text was set in it. */
  readonly isUsed: boolean;
  /** Whether it has a glyph for a character. */
  has(codePoint: number): boolean;
  /** Sets a text of which every character has a glyph; from right to left, its glyphs are still written from the left. */
  set(text: string, isRightToLeft: boolean): Glyphs;
}
