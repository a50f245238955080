// Converts links in double brackets, as wikis of GitHub have them, to links and images of Markdown.

import { parseMarkdown } from "../../content/markdown/parse";
import { applyTextEdits, type TextEdit } from "../../content/text-edits";
import type { MarkdownNode } from "../markdown/map-urls";

const WIKI_LINK = /\[\[([^[\]\n]{1,500})\]\]/g;
const IMAGE_FILE = /\.(?:png|jpe?g|gif|svg|webp|bmp|avif)$/i;

/** Converts the wiki links of a text. Those in code stay. */
export function convertWikiLinks(text: string): string {
  if (!text.includes("[[")) return text;

  const codeRanges: { start: number; end: number }[] = [];
  const collectCode = (node: MarkdownNode): void => {
    if (node.type === "code" || node.type === "inlineCode") codeRanges.push(node);
    else if ("children" in node) for (const child of node.children) collectCode(child);
  };
  for (const block of parseMarkdown(text).children) collectCode(block);
  codeRanges.sort((a, b) => a.start - b.start);

  const edits: TextEdit[] = [];
  let next = 0;
  for (const match of text.matchAll(WIKI_LINK)) {
    const [from, to] = [match.index, match.index + match[0].length];
    while (next < codeRanges.length && codeRanges[next]!.end <= from) next++;
    const isInCode = next < codeRanges.length && codeRanges[next]!.start < to;
    const isEscaped = text[from - 1] === "\\";
    if (isInCode || isEscaped) continue;
    // A link is `[[Page]]`, `[[Text|Page]]`, or `[[image.png|alt=words]]`.
    const [first = "", ...others] = match[1]!.split("|").map((part) => part.trim());
    const alt = others.find((part) => part.startsWith("alt="))?.slice(4) ?? "";
    const link = IMAGE_FILE.test(first)
      ? `![${alt}](${formatTarget(first)})`
      : `[${first}](${formatTarget(others[0] ?? first)})`;
    edits.push({ from, to, text: link });
  }
  return applyTextEdits(text, edits);
}

/** Formats the target of a link. Pages have dashes where their titles have spaces. */
function formatTarget(page: string): string {
  if (/^https?:/i.test(page) || page.includes("/")) return page.replace(/[\s()<>]/g, encodeURIComponent);
  const hash = page.indexOf("#");
  const [name, anchor] = hash < 0 ? [page, ""] : [page.slice(0, hash), page.slice(hash)];
  return (name.replaceAll(" ", "-") + anchor.replaceAll(" ", "-").toLowerCase())
    .replace(/[<>"%]/g, encodeURIComponent)
    .replace(/[()]/g, (parenthesis) => (parenthesis === "(" ? "%28" : "%29"));
}
