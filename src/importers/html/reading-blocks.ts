// Where blocks stand, and what readers of a kind of block ask of the reader of all.

import type { Block, BlockOf, Mark, Phrasing } from "../../content/document";
import type { Steps } from "../../content/markdown/steps";
import type { Addresses } from "./addresses";
import { anchorInline, type PageAnchors } from "./anchors";
import type { Element, Node } from "./tree";

/** Where blocks stand. */
export interface BlockPlace {
  readonly depth: number;
  readonly marks: readonly Mark[];
  /** The elements around, the innermost first; a few. */
  readonly around: readonly Element[];
}

/** What is known of the headings of a page before they are read. */
export interface Headings {
  /** The heading that is the title, and so not part of the body. */
  readonly title?: Element;
  /** The level in HTML that becomes the first one of the body. */
  readonly top: number;
}

/** Reads elements into blocks, step by step. */
export interface ReadsBlocks {
  readonly addresses: Addresses;
  readonly headings: Headings;
  readonly anchors: PageAnchors;
  /** Nodes that follow each other as blocks. */
  readonly read: (nodes: readonly Node[], place: BlockPlace) => Steps<Block[]>;
  /** What an element holds, as blocks that stand inside another. */
  readonly inside: (element: Element, place: BlockPlace) => Steps<Block[]>;
  /** What an element holds, as blocks that stand where it stands. */
  readonly dissolved: (element: Element, place: BlockPlace) => Steps<Block[]>;
  /** What nodes say, as one line. */
  readonly line: (nodes: readonly Node[], marks?: readonly Mark[], isInHeading?: boolean) => Phrasing[];
}

/** The place inside an element that is a block of its own. */
export function inner(element: Element, { depth, marks, around }: BlockPlace): BlockPlace {
  return { depth: depth + 1, marks, around: [element, ...around.slice(0, 4)] };
}

/** The anchors that wait, on a line of their own, before a block that has no line. */
export function anchorLine(anchors: PageAnchors): Block[] {
  return anchors.isWaiting ? [paragraph(anchors.take().map(anchorInline))] : [];
}

/** A paragraph. */
export function paragraph(nodes: Phrasing[]): BlockOf<"paragraph"> {
  return { object: "block", type: "paragraph", isVoid: false, data: {}, nodes };
}
