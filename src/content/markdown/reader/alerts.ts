// Alerts, which are block quotes that begin with `[!NOTE]` on GitHub and elsewhere. They become hints.

import type { BlockNode, BlockquoteNode, InlineNode } from "../nodes";

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
    if (mark !== undefined && alert) {
      // The marker is removed from the paragraph. It must be plain text.
      let left = name.length + "[!]".length;
      let rest: readonly InlineNode[] = first.children;
      const start = first.start + mark.length;
      for (let text = rest[0]; left > 0 && text?.type === "text"; text = rest[0]) {
        const behind = rest.slice(1);
        rest = text.value.length > left ? [{ ...text, value: text.value.slice(left), start }, ...behind] : behind;
        left -= text.value.length;
      }
      const [next, ...behind] = rest;
      if (next?.type === "break") rest = behind;
      else if (next?.type === "text") {
        const value = next.value.trimStart();
        rest = value === "" ? behind : [{ ...next, value }, ...behind];
      }
      const paragraph = { ...first, children: [...rest], start: Math.min(start, first.end) };
      const children: BlockNode[] = rest.length > 0 ? [paragraph, ...others] : others;
      if (left <= 0 && children.length > 0) result = { ...quote, alert, children };
    }
  }
  alerts.set(quote, result);
  return result;
}
