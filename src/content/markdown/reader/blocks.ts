// Blocks of Markdown into blocks of the document. A block that is none of ours is kept as its source.

import type { Align, Block, BlockOf, Fragment, Phrasing } from "../../document";
import { MAX_DOCUMENT_DEPTH } from "../../document/limits";
import { blockInFence } from "../fences";
import type * as md from "../nodes";
import { trimBlank } from "../parser/characters";
import { statedAnchor } from "./anchors";
import { type Element, type Phrase, withElements } from "./elements";
import { alignOf, imagesInHtml, imagesInParagraph } from "./figures";
import { htmlTree, isSpace, onlyElements } from "./html-tree";
import { Keys } from "./keys";
import { isEmpty, textNode } from "./leaves";
import { block, codeBlock, type ReadsBlocks, voidBlock } from "./make-blocks";
import { phrasingOf, shownBy } from "./phrasing";
import type { Reading } from "./reading";
import { htmlTable, isPhrasing, isUnderstood, markdownTable } from "./tables";
import { readTag } from "./tags";

/** Blocks at this depth hold no further blocks, so that texts, links and notes still fit. */
const MAX_BLOCK_DEPTH = MAX_DOCUMENT_DEPTH - 8;

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
export class BlockReader implements ReadsBlocks {
  readonly headings: ReadHeading[] = [];
  readonly #keys = new Keys();
  #depth = 0;

  constructor(readonly reading: Reading) {}

  readAll(nodes: readonly md.Block[], depth: number): Block[] {
    const blocks: Block[] = [];
    for (const node of nodes) {
      const block = this.read(node, depth);
      if (block) blocks.push(block);
    }
    return blocks;
  }

  readParts(nodes: readonly md.Block[], read: (node: md.Block) => Block | undefined): Block[] {
    return nodes.flatMap((node) => {
      const part = read(node);
      return part ? [this.#keyed(part, node)] : [];
    });
  }

  /** Reads a block; what is only there for others to refer to is none. */
  read(node: md.Block, depth: number): Block | undefined {
    if (depth > MAX_BLOCK_DEPTH && "children" in node) return this.#keyed(this.#plain(node), node);
    const outer = this.#depth;
    this.#depth = depth;
    const block = this.#read(node, depth);
    this.#depth = outer;
    return block && this.#keyed(block, node);
  }

  /** Gives a block its key. Code has the same one whether or not an integration makes a block of it. */
  #keyed<Some extends Block>(block: Some, { type, start, end }: md.Span & Pick<md.Node, "type">): Some {
    const kind = type === "code" ? type : block.type;
    block.key = this.#keys.keyOf(kind, this.reading.text.slice(start, end));
    return block;
  }

  #read(node: md.Block, depth: number): Block | undefined {
    switch (node.type) {
      case "paragraph":
        return this.#paragraph(node);
      case "heading":
        return this.#heading(node.depth, node.children, undefined);
      case "thematicBreak":
        return voidBlock("divider", {});
      case "blockquote":
        return block("blockquote", {}, this.readAll(node.children, depth + 1));
      case "list":
        return this.#list(node, depth);
      case "code":
        return blockInFence(this.reading.fences, node) ?? codeBlock(node, {});
      case "html":
        return this.#html(node);
      case "table":
        return markdownTable(node, (nodes) => this.phrasing(nodes));
      case "math":
        return voidBlock("math", { formula: node.value });
      case "tag":
        return readTag(this, node, depth);
      case "details":
        return this.#expandable(node, depth);
      case "definition":
      case "footnoteDefinition":
        return this.isSupport(node) ? undefined : this.unknown(node);
    }
  }

  /** Whether a block is only there for others to refer to. */
  isSupport(node: md.Block): boolean {
    return node.type === "definition" || (node.type === "footnoteDefinition" && this.reading.isReferred(node));
  }

  /** What phrases say. */
  phrasing(nodes: readonly Phrase[]): Phrasing[] {
    return phrasingOf(this.reading, nodes, (reference) => this.#note(reference));
  }

  #note(reference: md.FootnoteReference): Fragment | undefined {
    const note = this.reading.noteFor(reference);
    if (!note) return undefined;
    this.reading.isInNote = true;
    const nodes = this.readAll(note.children, this.#depth + 4);
    this.reading.isInNote = false;
    return { object: "fragment", type: "annotation-body", nodes };
  }

  #paragraph(node: md.Paragraph): Block {
    const only = node.children.length === 1 ? node.children[0]! : undefined;
    if (only?.type === "inlineMath") return voidBlock("math", { formula: only.value });
    const nodes = this.phrasing(node.children);
    if (isEmpty(nodes)) return this.unknown(node);
    return imagesInParagraph(nodes) ?? block("paragraph", {}, nodes);
  }

  /** `#` is the title of the page, so `##` is the document's first heading; there are three of them. */
  #heading(depth: number, children: readonly Phrase[], align: Align | undefined): Block {
    const level = Math.min(3, Math.max(1, depth - 1)) as 1 | 2 | 3;
    const { stated, phrases } = withoutAnchor(withElements(children));
    const data = { ...(stated === undefined ? {} : { id: stated }), ...(align ? { align } : {}) };
    const heading = block(`heading-${level}`, data, this.phrasing(phrases));
    const end = children.at(-1)?.end;
    const source = this.reading.text.slice(children[0]?.start, end ?? 0);
    this.headings.push({ block: heading, level, stated, shown: shownBy(phrases), source, end });
    return heading;
  }

  #list(list: md.List, depth: number): Block {
    const items = list.children.map((item): Block => {
      const data = item.checked === null ? {} : { checked: item.checked };
      return this.#keyed(block("list-item", data, this.readAll(item.children, depth + 2)), item);
    });
    if (list.ordered) return block("list-ordered", list.first === 1 ? {} : { start: list.first ?? 1 }, items);
    const isTasks = list.children.some(({ checked }) => checked !== null);
    return block(isTasks ? "list-tasks" : "list-unordered", {}, items);
  }

  #expandable(node: md.Details, depth: number): Block {
    const title = this.phrasing(this.#summary(node));
    const body = this.readAll(node.children, depth + 2);
    return {
      ...voidBlock("expandable", {}),
      fragments: [
        { object: "fragment", type: "expandable-title", nodes: [block("paragraph", {}, title)] },
        { object: "fragment", type: "expandable-body", nodes: body },
      ],
    };
  }

  #summary({ summary, start, end }: md.Details): Phrase[] {
    const at = Math.max(start, this.reading.text.indexOf(summary, start));
    let lineStart = at;
    const lines = summary.split("\n").map((line) => {
      const span = { start: lineStart, end: lineStart + line.length };
      lineStart = span.end + 1;
      return span;
    });
    return htmlTree({ value: summary, lines }) ?? [{ type: "text", value: summary, start, end }];
  }

  #html(node: md.Html): Block {
    const tree = htmlTree(node);
    if (!tree) return this.unknown(node);
    const { reading } = this;
    const readPhrases = (nodes: readonly Phrase[]) => this.phrasing(nodes);
    return (
      reading.attempt(() => imagesInHtml(reading, tree, readPhrases)) ??
      reading.attempt(() => htmlTable(reading, tree, readPhrases)) ??
      this.#aligned(tree) ??
      this.unknown(node)
    );
  }

  /** `<p align>`, `<h2 align>`, `<hr>`, lines of `<br>`, and a paragraph whose tags stand on lines of their own. */
  #aligned(tree: readonly Phrase[]): Block | undefined {
    const elements = onlyElements(tree);
    if (!elements || elements.length === 0) return undefined;
    if (elements.every(isUnderstood)) {
      const nodes = this.phrasing(tree);
      return isEmpty(nodes) ? undefined : block("paragraph", {}, nodes);
    }
    const [element] = elements as [Element];
    if (elements.length > 1) return undefined;
    if (element.name === "hr") return voidBlock("divider", {});
    const depth = /^h([1-6])$/.exec(element.name)?.[1];
    if ((element.name !== "p" && depth === undefined) || !isPhrasing(element.children)) return undefined;
    const align = alignOf(element);
    if (depth !== undefined) return this.#heading(Number(depth), element.children, align);
    const nodes = this.phrasing(element.children);
    return isEmpty(nodes) ? undefined : block("paragraph", align ? { align } : {}, nodes);
  }

  /** A block as its source, from its first character on. */
  unknown(node: md.Block): BlockOf<"unknown"> {
    const source =
      node.type === "html" ? node.value : this.reading.text.slice(node.start, node.end).replace(/\r\n?/g, "\n");
    return voidBlock("unknown", { source: trimBlank(source) });
  }

  #plain({ start, end }: md.Span): BlockOf<"paragraph"> {
    return block("paragraph", {}, [textNode(this.reading.text.slice(start, end).replace(/\s+/g, " ").trim())]);
  }
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
