// Pieces of a paragraph that share marks, put together under them: `**a [b](c) d**` rather than three bold pieces.

import type { Inline, Leaf, Mark, Phrasing } from "../../document";
import { MARK_ORDER, sameMark, sameMarks } from "../reader/leaves";

/** A piece with the marks that all of it has. */
export interface Piece {
  node: Leaf | Inline;
  marks: readonly Mark[];
  /** Whether any marks may stand around it without being noticed: breaks, emoji and the like carry none. */
  isNeutral: boolean;
}

/** Pieces, or pieces under a mark. */
export type Marked = { piece: Piece } | { mark: Mark; inside: Marked[] };

/** The pieces of phrasing, in order. */
export function piecesOf(nodes: readonly Phrasing[]): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    if (node.object === "text") {
      return node.leaves
        .filter(({ text }) => text !== "")
        .flatMap((leaf) => splitBreaks(leaf))
        .map((leaf) => ({ node: leaf, marks: leaf.marks, isNeutral: leaf.text === "\n" }));
    }
    const inside = node.nodes ? piecesOf(node.nodes) : [];
    const marks = sharedMarks(inside);
    return [{ node, marks: marks ?? [], isNeutral: marks === undefined }];
  });
}

/** A leaf, with each break apart. */
function splitBreaks(leaf: Leaf): Leaf[] {
  if (!leaf.text.includes("\n")) return [leaf];
  return leaf.text
    .split(/(\n)/)
    .filter((text) => text !== "")
    .map((text) => ({ ...leaf, text, marks: text === "\n" ? [] : leaf.marks }));
}

/** The marks that all pieces have; undefined when all of them are neutral. Code is never shared: it holds only text. */
function sharedMarks(pieces: readonly Piece[]): Mark[] | undefined {
  const marked = pieces.filter(({ isNeutral }) => !isNeutral);
  const [first, ...others] = marked;
  if (!first) return undefined;
  return first.marks.filter(
    (mark) => mark.type !== "code" && others.every(({ marks }) => marks.some((other) => sameMark(mark, other))),
  );
}

/** Puts pieces together under the marks that they share, except those that stand around them already. */
export function underMarks(pieces: readonly Piece[], around: readonly Mark[]): Marked[] {
  const result: Marked[] = [];
  for (let i = 0; i < pieces.length; ) {
    const mark = nextMark(pieces[i]!, around);
    if (!mark) {
      result.push({ piece: pieces[i++]! });
      continue;
    }
    const end = endOfMark(pieces, i, mark);
    result.push({ mark, inside: underMarks(pieces.slice(i, end), [...around, mark]) });
    i = end;
  }
  return result;
}

function nextMark({ marks }: Piece, around: readonly Mark[]): Mark | undefined {
  const left = marks.filter((mark) => !around.some((other) => sameMark(mark, other)));
  return left.sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type))[0];
}

/** Where the pieces end that have a mark; neutral ones count only between others. */
function endOfMark(pieces: readonly Piece[], start: number, mark: Mark): number {
  let end = start + 1;
  for (let i = end; i < pieces.length; i++) {
    const { marks, isNeutral } = pieces[i]!;
    if (mark.type === "code" && !sameMarks(marks, pieces[start]!.marks)) break;
    if (marks.some((other) => sameMark(mark, other))) end = i + 1;
    else if (!isNeutral) break;
  }
  return end;
}
