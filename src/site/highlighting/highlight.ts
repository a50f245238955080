// Marks code by its language. Blocks that were marked lately are kept: most code of a page stays when the page changes.

import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { LruCache } from "../../utils/lru-cache";

/** Marks lines of code. A language that nobody knows, and code that is very long, stay as they are. */
export type HighlightCode = (lines: readonly string[], syntax: string | undefined) => readonly Markup[];

const KEPT_BYTES = 4 * 1024 * 1024;
/** Nobody reads more of it on a page, and colours would be most of the page's weight. */
const LONGEST_CODE = 200_000;

interface CachedHighlight {
  readonly marked: readonly Markup[];
  readonly bytes: number;
}

/** What marks code: asked for by pages that have some. */
export const loadHighlighter: () => Promise<HighlightCode> = loadLazily(async () => {
  const { highlightLines: markLines } = await import("./highlight-lines");
  const kept = new LruCache<CachedHighlight>(KEPT_BYTES, ({ bytes }) => bytes);
  return (lines, syntax) => {
    const letters = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (syntax === undefined || letters > LONGEST_CODE) return escapeLines(lines);
    const name = `${syntax} ${lines.join("\n")}`;
    const known = kept.get(name);
    if (known) return known.marked;
    const marked = markLines(lines, syntax) ?? escapeLines(lines);
    const bytes = 2 * letters + marked.reduce((sum, { text }) => sum + 2 * text.length + 60, 200);
    kept.set(name, { marked, bytes });
    return marked;
  };
});

/** Lines of code as they are. */
export function escapeLines(lines: readonly string[]): readonly Markup[] {
  return lines.map((line) => html`${line}`);
}
