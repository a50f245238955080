// Reverting some blocks of a page. The two texts are aligned by their equal blocks. What stands between two equal
// blocks is one change, and is reverted as a whole.

import { readPage } from "../markdown/reader/page";
import { asWritten } from "../markdown/reader/reading";

/** A block of a text, and its place among the others there. */
interface Piece {
  readonly of: string;
  readonly index: number;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The present text, with the changes reverted that contain one of the keys on either side. */
export function revertBlocks(now: string, then: string, keys: readonly string[]): string {
  const [present, past] = [piecesOf(now), piecesOf(then)];
  const wanted = new Set(keys);
  const pieces = stretches(present, past).flatMap((stretch) =>
    [...stretch.present, ...stretch.past].some(({ key }) => wanted.has(key)) ? stretch.past : stretch.present,
  );
  const isSame = pieces.length === present.length && pieces.every((piece, i) => piece === present[i]);
  return isSame ? now : written(now, present, pieces);
}

function piecesOf(text: string): Piece[] {
  return readPage(text, asWritten).parts.map(({ block, node }, index) => {
    return { of: text, index, key: block.key!, start: node.start, end: node.end };
  });
}

/** Aligned blocks: an equal pair, or what lies between two pairs. */
interface Stretch {
  readonly present: readonly Piece[];
  readonly past: readonly Piece[];
}

function stretches(present: readonly Piece[], past: readonly Piece[]): Stretch[] {
  const places = new Map(past.map(({ key }, i) => [key, i]));
  const found: Stretch[] = [];
  let [from, pastFrom] = [0, 0];
  for (const [i, piece] of present.entries()) {
    const place = places.get(piece.key);
    if (place === undefined || place < pastFrom) continue;
    found.push({ present: present.slice(from, i), past: past.slice(pastFrom, place) });
    found.push({ present: [piece], past: [piece] });
    [from, pastFrom] = [i + 1, place + 1];
  }
  return [...found, { present: present.slice(from), past: past.slice(pastFrom) }];
}

/** The blocks as a text. What stood between two neighbours stays; new neighbours get an empty line between them. */
function written(now: string, present: readonly Piece[], pieces: readonly Piece[]): string {
  const head = now.slice(0, present[0]?.start ?? now.length);
  const tail = present.length > 0 ? now.slice(present.at(-1)!.end) : "\n";
  let text = head.trim() === "" || /\n[ \t]*\r?\n$/.test(head) ? head : `${head.trimEnd()}\n\n`;
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1];
    if (before) text += before.of === piece.of && before.index + 1 === piece.index ? gap(before, piece) : "\n\n";
    text += piece.of.slice(piece.start, piece.end);
  }
  return text + tail;
}

function gap(before: Piece, after: Piece): string {
  return before.of.slice(before.end, after.start);
}
