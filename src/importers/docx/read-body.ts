// Reads the body of a Word document, or of a note, a cell or a text box in it, into blocks with the bookmarks that links need.

import { type Block, type BlockOf, MAX_COLUMNS, type Phrasing } from "../../content/document";
import { createTextNode, getPhrasingText, isEmpty, Phrases } from "../../content/markdown/document-parts";
import { omitUndefined } from "../../utils/objects";
import { createTextTable, MAX_TABLE_CELLS } from "../create-text-table";
import { getElement, type XmlElement } from "../xml/parse-xml";
import type { DocxContext } from "./docx-context";
import type { DocxPart } from "./docx-package";
import { type ListPosition, parseDigits } from "./numbering";
import { createBlock, type DocxParagraph, listBodyElements, readParagraph } from "./paragraphs";
import { RunReader } from "./runs";
import { getXmlValue, isPropertyEnabled } from "./styles";

export interface TopBlock {
  readonly block: Block;
  /** 1 to 9 for a heading, 0 for the title of the document. */
  readonly heading: number | undefined;
  /** Names by which links lead to it. */
  readonly bookmarks: readonly string[];
}

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

  /** Adds a caption under the last of the images before it. Returns false if there are none. */
  #addCaption({ nodes }: DocxParagraph): boolean {
    this.#closeBlock();
    const last = this.#blocks.at(-1);
    if (last?.block.type !== "images") return false;
    const images = last.block.nodes as BlockOf<"image">[];
    const image = images.at(-1);
    if (!image || isEmpty(nodes)) return true;
    const paragraph: Block = { object: "block", type: "paragraph", data: {}, nodes };
    const caption = { object: "fragment" as const, type: "caption" as const, nodes: [paragraph] };
    const block: BlockOf<"images"> = {
      ...(last.block as BlockOf<"images">),
      nodes: [...images.slice(0, -1), { ...image, fragments: [caption] }],
    };
    this.#blocks[this.#blocks.length - 1] = { ...last, block };
    return true;
  }

  /** Ends the block that is being built. */
  #closeBlock(): void {
    const blocks: Block[] = [...(this.#lists?.lists ?? [])];
    if (this.#codeLines) {
      // A block of code has no empty lines around it.
      const start = this.#codeLines.findIndex((line) => line.trim() !== "");
      const end = this.#codeLines.findLastIndex((line) => line.trim() !== "");
      const nodes = this.#codeLines
        .slice(Math.max(0, start), end + 1)
        .map((line): Block => ({ object: "block", type: "code-line", data: {}, nodes: [createTextNode(line)] }));
      blocks.push({ object: "block", type: "code", data: {}, nodes });
    }
    if (this.#quote) blocks.push({ object: "block", type: "blockquote", data: {}, nodes: this.#quote });
    this.#lists = this.#codeLines = this.#quote = undefined;
    for (const block of blocks) this.#blocks.push({ block, heading: undefined, bookmarks: [] });
  }
}

// Nests the items of lists, which Word stores as paragraphs with a level.

type DocxListBlock = BlockOf<"list-ordered"> | BlockOf<"list-unordered">;

interface OpenDocxList {
  readonly list: DocxListBlock;
  readonly position: ListPosition;
}

const CHECKBOX = /^\s*([☐☑☒])\s*/;

/** Builds the lists that follow each other at one place. */
class ListBuilder {
  readonly lists: DocxListBlock[] = [];
  readonly #open: OpenDocxList[] = [];

  /** Adds an item. An item that begins with a checkbox is a task. */
  add(position: ListPosition, block: Block): void {
    // Lists that neither hold the item nor one of the lists around it are closed.
    const canContain = (open: ListPosition) =>
      open.level === position.level
        ? open.isOrdered === position.isOrdered && (!position.isOrdered || open.list === position.list)
        : open.level < position.level;
    while (this.#open.length > 0 && !canContain(this.#open.at(-1)!.position)) this.#open.pop();
    if (this.#open.at(-1)?.position.level !== position.level) {
      const list: DocxListBlock = position.isOrdered
        ? {
            object: "block",
            type: "list-ordered",
            data: position.number === 1 ? {} : { start: position.number },
            nodes: [],
          }
        : { object: "block", type: "list-unordered", data: {}, nodes: [] };
      const outerItem = this.#getLastItem();
      if (outerItem) outerItem.push(list);
      else this.lists.push(list);
      this.#open.push({ list, position });
    }

    const [first] = (block.nodes ?? []) as Phrasing[];
    const leaf = block.type === "paragraph" && first?.object === "text" ? first.leaves[0] : undefined;
    const checkbox = leaf && CHECKBOX.exec(leaf.text);
    if (checkbox) leaf.text = leaf.text.slice(checkbox[0].length);
    const data = checkbox ? { checked: checkbox[1] !== "☐" } : {};
    (this.#open.at(-1)!.list.nodes as Block[]).push({ object: "block", type: "list-item", data, nodes: [block] });
  }

  extendLastItem(block: Block): void {
    this.#getLastItem()?.push(block);
  }

  #getLastItem(): Block[] | undefined {
    const items = this.#open.at(-1)?.list.nodes as BlockOf<"list-item">[] | undefined;
    return items?.at(-1)?.nodes as Block[] | undefined;
  }
}

// Reads tables of a Word document. The content of a cell that spans others is in the first of them, and the others are empty.

/** The bit of `w:tblLook` that marks the first row as a head. */
const FIRST_ROW_BIT = 0x20;

interface DocxRow {
  /** The blocks of cells, by column. */
  readonly cells: ReadonlyMap<number, readonly Block[]>;
  readonly columnCount: number;
}

/**
 * Reads a table. A table of a single cell is only a frame around the blocks in it. `skip` is called if the table has too many
 * rows.
 */
function readDocxTable(
  table: XmlElement,
  readBlocks: (elements: readonly XmlElement[]) => Block[],
  skip: (reason: string) => void,
): Block[] {
  const rows = listBodyElements(table)
    .filter(({ name }) => name === "w:tr")
    .filter((row) => {
      // Tracked deletions count as accepted.
      const properties = getElement(row, "w:trPr");
      return !getElement(properties, "w:del") && isPropertyEnabled(properties, "w:hidden") !== true;
    })
    .map((row): DocxRow => {
      const cells = new Map<number, readonly Block[]>();
      let column = Math.min(MAX_COLUMNS, parseDigits(getXmlValue(row, "w:trPr", "w:gridBefore"), 3, 0));
      for (const cell of listBodyElements(row).filter(({ name }) => name === "w:tc")) {
        const properties = getElement(cell, "w:tcPr");
        const merge = getElement(properties, "w:vMerge");
        const isBelowSpan = merge !== undefined && merge.attributes.get("w:val") !== "restart";
        if (!isBelowSpan && column < MAX_COLUMNS) cells.set(column, readBlocks(listBodyElements(cell)));
        column += Math.min(MAX_COLUMNS, Math.max(1, parseDigits(getXmlValue(properties, "w:gridSpan"), 3, 1)));
      }
      return { cells, columnCount: Math.min(MAX_COLUMNS, column) };
    });
  const columnCount = rows.reduce((most, row) => Math.max(most, row.columnCount), 0);
  if (columnCount === 0) return [];
  if (rows.length === 1 && columnCount === 1) return [...(rows[0]!.cells.get(0) ?? [])];

  const maxRows = Math.floor(MAX_TABLE_CELLS / columnCount);
  if (rows.length > maxRows) skip(`Its rows after the first ${maxRows} were left out.`);
  const lines = rows.slice(0, maxRows).map(({ cells }) => {
    const line = new Map<number, Phrasing[]>();
    for (const [column, blocks] of cells) {
      // A cell holds no more than one paragraph, so its blocks are joined as lines of it.
      const phrases = new Phrases();
      const parts = blocks.flatMap((block) => splitBlockIntoLines(block, "")).filter((part) => !isEmpty(part));
      for (const [i, part] of parts.entries()) {
        if (i > 0) phrases.addText("\n", []);
        for (const node of part) {
          if (node.object === "inline") phrases.addInline(node);
          else for (const { text, marks } of node.leaves) phrases.addText(text, marks);
        }
      }
      line.set(column, phrases.finish(true));
    }
    return line;
  });
  const [first, ...others] = lines;
  // The title of a column is nothing but words.
  const hasOnlyWords = [...first!.values()].every((nodes) => nodes.every((node) => node.object === "text"));
  // Word marks the first row as a head in nearly every table, unless it states that it is none.
  const firstRow = listBodyElements(table).find(({ name }) => name === "w:tr");
  const look = getElement(table, "w:tblPr", "w:tblLook")?.attributes;
  const stated = look?.get("w:firstRow");
  const bits = look?.get("w:val") ?? "";
  let hasHead = isPropertyEnabled(getElement(firstRow, "w:trPr"), "w:tblHeader") === true;
  if (!hasHead && stated !== undefined) hasHead = !/^(?:0|false|off)$/.test(stated);
  else if (!hasHead) hasHead = !/^[0-9A-Fa-f]{4}$/.test(bits) || (Number.parseInt(bits, 16) & FIRST_ROW_BIT) !== 0;
  if (!hasOnlyWords || !hasHead) return [createTextTable(undefined, lines, columnCount)];
  const titles = Array.from({ length: columnCount }, (_, column) => getPhrasingText(first!.get(column) ?? []));
  return [createTextTable(titles, others, columnCount)];
}

/** Splits a block into lines. The first one begins with a bullet or a number, if it is that of an item. */
function splitBlockIntoLines(block: Block, bullet: string): Phrasing[][] {
  const children = (block.nodes ?? []) as (Block | Phrasing)[];
  switch (block.type) {
    case "list-ordered":
    case "list-unordered": {
      const start = block.type === "list-ordered" ? (block.data?.start ?? 1) : undefined;
      return (children as Block[]).flatMap((item, i) =>
        splitBlockIntoLines(item, start === undefined ? "• " : `${start + i}. `),
      );
    }
    case "list-item":
    case "blockquote":
      return (children as Block[]).flatMap((child, i) => splitBlockIntoLines(child, i === 0 ? bullet : ""));
    case "code":
      return (children as Block[]).map((line) => {
        const text = getPhrasingText(line.nodes as Phrasing[]);
        return [{ object: "text", leaves: [{ object: "leaf", text, marks: [{ object: "mark", type: "code" }] }] }];
      });
    case "images":
      return [
        (children as BlockOf<"image">[]).map(({ data }): Phrasing => {
          const { ref, alt } = data!;
          const imageData = { ref, ...omitUndefined({ alt }) };
          return { object: "inline", type: "inline-image", isVoid: true, data: imageData };
        }),
      ];
    case "table":
      return (block.fragments ?? []).flatMap(({ nodes }) => nodes.flatMap((child) => splitBlockIntoLines(child, "")));
    default: {
      const line = children as Phrasing[];
      if (bullet === "") return [line];
      return [[{ object: "text", leaves: [{ object: "leaf", text: bullet, marks: [] }] }, ...line]];
    }
  }
}
