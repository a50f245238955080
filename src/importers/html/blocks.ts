// Elements as blocks of a document. Containers without a meaning are dissolved, and so are those that are too deep.

import type { Block, Mark, Phrasing } from "../../content/document";
import { imagesInParagraph } from "../../content/markdown/reader/figures";
import { withMark } from "../../content/markdown/reader/leaves";
import type { Steps } from "../../content/markdown/steps";
import type { Addresses } from "./addresses";
import type { PageAnchors } from "./anchors";
import { codeBlock, isCodeTitle, isLineTable } from "./code";
import { embedOf } from "./embeds";
import { figureBlocks } from "./figures";
import { formulaOf } from "./formulas";
import { headingOf } from "./headings";
import { hintOf } from "./hints";
import { listOf, termsOf } from "./lists";
import { attribute, find, findAll, words } from "./looking";
import { isNoise } from "./noise";
import { LineReader } from "./phrasing";
import { anchorLine, type BlockPlace, type Headings, inner, paragraph, type ReadsBlocks } from "./reading-blocks";
import { tableBlocks } from "./tables";
import { tabsOf } from "./tabs";
import type { Element, Node } from "./tree";

/** How deep blocks may stand inside one another; Markdown reads no deeper either. */
const MAX_BLOCKS_DEPTH = 10;

/** How many nodes are read in one step. A step goes through all elements that one stands in, so it takes some. */
const READS_A_STEP = 16;

/** Elements that are no part of a line. */
const BLOCKS = words(
  "address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li main menu ol p pre search section summary table tbody td tfoot th thead tr ul video audio lite-youtube",
);
/** Marks that an element gives to whole blocks inside it. */
const MARKING = new Map([
  ["b", "bold"],
  ["strong", "bold"],
  ["i", "italic"],
  ["em", "italic"],
  ["s", "strikethrough"],
  ["del", "strikethrough"],
] as const);

/** Reads elements into blocks. */
export class BlockReader implements ReadsBlocks {
  readonly #holdsBlocks = new Map<Element, boolean>();
  readonly #holdsCode = new Map<Element, boolean>();
  #reads = 0;

  constructor(
    readonly addresses: Addresses,
    readonly headings: Headings,
    readonly anchors: PageAnchors,
  ) {}

  *read(nodes: readonly Node[], place: BlockPlace): Steps<Block[]> {
    const blocks: Block[] = [];
    yield* this.#readInto(blocks, nodes, place);
    return blocks;
  }

  /** Reads nodes, and adds their blocks to a list. Elements that are dissolved add theirs to the same one: passing them on
   * from level to level would copy every block as often as elements stand around it. */
  *#readInto(blocks: Block[], nodes: readonly Node[], place: BlockPlace): Steps<void> {
    const line = new LineReader(this.addresses, this.anchors);
    const endLine = () => {
      const isEmpty = line.isEmpty;
      const phrasing = line.take();
      if (!isEmpty) blocks.push(paragraph(phrasing));
    };
    for (const node of nodes) {
      if (++this.#reads % READS_A_STEP === 0) yield;
      if (typeof node === "string") line.add(node, place.marks);
      else if (this.#isTitleOfCode(node, place)) continue;
      else if (!this.#isBlock(node)) line.add(node, place.marks);
      else {
        endLine();
        yield* this.#readBlock(blocks, node, place);
      }
    }
    endLine();
  }

  inside(element: Element, place: BlockPlace): Steps<Block[]> {
    this.anchors.meet(element);
    return this.read(element.children, inner(element, place));
  }

  dissolved(element: Element, place: BlockPlace): Steps<Block[]> {
    return this.read(element.children, outer(element, place));
  }

  line(nodes: readonly Node[], marks: readonly Mark[] = [], isInHeading = false): Phrasing[] {
    const line = new LineReader(this.addresses, this.anchors, isInHeading, false);
    for (const node of nodes) line.add(node, marks);
    return line.take();
  }

  /** Whether an element is a block: by its kind, or by what it holds. A link never is. */
  #isBlock(element: Element): boolean {
    if (BLOCKS.has(element.name)) return true;
    if (element.name === "a" || element.name === "svg" || element.name === "math") return false;
    const known = this.#holdsBlocks.get(element);
    if (known !== undefined) return known;
    const holds =
      formulaOf(element)?.isBlock === true ||
      element.children.some((child) => typeof child !== "string" && this.#isBlock(child));
    this.#holdsBlocks.set(element, holds);
    return holds;
  }

  *#readBlock(blocks: Block[], element: Element, place: BlockPlace): Steps<void> {
    const formula = formulaOf(element);
    if (!formula && isNoise(element)) return;
    this.anchors.meet(element);
    const shaped = formula
      ? [...anchorLine(this.anchors), formulaBlock(formula.tex)]
      : ((place.depth < MAX_BLOCKS_DEPTH ? yield* this.#readShaped(element, place) : undefined) ??
        (yield* this.#readFlat(element, place)));
    if (shaped) for (const block of shaped) blocks.push(block);
    else {
      const mark = MARKING.get(element.name as "b");
      const within = mark ? { ...place, marks: withMark(place.marks, mark) } : place;
      yield* this.#readInto(blocks, element.children, outer(element, within));
    }
  }

  /** Blocks that hold other blocks; undefined for all the rest. */
  *#readShaped(element: Element, place: BlockPlace): Steps<Block[] | undefined> {
    const hint = yield* hintOf(this, element, place);
    if (hint) return hint;
    const tabs = yield* tabsOf(this, element, place);
    if (tabs) return [tabs];
    switch (element.name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return yield* listOf(this, element, place);
      case "dl":
        return yield* termsOf(this, element, place);
      case "blockquote":
        return holder("blockquote", yield* this.inside(element, place));
      case "details":
        return yield* this.#details(element, place);
      case "figure":
        return yield* figureBlocks(this, element, place);
      case "table":
        return isLineTable(element) ? this.#code(element, place) : yield* tableBlocks(this, element, place);
      default:
        return undefined;
    }
  }

  /** Blocks that hold only lines; undefined for what is dissolved. */
  *#readFlat(element: Element, place: BlockPlace): Steps<Block[] | undefined> {
    switch (element.name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return headingOf(this, element);
      case "pre":
        return this.#code(element, place);
      case "hr":
        return [{ object: "block", type: "divider", isVoid: true, data: {} }];
      case "iframe":
      case "video":
      case "audio":
      case "lite-youtube":
        return [...anchorLine(this.anchors), ...embedOf(element, this.addresses)];
      case "p":
        return (yield* this.dissolved(element, place)).flatMap(withImages);
      default:
        return undefined;
    }
  }

  #code(element: Element, place: BlockPlace): Block[] {
    const code = codeBlock(element, place.around);
    if (!code) return [];
    // Those that only count the lines lead nowhere.
    for (const anchor of findAll(element, (each) => each.name === "a" && !/-\d+$/.test(attribute(each, "id"))))
      this.anchors.meet(anchor);
    return [...anchorLine(this.anchors), code];
  }

  *#details(element: Element, place: BlockPlace): Steps<Block[]> {
    const summary = element.children.find((child) => typeof child !== "string" && child.name === "summary");
    const title = typeof summary === "object" ? this.line(summary.children) : [];
    const rest = element.children.filter((child) => child !== summary);
    const body = yield* this.read(rest, inner(element, place));
    if (body.length === 0) return [paragraph(title)];
    return [
      {
        object: "block",
        type: "expandable",
        isVoid: true,
        data: {},
        fragments: [
          { object: "fragment", type: "expandable-title", nodes: [paragraph(title)] },
          { object: "fragment", type: "expandable-body", nodes: body },
        ],
      },
    ];
  }

  /** The title of code is read with the code. */
  #isTitleOfCode(element: Element, { around: [parent] }: BlockPlace): boolean {
    if (!parent || !isCodeTitle(element)) return false;
    const known = this.#holdsCode.get(parent);
    if (known !== undefined) return known;
    const holds = find(parent, ({ name }) => name === "pre") !== undefined;
    this.#holdsCode.set(parent, holds);
    return holds;
  }
}

/** The place inside an element that is dissolved. */
function outer(element: Element, place: BlockPlace): BlockPlace {
  return { ...place, around: [element, ...place.around.slice(0, 4)] };
}

/** A block around others, unless there are none. */
export function holder(type: "blockquote", nodes: Block[]): Block[] {
  return nodes.length === 0 ? [] : [{ object: "block", type, isVoid: false, data: {}, nodes }];
}

function formulaBlock(formula: string): Block {
  return { object: "block", type: "math", isVoid: true, data: { formula } };
}

/** A paragraph of nothing but images is a row of images. */
function withImages(block: Block): Block[] {
  if (block.type !== "paragraph") return [block];
  const nodes = (block.nodes ?? []) as Phrasing[];
  const isAnchor = (node: Phrasing) => node.object === "inline" && node.type === "anchor";
  const anchors = nodes.filter(isAnchor);
  const images = imagesInParagraph(nodes.filter((node) => !isAnchor(node)));
  if (!images) return [block];
  return anchors.length > 0 ? [paragraph(anchors), images] : [images];
}
