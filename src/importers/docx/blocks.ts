// The body of a Word document, or of a note, a cell or a text box in it, as blocks with what links need to find them.

import type { Block, BlockOf } from "../../content/document";
import { isEmpty } from "../../content/markdown/reader/leaves";
import type { XmlElement } from "../xml/xml";
import { ListBuilder } from "./lists";
import type { Manuscript } from "./manuscript";
import type { Part } from "./package";
import { blockOf, bodyElements, codeBlock, type Paragraph, readParagraph, withCaption } from "./paragraphs";
import { RunReader } from "./runs";
import { readTable } from "./tables";

/** A block at the top of a document. */
export interface TopBlock {
  readonly block: Block;
  /** 1 to 9 for a heading, 0 for the title of the whole. */
  readonly heading: number | undefined;
  /** Names by which links lead to it. */
  readonly bookmarks: readonly string[];
}

/** Reads everything that stands in an element. */
export function readBody(element: XmlElement, part: Part, manuscript: Manuscript): TopBlock[] {
  return readAll(bodyElements(element), part, manuscript);
}

function readAll(elements: readonly XmlElement[], part: Part, manuscript: Manuscript): TopBlock[] {
  const inside = (inner: readonly XmlElement[], at: Part) => readAll(inner, at, manuscript).map(({ block }) => block);
  const runs = new RunReader(manuscript, part, inside);
  const collector = new Collector();
  for (const element of elements) {
    if (element.name === "w:tbl") {
      const skip = (reason: string) => manuscript.skip("A table", reason);
      for (const block of readTable(element, (cells) => inside(cells, part), skip)) collector.addBlock(block);
    } else if (element.name === "w:p") {
      const paragraph = readParagraph(element, runs, manuscript);
      if (paragraph) collector.add(paragraph);
      for (const box of paragraph?.boxes ?? [])
        for (const block of inside(bodyElements(box), part)) collector.addBlock(block);
    }
  }
  return collector.finish();
}

/** Puts paragraphs that belong together into one block. */
class Collector {
  readonly #blocks: TopBlock[] = [];
  #lists: ListBuilder | undefined;
  #code: string[] | undefined;
  #quote: Block[] | undefined;
  /** Bookmarks of paragraphs that became part of something, or of nothing. */
  #bookmarks: string[] = [];

  add(paragraph: Paragraph): void {
    const { kind, heading, place, nodes } = paragraph;
    for (const name of paragraph.bookmarks) this.#bookmarks.push(name);
    if (kind === "contents") return;
    const isNothing = isEmpty(nodes);
    if (kind === "code" && !(isNothing && !this.#code)) this.#addCode(paragraph.lines);
    else if (isNothing) this.#code?.push("");
    else if (heading !== undefined || kind === "title") this.#addHeading(heading ?? 0, paragraph);
    else if (place) this.#addItem(paragraph);
    else if (kind === "quote") this.#addQuote(blockOf(nodes));
    else if (kind === "caption" && this.#addCaption(paragraph)) return;
    else if (this.#lists && paragraph.isIndented) this.#lists.addTo(blockOf(nodes));
    else this.addBlock(blockOf(nodes));
  }

  addBlock(block: Block, heading?: number): void {
    this.#close();
    this.#blocks.push({ block, heading, bookmarks: this.#bookmarks });
    this.#bookmarks = [];
  }

  finish(): TopBlock[] {
    this.#close();
    return this.#blocks;
  }

  #addHeading(level: number, { nodes }: Paragraph): void {
    this.addBlock({ object: "block", type: "heading-1", data: {}, nodes }, level);
  }

  #addCode(lines: readonly string[]): void {
    if (!this.#code) {
      this.#close();
      this.#code = [];
    }
    for (const line of lines) this.#code.push(line);
  }

  #addItem({ place, nodes }: Paragraph): void {
    if (!this.#lists) {
      this.#close();
      this.#lists = new ListBuilder();
    }
    this.#lists.add(place!, blockOf(nodes));
  }

  #addQuote(block: Block): void {
    if (!this.#quote) {
      this.#close();
      this.#quote = [];
    }
    this.#quote.push(block);
  }

  #addCaption({ nodes }: Paragraph): boolean {
    this.#close();
    const last = this.#blocks.at(-1);
    if (last?.block.type !== "images") return false;
    this.#blocks[this.#blocks.length - 1] = { ...last, block: withCaption(last.block as BlockOf<"images">, nodes) };
    return true;
  }

  /** Ends what is being put together. */
  #close(): void {
    const [lists, code, quote] = [this.#lists, this.#code, this.#quote];
    this.#lists = this.#code = this.#quote = undefined;
    const blocks: Block[] = [
      ...(lists?.lists ?? []),
      ...(code ? [codeBlock(withoutEdges(code))] : []),
      ...(quote ? [{ object: "block" as const, type: "blockquote" as const, data: {}, nodes: quote }] : []),
    ];
    for (const block of blocks) this.#blocks.push({ block, heading: undefined, bookmarks: [] });
  }
}

/** Lines without empty ones around them. */
function withoutEdges(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(Math.max(0, from), to + 1);
}
