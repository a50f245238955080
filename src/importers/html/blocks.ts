// Reads elements into the blocks of a document. Containers without a meaning are unwrapped, and so are those that are nested
// too deep.

import type { Block, Mark, Phrasing } from "../../content/document";
import { addMark, readParagraphImages } from "../../content/markdown/document-parts";
import type { Steps } from "../../utils/concurrency/steps";
import type { PageAnchors } from "./anchors";
import {
  createParagraph,
  type ElementReader,
  enterBlock,
  type HeadingContext,
  type HtmlBlockContext,
  takeAnchorParagraph,
  unwrapElement,
} from "./block-context";
import { isCodeTitle, isLineTable, readCodeBlock } from "./code";
import { findElement, findElements, getAttribute, toWordSet } from "./elements";
import { readEmbed } from "./embeds";
import { readFigureInSteps } from "./figures";
import { readFormula } from "./formulas";
import { readHeading } from "./headings";
import { readHintInSteps } from "./hints";
import { LineReader } from "./lines";
import { readDefinitionListInSteps, readListInSteps } from "./lists";
import { isNoise } from "./noise";
import type { PageUrls } from "./page-urls";
import type { HtmlElement, HtmlNode } from "./parse-html";
import { readTableInSteps } from "./tables";
import { readTabsInSteps } from "./tabs";

/** The deepest nesting of blocks. Markdown reads no deeper either. */
const MAX_BLOCK_DEPTH = 10;

/** The number of nodes between two yields to the event loop. One step may go through all elements around a node. */
const NODES_PER_YIELD = 16;

/** Elements that are not part of a line. */
const BLOCK_ELEMENTS = toWordSet(`
  address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2
  h3 h4 h5 h6 header hgroup hr html iframe legend li main menu ol p pre search section summary table tbody td tfoot
  th thead tr ul video audio lite-youtube
`);
/** The marks that elements give to entire blocks inside of them. */
const BLOCK_MARKS = new Map([
  ["b", "bold"],
  ["strong", "bold"],
  ["i", "italic"],
  ["em", "italic"],
  ["s", "strikethrough"],
  ["del", "strikethrough"],
] as const);

export class BlockReader implements ElementReader {
  readonly #holdsBlocks = new Map<HtmlElement, boolean>();
  readonly #holdsCode = new Map<HtmlElement, boolean>();
  #nodeCount = 0;

  constructor(
    readonly urls: PageUrls,
    readonly headings: HeadingContext,
    readonly anchors: PageAnchors,
  ) {}

  *read(nodes: readonly HtmlNode[], context: HtmlBlockContext): Steps<Block[]> {
    const blocks: Block[] = [];
    yield* this.#readInto(blocks, nodes, context);
    return blocks;
  }

  readChildren(element: HtmlElement, context: HtmlBlockContext): Steps<Block[]> {
    this.anchors.collect(element);
    return this.read(element.children, enterBlock(element, context));
  }

  readUnwrapped(element: HtmlElement, context: HtmlBlockContext): Steps<Block[]> {
    return this.read(element.children, unwrapElement(element, context));
  }

  readLine(nodes: readonly HtmlNode[], marks: readonly Mark[] = [], isInHeading = false): Phrasing[] {
    const line = new LineReader(this.urls, this.anchors, isInHeading, false);
    for (const node of nodes) line.add(node, marks);
    return line.take();
  }

  /**
   * Reads nodes, and adds their blocks to a list. Elements that are unwrapped add theirs to the same list: passing them on from
   * level to level would copy every block once for each element around it.
   */
  *#readInto(blocks: Block[], nodes: readonly HtmlNode[], context: HtmlBlockContext): Steps<void> {
    const line = new LineReader(this.urls, this.anchors);
    const endLine = () => {
      const isEmpty = line.isEmpty;
      const phrasing = line.take();
      if (!isEmpty) blocks.push(createParagraph(phrasing));
    };
    for (const node of nodes) {
      if (++this.#nodeCount % NODES_PER_YIELD === 0) yield;
      if (typeof node === "string") line.add(node, context.marks);
      else if (this.#isTitleOfCode(node, context)) continue;
      else if (!this.#isBlock(node)) line.add(node, context.marks);
      else {
        endLine();
        yield* this.#readBlock(blocks, node, context);
      }
    }
    endLine();
  }

  /** Returns whether an element is a block, by its kind or by its content. A link never is. */
  #isBlock(element: HtmlElement): boolean {
    if (BLOCK_ELEMENTS.has(element.name)) return true;
    if (element.name === "a" || element.name === "svg" || element.name === "math") return false;
    const cached = this.#holdsBlocks.get(element);
    if (cached !== undefined) return cached;
    const holdsBlocks =
      readFormula(element)?.isBlock === true ||
      element.children.some((child) => typeof child !== "string" && this.#isBlock(child));
    this.#holdsBlocks.set(element, holdsBlocks);
    return holdsBlocks;
  }

  *#readBlock(blocks: Block[], element: HtmlElement, context: HtmlBlockContext): Steps<void> {
    const formula = readFormula(element);
    if (!formula && isNoise(element)) return;
    this.anchors.collect(element);

    let read: Block[] | undefined;
    if (formula) {
      const block: Block = { object: "block", type: "math", isVoid: true, data: { formula: formula.tex } };
      read = [...takeAnchorParagraph(this.anchors), block];
    } else {
      if (context.depth < MAX_BLOCK_DEPTH) read = yield* this.#readContainer(element, context);
      read ??= yield* this.#readFlatBlock(element, context);
    }
    if (read) {
      for (const block of read) blocks.push(block);
      return;
    }

    const mark = BLOCK_MARKS.get(element.name as "b");
    const marked = mark ? { ...context, marks: addMark(context.marks, mark) } : context;
    yield* this.#readInto(blocks, element.children, unwrapElement(element, marked));
  }

  /** Reads a block that holds other blocks. Returns undefined for every other element. */
  *#readContainer(element: HtmlElement, context: HtmlBlockContext): Steps<Block[] | undefined> {
    const hint = yield* readHintInSteps(this, element, context);
    if (hint) return hint;
    const tabs = yield* readTabsInSteps(this, element, context);
    if (tabs) return [tabs];
    switch (element.name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return yield* readListInSteps(this, element, context);
      case "dl":
        return yield* readDefinitionListInSteps(this, element, context);
      case "blockquote": {
        const nodes = yield* this.readChildren(element, context);
        return nodes.length === 0 ? [] : [{ object: "block", type: "blockquote", isVoid: false, data: {}, nodes }];
      }
      case "details":
        return yield* this.#readDetails(element, context);
      case "figure":
        return yield* readFigureInSteps(this, element, context);
      case "table":
        return isLineTable(element)
          ? this.#readCode(element, context)
          : yield* readTableInSteps(this, element, context);
      default:
        return undefined;
    }
  }

  /** Reads a block that holds only lines. Returns undefined for an element that is unwrapped. */
  *#readFlatBlock(element: HtmlElement, context: HtmlBlockContext): Steps<Block[] | undefined> {
    switch (element.name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return readHeading(this, element);
      case "pre":
        return this.#readCode(element, context);
      case "hr":
        return [{ object: "block", type: "divider", isVoid: true, data: {} }];
      case "iframe":
      case "video":
      case "audio":
      case "lite-youtube":
        return [...takeAnchorParagraph(this.anchors), ...readEmbed(element, this.urls)];
      case "p":
        // A paragraph of nothing but images becomes a row of images. Its anchors are in a paragraph before it.
        return (yield* this.readUnwrapped(element, context)).flatMap((block): Block[] => {
          if (block.type !== "paragraph") return [block];
          const nodes = (block.nodes ?? []) as Phrasing[];
          const isAnchor = (node: Phrasing) => node.object === "inline" && node.type === "anchor";
          const anchors = nodes.filter(isAnchor);
          const images = readParagraphImages(nodes.filter((node) => !isAnchor(node)));
          if (!images) return [block];
          return anchors.length > 0 ? [createParagraph(anchors), images] : [images];
        });
      default:
        return undefined;
    }
  }

  #readCode(element: HtmlElement, context: HtmlBlockContext): Block[] {
    const code = readCodeBlock(element, context.ancestors);
    if (!code) return [];
    // Anchors that only number the lines lead nowhere.
    for (const anchor of findElements(element, (each) => each.name === "a" && !/-\d+$/.test(getAttribute(each, "id"))))
      this.anchors.collect(anchor);
    return [...takeAnchorParagraph(this.anchors), code];
  }

  *#readDetails(element: HtmlElement, context: HtmlBlockContext): Steps<Block[]> {
    const summary = element.children.find((child) => typeof child !== "string" && child.name === "summary");
    const title = typeof summary === "object" ? this.readLine(summary.children) : [];
    const rest = element.children.filter((child) => child !== summary);
    const body = yield* this.read(rest, enterBlock(element, context));
    if (body.length === 0) return [createParagraph(title)];
    return [
      {
        object: "block",
        type: "expandable",
        isVoid: true,
        data: {},
        fragments: [
          { object: "fragment", type: "expandable-title", nodes: [createParagraph(title)] },
          { object: "fragment", type: "expandable-body", nodes: body },
        ],
      },
    ];
  }

  #isTitleOfCode(element: HtmlElement, { ancestors: [parent] }: HtmlBlockContext): boolean {
    if (!parent || !isCodeTitle(element)) return false;
    const cached = this.#holdsCode.get(parent);
    if (cached !== undefined) return cached;
    const holdsCode = findElement(parent, ({ name }) => name === "pre") !== undefined;
    this.#holdsCode.set(parent, holdsCode);
    return holdsCode;
  }
}
