// Replaces the URLs in a Markdown text in place. Every other byte stays, and so does code that only looks like a URL.

import type { BlockNode, InlineNode } from "../../content/markdown/nodes";
import { parseMarkdown } from "../../content/markdown/parse";
import { parseSrcset } from "../../content/markdown/srcset";
import {
  createOffsetMap,
  scanDestination,
  scanLabel,
  scanResource,
  skipWhitespace,
} from "../../content/markdown/syntax";
import { applyTextEdits, type TextEdit } from "../../content/text-edits";

/** Returns what a URL becomes, or undefined if it stays. The result must be valid in Markdown and in an attribute. */
export type MapUrl = (href: string, isImage: boolean) => string | undefined;

/** A node of the Markdown tree, with the nodes that only stand in others. */
export type MarkdownNode =
  | BlockNode
  | InlineNode
  | { readonly type: "listItem" | "tableRow" | "tableCell"; readonly children: readonly MarkdownNode[] };

const HTML_URL = /<(img|a|source|video|audio)\b[^<>]*?\s(src|href|srcset)\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi;
const TAG_URL = /\b(?:url|src|page|href)\s*=\s*"([^"]*)"/dg;
/** The most places in a link that are tried, because its text may look like the beginning of a target. */
const MAX_TRIES = 8;

/** Returns a text with its URLs replaced. */
export function mapUrls(text: string, map: MapUrl): string {
  const edits: TextEdit[] = [];
  const replace = (href: string, isImage: boolean, from: number, to: number) => {
    const mapped = map(href, isImage);
    if (mapped !== undefined && mapped !== href) edits.push({ from, to, text: mapped });
  };
  const visit = (node: MarkdownNode): void => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      let start: number | undefined;
      if (node.type === "definition") {
        const label = scanLabel(text, node.start);
        if (label && text[label.end] === ":") start = skipWhitespace(text, label.end + 1);
      } else if (!node.definition) {
        // The target is in the parentheses that end where the link ends.
        let bracket = text.lastIndexOf("](", node.end);
        for (let tries = 0; start === undefined && bracket >= node.start && tries < MAX_TRIES; tries++) {
          const resource = scanResource(text, bracket + 1);
          if (resource?.end === node.end && resource.value.url === node.url) start = skipWhitespace(text, bracket + 2);
          bracket = text.lastIndexOf("](", bracket - 1);
        }
      }
      const destination = start === undefined ? undefined : scanDestination(text, start);
      if (start !== undefined && destination) replace(node.url, node.type === "image", start, destination.end);
    } else if (node.type === "html") {
      const toOffset = "lines" in node ? createOffsetMap(node) : (offset: number) => node.start + offset;
      for (const match of node.value.matchAll(HTML_URL)) {
        const value = match[3] ?? match[4]!;
        const url = match[2]!.toLowerCase() === "srcset" ? parseSrcset(value) : value;
        const start = (match.indices![3] ?? match.indices![4]!)[0] + value.indexOf(url);
        const [from, to] = [toOffset(start), toOffset(start + url.length - 1) + 1];
        replace(url.replaceAll("&amp;", "&"), match[1]!.toLowerCase() !== "a", from, to);
      }
    } else if (node.type === "tag") {
      const { open } = node;
      for (const match of text.slice(open.start, open.end).matchAll(TAG_URL)) {
        const [from, to] = match.indices![1]!;
        replace(match[1]!, false, open.start + from, open.start + to);
      }
    }
    if ("children" in node) for (const child of node.children) visit(child);
  };
  for (const block of parseMarkdown(text).children) visit(block);
  if (edits.length === 0) return text;

  // A URL that two nodes name is replaced once.
  let end = -1;
  const distinctEdits = edits
    .toSorted((a, b) => a.from - b.from)
    .filter((edit) => {
      if (edit.from < end || edit.from > edit.to) return false;
      end = edit.to;
      return true;
    });
  return applyTextEdits(text, distinctEdits);
}
