// How a printed document looks: the paper, the sizes of the text and the colours. All lengths are points, 72 to the inch.

/** Red, green and blue, each from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A4 and what of it is written on. */
export const PAPER = { width: 595.28, height: 841.89, left: 62, right: 62, top: 62, bottom: 74 } as const;

/** How wide text is set. */
export const TEXT_WIDTH = PAPER.width - PAPER.left - PAPER.right;

/** How much text a sheet has room for, from its top to its foot. */
export const TEXT_HEIGHT = PAPER.height - PAPER.top - PAPER.bottom;

/** The narrowest column of text. Narrower ones are not indented any further. */
export const NARROWEST = 96;

/** Colours of text, lines and grounds. */
export const COLOURS = {
  ink: rgb("1d2430"),
  muted: rgb("667085"),
  faint: rgb("98a2b3"),
  line: rgb("d8dde6"),
  wash: rgb("f5f7fa"),
  chip: rgb("eef1f5"),
  accent: rgb("1f57c3"),
  highlight: rgb("fff3c4"),
  white: rgb("ffffff"),
} as const;

/** The four styles of a hint: its ground and what stands out on it. */
export const HINTS = {
  info: { ground: rgb("eef4ff"), mark: rgb("2f6be4") },
  success: { ground: rgb("ebf9f0"), mark: rgb("1b8f4d") },
  warning: { ground: rgb("fff7e3"), mark: rgb("c98506") },
  danger: { ground: rgb("fdeeee"), mark: rgb("cf3238") },
} as const;

/** The colours that the methods of HTTP are told apart by. */
export const METHODS: Readonly<Record<string, Colour>> = {
  GET: rgb("1b8f4d"),
  POST: rgb("2f6be4"),
  PUT: rgb("c98506"),
  PATCH: rgb("c98506"),
  DELETE: rgb("cf3238"),
};

/** The colours that text can be marked with, by name. */
export const MARKS: Readonly<Record<string, { readonly text: Colour; readonly ground: Colour }>> = {
  red: { text: rgb("c4292f"), ground: rgb("fde3e3") },
  orange: { text: rgb("b65a0a"), ground: rgb("feead6") },
  yellow: { text: rgb("8f6a00"), ground: rgb("fff3c4") },
  green: { text: rgb("1a7f46"), ground: rgb("daf4e4") },
  blue: { text: rgb("1f57c3"), ground: rgb("dfeafe") },
  purple: { text: rgb("6d3bbd"), ground: rgb("ece3fb") },
  pink: { text: rgb("b52a74"), ground: rgb("fce1ef") },
};

/** The size of a text and the height of its lines. */
export interface Size {
  readonly size: number;
  readonly leading: number;
}

/** The sizes that are used. */
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
} as const satisfies Readonly<Record<string, Size>>;

function rgb(digits: string): Colour {
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}
