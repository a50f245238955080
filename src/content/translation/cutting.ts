// A text cut into what is translated: the sentences of paragraphs, headings and cells, and the words between the tags of
// HTML. Code, formulas, definitions, directives and front matter are in none of them.

import { mayHaveConditions } from "../evaluate/conditions";
import type { Block, Details, Html, Inline, Root } from "../markdown/nodes";
import { parse } from "../markdown/parse";
import { scanHtml } from "../markdown/parser/html";
import { placesOf } from "../markdown/parser/places";
import { decodeReferences } from "../markdown/parser/references";
import { readPageFile } from "../page-file";
import { frontMatterOf, states } from "../page-file/front-matter";
import { type Piece, wordsAndVariables, wordsOf } from "./pieces";
import { sentenceOf, UNSPOKEN } from "./sentences";
import type { PiecePlace } from "./writing";

/** What is translated as one: `text.slice(start, end)`, as pieces. */
export interface Unit {
  readonly place: PiecePlace;
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** A text and its units, in their order. */
export interface Cut {
  readonly text: string;
  readonly units: readonly Unit[];
  /** What blocks the text has, except for the words in them. */
  readonly form: string;
  /** What states the title of the page, if the text does; a heading is one of the units then. */
  readonly titledBy: "front matter" | "heading" | undefined;
}

/** Cuts a text. A leading heading that repeats the title of the front matter is not part of it. */
export function cut(text: string): Cut {
  const front = frontMatterOf(text);
  const { title, bodyStart } = readPageFile(text);
  const isTitleInFront = front !== undefined && states(front, "title");
  const cutting = new Cutting(text, isTitleInFront ? bodyStart : 0);
  cutting.visitAll(parse(text).children);
  const titledBy = isTitleInFront ? "front matter" : title === undefined ? undefined : "heading";
  return { text, units: cutting.units, form: cutting.form.join("\n"), titledBy };
}

/** Whether a unit has words to translate: more than an address, a file name, numbers and marks. */
export function isWorthwhile({ pieces }: Pick<Unit, "pieces">): boolean {
  const said = wordsOf(pieces).trim();
  return /\p{L}/u.test(said) && !isName(said);
}

/** Whether a text is an address or a file's name: one word with a mark inside that does not end a sentence. */
function isName(said: string): boolean {
  return !/\s/.test(said) && /[./\\_@]/.test(said.slice(0, -1)) && !/[.!?…。]$/.test(said);
}

class Cutting {
  readonly units: Unit[] = [];
  readonly form: string[] = [];

  constructor(
    private readonly text: string,
    private readonly bodyStart: number,
  ) {}

  visitAll(blocks: Root["children"]): void {
    for (const block of blocks) this.#visit(block);
    this.form.push("end");
  }

  #visit(block: Block): void {
    const isTitle = block.type === "heading" && block.start < this.bodyStart;
    this.form.push(formOf(block));
    switch (block.type) {
      case "paragraph":
        this.#add("paragraph", block.children);
        return;
      case "heading":
        if (!isTitle) this.#add("heading", block.children);
        return;
      case "table":
        for (const row of block.children) for (const cell of row.children) this.#add("cell", cell.children);
        return;
      case "list":
        for (const item of block.children) {
          this.form.push(`item ${item.checked}`);
          this.visitAll(item.children);
        }
        return;
      case "html":
        this.#addHtml(block);
        return;
      case "details":
        this.#addSummary(block);
        this.visitAll(block.children);
        return;
      case "blockquote":
      case "footnoteDefinition":
      case "tag":
        this.visitAll(block.children);
        return;
    }
  }

  #add(place: PiecePlace, children: readonly Inline[]): void {
    const [first, last] = [children[0], children.at(-1)];
    if (!first || !last) return;
    const pieces = sentenceOf(this.text, children);
    if (pieces.length > 0) this.#addUnit({ place, start: first.start, end: last.end, pieces });
  }

  /** The words between tags, line by line: a line keeps what stands before it. */
  #addHtml(html: Html): void {
    const sourceOf = placesOf(html);
    for (const [from, to] of spokenIn(html.value)) {
      const [start, end] = [sourceOf(from), sourceOf(to - 1) + 1];
      const source = html.value.slice(from, to);
      if (this.text.slice(start, end) === source) this.#addWords(source, start);
    }
  }

  #addSummary(details: Details): void {
    const head = this.text.slice(details.start, details.children[0]?.start ?? details.end);
    const found = /<summary(?:\s[^<>]*)?>/i.exec(head);
    const start = found ? found.index + found[0].length : 0;
    if (!found || !head.startsWith(details.summary, start) || /[\r\n]/.test(details.summary)) return;
    for (const [from, to] of spokenIn(details.summary))
      this.#addWords(details.summary.slice(from, to), details.start + start + from);
  }

  #addWords(source: string, start: number): void {
    const text = source.trim();
    if (text === "") return;
    const from = start + source.indexOf(text);
    const pieces = wordsAndVariables(decodeReferences(text), text);
    this.#addUnit({ place: "html", start: from, end: from + text.length, pieces });
  }

  /** A translator may move words to the other side of a tag. So text beside a condition keeps its source. */
  #addUnit(unit: Unit): void {
    if (!mayHaveConditions(this.text.slice(unit.start, unit.end))) this.units.push(unit);
  }
}

/** What a block is, except for the words in it. */
function formOf(block: Block): string {
  const { type } = block;
  if (type === "code") return `code ${JSON.stringify([block.lang, block.meta, block.value])}`;
  if (type === "heading") return `heading ${block.depth}`;
  if (type === "list") return `list ${block.ordered} ${block.first}`;
  if (type === "math") return `math ${JSON.stringify(block.value)}`;
  if (type === "definition") return `definition ${JSON.stringify([block.identifier, block.url, block.title])}`;
  if (type === "footnoteDefinition") return `footnote ${JSON.stringify(block.identifier)}`;
  if (type === "table") return `table ${block.align.join()} ${block.children.map((row) => row.children.length).join()}`;
  if (type === "tag") return `tag ${JSON.stringify([block.name, block.argument, block.close !== undefined])}`;
  return type;
}

const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/;

/** Where words stand between the tags of HTML: on one line each, and not in elements whose content is no language. */
function spokenIn(html: string): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  const missing = new Set<string>();
  let unspoken: string | undefined;
  for (let at = 0; at < html.length; ) {
    const bracket = html.indexOf("<", at);
    const end = bracket === -1 ? html.length : bracket;
    if (unspoken === undefined) found.push(...linesIn(html, at, end));
    if (bracket === -1) break;
    const after = scanHtml(html, bracket, missing);
    const [, slash, name = ""] = TAG.exec(html.slice(bracket, bracket + 40)) ?? [];
    if (after !== -1 && slash === "/" && name.toLowerCase() === unspoken) unspoken = undefined;
    else if (after !== -1 && slash === "" && unspoken === undefined && UNSPOKEN.has(name.toLowerCase()))
      unspoken = name.toLowerCase();
    at = after === -1 ? bracket + 1 : after;
  }
  return found;
}

function linesIn(html: string, from: number, to: number): (readonly [number, number])[] {
  return [...html.slice(from, to).matchAll(/[^\r\n]+/g)]
    .filter(([line]) => line.trim() !== "")
    .map(({ 0: line, index }) => [from + index, from + index + line.length] as const);
}
