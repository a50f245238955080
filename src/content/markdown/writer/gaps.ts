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
  const { page, ending } = original;
  const { node, items, prefix } = container;
  const [before, after] = [items[last], items[next]];
  // A text has edges of its own; another container reaches from its first item to the end of the last.
  const isText = node.type === "root";
  const edges = isText
    ? { start: page.title ? page.title.end : page.root.start, end: original.text.length }
    : { start: items[0]!.start, end: items.at(-1)!.end };

  // In a list, inserted items are separated like those before them.
  let separator = original.getBlankLine(prefix);
  if (node.type === "list" && items.length > 1) {
    const at = Math.max(0, Math.min(last, items.length - 2));
    separator = original.text.slice(items[at]!.end, items[at + 1]!.start);
  } else if (node.type === "list" && !texts.some((text) => /[\r\n][ \t>]*[\r\n]/.test(text)))
    separator = ending + prefix;

  let opening = before && texts.length > 0 ? separator : "";
  if (!before && isText) {
    const head = original.text.slice(0, edges.start);
    const [first] = items;
    if (first) opening = original.text.slice(edges.start, first.start - original.getLineBefore(first.start).length);
    else if (head !== "" && head !== "\ufeff") opening = ending.repeat(/[\r\n]$/.test(head) ? 1 : 2);
  }

  let closing: string;
  const lead = after ? original.getLineBefore(after.start) : "";
  const indent = /^[ \t>]*$/.test(lead) ? lead : "";
  if (!after) {
    const tail = isText ? original.text.slice(items.at(-1)?.end ?? edges.end) : "";
    closing = !isText || /[\r\n]/.test(tail) ? tail : tail + ending;
  } else if (before || texts.length > 0) {
    // The existing separator stays if it is sufficient.
    const existing = next > 0 ? original.text.slice(items[next - 1]!.end, after.start) : "";
    if (next > 0 && (node.type === "list" || (existing.match(/\r\n?|\n/g)?.length ?? 0) > 1)) closing = existing;
    else if (node.type === "list") closing = separator;
    else closing = original.getBlankLine(prefix, indent || prefix);
  } else closing = isText ? indent : "";
  const isEmpty = !before && !after && texts.length === 0;
  const text = isEmpty ? (page.title ? ending : "") : opening + texts.join(separator) + closing;
  return { from: before?.end ?? edges.start, to: after?.start ?? edges.end, text };
}
