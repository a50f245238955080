// Bidirectional text. Most text runs from left to right, which one quick check finds out.

import bidiFactory from "bidi-js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;

const bidi = bidiFactory();

/** The directions of a text: an embedding level for each code unit, where odd levels run from right to left. */
export interface TextDirections {
  readonly levels: Uint8Array;
  readonly isRightToLeft: boolean;
}

/** Returns the directions of a text, or undefined if everything runs from left to right. */
export function getTextDirections(text: string): TextDirections | undefined {
  if (!RIGHT_TO_LEFT.test(text)) return undefined;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, "auto");
  return { levels, isRightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/** Mirrors the brackets of a text that runs from right to left. */
export function mirrorBrackets(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, (character) => bidi.getMirroredCharacter(character) ?? character);
}

/** Sorts the items of a line from left to right, as they are seen. */
export function toVisualOrder<Item extends { readonly level: number }>(items: readonly Item[]): readonly Item[] {
  const highest = items.reduce((level, item) => Math.max(level, item.level), 0);
  if (highest === 0) return items;
  const ordered = [...items];
  for (let level = highest; level > 0; level--) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(end, start + 1);
    }
  }
  return ordered;
}
