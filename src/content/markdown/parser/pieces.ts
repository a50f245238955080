// The row of pieces that a paragraph is read into, before emphasis and links have taken their places in it.

import { MAX_INLINE_DEPTH } from "../limits";
import type { Inline } from "../nodes";

/** A node on its way into the tree, with its neighbours. Offsets of nodes are those of the content until the end. */
export interface Piece {
  node: Inline;
  /** How deep the tree below the node is. */
  height: number;
  previous: Piece | undefined;
  next: Piece | undefined;
}

/** A row of pieces that can be taken out and put in anywhere at once. */
export class Row {
  constructor(readonly content: string) {}

  first: Piece | undefined;
  last: Piece | undefined;

  /** Adds a node at the end. */
  push(node: Inline, height = 1): Piece {
    const piece: Piece = { node, height, previous: this.last, next: undefined };
    if (this.last) this.last.next = piece;
    else this.first = piece;
    this.last = piece;
    return piece;
  }

  remove(piece: Piece): void {
    if (piece.previous) piece.previous.next = piece.next;
    else this.first = piece.next;
    if (piece.next) piece.next.previous = piece.previous;
    else this.last = piece.previous;
  }

  insertBehind(place: Piece, node: Inline, height: number): Piece {
    const piece: Piece = { node, height, previous: place, next: place.next };
    if (place.next) place.next.previous = piece;
    else this.last = piece;
    place.next = piece;
    return piece;
  }

  /** Takes out what stands between two pieces; without the second, everything behind the first. Too deep a tree becomes its text. */
  takeBetween(from: Piece, to: Piece | undefined): { children: Inline[]; height: number } {
    const children: Inline[] = [];
    let height = 0;
    for (let piece = from.next; piece && piece !== to; piece = piece.next) {
      append(children, piece.node);
      height = Math.max(height, piece.height);
    }
    const [start, end] = [from.node.end, to ? to.node.start : (this.last?.node.end ?? 0)];
    from.next = to;
    if (to) to.previous = from;
    else this.last = from;
    if (height < MAX_INLINE_DEPTH) return { children, height };
    return { children: [{ type: "text", value: this.content.slice(start, end), start, end }], height: 1 };
  }

  toArray(): Inline[] {
    const nodes: Inline[] = [];
    for (let piece = this.first; piece; piece = piece.next) append(nodes, piece.node);
    return nodes;
  }
}

/** Neighbouring texts become one; an empty text is none. */
function append(nodes: Inline[], node: Inline): void {
  if (node.type !== "text") {
    nodes.push(node);
    return;
  }
  if (node.value === "") return;
  const last = nodes.at(-1);
  if (last?.type === "text") {
    last.value += node.value;
    last.end = node.end;
  } else nodes.push(node);
}
