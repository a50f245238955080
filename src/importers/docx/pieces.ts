// Pieces of a paragraph put together: equal neighbours become one, those of one address become a link.

import type { Inline, Leaf, Mark, Phrasing } from "../../content/document";
import { isSafeUrl } from "../../content/document/safe-url";
import { Phrases } from "../../content/markdown/reader/leaves";

/** Something inside a paragraph, and the link that it is part of. */
export type Piece = { readonly href: string | undefined } & (
  | { readonly text: string; readonly marks: readonly Mark[] }
  | { readonly inline: Inline }
);

/** Pieces as phrasing; those that follow each other with the same address are one link. */
export function assembled(pieces: readonly Piece[], mayWrite: (address: string) => boolean): Phrasing[] {
  const phrases = new Phrases();
  for (let at = 0; at < pieces.length; ) {
    const { href } = pieces[at]!;
    let end = at + 1;
    while (end < pieces.length && pieces[end]!.href === href) end++;
    const isLink = href !== undefined && isSafeUrl(href) && mayWrite(href);
    if (isLink) phrases.addInline(linkTo(href, pieces.slice(at, end)));
    else addAll(phrases, pieces.slice(at, end));
    at = end;
  }
  return withBareSpaces(phrases.finish(true));
}

function linkTo(url: string, pieces: readonly Piece[]): Inline {
  const phrases = new Phrases();
  addAll(phrases, pieces);
  return {
    object: "inline",
    type: "link",
    isVoid: false,
    data: { ref: { kind: "url", url } },
    nodes: phrases.finish(false),
  };
}

function addAll(phrases: Phrases, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if ("inline" in piece) phrases.addInline(piece.inline);
    else phrases.addText(piece.text.replaceAll("\t", " "), piece.marks);
  }
}

/** Word also marks the spaces beside words, where marks have no meaning. */
function withBareSpaces(nodes: Phrasing[]): Phrasing[] {
  return nodes.map((node): Phrasing => {
    if (node.object === "text") return { ...node, leaves: node.leaves.flatMap(bareSpaces) };
    return node.type === "link" ? { ...node, nodes: withBareSpaces(node.nodes ?? []) } : node;
  });
}

function bareSpaces(leaf: Leaf): Leaf[] {
  const words = leaf.text.trim();
  if (leaf.marks.length === 0 || words === leaf.text) return [leaf];
  const start = leaf.text.length - leaf.text.trimStart().length;
  const parts: Leaf[] = [
    { object: "leaf", text: leaf.text.slice(0, start), marks: [] },
    { object: "leaf", text: words, marks: leaf.marks },
    { object: "leaf", text: leaf.text.slice(start + words.length), marks: [] },
  ];
  return parts.filter(({ text }) => text !== "");
}
