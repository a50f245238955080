// Splits a text into the units that are translated: the sentences of paragraphs, headings and cells, those between the tags of HTML, and the
// texts inside of links, images and tags. Code, formulas, URLs and front matter are in none of them.

import { mayHaveConditions } from "../evaluate/conditions";
import type { BlockNode, DetailsNode, HtmlBlockNode, InlineNode, RootNode } from "../markdown/nodes";
import { parseMarkdown } from "../markdown/parse";
import { createOffsetMap, decodeReferences, scanHtml } from "../markdown/syntax";
import { parsePageSource } from "../page-source";
import { parseFrontMatter } from "../page-source/front-matter";
import { findPairs } from "../page-source/front-matter-fields";
import type { PiecePlace } from "./format-pieces";
import { createPieces, NON_LANGUAGE_ELEMENTS } from "./inline-pieces";
import { ARGUMENT, ATTRIBUTE, MAX_SOURCE_LENGTH, TITLE } from "./inner-texts";
import { type Piece, splitVariables } from "./pieces";

/** A unit of translation: `text.slice(start, end)`, as pieces. */
export interface TranslationUnit {
  readonly place: PiecePlace;
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** A text and its units, in order. */
export interface SegmentedText {
  readonly text: string;
  readonly units: readonly TranslationUnit[];
  /** The texts inside of other syntax, such as the title of a link. They may be inside of a unit. */
  readonly innerUnits: readonly TranslationUnit[];
  /** The blocks of the text, without the words in them. */
  readonly structure: string;
  /** The place in the text that states the title of the page. A heading is one of the units. */
  readonly titleSource: "front matter" | "heading" | undefined;
}

/** Splits a text. A leading heading that repeats the title of the front matter is not a unit. */
export function segmentText(text: string): SegmentedText {
  const frontMatter = parseFrontMatter(text);
  const { title, bodyStart } = parsePageSource(text);
  const isTitleInFrontMatter = findPairs(frontMatter?.map, "title").length > 0;
  const segmenter = new TextSegmenter(text, isTitleInFrontMatter ? bodyStart : 0);
  segmenter.visitBlocks(parseMarkdown(text).children);
  return {
    text,
    units: segmenter.units,
    innerUnits: segmenter.innerUnits.toSorted((a, b) => a.start - b.start),
    structure: segmenter.structure.join("\n"),
    titleSource: isTitleInFrontMatter ? "front matter" : title === undefined ? undefined : "heading",
  };
}

class TextSegmenter {
  readonly units: TranslationUnit[] = [];
  readonly innerUnits: TranslationUnit[] = [];
  readonly structure: string[] = [];

  constructor(
    private readonly text: string,
    private readonly bodyStart: number,
  ) {}

  visitBlocks(blocks: RootNode["children"]): void {
    for (const block of blocks) this.#visitBlock(block);
    this.structure.push("end");
  }

  #visitBlock(block: BlockNode): void {
    this.structure.push(describeBlock(block));
    switch (block.type) {
      case "paragraph":
        this.#addSentence("paragraph", block.children);
        return;
      case "heading":
        if (block.start >= this.bodyStart) this.#addSentence("heading", block.children);
        return;
      case "table":
        for (const row of block.children) for (const cell of row.children) this.#addSentence("cell", cell.children);
        return;
      case "list":
        for (const item of block.children) {
          this.structure.push(`item ${item.checked}`);
          this.visitBlocks(item.children);
        }
        return;
      case "html":
        this.#addHtml(block);
        return;
      case "details":
        this.#addSummary(block);
        this.visitBlocks(block.children);
        return;
      case "definition":
        if (block.title) this.#addTitle(block.start, block.end);
        return;
      case "tag":
        this.#addArguments(block.open.start, block.open.end);
        this.visitBlocks(block.children);
        return;
      case "blockquote":
      case "footnoteDefinition":
        this.visitBlocks(block.children);
        return;
    }
  }

  #addSentence(place: PiecePlace, children: readonly InlineNode[]): void {
    const [first, last] = [children[0], children.at(-1)];
    if (!first || !last) return;
    this.#addTextsInInlines(children);
    const pieces = createPieces(this.text, children);
    if (pieces.length > 0) this.#addUnit({ place, start: first.start, end: last.end, pieces });
  }

  #addTextsInInlines(nodes: readonly InlineNode[]): void {
    for (const node of nodes) {
      if ((node.type === "link" || node.type === "image") && node.title && !node.definition)
        this.#addTitle(node.start, node.end);
      if (node.type === "html") this.#addAttributes(this.text.slice(node.start, node.end), node.start);
      if ("children" in node) this.#addTextsInInlines(node.children);
    }
  }

  /** Adds the title of a link, an image or a definition. */
  #addTitle(start: number, end: number): void {
    const source = this.text.slice(start, end);
    const match = source.length > MAX_SOURCE_LENGTH ? undefined : TITLE.exec(source);
    if (!match) return;
    const title = match[1]!;
    const text = decodeReferences(title.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
    this.#addInnerUnit("title", start + match.index, title, text);
  }

  /** Adds the attributes in tags of HTML that people read. */
  #addAttributes(html: string, start: number): void {
    for (const { 0: value, index } of html.matchAll(ATTRIBUTE))
      this.#addInnerUnit("attribute", start + index, value, decodeReferences(value));
  }

  /** Adds the arguments of a tag that people read. Tags of integrations are not known well enough. */
  #addArguments(start: number, end: number): void {
    const tag = this.text.slice(start, end);
    if (/^\{%[ \t]*@/.test(tag)) return;
    for (const { 0: value, index } of tag.matchAll(ARGUMENT))
      this.#addInnerUnit("argument", start + index, value, value.replace(/\\(["'\\])/g, "$1"));
  }

  #addInnerUnit(place: PiecePlace, start: number, source: string, text: string): void {
    const end = start + source.length;
    if (mayHaveConditions(this.text.slice(start, end))) return;
    this.innerUnits.push({ place, start, end, pieces: splitVariables(text, source) });
  }

  #addHtml(html: HtmlBlockNode): void {
    const toSourcePosition = createOffsetMap(html);
    this.#addHtmlSentences(html.value, (from, to) => {
      const [start, end] = [toSourcePosition(from), toSourcePosition(to - 1) + 1];
      return this.text.slice(start, end) === html.value.slice(from, to) ? start : undefined;
    });
  }

  #addSummary(details: DetailsNode): void {
    const head = this.text.slice(details.start, details.children[0]?.start ?? details.end);
    const opening = /<summary(?:\s[^<>]*)?>/i.exec(head);
    if (!opening) return;
    const start = opening.index + opening[0].length;
    if (!head.startsWith(details.summary, start) || /[\r\n]/.test(details.summary)) return;
    this.#addHtmlSentences(details.summary, (from) => details.start + start + from);
  }

  /** Adds the sentences between the tags of HTML, and the texts in the tags. */
  #addHtmlSentences(html: string, findStart: (from: number, to: number) => number | undefined): void {
    for (const { from, to, isTag } of splitHtml(html)) {
      const start = isTag ? findStart(from, to) : undefined;
      if (start !== undefined) this.#addAttributes(html.slice(from, to), start);
    }
    // The ranges of the sentences in HTML. Elements whose content is not language have none.
    const sentences: (readonly [from: number, to: number])[] = [];
    let skippedElement: string | undefined;
    let sentenceStart: number | undefined;
    let hasWords = false;
    const endSentence = (end: number) => {
      if (sentenceStart !== undefined && hasWords) sentences.push([sentenceStart, end]);
      [sentenceStart, hasWords] = [undefined, false];
    };
    for (const { from, to, isTag } of splitHtml(html)) {
      const source = html.slice(from, to);
      const [, slash, tagName = ""] = isTag ? (TAG.exec(source) ?? []) : [];
      const name = tagName.toLowerCase();
      if (isTag && !INLINE_ELEMENTS.has(name) && skippedElement === undefined) endSentence(from);
      else if (skippedElement === undefined || sentenceStart !== undefined) sentenceStart ??= from;
      if (!isTag && skippedElement === undefined) hasWords ||= source.trim() !== "";
      if (slash === "/" && name === skippedElement) skippedElement = undefined;
      else if (
        slash === "" &&
        skippedElement === undefined &&
        NON_LANGUAGE_ELEMENTS.has(name) &&
        !source.endsWith("/>")
      )
        skippedElement = name;
    }
    endSentence(html.length);
    for (const [from, to] of sentences) {
      const start = findStart(from, to);
      if (start !== undefined) {
        this.#addHtmlSentence(html.slice(from, to), start);
        continue;
      }
      // The lines of a sentence in a quote have marks between them, so they are separate units.
      for (const { 0: line, index } of html.slice(from, to).matchAll(/[^\r\n]+/g)) {
        const lineEnd = from + index + line.length;
        const lineStart = line.trim() === "" || /[<>]/.test(line) ? undefined : findStart(from + index, lineEnd);
        if (lineStart !== undefined) this.#addHtmlSentence(line, lineStart);
      }
    }
  }

  #addHtmlSentence(source: string, sourceStart: number): void {
    const html = source.trim();
    const start = sourceStart + source.indexOf(html);
    const nodes = Array.from(splitHtml(html), ({ from, to, isTag }): InlineNode => {
      const value = html.slice(from, to);
      const span = { start: start + from, end: start + to };
      return isTag ? { type: "html", value, ...span } : { type: "text", value: decodeReferences(value), ...span };
    });
    const pieces = createPieces(this.text, nodes);
    if (pieces.some(({ kind }) => kind !== "atom"))
      this.#addUnit({ place: "html", start, end: start + html.length, pieces });
  }

  /** Adds a unit. Text beside a condition keeps its source, because a translator may move words to the other side of a tag. */
  #addUnit(unit: TranslationUnit): void {
    if (!mayHaveConditions(this.text.slice(unit.start, unit.end))) this.units.push(unit);
  }
}

function describeBlock(block: BlockNode): string {
  switch (block.type) {
    case "code":
      return `code ${JSON.stringify([block.lang, block.meta, block.value])}`;
    case "heading":
      return `heading ${block.depth}`;
    case "list":
      return `list ${block.ordered} ${block.first}`;
    case "math":
      return `math ${JSON.stringify(block.value)}`;
    case "definition":
      return `definition ${JSON.stringify([block.identifier, block.url])}`;
    case "footnoteDefinition":
      return `footnote ${JSON.stringify(block.identifier)}`;
    case "table":
      return `table ${block.align.join()} ${block.children.map((row) => row.children.length).join()}`;
    case "tag": {
      const { name, argument, close } = block;
      const shownArgument = name.startsWith("@") ? argument : ` ${argument}`.replace(ARGUMENT, "");
      return `tag ${JSON.stringify([name, shownArgument, close !== undefined])}`;
    }
    default:
      return block.type;
  }
}

/** Splits HTML into its tags and the text between them. */
function* splitHtml(html: string): Generator<{ readonly from: number; readonly to: number; readonly isTag: boolean }> {
  const missing = new Set<string>();
  let textStart = 0;
  for (let start = html.indexOf("<"); start !== -1; ) {
    const end = scanHtml(html, start, missing);
    if (end !== -1) {
      if (start > textStart) yield { from: textStart, to: start, isTag: false };
      yield { from: start, to: end, isTag: true };
      textStart = end;
    }
    start = html.indexOf("<", end === -1 ? start + 1 : end);
  }
  if (textStart < html.length) yield { from: textStart, to: html.length, isTag: false };
}

const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/;
/** Elements inside of a sentence. All others are between sentences. */
const INLINE_ELEMENTS = new Set(
  "a abbr b br cite code del em i img ins kbd mark picture q s samp small source span strong sub sup u var".split(" "),
);
