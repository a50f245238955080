// Highlights code blocks. The most recent ones are cached, because most code of a page stays when the page changes.

import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { VersionedCache } from "../../utils/versioned-cache";

/** Highlights lines of code. Code in an unknown language, and very long code, is only escaped. */
export type HighlightCode = (lines: readonly string[], syntax: string | undefined) => readonly Markup[];

const MAX_CACHE_BYTES = 4 * 1024 * 1024;
/** The markup of longer code would be most of the page, and nobody reads so much of it. */
const MAX_CODE_LENGTH = 200_000;

/** Loads the highlighter. Only pages with code need it. */
export const loadHighlighter: () => Promise<HighlightCode> = loadLazily(async () => {
  const { highlightLines } = await import("./highlight-lines");
  const cache = new VersionedCache<readonly Markup[]>(MAX_CACHE_BYTES, 200);
  return (lines, syntax) => {
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (syntax === undefined || length > MAX_CODE_LENGTH) return escapeLines(lines);
    const key = `${syntax} ${lines.join("\n")}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const highlighted = highlightLines(lines, syntax) ?? escapeLines(lines);
    const bytes = 2 * length + highlighted.reduce((sum, { text }) => sum + 2 * text.length + 60, 0);
    cache.set(key, highlighted, { bytes });
    return highlighted;
  };
});

export function escapeLines(lines: readonly string[]): readonly Markup[] {
  return lines.map((line) => html`${line}`);
}
