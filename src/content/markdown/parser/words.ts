// What inlines say in words, and inlines without what must not stand in them.

import type { Inline } from "../nodes";

/** What an image says in words. Texts are added, not joined: nested images would copy theirs again and again. */
export function plainText(nodes: readonly Inline[]): string {
  let text = "";
  for (const node of nodes) {
    if ("children" in node) text += plainText(node.children);
    else if (node.type === "image") text += node.alt;
    else if (node.type === "emoji") text += `:${node.code}:`;
    else if ("value" in node && node.type !== "html") text += node.value;
  }
  return text;
}

/** A link holds no link: addresses inside its text are only text. */
export function withoutLinks(nodes: Inline[]): Inline[] {
  if (!nodes.some((node) => node.type === "link" || "children" in node)) return nodes;
  return nodes.flatMap((node) => {
    if (node.type === "link") return node.children;
    if ("children" in node) node.children = withoutLinks(node.children);
    return [node];
  });
}
