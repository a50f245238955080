// The addresses in a Markdown text, each replaced where it stands. Every other byte stays, and so does what only looks like
// an address because it stands in code.

import type { Block, Html, Inline, InlineHtml, Tag } from "../../content/markdown/nodes";
import { parse } from "../../content/markdown/parse";
import { placesOf } from "../../content/markdown/parser/places";
import { scanDestination, scanLabel, scanResource, skipSpace } from "../../content/markdown/parser/targets";
import { addressInSet } from "../../content/markdown/srcset";
import { applyTextEdits, type TextEdit } from "../../content/text-edits";

/** What an address becomes; undefined leaves it. The result must be valid in Markdown and in an attribute. */
export type MapAddress = (href: string, isImage: boolean) => string | undefined;

type Node =
  | Block
  | Inline
  | { readonly type: "listItem" | "tableRow" | "tableCell"; readonly children: readonly Node[] };

const IN_HTML = /<(img|a|source|video|audio)\b[^<>]*?\s(src|href|srcset)\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi;
const IN_TAG = /\b(?:url|src|page|href)\s*=\s*"([^"]*)"/dg;
/** How many places inside one link are tried, because its text may look like the beginning of a target. */
const MAX_TRIES = 8;

/** A text with its addresses replaced. */
export function mapAddresses(text: string, map: MapAddress): string {
  const edits: TextEdit[] = [];
  const replace = (href: string, isImage: boolean, from: number, to: number) => {
    const mapped = map(href, isImage);
    if (mapped !== undefined && mapped !== href) edits.push({ from, to, text: mapped });
  };
  const visit = (node: Node): void => {
    if (node.type === "link" || node.type === "image") {
      if (!node.definition) inResource(text, node, (from, to) => replace(node.url, node.type === "image", from, to));
    } else if (node.type === "definition")
      inDefinition(text, node.start, (from, to) => replace(node.url, false, from, to));
    else if (node.type === "html") inHtml(node, replace);
    else if (node.type === "tag") inTag(text, node, replace);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  for (const block of parse(text).children) visit(block);
  return edits.length === 0 ? text : applyTextEdits(text, withoutDoubles(edits));
}

type Replace = (href: string, isImage: boolean, from: number, to: number) => void;

/** Finds the target of a link: the parentheses that end where it ends. */
function inResource(
  text: string,
  { start, end, url }: { readonly start: number; readonly end: number; readonly url: string },
  found: (from: number, to: number) => void,
): void {
  let at = text.lastIndexOf("](", end);
  for (let tries = 0; at >= start && tries < MAX_TRIES; tries++, at = text.lastIndexOf("](", at - 1)) {
    const resource = scanResource(text, at + 1);
    if (resource?.end !== end || resource.value.url !== url) continue;
    destinationAt(text, skipSpace(text, at + 2), found);
    return;
  }
}

function inDefinition(text: string, start: number, found: (from: number, to: number) => void): void {
  const label = scanLabel(text, start);
  if (label && text[label.end] === ":") destinationAt(text, skipSpace(text, label.end + 1), found);
}

function destinationAt(text: string, from: number, found: (from: number, to: number) => void): void {
  const destination = scanDestination(text, from);
  if (destination) found(from, destination.end);
}

/** Addresses in the attributes of HTML, wherever it stands. */
function inHtml(html: Html | InlineHtml, replace: Replace): void {
  const sourceOf = "lines" in html ? placesOf(html) : (offset: number) => html.start + offset;
  for (const found of html.value.matchAll(IN_HTML)) {
    const value = found[3] ?? found[4]!;
    const written = found[2]!.toLowerCase() === "srcset" ? addressInSet(value) : value;
    const start = (found.indices![3] ?? found.indices![4]!)[0] + value.indexOf(written);
    const [from, to] = [sourceOf(start), sourceOf(start + written.length - 1) + 1];
    replace(written.replaceAll("&amp;", "&"), found[1]!.toLowerCase() !== "a", from, to);
  }
}

function inTag(text: string, { open }: Tag, replace: Replace): void {
  for (const found of text.slice(open.start, open.end).matchAll(IN_TAG)) {
    const [from, to] = found.indices![1]!;
    replace(found[1]!, false, open.start + from, open.start + to);
  }
}

/** An address that two nodes name is replaced once. */
function withoutDoubles(edits: readonly TextEdit[]): TextEdit[] {
  let end = -1;
  return edits
    .toSorted((a, b) => a.from - b.from)
    .filter((edit) => {
      if (edit.from < end || edit.from > edit.to) return false;
      end = edit.to;
      return true;
    });
}
