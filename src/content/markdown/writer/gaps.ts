// What stands between two items of a text, with something put in or taken out there.

import type { TextEdit } from "../../text-edits";
import type * as md from "../nodes";
import type { Original } from "./original";

/** What holds items: a text, or a block of it. */
export interface Holder {
  readonly node: md.Root | md.Block | md.ListItem;
  readonly items: readonly md.Span[];
  /** What each line in it begins with. */
  readonly prefix: string;
}

/**
 * The edit that puts texts between two items, by their indexes, in place of the items between them; -1 and the number of
 * all are the edges. Nothing is to be done where nothing changes.
 */
export function filled(
  original: Original,
  holder: Holder,
  last: number,
  next: number,
  texts: readonly string[],
): TextEdit | undefined {
  if (texts.length === 0 && next === last + 1) return undefined;
  const [before, after] = [holder.items[last], holder.items[next]];
  const edges = edgesOf(original, holder);
  const apart = separator(original, holder, last, texts);
  const opening = before ? (texts.length > 0 ? apart : "") : leading(original, holder, edges);
  let closing: string;
  if (!after) closing = trailing(original, holder);
  else if (before || texts.length > 0) closing = separatorBefore(original, holder, next, apart);
  else closing = holder.node.type === "root" ? indentBefore(original, after) : "";
  const isNothing = !before && !after && texts.length === 0;
  const text = isNothing ? (original.page.title ? original.ending : "") : opening + texts.join(apart) + closing;
  return { from: before?.end ?? edges.start, to: after?.start ?? edges.end, text };
}

/** From the first item to the end of the last. A text has edges of its own. */
function edgesOf({ text, page }: Original, { node, items }: Holder): md.Span {
  if (node.type === "root") return { start: page.title ? page.title.end : page.root.start, end: text.length };
  return { start: items[0]!.start, end: items.at(-1)!.end };
}

/** What comes before the first item of a text. */
function leading(original: Original, { node, items }: Holder, { start }: md.Span): string {
  if (node.type !== "root") return "";
  const [first] = items;
  if (first) return original.text.slice(start, first.start - original.lineBefore(first.start).length);
  const head = original.text.slice(0, start);
  if (head === "" || head === "\ufeff") return "";
  return original.ending.repeat(/[\r\n]$/.test(head) ? 1 : 2);
}

/** What comes behind the last item of a text. */
function trailing({ text, ending }: Original, { node, items }: Holder): string {
  if (node.type !== "root") return "";
  const tail = text.slice(items.at(-1)?.end ?? text.length);
  return endingsIn(tail) > 0 ? tail : tail + ending;
}

/** What stands between two items that are put beside each other. */
function separator(
  original: Original,
  { node, items, prefix }: Holder,
  last: number,
  texts: readonly string[],
): string {
  if (node.type !== "list") return original.blankLine(prefix);
  const at = Math.max(0, Math.min(last, items.length - 2));
  if (items.length > 1) return original.text.slice(items[at]!.end, items[at + 1]!.start);
  return texts.some((text) => /[\r\n][ \t>]*[\r\n]/.test(text)) ? original.blankLine(prefix) : original.ending + prefix;
}

/** What stands before an item: what stood there, if that sets it apart. */
function separatorBefore(original: Original, { node, items, prefix }: Holder, next: number, apart: string): string {
  if (next > 0) {
    const stood = original.text.slice(items[next - 1]!.end, items[next]!.start);
    if (node.type === "list" || endingsIn(stood) > 1) return stood;
  }
  if (node.type === "list") return apart;
  return original.blankLine(prefix, indentBefore(original, items[next]!) || prefix);
}

/** How the line of an item is indented. */
function indentBefore(original: Original, { start }: md.Span): string {
  const line = original.lineBefore(start);
  return /^[ \t>]*$/.test(line) ? line : "";
}

function endingsIn(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}
