// Finds the drawings of the emoji in a text. A sequence without a drawing is drawn as its parts. Skin tones are left out.

import { concatBytes } from "../../utils/bytes";
import { loadLazily } from "../../utils/lazy";
import { inflateInParts } from "../file/deflate";

/** Drawings by their names, which are code points such as `1f468-200d-1f4bb`. */
export type EmojiDrawings = ReadonlyMap<string, string>;

/** The parts that are drawn for an emoji without a drawing. */
const COMPOSITIONS: Readonly<Record<string, string>> = {
  "1f46a": "1f468 1f469 1f466",
  "1f46b": "1f469 1f468",
  "1f46c": "1f468 1f468",
  "1f46d": "1f469 1f469",
  "1f48f": "1f469 1f48b 1f468",
  "1f491": "1f469 2764 1f468",
};

/** Variation selectors and skin tones. */
const MODIFIERS = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** A pair of regional indicators, or a character with everything that is joined to it. */
const CLUSTER = /[\u{1f1e6}-\u{1f1ff}]{2}|[^\u200d](?:\u200d[^\u200d])*|\u200d/gu;

/** Loads the drawings when the first emoji is printed. */
export const loadEmojiDrawings: () => Promise<EmojiDrawings> = loadLazily(async () => {
  const { drawings } = await import("./drawings");
  const characters = atob(drawings);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  const parts: Uint8Array[] = [];
  for await (const part of inflateInParts(bytes)) parts.push(part);
  const lines = new TextDecoder().decode(concatBytes(parts)).split("\n");
  return new Map(
    lines.map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)] as const;
    }),
  );
});

/** Checks that a character can be drawn, alone or as a part of a sequence. */
export function hasEmojiDrawing(emoji: EmojiDrawings, codePoint: number): boolean {
  const key = codePoint.toString(16);
  return emoji.has(key) || Object.hasOwn(COMPOSITIONS, key) || isSequencePart(codePoint);
}

function isSequencePart(codePoint: number): boolean {
  const isLetter = codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
  return codePoint === 0x200d || codePoint === 0x20e3 || isLetter || (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff);
}

export function splitIntoDrawings(emoji: EmojiDrawings, text: string): [text: string, name: string][] {
  const drawings: [text: string, name: string][] = [];
  for (const [cluster] of text.replace(MODIFIERS, "").matchAll(CLUSTER)) {
    const characters = [...cluster];
    const names = characters.map((character) => character.codePointAt(0)!.toString(16));
    const name = names.join("-");
    if (emoji.has(name) || characters.every((character) => isSequencePart(character.codePointAt(0)!))) {
      drawings.push([cluster, name]);
      continue;
    }
    const parts = names.filter((part) => part !== "200d").flatMap((part) => (COMPOSITIONS[part] ?? part).split(" "));
    for (const part of parts) drawings.push([String.fromCodePoint(Number.parseInt(part, 16)), part]);
  }
  return drawings;
}
