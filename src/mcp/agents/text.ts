// Cuts long texts for models: into parts, and to excerpts.

/** The maximum length of a part in characters: about five thousand words. */
const MAX_PART_LENGTH = 30_000;

/** Separators at which a text may be cut, the best first, and how many of their characters stay in the part before. */
const SEPARATORS = [
  { separator: "\n## ", keptLength: 1 },
  { separator: "\n### ", keptLength: 1 },
  { separator: "\n\n", keptLength: 2 },
  { separator: "\n", keptLength: 1 },
  { separator: " ", keptLength: 1 },
];

/** Splits a text into parts. Joined together they are the text again. */
export function splitText(text: string, maxLength = MAX_PART_LENGTH): string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > maxLength) {
    const window = text.slice(start, start + maxLength);
    // A part ends in the second half of the window, so that parts do not become short.
    const best = SEPARATORS.find(({ separator }) => window.lastIndexOf(separator) >= window.length / 2);
    let length = window.length;
    if (best) length = window.lastIndexOf(best.separator) + best.keptLength;
    // A surrogate pair stays together.
    else if (length > 1 && /[\uD800-\uDBFF]$/.test(window)) length--;
    parts.push(text.slice(start, start + length));
    start += length;
  }
  return [...parts, text.slice(start)];
}

/** Writes a number before its noun: `1 conflict`, `2 conflicts`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Returns the beginning of a text on one line. */
export function createExcerpt(text: string, maxLength = 300): string {
  const line = text
    .slice(0, maxLength * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxLength || text.length > maxLength * 2 ? `${line.slice(0, maxLength)}…` : line;
}
