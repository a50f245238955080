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
    if (!isLink) addPieces(phrases, pieces.slice(start, end));
    else {
      const content = new Phrases();
      addPieces(content, pieces.slice(start, end));
      phrases.addInline({
        object: "inline",
        type: "link",
        isVoid: false,
        data: { ref: { kind: "url", url: href } },
        nodes: content.finish(false),
      });
    }
    start = end;
  }
  return removeMarksFromSpaces(phrases.finish(true));
}

function addPieces(phrases: Phrases, pieces: readonly LinePiece[]): void {
  for (const piece of pieces) {
    if ("inline" in piece) phrases.addInline(piece.inline);
    else phrases.addText(piece.text.replaceAll("\t", " "), piece.marks);
  }
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
