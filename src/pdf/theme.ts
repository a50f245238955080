// The theme of a printed document: the paper, the sizes of the text and the colors. All lengths are points, 72 to the inch.

/** Red, green and blue, each from 0 to 1. */
export type PdfColor = readonly [red: number, green: number, blue: number];

/** A4 and its margins. */
export const PAPER = { width: 595.28, height: 841.89, left: 62, right: 62, top: 62, bottom: 74 } as const;

export const TEXT_WIDTH = PAPER.width - PAPER.left - PAPER.right;

export const TEXT_HEIGHT = PAPER.height - PAPER.top - PAPER.bottom;

/** The narrowest column of text. Text is not indented beyond this. */
export const MIN_TEXT_WIDTH = 96;

/** Colors of text, lines and backgrounds. */
export const COLORS = {
  ink: parseColor("1d2430"),
  muted: parseColor("667085"),
  faint: parseColor("98a2b3"),
  line: parseColor("d8dde6"),
  wash: parseColor("f5f7fa"),
  chip: parseColor("eef1f5"),
  accent: parseColor("1f57c3"),
  highlight: parseColor("fff3c4"),
  white: parseColor("ffffff"),
} as const;

/** The four styles of a hint: the background and the accent. */
export const HINT_COLORS = {
  info: { ground: parseColor("eef4ff"), mark: parseColor("2f6be4") },
  success: { ground: parseColor("ebf9f0"), mark: parseColor("1b8f4d") },
  warning: { ground: parseColor("fff7e3"), mark: parseColor("c98506") },
  danger: { ground: parseColor("fdeeee"), mark: parseColor("cf3238") },
} as const;

export const METHOD_COLORS: Readonly<Record<string, PdfColor>> = {
  GET: parseColor("1b8f4d"),
  POST: parseColor("2f6be4"),
  PUT: parseColor("c98506"),
  PATCH: parseColor("c98506"),
  DELETE: parseColor("cf3238"),
};

/** The colors of marked text, by name. */
export const MARK_COLORS: Readonly<Record<string, { readonly text: PdfColor; readonly ground: PdfColor }>> = {
  red: { text: parseColor("c4292f"), ground: parseColor("fde3e3") },
  orange: { text: parseColor("b65a0a"), ground: parseColor("feead6") },
  yellow: { text: parseColor("8f6a00"), ground: parseColor("fff3c4") },
  green: { text: parseColor("1a7f46"), ground: parseColor("daf4e4") },
  blue: { text: parseColor("1f57c3"), ground: parseColor("dfeafe") },
  purple: { text: parseColor("6d3bbd"), ground: parseColor("ece3fb") },
  pink: { text: parseColor("b52a74"), ground: parseColor("fce1ef") },
};

export interface TextSize {
  readonly size: number;
  readonly leading: number;
}

export const SIZES = {
  cover: { size: 32, leading: 40 },
  coverSubtitle: { size: 14, leading: 21 },
  pageTitle: { size: 23, leading: 29 },
  description: { size: 11.5, leading: 17 },
  "heading-1": { size: 15.5, leading: 21 },
  "heading-2": { size: 12.5, leading: 18 },
  "heading-3": { size: 10.5, leading: 15.5 },
  body: { size: 10, leading: 15.5 },
  table: { size: 9, leading: 13.5 },
  denseTable: { size: 7.5, leading: 11 },
  code: { size: 8.5, leading: 12.5 },
  small: { size: 8.5, leading: 12.5 },
  footer: { size: 8, leading: 11 },
} as const satisfies Readonly<Record<string, TextSize>>;

/** Parses six hexadecimal digits. */
export function parseColor(digits: string): PdfColor {
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}
