// Links between double brackets, as wikis of GitHub have them, written as Markdown has them.

import type { Block, Inline } from "../../content/markdown/nodes";
import { parse } from "../../content/markdown/parse";
import { applyTextEdits, type TextEdit } from "../../content/text-edits";

type Node =
  | Block
  | Inline
  | { readonly type: "listItem" | "tableRow" | "tableCell"; readonly children: readonly Node[] };

const LINK = /\[\[([^[\]\n]{1,500})\]\]/g;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|bmp|avif)$/i;

/** A text with its wiki links as links and images of Markdown; those in code stay. */
export function withPlainLinks(text: string): string {
  if (!text.includes("[[")) return text;
  const code = codeIn(text);
  const edits: TextEdit[] = [];
  let at = 0;
  for (const found of text.matchAll(LINK)) {
    while (at < code.length && code[at]!.end <= found.index) at++;
    const isInCode = at < code.length && code[at]!.start < found.index + found[0].length;
    const isEscaped = text[found.index - 1] === "\\";
    if (isInCode || isEscaped) continue;
    edits.push({ from: found.index, to: found.index + found[0].length, text: plainLink(found[1]!) });
  }
  return applyTextEdits(text, edits);
}

/** Where code stands, in its order. */
function codeIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const visit = (node: Node): void => {
    if (node.type === "code" || node.type === "inlineCode") found.push(node);
    else if ("children" in node) for (const child of node.children) visit(child);
  };
  for (const block of parse(text).children) visit(block);
  return found.sort((a, b) => a.start - b.start);
}

/** `[[Page]]`, `[[Text|Page]]`, or `[[image.png|alt=words]]`. */
function plainLink(inside: string): string {
  const [first = "", ...others] = inside.split("|").map((part) => part.trim());
  if (IMAGE.test(first)) {
    const alt = others.find((part) => part.startsWith("alt="))?.slice(4) ?? "";
    return `![${alt}](${target(first)})`;
  }
  return `[${first}](${target(others[0] ?? first)})`;
}

/** The target of a link: pages have dashes where their titles have spaces. */
function target(page: string): string {
  if (/^https?:/i.test(page) || page.includes("/")) return page.replace(/[\s()<>]/g, encodeURIComponent);
  const hash = page.indexOf("#");
  const [name, anchor] = hash < 0 ? [page, ""] : [page.slice(0, hash), page.slice(hash)];
  return (name.replaceAll(" ", "-") + anchor.replaceAll(" ", "-").toLowerCase())
    .replace(/[<>"%]/g, encodeURIComponent)
    .replace(/[()]/g, (it) => (it === "(" ? "%28" : "%29"));
}
