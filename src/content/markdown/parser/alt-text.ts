// Converts inlines to plain text, and removes links from them.

import type { InlineNode } from "../nodes";

/** Returns the text of inlines, as an image has it for its `alt`. Concatenation avoids copying the text of nested images. */
export function toAltText(nodes: readonly InlineNode[]): string {
  let text = "";
  for (const node of nodes) {
    if ("children" in node) text += toAltText(node.children);
    else if (node.type === "image") text += node.alt;
    else if (node.type === "emoji") text += `:${node.code}:`;
    else if ("value" in node && node.type !== "html") text += node.value;
  }
  return text;
}

/** Replaces links by their text: a link contains no other links. */
export function unwrapLinks(nodes: InlineNode[]): InlineNode[] {
  if (!nodes.some((node) => node.type === "link" || "children" in node)) return nodes;
  return nodes.flatMap((node) => {
    if (node.type === "link") return node.children;
    if ("children" in node) node.children = unwrapLinks(node.children);
    return [node];
  });
}
