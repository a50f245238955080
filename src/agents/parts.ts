// Long texts in parts that a model can take, cut where a reader would pause.

/** The longest part, in characters: some five thousand words. */
const LENGTH = 30_000;

/** The parts of a text. Put together again they are the text. */
export function partsOf(text: string, length = LENGTH): string[] {
  const parts: string[] = [];
  let at = 0;
  while (text.length - at > length) {
    const end = at + cutIn(text.slice(at, at + length));
    parts.push(text.slice(at, end));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Where to cut a window: before a heading, behind a paragraph, or behind a line, in its second half; else at its end. */
function cutIn(window: string): number {
  const half = window.length / 2;
  for (const [pause, kept] of [
    ["\n## ", 1],
    ["\n### ", 1],
    ["\n\n", 2],
    ["\n", 1],
    [" ", 1],
  ] as const) {
    const at = window.lastIndexOf(pause);
    if (at >= half) return at + kept;
  }
  // A sign of two units stays whole.
  const isSplit = /[\uD800-\uDBFF]$/.test(window);
  return window.length - (isSplit && window.length > 1 ? 1 : 0);
}

/** The beginning of a text, on one line. */
export function excerpt(text: string, length = 300): string {
  const line = text
    .slice(0, length * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > length || text.length > length * 2 ? `${line.slice(0, length)}…` : line;
}
