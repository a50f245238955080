// Blocks of Markdown into blocks of the document. A block that is none of ours is kept as its source.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Align, Block, BlockOf, Fragment, Phrasing } from "../../document";
import { blockInFence } from "../fences";
import type * as md from "../nodes";
import { trimBlank } from "../parser/characters";
import { statedAnchor } from "./anchors";
import { arranged } from "./arrange";
import { type Element, htmlTag, type Phrase } from "./elements";
import { alignOf, imagesInHtml, imagesInParagraph, withoutParagraphs } from "./figures";
import { expandable, flowOf, MAX_BLOCK_DEPTH, saysNothing } from "./flow";
import { isPhrasing, isUnderstood, tagFor } from "./html-names";
import { htmlTable } from "./html-tables";
import { htmlTree, isSpace, onlyElements } from "./html-tree";
import { joinHtml } from "./join-html";
import { Keys } from "./keys";
import { isEmpty, textNode } from "./leaves";
import { block, codeBlock, type ReadsFlow, voidBlock } from "./make-blocks";
import { pairTags } from "./pair-tags";
import { phrasingOf, shownBy } from "./phrasing";
import type { Reading } from "./reading";
import { markdownTable } from "./tables";
import { isHalf, readTag } from "./tags";

/** Tags of elements that are blocks, where they begin a paragraph. */
const ALONE = /^<(?:(?:video|audio|object|embed)(?=[\s>])|[A-Z][A-Za-z0-9]*[a-z])/;

/** A heading that was read; its anchor is given when all are known. */
export interface ReadHeading {
  block: BlockOf<"heading-1" | "heading-2" | "heading-3">;
  level: 1 | 2 | 3;
  stated: string | undefined;
  /** What it shows and how it is written, for the rules of anchors. */
  shown: string;
  source: string;
  /** Where its words end in the source. */
  end: number | undefined;
}

/** Reads the blocks of one text. */
export class BlockReader implements ReadsFlow {
  readonly headings: ReadHeading[] = [];
  readonly #keys = new Keys();
  #depth = 0;

  constructor(readonly reading: Reading) {}

  *readAll(nodes: readonly md.Block[], depth: number): Steps<Block[]> {
    const blocks: Block[] = [];
    for (const node of yield* arranged(nodes, this.reading.text)) {
      const block = yield* this.read(node, depth);
      if (block) blocks.push(block);
    }
    return blocks;
  }

  *readParts(nodes: readonly md.Block[], read: (node: md.Block) => Steps<Block | undefined>): Steps<Block[]> {
    const parts: Block[] = [];
    for (const node of nodes) {
      const part = yield* read(node);
      if (part) parts.push(this.#keyed(part, node));
    }
    return parts;
  }

  /** Reads a block; what is only there for others to refer to is none. */
  *read(node: md.Block, depth: number): Steps<Block | undefined> {
    if (depth > MAX_BLOCK_DEPTH && "children" in node) return this.#keyed(this.#plain(node), node);
    const outer = this.#depth;
    this.#depth = depth;
    const block = yield* this.#read(node, depth);
    this.#depth = outer;
    if (this.reading.isStep()) yield;
    return block && this.#keyed(block, node);
  }

  /** Gives a block its key. Code has the same one whether or not an integration makes a block of it. */
  #keyed<Some extends Block>(block: Some, node: md.Block | md.ListItem): Some {
    const kind = node.type === "code" ? node.type : block.type;
    block.key ??= this.#keys.keyOf(kind, this.reading.text.slice(node.start, node.end));
    this.reading.origins?.set(block, node);
    return block;
  }

  *#read(node: md.Block, depth: number): Steps<Block | undefined> {
    switch (node.type) {
      case "paragraph":
        return yield* this.#paragraph(node);
      case "heading":
        return yield* this.#heading(node.depth, node.children);
      case "thematicBreak":
        return voidBlock("divider", {});
      case "blockquote":
        return yield* this.#quote(node, depth);
      case "list":
        return yield* this.#list(node, depth);
      case "code":
        return blockInFence(this.reading.fences, node) ?? (yield* codeBlock(this.reading, node, {}));
      case "html":
        return yield* this.#html(node, depth);
      case "table":
        return yield* markdownTable(this, node);
      case "math":
        return voidBlock("math", { formula: node.value });
      case "tag":
        return yield* readTag(this, node, depth);
      case "details":
        return yield* this.#expandable(node, depth);
      case "definition":
      case "footnoteDefinition":
        return (yield* this.isSupport(node)) ? undefined : this.unknown(node);
    }
  }

  /** Whether a block is only there for others to refer to. */
  *isSupport(node: md.Block): Steps<boolean> {
    if (node.type === "html") return !runsOn(node.value) && saysNothing((yield* htmlTree(node)) ?? []);
    if (node.type === "tag") return isHalf(node);
    return node.type === "definition" || (node.type === "footnoteDefinition" && !this.reading.isShownApart(node));
  }

  /** What phrases say. */
  readonly phrasing = (nodes: readonly Phrase[]): Steps<Phrasing[]> =>
    phrasingOf(this.reading, nodes, (reference) => this.#note(reference));

  *#note(reference: md.FootnoteReference): Steps<Fragment | undefined> {
    const note = this.reading.noteFor(reference);
    if (!note) return undefined;
    this.reading.isInNote = true;
    const nodes = yield* this.readAll(note.children, this.#depth + 4);
    this.reading.isInNote = false;
    return { object: "fragment", type: "annotation-body", nodes };
  }

  *#paragraph(node: md.Paragraph): Steps<Block | undefined> {
    const only = node.children.length === 1 ? node.children[0]! : undefined;
    if (only?.type === "inlineMath") return voidBlock("math", { formula: only.value });
    const [first] = node.children;
    if (first?.type === "html" && ALONE.test(first.value)) return yield* this.#inLine(node, first.value);
    return yield* this.#words(node);
  }

  /** HTML on one line that is a block by itself, although Markdown takes it for a paragraph. */
  *#inLine(node: md.Paragraph, opening: string): Steps<Block | undefined> {
    const { start, end, children } = node;
    const tag = htmlTag(opening)!;
    const last = children.at(-1)!;
    const meaning = tagFor(tag.name, tag.attributes);
    if (meaning?.name === "hint" && last.type === "html" && htmlTag(last.value)?.isClosing) {
      const words = yield* this.phrasing(children.slice(1, -1));
      return block("hint", { style: meaning.attributes.style as "info" }, [block("paragraph", {}, words)]);
    }
    const value = this.reading.text.slice(start, end);
    const isHtml = children.every((child) => child.type === "html" || (child.type === "text" && isSpace(child)));
    if (!isHtml || /[\r\n]/.test(value)) return yield* this.#words(node);
    return yield* this.#html({ type: "html", value, lines: [{ start, end }], start, end }, this.#depth);
  }

  *#words(node: md.Paragraph): Steps<Block | undefined> {
    const nodes = yield* this.phrasing(node.children);
    if (isEmpty(nodes)) return undefined;
    return imagesInParagraph(nodes) ?? block("paragraph", {}, nodes);
  }

  /** `#` is the title of the page, so `##` is the document's first heading; there are three of them. */
  *#heading(depth: number, children: readonly Phrase[], align?: Align): Steps<ReadHeading["block"]> {
    const level = Math.min(3, Math.max(1, depth - 1)) as 1 | 2 | 3;
    const { stated, phrases } = withoutAnchor(pairTags(children));
    const data = { ...omitUndefined({ id: stated, align: align ? align : undefined }) };
    const heading = block(`heading-${level}`, data, yield* this.phrasing(phrases));
    const end = children.at(-1)?.end;
    const source = this.reading.text.slice(children[0]?.start, end ?? 0);
    this.headings.push({ block: heading, level, stated, shown: shownBy(phrases), source, end });
    return heading;
  }

  *#quote({ alert, children }: md.Blockquote, depth: number): Steps<Block> {
    const nodes = yield* this.readAll(children, depth + 1);
    return alert ? block("hint", { style: alert }, nodes) : block("blockquote", {}, nodes);
  }

  *#list(list: md.List, depth: number): Steps<Block> {
    const items: Block[] = [];
    for (const item of list.children) {
      const data = item.checked === null ? {} : { checked: item.checked };
      items.push(this.#keyed(block("list-item", data, yield* this.readAll(item.children, depth + 2)), item));
    }
    if (list.ordered) return block("list-ordered", list.first === 1 ? {} : { start: list.first ?? 1 }, items);
    const isTasks = list.children.some(({ checked }) => checked !== null);
    return block(isTasks ? "list-tasks" : "list-unordered", {}, items);
  }

  *#expandable(node: md.Details, depth: number): Steps<Block> {
    const apart = node.summary === "" ? yield* this.#summaryOfBlocks(node, depth) : undefined;
    if (apart) return apart;
    const title = yield* this.phrasing(yield* this.#summary(node));
    const body = yield* this.readAll(node.children, depth + 2);
    return expandable(title, body);
  }

  /** `<details>` whose title has blank lines in it: its tags stand in different blocks. */
  *#summaryOfBlocks({ children }: md.Details, depth: number): Steps<Block | undefined> {
    if (children[0]?.type !== "html" || !/^\s*<summary[\s>]/i.test(children[0].value)) return undefined;
    const [first, ...others] = joinHtml(children, this.reading.text);
    const tree = first?.type === "html" ? ((yield* htmlTree(first)) ?? []) : [];
    const [summary, ...behind] = tree.filter((node) => !isSpace(node));
    if (summary?.type !== "element" || summary.name !== "summary" || summary.closing === "") return undefined;
    const title = yield* this.phrasing(withoutParagraphs(summary.children));
    const body = yield* this.flow(behind, depth + 2);
    if (!body) return undefined;
    for (const block of yield* this.readAll(others, depth + 2)) body.push(block);
    return expandable(title, body);
  }

  *#summary({ summary, start, end }: md.Details): Steps<Phrase[]> {
    const at = Math.max(start, this.reading.text.indexOf(summary, start));
    let lineStart = at;
    const lines = summary.split("\n").map((line) => {
      const span = { start: lineStart, end: lineStart + line.length };
      lineStart = span.end + 1;
      return span;
    });
    return (yield* htmlTree({ value: summary, lines })) ?? [{ type: "text", value: summary, start, end }];
  }

  /** HTML that shows nothing is no block: comments, scripts, and tags that only hold what stands behind them. */
  *#html(node: md.Html, depth: number): Steps<Block | undefined> {
    const tree = yield* htmlTree(node);
    if (!tree || runsOn(node.value)) return this.unknown(node);
    if (saysNothing(tree)) return undefined;
    const { reading, phrasing } = this;
    return (
      (yield* reading.attempt(imagesInHtml(reading, tree, phrasing))) ??
      (yield* reading.attempt(htmlTable(this, tree, depth))) ??
      (yield* this.#aligned(tree)) ??
      (yield* reading.attempt(this.#only(flowOf(this, tree, depth, true)))) ??
      this.unknown(node)
    );
  }

  flow(nodes: readonly Phrase[], depth: number): Steps<Block[] | undefined> {
    return flowOf(this, nodes, depth, false);
  }

  *#only(read: Steps<Block[] | undefined>): Steps<Block | undefined> {
    const blocks = yield* read;
    return blocks?.length === 1 ? blocks[0] : undefined;
  }

  /** `<p align>`, `<h2 align>`, `<hr>`, and a paragraph whose tags stand on lines of their own. */
  *#aligned(tree: readonly Phrase[]): Steps<Block | undefined> {
    const elements = onlyElements(tree);
    if (!elements || elements.length === 0) return undefined;
    if (elements.every(isUnderstood)) {
      const nodes = yield* this.phrasing(tree);
      return isEmpty(nodes) ? undefined : block("paragraph", {}, nodes);
    }
    const [element] = elements as [Element];
    if (elements.length > 1) return undefined;
    if (element.name === "hr") return voidBlock("divider", {});
    const depth = /^h([1-6])$/.exec(element.name)?.[1];
    if ((element.name !== "p" && depth === undefined) || !isPhrasing(element.children)) return undefined;
    if (depth !== undefined) return yield* this.heading(Number(depth), element, true);
    const align = alignOf(element);
    const nodes = yield* this.phrasing(element.children);
    return isEmpty(nodes) ? undefined : block("paragraph", align ? { align } : {}, nodes);
  }

  /** A heading of HTML. */
  *heading(depth: number, element: Element, isOfPage: boolean): Steps<Block> {
    const before = this.headings.length;
    const heading = yield* this.#heading(depth, element.children, alignOf(element));
    if (!isOfPage) this.headings.length = before;
    const { start, end } = element;
    return isOfPage
      ? this.#keyed(heading, { type: "heading", depth, children: [], start, end } as md.Heading)
      : heading;
  }

  /** A block as its source, from its first character on. */
  unknown(node: md.Block): BlockOf<"unknown"> {
    // HTML with Markdown between its tags is no text of its own.
    const isText = node.type === "html" && !node.inside;
    const source = isText ? node.value : this.reading.text.slice(node.start, node.end).replace(/\r\n?/g, "\n");
    return voidBlock("unknown", { source: trimBlank(source) });
  }

  #plain({ start, end }: md.Span): BlockOf<"paragraph"> {
    return block("paragraph", {}, [textNode(this.reading.text.slice(start, end).replace(/\s+/g, " ").trim())]);
  }
}

/** Whether HTML takes everything behind it because its end is missing: nobody meant that to be hidden. */
function runsOn(value: string): boolean {
  const opening = /^<(?:!--|(script|style|textarea|template)(?=[\s>]))/i.exec(value);
  if (!opening) return false;
  return opening[1] === undefined ? !value.includes("-->", 4) : !new RegExp(`</${opening[1]}\\s*>`, "i").test(value);
}

/** Takes out the anchor that a heading gives itself: `<a id="name"></a>`. */
function withoutAnchor(nodes: readonly Phrase[]): { stated: string | undefined; phrases: Phrase[] } {
  let stated: string | undefined;
  const phrases = nodes.filter((node) => {
    if (stated !== undefined || node.type !== "element" || node.name !== "a" || !node.children.every(isSpace))
      return true;
    stated = statedAnchor(node.attributes);
    return stated === undefined;
  });
  return { stated, phrases };
}
