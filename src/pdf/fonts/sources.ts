// The sources of fonts: bytes, or functions that load them on demand. A font is loaded and parsed once per printer.

import { unzlibSync } from "fflate";
import type { Font } from "fontkit";

/** A font file (TTF, OTF or WOFF), or a function that loads one when it is needed. */
export type FontFile = Uint8Array | (() => Uint8Array | Promise<Uint8Array>);

/** A font file, optionally with the characters that it has, so that it is only loaded for those. */
export type FontSource =
  | FontFile
  | {
      readonly font: FontFile;
      /** The characters of the font, as in CSS: "U+0370-03FF, U+1F00-1FFF". */
      readonly unicodeRange: string;
    };

/** The fonts of a printer. A family that is split over several files is a list of them. */
export interface PrinterFonts {
  readonly sans?: FontSource | readonly FontSource[];
  readonly sansBold?: FontSource | readonly FontSource[];
  readonly sansItalic?: FontSource | readonly FontSource[];
  readonly sansBoldItalic?: FontSource | readonly FontSource[];
  readonly mono?: FontSource | readonly FontSource[];
  readonly monoBold?: FontSource | readonly FontSource[];
  /** Fonts for characters that the others do not have, in this order. */
  readonly fallbacks?: readonly FontSource[];
}

export type FontRole = keyof PrinterFonts;

export interface LoadableFont {
  readonly role: FontRole;
  /** Checks that the Unicode range of the font includes a character. */
  mayHave(codePoint: number): boolean;
  /** Loads and parses the font on the first call. */
  load(): Promise<Font>;
}

export function listLoadableFonts(fonts: PrinterFonts, role: FontRole): LoadableFont[] {
  const given = fonts[role];
  const sources =
    given === undefined ? [] : Array.isArray(given) ? (given as readonly FontSource[]) : [given as FontSource];
  return sources.map((source, at) => {
    const file = "font" in source ? source.font : source;
    const mayHave = "font" in source ? parseUnicodeRange(source.unicodeRange) : () => true;
    let loaded: Promise<Font> | undefined;
    const load = () => {
      loaded ??= readFont(file, sources.length > 1 ? `${role}[${at}]` : role).catch((error) => {
        // A failure isn't cached: the next document may find the file.
        loaded = undefined;
        throw error;
      });
      return loaded;
    };
    return { role, mayHave, load };
  });
}

async function readFont(file: FontFile, name: string): Promise<Font> {
  try {
    const bytes = unpackWoff(typeof file === "function" ? await file() : file);
    const { create } = await import("fontkit").catch((cause) => {
      throw new Error("fonts need the package `fontkit`, install it", { cause });
    });
    // The types require a Buffer, but only the methods of Uint8Array are used.
    const parsed = create(bytes as Parameters<typeof create>[0]);
    const font = "fonts" in parsed ? parsed.fonts[0]! : parsed;
    // Every use of a glyph gets an object of its own. The shared objects of fontkit keep the characters of their first use, so
    // that two letters with the same glyph would be copied as the same letter.
    const getGlyph = font.getGlyph.bind(font);
    font.getGlyph = (id, codePoints) => {
      const glyph = getGlyph(id, codePoints);
      return codePoints ? Object.create(glyph, { codePoints: { value: codePoints } }) : glyph;
    };
    return font;
  } catch (cause) {
    throw new Error(`The font ${name} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Parses the Unicode ranges of CSS, in which `?` stands for any digit. */
function parseUnicodeRange(unicodeRange: string): (codePoint: number) => boolean {
  const ranges = unicodeRange.split(",").flatMap((part) => {
    const [, from, to] = /^\s*U\+([0-9a-f?]{1,6})(?:-([0-9a-f]{1,6}))?\s*$/i.exec(part) ?? [];
    if (from === undefined) return [];
    const first = Number.parseInt(from.replaceAll("?", "0"), 16);
    return [[first, Number.parseInt(to ?? from.replaceAll("?", "F"), 16)] as const];
  });
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

// Unpacks WOFF fonts before fontkit reads them. Otherwise fontkit would inflate the outlines again for every glyph.

const WOFF = 0x774f4646;
const WOFF2 = 0x774f4632;

/** Unpacks a WOFF font. Other fonts are returned unchanged. */
function unpackWoff(bytes: Uint8Array): Uint8Array {
  const woff = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signature = bytes.length < 44 ? 0 : woff.getUint32(0);
  if (signature === WOFF2) throw new Error("WOFF2 cannot be embedded: give the font as TTF, OTF or WOFF.");
  if (signature !== WOFF) return bytes;
  const count = woff.getUint16(12);
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = 44 + 20 * at;
    const [offset, stored, length] = [4, 8, 12].map((field) => woff.getUint32(entry + field)) as [
      number,
      number,
      number,
    ];
    const raw = bytes.subarray(offset, offset + stored);
    const data = stored < length ? unzlibSync(raw, { out: new Uint8Array(length) }) : raw;
    // A table takes up whole words.
    const paddedLength = (data.length + 3) & ~3;
    return { tag: woff.getUint32(entry), checksum: woff.getUint32(entry + 16), data, paddedLength };
  });
  const size = tables.reduce((sum, { paddedLength }) => sum + paddedLength, 12 + 16 * count);
  const plain = new Uint8Array(size);
  const view = new DataView(plain.buffer);
  const power = Math.floor(Math.log2(Math.max(count, 1)));
  view.setUint32(0, woff.getUint32(4));
  view.setUint16(4, count);
  view.setUint16(6, 2 ** power * 16);
  view.setUint16(8, power);
  view.setUint16(10, count * 16 - 2 ** power * 16);
  let offset = 12 + 16 * count;
  for (const [at, { tag, checksum, data, paddedLength }] of tables.entries()) {
    const entry = 12 + 16 * at;
    view.setUint32(entry, tag);
    view.setUint32(entry + 4, checksum);
    view.setUint32(entry + 8, offset);
    view.setUint32(entry + 12, data.length);
    plain.set(data, offset);
    offset += paddedLength;
  }
  return plain;
}
