// Assembles the pieces of a paragraph: equal neighbors become one, and neighbors with the same URL become a link.

import type { Inline, Mark, Phrasing } from "../../content/document";
import { isSafeUrl } from "../../content/document/safe-url";
import { Phrases } from "../../content/markdown/document-parts";

/** A piece of a paragraph, and the link that it is part of. */
export type LinePiece = { readonly href: string | undefined } & (
  | { readonly text: string; readonly marks: readonly Mark[] }
  | { readonly inline: Inline }
);

/** Assembles pieces into phrasing. `reserveUrl` returns whether a URL may be written once more. */
export function assembleLine(pieces: readonly LinePiece[], reserveUrl: (url: string) => boolean): Phrasing[] {
  const phrases = new Phrases();
  for (let start = 0; start < pieces.length; ) {
    const { href } = pieces[start]!;
    let end = start + 1;
    while (end < pieces.length && pieces[end]!.href === href) end++;
    const isLink = href !== undefined && isSafeUrl(href) && reserveUrl(href);
    const target = isLink ? new Phrases() : phrases;
    for (const piece of pieces.slice(start, end)) {
      if ("inline" in piece) target.addInline(piece.inline);
      else target.addText(piece.text.replaceAll("\t", " "), piece.marks);
    }
    if (isLink) {
      const data = { ref: { kind: "url" as const, url: href } };
      phrases.addInline({ object: "inline", type: "link", isVoid: false, data, nodes: target.finish(false) });
    }
    start = end;
  }
  return removeMarksFromSpaces(phrases.finish(true));
}

/** Removes marks from the spaces around words, where they have no meaning. Word sets them there too. */
function removeMarksFromSpaces(nodes: Phrasing[]): Phrasing[] {
  return nodes.map((node): Phrasing => {
    if (node.object !== "text")
      return node.type === "link" ? { ...node, nodes: removeMarksFromSpaces(node.nodes ?? []) } : node;
    const leaves = node.leaves.flatMap((leaf) => {
      const words = leaf.text.trim();
      if (leaf.marks.length === 0 || words === leaf.text) return [leaf];
      const start = leaf.text.length - leaf.text.trimStart().length;
      const parts: typeof node.leaves = [
        { object: "leaf", text: leaf.text.slice(0, start), marks: [] },
        { object: "leaf", text: words, marks: leaf.marks },
        { object: "leaf", text: leaf.text.slice(start + words.length), marks: [] },
      ];
      return parts.filter(({ text }) => text !== "");
    });
    return { ...node, leaves };
  });
}
