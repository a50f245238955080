// Fonts of npm packages, loaded as an application on Node would.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FontSource, PrinterFonts } from "../../src/pdf";

const require = createRequire(import.meta.url);

/** The files of a family, each with the characters that it has. */
export function fontsource(family: string, style: string): FontSource[] {
  const ranges: Record<string, string> = require(`@fontsource/${family}/unicode.json`);
  return Object.entries(ranges).map(([subset, unicodeRange]) => ({
    unicodeRange,
    font: fontFile(family, subset, style),
  }));
}

/** One file of a family. */
export function fontFile(family: string, subset: string, style: string): () => Promise<Uint8Array> {
  return () => readFile(require.resolve(`@fontsource/${family}/files/${family}-${subset}-${style}.woff`));
}

/** Noto for Latin, Greek, Cyrillic, Chinese, Japanese and Korean. */
export const NOTO: PrinterFonts = {
  sans: fontsource("noto-sans", "400-normal"),
  sansBold: fontsource("noto-sans", "700-normal"),
  sansItalic: fontsource("noto-sans", "400-italic"),
  mono: fontsource("noto-sans-mono", "400-normal"),
  fallbacks: [
    { font: fontFile("noto-sans-jp", "japanese", "400-normal"), unicodeRange: "U+3000-30FF, U+3400-9FFF, U+FF00-FFEF" },
    { font: fontFile("noto-sans-sc", "chinese-simplified", "400-normal"), unicodeRange: "U+2000-9FFF, U+FF00-FFEF" },
    { font: fontFile("noto-sans-kr", "korean", "400-normal"), unicodeRange: "U+1100-11FF, U+3130-318F, U+AC00-D7AF" },
  ],
};
