// The place of a block in the tree, and the part of the block reader that the readers of single kinds of blocks use.

import type { Block, BlockOf, Mark, Phrasing } from "../../content/document";
import type { Steps } from "../../utils/concurrency/steps";
import { createAnchor, type PageAnchors } from "./anchors";
import type { PageUrls } from "./page-urls";
import type { HtmlElement, HtmlNode } from "./parse-html";

/** The number of ancestors that are remembered. */
const MAX_ANCESTORS = 5;

export interface HtmlBlockContext {
  readonly depth: number;
  readonly marks: readonly Mark[];
  /** A few of the elements around, the innermost first. */
  readonly ancestors: readonly HtmlElement[];
}

/** The facts about the headings of a page that are known before they are read. */
export interface HeadingContext {
  /** The heading that is the title, and so not part of the body. */
  readonly titleElement?: HtmlElement;
  /** The level in HTML that becomes the first one of the body. */
  readonly topLevel: number;
}

export interface ElementReader {
  readonly urls: PageUrls;
  readonly headings: HeadingContext;
  readonly anchors: PageAnchors;
  readonly read: (nodes: readonly HtmlNode[], context: HtmlBlockContext) => Steps<Block[]>;
  /** Reads the children of an element, as blocks inside of another block. */
  readonly readChildren: (element: HtmlElement, context: HtmlBlockContext) => Steps<Block[]>;
  /** Reads the children of an element, as blocks in place of the element. */
  readonly readUnwrapped: (element: HtmlElement, context: HtmlBlockContext) => Steps<Block[]>;
  readonly readLine: (nodes: readonly HtmlNode[], marks?: readonly Mark[], isInHeading?: boolean) => Phrasing[];
}

/** Returns the context inside of an element that becomes a block. */
export function enterBlock(element: HtmlElement, context: HtmlBlockContext): HtmlBlockContext {
  return { ...unwrapElement(element, context), depth: context.depth + 1 };
}

/** Returns the context inside of an element that becomes no block itself. */
export function unwrapElement(element: HtmlElement, context: HtmlBlockContext): HtmlBlockContext {
  return { ...context, ancestors: [element, ...context.ancestors.slice(0, MAX_ANCESTORS - 1)] };
}

/** Returns a paragraph with the pending anchors, for a place before a block without a line, or nothing if there are none. */
export function takeAnchorParagraph(anchors: PageAnchors): Block[] {
  return anchors.hasPending ? [createParagraph(anchors.takePending().map(createAnchor))] : [];
}

export function createParagraph(nodes: Phrasing[]): BlockOf<"paragraph"> {
  return { object: "block", type: "paragraph", isVoid: false, data: {}, nodes };
}
