// Reads the body of a Word document, or of a note, a cell or a text box in it, into blocks with the bookmarks that links need.

import type { Block, BlockOf } from "../../content/document";
import { isEmpty } from "../../content/markdown/document-parts";
import type { XmlElement } from "../xml/parse-xml";
import type { DocxContext } from "./docx-context";
import type { DocxPart } from "./docx-package";
import { ListBuilder } from "./lists";
import {
  addCaption,
  createBlock,
  createCodeBlock,
  type DocxParagraph,
  listBodyElements,
  readParagraph,
} from "./paragraphs";
import { RunReader } from "./runs";
import { readDocxTable } from "./tables";

/** A block at the top of a document. */
export interface TopBlock {
  readonly block: Block;
  /** 1 to 9 for a heading, 0 for the title of the document. */
  readonly heading: number | undefined;
  /** Names by which links lead to it. */
  readonly bookmarks: readonly string[];
}

/** Reads the elements of a body. */
export function readBody(elements: readonly XmlElement[], part: DocxPart, context: DocxContext): TopBlock[] {
  const readBlocks = (inner: readonly XmlElement[], innerPart: DocxPart) =>
    readBody(inner, innerPart, context).map(({ block }) => block);
  const runs = new RunReader(context, part, readBlocks);
  const builder = new BlockBuilder();
  for (const element of elements) {
    if (element.name === "w:tbl") {
      const skip = (reason: string) => context.skip("A table", reason);
      for (const block of readDocxTable(element, (cells) => readBlocks(cells, part), skip)) builder.addBlock(block);
    } else if (element.name === "w:p") {
      const paragraph = readParagraph(element, runs, context);
      if (paragraph) builder.add(paragraph);
      for (const box of paragraph?.boxes ?? [])
        for (const block of readBlocks(listBodyElements(box), part)) builder.addBlock(block);
    }
  }
  return builder.finish();
}

/** Combines paragraphs that belong together into one block. */
class BlockBuilder {
  readonly #blocks: TopBlock[] = [];
  #lists: ListBuilder | undefined;
  #codeLines: string[] | undefined;
  #quote: Block[] | undefined;
  /** Bookmarks of paragraphs that became part of another block, or no block. */
  #bookmarks: string[] = [];

  add(paragraph: DocxParagraph): void {
    const { kind, heading, position, nodes } = paragraph;
    for (const name of paragraph.bookmarks) this.#bookmarks.push(name);
    if (kind === "contents") return;
    const hasNoContent = isEmpty(nodes);
    if (kind === "code" && !(hasNoContent && !this.#codeLines)) {
      if (!this.#codeLines) this.#closeBlock();
      this.#codeLines ??= [];
      for (const line of paragraph.lines) this.#codeLines.push(line);
    } else if (hasNoContent) this.#codeLines?.push("");
    else if (heading !== undefined || kind === "title")
      this.addBlock({ object: "block", type: "heading-1", data: {}, nodes }, heading ?? 0);
    else if (position) {
      if (!this.#lists) this.#closeBlock();
      this.#lists ??= new ListBuilder();
      this.#lists.add(position, createBlock(nodes));
    } else if (kind === "quote") {
      if (!this.#quote) this.#closeBlock();
      this.#quote ??= [];
      this.#quote.push(createBlock(nodes));
    } else if (kind === "caption" && this.#addCaption(paragraph)) return;
    else if (this.#lists && paragraph.isIndented) this.#lists.extendLastItem(createBlock(nodes));
    else this.addBlock(createBlock(nodes));
  }

  addBlock(block: Block, heading?: number): void {
    this.#closeBlock();
    this.#blocks.push({ block, heading, bookmarks: this.#bookmarks });
    this.#bookmarks = [];
  }

  finish(): TopBlock[] {
    this.#closeBlock();
    return this.#blocks;
  }

  /** Adds a caption to the images before it. Returns false if there are none. */
  #addCaption({ nodes }: DocxParagraph): boolean {
    this.#closeBlock();
    const last = this.#blocks.at(-1);
    if (last?.block.type !== "images") return false;
    this.#blocks[this.#blocks.length - 1] = { ...last, block: addCaption(last.block as BlockOf<"images">, nodes) };
    return true;
  }

  /** Ends the block that is being built. */
  #closeBlock(): void {
    const blocks: Block[] = [...(this.#lists?.lists ?? [])];
    if (this.#codeLines) blocks.push(createCodeBlock(this.#codeLines));
    if (this.#quote) blocks.push({ object: "block", type: "blockquote", data: {}, nodes: this.#quote });
    this.#lists = this.#codeLines = this.#quote = undefined;
    for (const block of blocks) this.#blocks.push({ block, heading: undefined, bookmarks: [] });
  }
}
