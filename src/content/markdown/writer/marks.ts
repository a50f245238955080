// Groups the pieces of a paragraph under the marks that they share: `**a [b](c) d**` rather than three bold pieces.

import type { Inline, Leaf, Mark, Phrasing } from "../../document";
import { hasSameMarks, isSameMark, MARK_ORDER } from "../reader/leaves";

/** A leaf or an inline, with the marks that all of it has. */
export interface PhrasingPiece {
  node: Leaf | Inline;
  marks: readonly Mark[];
  /** True if marks around it have no effect: breaks, emoji and the like have no marks. */
  isNeutral: boolean;
}

export type Marked = { piece: PhrasingPiece } | { mark: Mark; inside: Marked[] };

/** Splits phrasing into pieces, with each break apart. */
export function splitPieces(nodes: readonly Phrasing[]): PhrasingPiece[] {
  return nodes.flatMap((node): PhrasingPiece[] => {
    if (node.object === "text") {
      return node.leaves
        .flatMap((leaf): Leaf[] => {
          if (!leaf.text.includes("\n")) return [leaf];
          const texts = leaf.text.split(/(\n)/);
          return texts.map((text) => ({ ...leaf, text, marks: text === "\n" ? [] : leaf.marks }));
        })
        .filter(({ text }) => text !== "")
        .map((leaf) => ({ node: leaf, marks: leaf.marks, isNeutral: leaf.text === "\n" }));
    }
    // The marks that all pieces of an inline share. Code is never shared: it contains only text.
    const [first, ...others] = (node.nodes ? splitPieces(node.nodes) : []).filter(({ isNeutral }) => !isNeutral);
    const shared = first?.marks.filter(
      (mark) => mark.type !== "code" && others.every(({ marks }) => marks.some((other) => isSameMark(mark, other))),
    );
    return [{ node, marks: shared ?? [], isNeutral: shared === undefined }];
  });
}

/** Groups pieces under the marks that they share, except the marks that are already around them. */
export function groupByMarks(pieces: readonly PhrasingPiece[], around: readonly Mark[]): Marked[] {
  const result: Marked[] = [];
  for (let i = 0; i < pieces.length; ) {
    const left = pieces[i]!.marks.filter((mark) => !around.some((other) => isSameMark(mark, other)));
    const mark = left.sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type))[0];
    if (!mark) {
      result.push({ piece: pieces[i++]! });
      continue;
    }
    // The group ends with the last piece that has the mark. Neutral pieces count only between others.
    let end = i + 1;
    for (let next = end; next < pieces.length; next++) {
      const { marks, isNeutral } = pieces[next]!;
      if (mark.type === "code" && !hasSameMarks(marks, pieces[i]!.marks)) break;
      if (marks.some((other) => isSameMark(mark, other))) end = next + 1;
      else if (!isNeutral) break;
    }
    result.push({ mark, inside: groupByMarks(pieces.slice(i, end), [...around, mark]) });
    i = end;
  }
  return result;
}
