// Converts Markdown blocks to blocks of the document. A block that the document does not have is kept as its source.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Align, Block, BlockOf, Fragment, Phrasing } from "../../document";
import type * as md from "../nodes";
import { trimBlank } from "../parser/characters";
import { getExplicitAnchor } from "./anchors";
import { arrangeBlocks } from "./arrange";
import { type Element, type Phrase, parseHtmlTag } from "./elements";
import { getAlignment, readHtmlImages, readParagraphImages, unwrapParagraphs } from "./figures";
import { createExpandable, isInvisible, MAX_BLOCK_DEPTH, readHtmlFlow } from "./flow";
import { getEquivalentTag, isKnownInline, isPhrasing } from "./html-names";
import { readHtmlTable } from "./html-tables";
import { getOnlyElements, isSpace, parseHtmlTree } from "./html-tree";
import { joinHtml } from "./join-html";
import { createTextNode, isEmpty } from "./leaves";
import { createBlock, createVoidBlock, type HeadingElement, type HtmlBlocksReader, readCodeNode } from "./make-blocks";
import { matchTags } from "./pair-tags";
import { readPhrasing, toVisibleText } from "./phrasing";
import type { Reading } from "./reading";
import { readMarkdownTable } from "./tables";
import { isHalf, readTag } from "./tags";

/** Tags of elements that are blocks if they begin a paragraph. */
const ALONE = /^<(?:(?:video|audio|object|embed)(?=[\s>])|[A-Z][A-Za-z0-9]*[a-z])/;

/** A heading of a text. It gets its anchor once all headings are known. */
export interface ReadHeading {
  block: BlockOf<"heading-1" | "heading-2" | "heading-3">;
  level: 1 | 2 | 3;
  explicitAnchor: string | undefined;
  /** Its visible text and its Markdown, for the rules of anchors. */
  shown: string;
  source: string;
  /** The end of its content in the source. */
  end: number | undefined;
}

export class BlockReader implements HtmlBlocksReader {
  readonly headings: ReadHeading[] = [];
  readonly #keys = new Keys();
  #depth = 0;

  constructor(readonly reading: Reading) {}

  *readAll(nodes: readonly md.BlockNode[], depth: number): Steps<Block[]> {
    const blocks: Block[] = [];
    for (const node of yield* arrangeBlocks(nodes, this.reading.text)) {
      const block = yield* this.read(node, depth);
      if (block) blocks.push(block);
    }
    return blocks;
  }

  *readParts(
    nodes: readonly md.BlockNode[],
    read: (node: md.BlockNode) => Steps<Block | undefined> | undefined,
  ): Steps<Block[]> {
    const parts: Block[] = [];
    for (const node of nodes) {
      const steps = read(node);
      const part = steps && (yield* steps);
      if (part) parts.push(this.#assignKey(part, node));
    }
    return parts;
  }

  /** Reads a block; undefined for a block that only other blocks refer to. */
  *read(node: md.BlockNode, depth: number): Steps<Block | undefined> {
    if (depth > MAX_BLOCK_DEPTH && "children" in node) return this.#assignKey(this.#toPlainParagraph(node), node);
    const outer = this.#depth;
    this.#depth = depth;
    const block = yield* this.#read(node, depth);
    this.#depth = outer;
    if (this.reading.isStep()) yield;
    return block && this.#assignKey(block, node);
  }

  /** Sets the key of a block. Code has the same key, whether or not it becomes a block of an integration. */
  #assignKey<Some extends Block>(block: Some, node: md.BlockNode | md.ListItemNode): Some {
    const kind = node.type === "code" ? node.type : block.type;
    block.key ??= this.#keys.createKey(kind, this.reading.text.slice(node.start, node.end));
    this.reading.origins?.set(block, node);
    return block;
  }

  *#read(node: md.BlockNode, depth: number): Steps<Block | undefined> {
    switch (node.type) {
      case "paragraph":
        return yield* this.#readParagraph(node);
      case "heading":
        return yield* this.heading(node.depth, node);
      case "thematicBreak":
        return createVoidBlock("divider", {});
      case "blockquote": {
        const nodes = yield* this.readAll(node.children, depth + 1);
        return node.alert ? createBlock("hint", { style: node.alert }, nodes) : createBlock("blockquote", {}, nodes);
      }
      case "list":
        return yield* this.#readList(node, depth);
      case "code": {
        const fence = node.lang === null ? undefined : this.reading.fences.get(node.lang);
        if (!fence) return yield* readCodeNode(this.reading, node, {});
        // An integration has declared the language.
        const { integration, block, body } = fence;
        const props = { [body]: node.value };
        const meta = node.meta ? node.meta : undefined;
        return createVoidBlock("integration", { integration, block, props, ...omitUndefined({ meta }) });
      }
      case "html":
        return yield* this.#readHtml(node, depth);
      case "table":
        return yield* readMarkdownTable(this, node);
      case "math":
        return createVoidBlock("math", { formula: node.value });
      case "tag":
        return yield* readTag(this, node, depth);
      case "details":
        return yield* this.#readDetails(node, depth);
      case "definition":
      case "footnoteDefinition":
        return (yield* this.isSupport(node)) ? undefined : this.createUnknown(node);
    }
  }

  /** Returns true for a block that is not shown itself: other blocks only refer to it. */
  *isSupport(node: md.BlockNode): Steps<boolean> {
    if (node.type === "html") return !isUnterminated(node.value) && isInvisible((yield* parseHtmlTree(node)) ?? []);
    if (node.type === "tag") return isHalf(node);
    return node.type === "definition" || (node.type === "footnoteDefinition" && !this.reading.isShownAsBlock(node));
  }

  readonly phrasing = (nodes: readonly Phrase[]): Steps<Phrasing[]> =>
    readPhrasing(this.reading, nodes, (reference) => this.#readNote(reference));

  *#readNote(reference: md.FootnoteReferenceNode): Steps<Fragment | undefined> {
    const note = this.reading.findFootnote(reference);
    if (!note) return undefined;
    this.reading.isInNote = true;
    const nodes = yield* this.readAll(note.children, this.#depth + 4);
    this.reading.isInNote = false;
    return { object: "fragment", type: "annotation-body", nodes };
  }

  *#readParagraph(node: md.ParagraphNode): Steps<Block | undefined> {
    const { start, end, children } = node;
    const [first] = children;
    if (first?.type === "inlineMath" && children.length === 1) return createVoidBlock("math", { formula: first.value });
    if (first?.type === "html" && ALONE.test(first.value)) {
      // A line of HTML can be a block, although Markdown takes it for a paragraph.
      const tag = parseHtmlTag(first.value)!;
      const last = children.at(-1)!;
      const equivalent = getEquivalentTag(tag.name, tag.attributes);
      if (equivalent?.name === "hint" && last.type === "html" && parseHtmlTag(last.value)?.isClosing) {
        const nodes = yield* this.phrasing(children.slice(1, -1));
        return createBlock("hint", { style: equivalent.attributes.style as "info" }, [
          createBlock("paragraph", {}, nodes),
        ]);
      }
      const value = this.reading.text.slice(start, end);
      const isHtml = children.every((child) => child.type === "html" || (child.type === "text" && isSpace(child)));
      if (isHtml && !/[\r\n]/.test(value))
        return yield* this.#readHtml({ type: "html", value, lines: [{ start, end }], start, end }, this.#depth);
    }
    const nodes = yield* this.phrasing(children);
    if (isEmpty(nodes)) return undefined;
    return readParagraphImages(nodes) ?? createBlock("paragraph", {}, nodes);
  }

  /** Reads a heading. `#` is the title of the page, so `##` is level 1; there are three levels. */
  *heading(depth: number, element: HeadingElement, align?: Align, isOfPage = true): Steps<ReadHeading["block"]> {
    const { children, start, end } = element;
    const before = this.headings.length;
    const level = Math.min(3, Math.max(1, depth - 1)) as 1 | 2 | 3;
    // The first explicit anchor, `<a id="name"></a>`, becomes the heading's own.
    let explicitAnchor: string | undefined;
    const phrases = matchTags(children).filter((node) => {
      const isAnchor = node.type === "element" && node.name === "a" && node.children.every(isSpace);
      if (explicitAnchor !== undefined || !isAnchor) return true;
      explicitAnchor = getExplicitAnchor(node.attributes);
      return explicitAnchor === undefined;
    });
    const data = { ...omitUndefined({ id: explicitAnchor, align: align ? align : undefined }) };
    const block = createBlock(`heading-${level}`, data, yield* this.phrasing(phrases));
    const contentEnd = children.at(-1)?.end;
    const source = this.reading.text.slice(children[0]?.start, contentEnd ?? 0);
    this.headings.push({ block, level, explicitAnchor, shown: toVisibleText(phrases), source, end: contentEnd });
    if (isOfPage) return this.#assignKey(block, { type: "heading", depth, children: [], start, end });
    this.headings.length = before;
    return block;
  }

  *#readList(list: md.ListNode, depth: number): Steps<Block> {
    const items: Block[] = [];
    for (const item of list.children) {
      const data = item.checked === null ? {} : { checked: item.checked };
      items.push(this.#assignKey(createBlock("list-item", data, yield* this.readAll(item.children, depth + 2)), item));
    }
    if (list.ordered) return createBlock("list-ordered", list.first === 1 ? {} : { start: list.first ?? 1 }, items);
    const isTasks = list.children.some(({ checked }) => checked !== null);
    return createBlock(isTasks ? "list-tasks" : "list-unordered", {}, items);
  }

  *#readDetails(node: md.DetailsNode, depth: number): Steps<Block> {
    const { summary, children, start, end } = node;
    if (summary === "" && children[0]?.type === "html" && /^\s*<summary[\s>]/i.test(children[0].value)) {
      // The summary contains blank lines, so that its tags are in different blocks.
      const [first, ...others] = joinHtml(children, this.reading.text);
      const tree = first?.type === "html" ? ((yield* parseHtmlTree(first)) ?? []) : [];
      const [summary, ...behind] = tree.filter((node) => !isSpace(node));
      if (summary?.type === "element" && summary.name === "summary" && summary.closing !== "") {
        const title = yield* this.phrasing(unwrapParagraphs(summary.children));
        const body = yield* this.flow(behind, depth + 2);
        if (body) {
          for (const block of yield* this.readAll(others, depth + 2)) body.push(block);
          return createExpandable(title, body);
        }
      }
    }
    let lineStart = Math.max(start, this.reading.text.indexOf(summary, start));
    const lines = summary.split("\n").map((line) => {
      const span = { start: lineStart, end: lineStart + line.length };
      lineStart = span.end + 1;
      return span;
    });
    const tree = yield* parseHtmlTree({ value: summary, lines });
    const title = yield* this.phrasing(tree ?? [{ type: "text", value: summary, start, end }]);
    return createExpandable(title, yield* this.readAll(children, depth + 2));
  }

  /** Reads an HTML block; undefined if it shows nothing: comments, scripts, and tags without content. */
  *#readHtml(node: md.HtmlBlockNode, depth: number): Steps<Block | undefined> {
    const tree = yield* parseHtmlTree(node);
    if (!tree || isUnterminated(node.value)) return this.createUnknown(node);
    if (isInvisible(tree)) return undefined;
    const { reading, phrasing } = this;
    const block =
      (yield* reading.attempt(readHtmlImages(reading, tree, phrasing))) ??
      (yield* reading.attempt(readHtmlTable(this, tree, depth))) ??
      (yield* this.#readAligned(tree));
    if (block) return block;
    const blocks = yield* reading.attempt(readHtmlFlow(this, tree, depth, true), (flow) => flow?.length === 1);
    return blocks?.[0] ?? this.createUnknown(node);
  }

  flow(nodes: readonly Phrase[], depth: number): Steps<Block[] | undefined> {
    return readHtmlFlow(this, nodes, depth, false);
  }

  /** Reads `<p align>`, `<h2 align>`, `<hr>`, and a paragraph with each tag on its own line. */
  *#readAligned(tree: readonly Phrase[]): Steps<Block | undefined> {
    const elements = getOnlyElements(tree);
    if (!elements || elements.length === 0) return undefined;
    if (elements.every(isKnownInline)) {
      const nodes = yield* this.phrasing(tree);
      return isEmpty(nodes) ? undefined : createBlock("paragraph", {}, nodes);
    }
    const [element] = elements as [Element];
    if (elements.length > 1) return undefined;
    if (element.name === "hr") return createVoidBlock("divider", {});
    const depth = /^h([1-6])$/.exec(element.name)?.[1];
    if ((element.name !== "p" && depth === undefined) || !isPhrasing(element.children)) return undefined;
    const align = getAlignment(element);
    if (depth !== undefined) return yield* this.heading(Number(depth), element, align);
    const nodes = yield* this.phrasing(element.children);
    return isEmpty(nodes) ? undefined : createBlock("paragraph", align ? { align } : {}, nodes);
  }

  /** Keeps a block as its source, from its first character on. */
  createUnknown(node: md.BlockNode): BlockOf<"unknown"> {
    // HTML with Markdown between its tags has no text of its own.
    const isText = node.type === "html" && !node.inside;
    const source = isText ? node.value : this.reading.text.slice(node.start, node.end).replace(/\r\n?/g, "\n");
    return createVoidBlock("unknown", { source: trimBlank(source) });
  }

  #toPlainParagraph({ start, end }: md.SourceSpan): BlockOf<"paragraph"> {
    return createBlock("paragraph", {}, [
      createTextNode(this.reading.text.slice(start, end).replace(/\s+/g, " ").trim()),
    ]);
  }
}

/** Returns true for HTML without its end, which would hide everything after it. */
function isUnterminated(value: string): boolean {
  const opening = /^<(?:!--|(script|style|textarea|template)(?=[\s>]))/i.exec(value);
  if (!opening) return false;
  return opening[1] === undefined ? !value.includes("-->", 4) : !new RegExp(`</${opening[1]}\\s*>`, "i").test(value);
}

/**
 * Creates the keys of the blocks of one text. A key depends on the source of a block and its number among the blocks with the
 * same source, so that a change elsewhere in the text does not affect it.
 */
class Keys {
  readonly #given = new Map<string, number>();

  createKey(type: string, source: string): string {
    // A 64-bit hash in two lanes after FNV-1a, as 13 letters and digits. It is not a protection: an author who creates two
    // equal keys harms only their own page.
    const text = `${type}\n${source.trim()}`;
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 13) continue;
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code ^ (low >>> 15), 0x85ebca6b);
    }
    const bits = (BigInt(high >>> 0) << 32n) | BigInt((low ^ (high >>> 13)) >>> 0);
    const hash = bits.toString(36).padStart(13, "0");
    const number = this.#given.get(hash) ?? 0;
    this.#given.set(hash, number + 1);
    return number === 0 ? hash : `${hash}-${number}`;
  }
}
