// Creates the edits between two items of a text, where blocks are inserted or removed.

import type { TextEdit } from "../../text-edits";
import type * as md from "../nodes";
import type { Original } from "./original";

/** A container of items: a text, or a block of it. */
export interface ItemContainer {
  readonly node: md.RootNode | md.BlockNode | md.ListItemNode;
  readonly items: readonly md.SourceSpan[];
  /** The prefix of each line in it. */
  readonly prefix: string;
}

/**
 * Creates the edit that replaces the items between two items by texts. Items are given by their indexes; -1 and their number
 * are the edges. Undefined if nothing changes.
 */
export function createGapEdit(
  original: Original,
  container: ItemContainer,
  last: number,
  next: number,
  texts: readonly string[],
): TextEdit | undefined {
  if (texts.length === 0 && next === last + 1) return undefined;
  const [before, after] = [container.items[last], container.items[next]];
  const { page, ending } = original;
  // A text has edges of its own; another container reaches from its first item to the end of the last.
  const isText = container.node.type === "root";
  const edges = isText
    ? { start: page.title ? page.title.end : page.root.start, end: original.text.length }
    : { start: container.items[0]!.start, end: container.items.at(-1)!.end };
  const separator = getSeparator(original, container, last, texts);
  const opening = before ? (texts.length > 0 ? separator : "") : getLead(original, container, edges);
  let closing: string;
  if (!after) {
    const tail = isText ? original.text.slice(container.items.at(-1)?.end ?? edges.end) : "";
    closing = !isText || countLineEndings(tail) > 0 ? tail : tail + ending;
  } else if (before || texts.length > 0) closing = getSeparatorBefore(original, container, next, separator);
  else closing = isText ? getLineIndent(original, after) : "";
  const isEmpty = !before && !after && texts.length === 0;
  const text = isEmpty ? (page.title ? ending : "") : opening + texts.join(separator) + closing;
  return { from: before?.end ?? edges.start, to: after?.start ?? edges.end, text };
}

/** Returns the text before the first item of a text. */
function getLead(original: Original, { node, items }: ItemContainer, { start }: md.SourceSpan): string {
  if (node.type !== "root") return "";
  const [first] = items;
  if (first) return original.text.slice(start, first.start - original.getLineBefore(first.start).length);
  const head = original.text.slice(0, start);
  if (head === "" || head === "\ufeff") return "";
  return original.ending.repeat(/[\r\n]$/.test(head) ? 1 : 2);
}

/** Returns the separator of two inserted items. */
function getSeparator(
  original: Original,
  { node, items, prefix }: ItemContainer,
  last: number,
  texts: readonly string[],
): string {
  if (node.type !== "list") return original.getBlankLine(prefix);
  const at = Math.max(0, Math.min(last, items.length - 2));
  if (items.length > 1) return original.text.slice(items[at]!.end, items[at + 1]!.start);
  return texts.some((text) => /[\r\n][ \t>]*[\r\n]/.test(text))
    ? original.getBlankLine(prefix)
    : original.ending + prefix;
}

/** Returns the separator before an item: the existing one, if it is sufficient. */
function getSeparatorBefore(
  original: Original,
  { node, items, prefix }: ItemContainer,
  next: number,
  separator: string,
): string {
  if (next > 0) {
    const existing = original.text.slice(items[next - 1]!.end, items[next]!.start);
    if (node.type === "list" || countLineEndings(existing) > 1) return existing;
  }
  if (node.type === "list") return separator;
  return original.getBlankLine(prefix, getLineIndent(original, items[next]!) || prefix);
}

/** Returns the indentation of an item's line. */
function getLineIndent(original: Original, { start }: md.SourceSpan): string {
  const line = original.getLineBefore(start);
  return /^[ \t>]*$/.test(line) ? line : "";
}

function countLineEndings(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}
