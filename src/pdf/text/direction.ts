// Text that runs from right to left. Most text does not, which one quick check finds out.

import bidiFactory from "bidi-js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;

const bidi = bidiFactory();

/** The directions of a text: for each code unit how deep it is embedded, where odd numbers run from right to left. */
export interface Directions {
  readonly levels: Uint8Array;
  readonly isRightToLeft: boolean;
}

/** The directions of a text, or undefined where everything runs from left to right. */
export function directions(text: string): Directions | undefined {
  if (!RIGHT_TO_LEFT.test(text)) return undefined;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, "auto");
  return { levels, isRightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/** A text that is set from right to left: brackets look the other way. */
export function mirrored(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, (character) => bidi.getMirroredCharacter(character) ?? character);
}

/** What stands on a line, from left to right as it is seen. */
export function inVisualOrder<Item extends { readonly level: number }>(items: readonly Item[]): readonly Item[] {
  const highest = items.reduce((level, item) => Math.max(level, item.level), 0);
  if (highest === 0) return items;
  const ordered = [...items];
  for (let level = highest; level > 0; level--) reverseRuns(ordered, level);
  return ordered;
}

function reverseRuns<Item extends { readonly level: number }>(items: Item[], level: number): void {
  let start = 0;
  while (start < items.length) {
    let end = start;
    while (end < items.length && items[end]!.level >= level) end++;
    if (end > start + 1) items.splice(start, end - start, ...items.slice(start, end).reverse());
    start = Math.max(end, start + 1);
  }
}
