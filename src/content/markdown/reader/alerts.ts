// Alerts, which are block quotes that begin with `[!NOTE]` on GitHub and elsewhere. They become hints.

import type { BlockNode, BlockquoteNode, InlineNode, ParagraphNode } from "../nodes";

/** The styles of hints by the types of alerts. */
const STYLES: ReadonlyMap<string, NonNullable<BlockquoteNode["alert"]>> = new Map([
  ["note", "info"],
  ["tip", "success"],
  ["important", "info"],
  ["warning", "warning"],
  ["caution", "danger"],
]);

const MARK = /^\[!([a-z]{3,9})\](?:[ \t]*(?:\r\n?|\n)[ \t>]*|[ \t]*)/i;

/** The alerts of block quotes. A block quote is always the same alert, so that a writer finds what a block was read from. */
const alerts = new WeakMap<BlockquoteNode, BlockquoteNode>();

/** Converts a block quote to the alert that it is, without the marker. Any other block quote stays as it is. */
export function readAlert(quote: BlockquoteNode, text: string): BlockquoteNode {
  const known = quote.alert ? quote : alerts.get(quote);
  if (known) return known;
  let result = quote;
  const [first, ...others] = quote.children;
  if (first?.type === "paragraph") {
    const [mark, name = ""] = MARK.exec(text.slice(first.start, first.start + 500)) ?? [];
    const alert = STYLES.get(name.toLowerCase());
    const rest = mark !== undefined && alert && removeMarker(first, name.length + "[!]".length, mark.length);
    if (rest) {
      const children: BlockNode[] = rest.children.length > 0 ? [rest, ...others] : others;
      if (children.length > 0) result = { ...quote, alert, children };
    }
  }
  alerts.set(quote, result);
  return result;
}

/** Removes the first characters of a paragraph, which must be plain text; `length` is their length in the source. */
function removeMarker(paragraph: ParagraphNode, characters: number, length: number): ParagraphNode | undefined {
  let left = characters;
  let rest: readonly InlineNode[] = paragraph.children;
  const start = paragraph.start + length;
  while (left > 0) {
    const [first, ...others] = rest;
    if (first?.type !== "text") return undefined;
    rest = first.value.length > left ? [{ ...first, value: first.value.slice(left), start }, ...others] : others;
    left -= first.value.length;
  }
  const [first, ...others] = rest;
  if (first?.type === "break") rest = others;
  else if (first?.type === "text") {
    const value = first.value.trimStart();
    rest = value === "" ? others : [{ ...first, value }, ...others];
  }
  return { ...paragraph, children: [...rest], start: Math.min(start, paragraph.end) };
}
