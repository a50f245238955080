// Where fonts come from: bytes, or functions that load them when a text needs them. Each is loaded and read once for all
// printings.

import type { Font } from "fontkit";
import { plainFont } from "./sfnt";

/** A font file (TTF, OTF or WOFF), or a function that loads one when it is needed. */
export type FontFile = Uint8Array | (() => Uint8Array | Promise<Uint8Array>);

/** A font, and if it is known which characters it has: then it is not loaded for others. */
export type FontSource =
  | FontFile
  | {
      readonly font: FontFile;
      /** As in CSS: "U+0370-03FF, U+1F00-1FFF". */
      readonly unicodeRange: string;
    };

/** The fonts that text is set in. A family that is split over several files is given as a list of them. */
export interface PrinterFonts {
  readonly sans?: FontSource | readonly FontSource[];
  readonly sansBold?: FontSource | readonly FontSource[];
  readonly sansItalic?: FontSource | readonly FontSource[];
  readonly sansBoldItalic?: FontSource | readonly FontSource[];
  readonly mono?: FontSource | readonly FontSource[];
  readonly monoBold?: FontSource | readonly FontSource[];
  /** Asked in this order for characters that the others do not have. */
  readonly fallbacks?: readonly FontSource[];
}

/** The fonts that have a part in context text. */
export type FontRole = keyof PrinterFonts;

/** A font that may not be loaded yet. */
export interface LoadableFont {
  readonly role: FontRole;
  /** Whether it may have a character; false only if its ranges say so. */
  mayHave(codePoint: number): boolean;
  /** Reads it, the first time it is asked. */
  load(): Promise<Font>;
}

/** The fonts of a role, each ready to be loaded. */
export function loadableFonts(fonts: PrinterFonts, role: FontRole): LoadableFont[] {
  const given = fonts[role];
  const sources =
    given === undefined ? [] : Array.isArray(given) ? (given as readonly FontSource[]) : [given as FontSource];
  return sources.map((source, at) => loadable(source, role, sources.length > 1 ? `${role}[${at}]` : role));
}

function loadable(source: FontSource, role: FontRole, name: string): LoadableFont {
  const file = "font" in source ? source.font : source;
  const mayHave = "font" in source ? within(source.unicodeRange) : () => true;
  let loaded: Promise<Font> | undefined;
  const load = () => {
    loaded ??= read(file, name).catch((error) => {
      // A failure is not kept: the next printing may find the file.
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return { role, mayHave, load };
}

async function read(file: FontFile, name: string): Promise<Font> {
  try {
    const bytes = plainFont(typeof file === "function" ? await file() : file);
    const { create } = await import("fontkit").catch((cause) => {
      throw new Error("fonts need the package `fontkit`, install it", { cause });
    });
    // The types speak of Buffer; what is used of it is what every Uint8Array has.
    const font = create(bytes as Parameters<typeof create>[0]);
    return withOwnCharacters("fonts" in font ? font.fonts[0]! : font);
  } catch (cause) {
    throw new Error(`The font ${name} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * fontkit has one object for a glyph, which keeps the characters that it was first used for. Here every use gets its own, or
 * a letter that shares a glyph with another one would be read as that.
 */
function withOwnCharacters(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints);
    return codePoints ? Object.create(glyph, { codePoints: { value: codePoints } }) : glyph;
  };
  return font;
}

/** Reads ranges as CSS writes them, with `?` for any digit. */
function within(unicodeRange: string): (codePoint: number) => boolean {
  const ranges = unicodeRange.split(",").flatMap((part) => {
    const [, from, to] = /^\s*U\+([0-9a-f?]{1,6})(?:-([0-9a-f]{1,6}))?\s*$/i.exec(part) ?? [];
    if (from === undefined) return [];
    const first = Number.parseInt(from.replaceAll("?", "0"), 16);
    return [[first, Number.parseInt(to ?? from.replaceAll("?", "F"), 16)] as const];
  });
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
