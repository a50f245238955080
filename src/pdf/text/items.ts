// What a paragraph is made of before it is broken into lines: texts, each with one style, and pictures between them.

import type { Sheet } from "../file/sheet";
import type { FontStyle } from "../fonts/typeset";
import { COLOURS, type Colour, type Size } from "../look";
import type { Target } from "../targets";

/** How a text looks. */
export interface TextStyle extends FontStyle {
  readonly size: number;
  readonly colour: Colour;
  /** What is behind it. */
  readonly ground?: Colour | undefined;
  /** Where it leads. */
  readonly target?: Target | undefined;
  readonly isStruck?: boolean;
  /** Raised or lowered, and smaller. */
  readonly shift?: "super" | "sub";
}

/** Text with one style throughout. "\n" begins a new line. */
export interface TextItem {
  readonly text: string;
  readonly style: TextStyle;
}

/** Something that stands on the base line like a letter. */
export interface BoxItem {
  readonly width: number;
  readonly height: number;
  /** How far it reaches below the base line. Left out: not at all. */
  readonly depth?: number;
  readonly target?: Target | undefined;
  draw(sheet: Sheet, left: number, top: number): void;
}

/** A part of a paragraph. */
export type Item = TextItem | BoxItem;

/** Whether an item is text. */
export function isText(item: Item): item is TextItem {
  return "text" in item;
}

/** Plain text of a size. */
export function plain({ size }: Size, changes: Partial<TextStyle> = {}): TextStyle {
  return { isMono: false, isBold: false, isItalic: false, size, colour: COLOURS.ink, ...changes };
}
