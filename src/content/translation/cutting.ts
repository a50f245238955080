// A text cut into what is translated: the sentences of paragraphs, headings and cells, those between the tags of HTML, and
// the titles inside of links, images and directives. Code, formulas, addresses and front matter are in none of them.

import { mayHaveConditions } from "../evaluate/conditions";
import type { Block, Details, Html, Inline, Root, Tag } from "../markdown/nodes";
import { parse } from "../markdown/parse";
import { scanHtml } from "../markdown/parser/html";
import { placesOf } from "../markdown/parser/places";
import { decodeReferences } from "../markdown/parser/references";
import { parsePageSource } from "../page-source";
import { hasFrontMatterField, parseFrontMatter } from "../page-source/front-matter";
import { argumentIn, attributesIn, titleIn } from "./inner";
import { argumentWithoutInner } from "./inner-sources";
import { type Piece, wordsOf } from "./pieces";
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
  /** What stands inside of something else, in order. It may be inside of a unit. */
  readonly inner: readonly Unit[];
  /** What blocks the text has, except for the words in them. */
  readonly form: string;
  /** What states the title of the page, if the text does; a heading is one of the units then. */
  readonly titledBy: "front matter" | "heading" | undefined;
}

/** Cuts a text. A leading heading that repeats the title of the front matter is not part of it. */
export function cut(text: string): Cut {
  const front = parseFrontMatter(text);
  const { title, bodyStart } = parsePageSource(text);
  const isTitleInFront = front !== undefined && hasFrontMatterField(front, "title");
  const cutting = new Cutting(text, isTitleInFront ? bodyStart : 0);
  cutting.visitAll(parse(text).children);
  const titledBy = isTitleInFront ? "front matter" : title === undefined ? undefined : "heading";
  const inner = cutting.inner.toSorted((a, b) => a.start - b.start);
  return { text, units: cutting.units, inner, form: cutting.form.join("\n"), titledBy };
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
  readonly inner: Unit[] = [];
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
      case "definition":
        if (block.title) this.#addInner(titleIn(this.text.slice(block.start, block.end), block.start));
        return;
      case "tag":
        this.#addInner(argumentIn(this.text.slice(block.open.start, block.open.end), block.open.start));
        this.visitAll(block.children);
        return;
      case "blockquote":
      case "footnoteDefinition":
        this.visitAll(block.children);
        return;
    }
  }

  #addInner(units: readonly Unit[]): void {
    this.inner.push(...units.filter(({ start, end }) => !mayHaveConditions(this.text.slice(start, end))));
  }

  /** What stands inside of the inlines of a sentence. */
  #visitInlines(nodes: readonly Inline[]): void {
    for (const node of nodes) {
      const source = this.text.slice(node.start, node.end);
      if ((node.type === "link" || node.type === "image") && node.title && !node.definition)
        this.#addInner(titleIn(source, node.start));
      if (node.type === "html") this.#addInner(attributesIn(source, node.start));
      if ("children" in node) this.#visitInlines(node.children);
    }
  }

  #add(place: PiecePlace, children: readonly Inline[]): void {
    const [first, last] = [children[0], children.at(-1)];
    if (!first || !last) return;
    this.#visitInlines(children);
    const pieces = sentenceOf(this.text, children);
    if (pieces.length > 0) this.#addUnit({ place, start: first.start, end: last.end, pieces });
  }

  #addHtml(html: Html): void {
    const sourceOf = placesOf(html);
    this.#addSentences(html.value, (from, to) => {
      const [start, end] = [sourceOf(from), sourceOf(to - 1) + 1];
      return this.text.slice(start, end) === html.value.slice(from, to) ? start : undefined;
    });
  }

  #addSummary(details: Details): void {
    const head = this.text.slice(details.start, details.children[0]?.start ?? details.end);
    const found = /<summary(?:\s[^<>]*)?>/i.exec(head);
    const start = found ? found.index + found[0].length : 0;
    if (!found || !head.startsWith(details.summary, start) || /[\r\n]/.test(details.summary)) return;
    this.#addSentences(details.summary, (from) => details.start + start + from);
  }

  /** The sentences between the tags of HTML; `startOf` is where a part of it stands, if it stands there as it is. */
  #addSentences(html: string, startOf: (from: number, to: number) => number | undefined): void {
    for (const [from, to] of tagsIn(html)) {
      const start = startOf(from, to);
      if (start !== undefined) this.#addInner(attributesIn(html.slice(from, to), start));
    }
    for (const [from, to] of spokenIn(html)) {
      const start = startOf(from, to);
      if (start !== undefined) this.#addSpoken(html.slice(from, to), start);
      // The lines of a sentence in a quote have marks between them.
      else for (const line of linesIn(html, from, to)) this.#addLine(html, line, startOf);
    }
  }

  #addLine(html: string, [from, to]: Stretch, startOf: (from: number, to: number) => number | undefined): void {
    const start = /[<>]/.test(html.slice(from, to)) ? undefined : startOf(from, to);
    if (start !== undefined) this.#addSpoken(html.slice(from, to), start);
  }

  /** A sentence with its elements. */
  #addSpoken(source: string, start: number): void {
    const text = source.trim();
    const from = start + source.indexOf(text);
    const nodes = inlinesOf(text).map((node) => ({ ...node, start: from + node.start, end: from + node.end }));
    const pieces = sentenceOf(this.text, nodes);
    if (pieces.some(({ kind }) => kind !== "atom"))
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
  if (type === "definition") return `definition ${JSON.stringify([block.identifier, block.url])}`;
  if (type === "footnoteDefinition") return `footnote ${JSON.stringify(block.identifier)}`;
  if (type === "table") return `table ${block.align.join()} ${block.children.map((row) => row.children.length).join()}`;
  if (type === "tag") return tagForm(block);
  return type;
}

function tagForm({ name, argument, close }: Tag): string {
  return `tag ${JSON.stringify([name, name.startsWith("@") ? argument : argumentWithoutInner(argument), close !== undefined])}`;
}

type Stretch = readonly [from: number, to: number];

/** The parts of HTML in order: its tags, and what is between them. */
function* partsOf(html: string): Generator<{ readonly from: number; readonly to: number; readonly isTag: boolean }> {
  const missing = new Set<string>();
  let text = 0;
  for (let at = html.indexOf("<"); at !== -1; ) {
    const after = scanHtml(html, at, missing);
    if (after !== -1) {
      if (at > text) yield { from: text, to: at, isTag: false };
      yield { from: at, to: after, isTag: true };
      text = after;
    }
    at = html.indexOf("<", after === -1 ? at + 1 : after);
  }
  if (text < html.length) yield { from: text, to: html.length, isTag: false };
}

function tagsIn(html: string): Stretch[] {
  return [...partsOf(html)].filter(({ isTag }) => isTag).map(({ from, to }) => [from, to] as const);
}

const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/;
/** Elements inside of a sentence. All others stand between sentences. */
const INLINE = new Set(
  "a abbr b br cite code del em i img ins kbd mark picture q s samp small source span strong sub sup u var".split(" "),
);

/** Where sentences stand between the tags of HTML, and not in elements whose content is no language. */
function spokenIn(html: string): Stretch[] {
  const found: Stretch[] = [];
  let unspoken: string | undefined;
  let from: number | undefined;
  let isSaid = false;
  const end = (to: number) => {
    if (from !== undefined && isSaid) found.push([from, to]);
    [from, isSaid] = [undefined, false];
  };
  for (const part of partsOf(html)) {
    const source = html.slice(part.from, part.to);
    const [, slash, tag = ""] = part.isTag ? (TAG.exec(source) ?? []) : [];
    const name = tag.toLowerCase();
    if (part.isTag && !INLINE.has(name) && unspoken === undefined) end(part.from);
    else if (unspoken === undefined || from !== undefined) from ??= part.from;
    if (!part.isTag && unspoken === undefined) isSaid ||= source.trim() !== "";
    if (slash === "/" && name === unspoken) unspoken = undefined;
    else if (slash === "" && unspoken === undefined && UNSPOKEN.has(name) && !source.endsWith("/>")) unspoken = name;
  }
  end(html.length);
  return found;
}

/** HTML as inlines, from its own beginning. */
function inlinesOf(html: string): Inline[] {
  return Array.from(partsOf(html), ({ from: start, to: end, isTag }): Inline => {
    const value = html.slice(start, end);
    return isTag ? { type: "html", value, start, end } : { type: "text", value: decodeReferences(value), start, end };
  });
}

function linesIn(html: string, from: number, to: number): Stretch[] {
  return [...html.slice(from, to).matchAll(/[^\r\n]+/g)]
    .filter(([line]) => line.trim() !== "")
    .map(({ 0: line, index }) => [from + index, from + index + line.length] as const);
}
