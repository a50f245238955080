// The linked list of inlines that a content is parsed into, before emphasis and links nest them.

import { MAX_INLINE_DEPTH } from "../limits";
import type { InlineNode } from "../nodes";

/** An inline with its neighbours in the list. Its offsets are those of the content. */
export interface InlineEntry {
  node: InlineNode;
  /** The depth of the tree below the node. */
  height: number;
  previous: InlineEntry | undefined;
  next: InlineEntry | undefined;
}

/** A doubly linked list of inlines: insertion and removal take constant time. */
export class InlineList {
  constructor(readonly content: string) {}

  first: InlineEntry | undefined;
  last: InlineEntry | undefined;

  /** Adds a node at the end. */
  push(node: InlineNode, height = 1): InlineEntry {
    const piece: InlineEntry = { node, height, previous: this.last, next: undefined };
    if (this.last) this.last.next = piece;
    else this.first = piece;
    this.last = piece;
    return piece;
  }

  remove(piece: InlineEntry): void {
    if (piece.previous) piece.previous.next = piece.next;
    else this.first = piece.next;
    if (piece.next) piece.next.previous = piece.previous;
    else this.last = piece.previous;
  }

  insertAfter(place: InlineEntry, node: InlineNode, height: number): InlineEntry {
    const piece: InlineEntry = { node, height, previous: place, next: place.next };
    if (place.next) place.next.previous = piece;
    else this.last = piece;
    place.next = piece;
    return piece;
  }

  /** Removes and returns the nodes from `from` to `to`, or to the end. A tree that is too deep becomes its text. */
  takeBetween(from: InlineEntry, to: InlineEntry | undefined): { children: InlineNode[]; height: number } {
    const children: InlineNode[] = [];
    let height = 0;
    for (let piece = from.next; piece && piece !== to; piece = piece.next) {
      appendMerged(children, piece.node);
      height = Math.max(height, piece.height);
    }
    const [start, end] = [from.node.end, to ? to.node.start : (this.last?.node.end ?? 0)];
    from.next = to;
    if (to) to.previous = from;
    else this.last = from;
    if (height < MAX_INLINE_DEPTH) return { children, height };
    return { children: [{ type: "text", value: this.content.slice(start, end), start, end }], height: 1 };
  }

  toArray(): InlineNode[] {
    const nodes: InlineNode[] = [];
    for (let piece = this.first; piece; piece = piece.next) appendMerged(nodes, piece.node);
    return nodes;
  }
}

/** Appends a node. Adjacent texts are merged, and empty texts dropped. */
function appendMerged(nodes: InlineNode[], node: InlineNode): void {
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
