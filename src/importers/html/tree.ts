// HTML as a tree of elements, read in linear time. Elements are at most `MAX_DEPTH` deep, as in browsers; deeper ones
// become siblings. Only the tokenizer of htmlparser2 is used: its parser takes time with the depth for each tag, and so
// does parse5.

import { Tokenizer } from "htmlparser2";
import { runStepsSync, type Steps } from "../../content/markdown/steps";
import { PageTooLong } from "../refused";

/** An element with what it holds, in order. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Node[];
}

/** An element, or text with its character references resolved. */
export type Node = Element | string;

/** How deep elements may stand inside one another. */
export const MAX_DEPTH = 200;
/** How many elements a page may have: about as many as a text of the greatest length has blocks and words with marks. */
export const MAX_ELEMENTS = 100_000;
/** How many attributes of an element are read. */
const MAX_ATTRIBUTES = 64;

const set = (names: string) => new Set(names.split(" "));
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const VOID = set("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr");
const ENDS_PARAGRAPH = set(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul dd dt",
);
const CELLS = set("td th caption");
const TABLE_PARTS = set("table thead tbody tfoot tr td th caption");
const HEADINGS = set("h1 h2 h3 h4 h5 h6");

/** What a tag ends when it opens, and the elements that it does not look beyond. */
const ENDS_WHEN_OPENED = new Map<string, readonly [ended: ReadonlySet<string>, within: ReadonlySet<string>]>([
  ["li", [set("li"), set("ul ol menu dir td th")]],
  ["dt", [set("dt dd"), set("dl td th")]],
  ["dd", [set("dt dd"), set("dl td th")]],
  ["tr", [set("tr"), set("table")]],
  ["td", [set("td th"), set("tr table")]],
  ["th", [set("td th"), set("tr table")]],
  ["thead", [set("thead tbody tfoot"), set("table")]],
  ["tbody", [set("thead tbody tfoot"), set("table")]],
  ["tfoot", [set("thead tbody tfoot"), set("table")]],
  ["a", [set("a"), set("td th li p div")]],
  ["option", [set("option"), set("select")]],
  ["body", [set("head"), set("html")]],
]);

/** Reads HTML: a whole document or a part of one. The root has no name. */
export function parseHtml(html: string): Element {
  return runStepsSync(parseInSteps(html));
}

/** The same, step by step. */
export function* parseInSteps(html: string): Steps<Element> {
  const builder = new TreeBuilder(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder);
  for (let from = 0; from < html.length; ) {
    // A character reference is not cut: none holds a `<`.
    const cut = from + STEP < html.length ? html.indexOf("<", from + STEP) : -1;
    const to = cut === -1 ? html.length : cut;
    tokenizer.write(html.slice(from, to));
    from = to;
    yield;
  }
  tokenizer.end();
  return builder.root;
}

/** How many characters are read in one step. */
const STEP = 16_000;

/** Takes what the tokenizer finds; places are offsets in the text. */
class TreeBuilder {
  readonly root: Element = { name: "", attributes: NO_ATTRIBUTES, children: [] };
  readonly #open: Element[] = [this.root];
  /** Tags that were opened below the deepest level, and wait for their ends. */
  #tooDeep = 0;
  #count = 0;
  #openParagraphs = 0;
  #foreign = 0;
  #name = "";
  #attributes = new Map<string, string>();
  #attribute = "";
  #value = "";

  constructor(readonly html: string) {}

  ontext(start: number, end: number): void {
    this.#addText(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#addText(String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#addText(this.html.slice(start, end - endOffset));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.html.slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attributes.size < MAX_ATTRIBUTES && !this.#attributes.has(this.#attribute))
      this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    this.#openElement(VOID.has(this.#name));
  }

  onselfclosingtag(): void {
    const isMeant = this.#foreign > 0 || this.#name.includes(":") || this.#name === "svg" || this.#name === "math";
    this.#openElement(isMeant || VOID.has(this.#name));
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === "br") this.#add({ name, attributes: NO_ATTRIBUTES, children: [] });
    if (VOID.has(name)) return;
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const isPart = TABLE_PARTS.has(name);
    const at = this.#find(
      (open) => open === name,
      (open) => (isPart ? open === "table" : CELLS.has(open)),
    );
    if (at > 0) this.#closeFrom(at);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  #openElement(isVoid: boolean): void {
    const name = this.#name;
    const attributes = this.#attributes.size > 0 ? this.#attributes : NO_ATTRIBUTES;
    if (this.#foreign === 0 && this.#tooDeep === 0) this.#endBefore(name);
    const element: Element = { name, attributes, children: [] };
    this.#add(element);
    if (isVoid) return;
    if (this.#open.length >= MAX_DEPTH) {
      this.#tooDeep++;
      return;
    }
    this.#open.push(element);
    if (name === "p") this.#openParagraphs++;
    if (name === "svg" || name === "math") this.#foreign++;
  }

  /** Ends elements that cannot contain the new tag: a paragraph before a list, an item before the next one. */
  #endBefore(name: string): void {
    if (this.#openParagraphs > 0 && ENDS_PARAGRAPH.has(name)) {
      const at = this.#find(
        (open) => open === "p",
        (open) => CELLS.has(open) || open === "button",
      );
      if (at > 0) this.#closeFrom(at);
    }
    if (HEADINGS.has(name) && HEADINGS.has(this.#open.at(-1)!.name)) this.#closeFrom(this.#open.length - 1);
    const [ended, within] = ENDS_WHEN_OPENED.get(name) ?? [];
    if (!ended || !within) return;
    const at = this.#find(
      (open) => ended.has(open),
      (open) => within.has(open),
    );
    if (at > 0) this.#closeFrom(at);
  }

  /** The innermost open element of a kind, not looking beyond another kind; 0 when there is none. */
  #find(isWanted: (name: string) => boolean, isLimit: (name: string) => boolean): number {
    for (let at = this.#open.length - 1; at > 0; at--) {
      const { name } = this.#open[at]!;
      if (isWanted(name)) return at;
      if (isLimit(name)) return 0;
    }
    return 0;
  }

  #closeFrom(at: number): void {
    for (const { name } of this.#open.splice(at)) {
      if (name === "p") this.#openParagraphs--;
      if (name === "svg" || name === "math") this.#foreign--;
    }
  }

  #add(element: Element): void {
    if (++this.#count >= MAX_ELEMENTS) throw new PageTooLong(`The page has more than ${MAX_ELEMENTS} elements.`);
    this.#open.at(-1)!.children.push(element);
  }

  #addText(text: string): void {
    const { children } = this.#open.at(-1)!;
    const last = children.length - 1;
    if (typeof children[last] === "string") children[last] += text;
    else children.push(text);
  }
}
