// Converts links in double brackets, as wikis of GitHub have them, to links and images of Markdown.

import type { Block, Inline } from "../../content/markdown/nodes";
import { parse } from "../../content/markdown/parse";
import { applyTextEdits, type TextEdit } from "../../content/text-edits";

type MarkdownNode =
  | Block
  | Inline
  | { readonly type: "listItem" | "tableRow" | "tableCell"; readonly children: readonly MarkdownNode[] };

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
  for (const block of parse(text).children) collectCode(block);
  codeRanges.sort((a, b) => a.start - b.start);

  const edits: TextEdit[] = [];
  let next = 0;
  for (const match of text.matchAll(WIKI_LINK)) {
    const [from, to] = [match.index, match.index + match[0].length];
    while (next < codeRanges.length && codeRanges[next]!.end <= from) next++;
    const isInCode = next < codeRanges.length && codeRanges[next]!.start < to;
    const isEscaped = text[from - 1] === "\\";
    if (!isInCode && !isEscaped) edits.push({ from, to, text: formatLink(match[1]!) });
  }
  return applyTextEdits(text, edits);
}

/** Formats the link of `[[Page]]`, `[[Text|Page]]`, or `[[image.png|alt=words]]`. */
function formatLink(content: string): string {
  const [first = "", ...others] = content.split("|").map((part) => part.trim());
  if (!IMAGE_FILE.test(first)) return `[${first}](${formatTarget(others[0] ?? first)})`;
  const alt = others.find((part) => part.startsWith("alt="))?.slice(4) ?? "";
  return `![${alt}](${formatTarget(first)})`;
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
