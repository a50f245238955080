// The items of a paragraph before it is broken into lines: texts, each with one style, and pictures between them.

import type { Sheet } from "../file/sheet";
import type { FontStyle } from "../fonts/typeset";
import type { PdfLinkTarget } from "../targets";
import { COLORS, type PdfColor, type TextSize } from "../theme";

export interface TextStyle extends FontStyle {
  readonly size: number;
  readonly color: PdfColor;
  /** The color behind the text. */
  readonly background?: PdfColor | undefined;
  readonly target?: PdfLinkTarget | undefined;
  readonly isStruckThrough?: boolean;
  /** Superscript or subscript, in a smaller size. */
  readonly shift?: "super" | "sub";
}

/** Text with one style throughout. "\n" begins a new line. */
export interface TextItem {
  readonly text: string;
  readonly style: TextStyle;
}

/** A box that is placed on the base line like a letter. */
export interface BoxItem {
  readonly width: number;
  readonly height: number;
  /** The part below the base line. Default: 0. */
  readonly depth?: number;
  readonly target?: PdfLinkTarget | undefined;
  draw(sheet: Sheet, left: number, top: number): void;
}

/** A part of a paragraph. */
export type InlineItem = TextItem | BoxItem;

/** Creates the style of plain text. */
export function createTextStyle({ size }: TextSize, changes: Partial<TextStyle> = {}): TextStyle {
  return { isMono: false, isBold: false, isItalic: false, size, color: COLORS.ink, ...changes };
}
