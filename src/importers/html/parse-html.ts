// Parses HTML into a tree of elements in linear time. Elements are nested at most `MAX_ELEMENT_DEPTH` deep, as in browsers;
// deeper ones become siblings. Only the tokenizer of htmlparser2 is used: its parser takes time with the depth for each tag,
// and so does parse5.

import { Tokenizer } from "htmlparser2";
import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { PageTooLongError } from "../errors";

/** An element with its children, in order. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: HtmlNode[];
}

/** An element, or text with its character references resolved. */
export type HtmlNode = HtmlElement | string;

/** The deepest nesting of elements. */
export const MAX_ELEMENT_DEPTH = 200;
/** The most elements of a page: about as many as the longest text has blocks and words with marks. */
export const MAX_ELEMENTS = 100_000;
const MAX_ATTRIBUTES = 64;
/** The number of characters between two yields to the event loop. */
const CHARACTERS_PER_YIELD = 16_000;

const toSet = (names: string) => new Set(names.trim().split(/\s+/));
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const VOID_ELEMENTS = toSet(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);
const ENDS_PARAGRAPH = toSet(`
  address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3
  h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul dd dt
`);
const CELLS = toSet("td th caption");
const TABLE_PARTS = toSet("table thead tbody tfoot tr td th caption");
const HEADINGS = toSet("h1 h2 h3 h4 h5 h6");

/** The elements that an opening tag ends, and the elements beyond which it ends nothing. */
const ENDED_BY_OPENING = new Map<string, readonly [ended: ReadonlySet<string>, limits: ReadonlySet<string>]>([
  ["li", [toSet("li"), toSet("ul ol menu dir td th")]],
  ["dt", [toSet("dt dd"), toSet("dl td th")]],
  ["dd", [toSet("dt dd"), toSet("dl td th")]],
  ["tr", [toSet("tr"), toSet("table")]],
  ["td", [toSet("td th"), toSet("tr table")]],
  ["th", [toSet("td th"), toSet("tr table")]],
  ["thead", [toSet("thead tbody tfoot"), toSet("table")]],
  ["tbody", [toSet("thead tbody tfoot"), toSet("table")]],
  ["tfoot", [toSet("thead tbody tfoot"), toSet("table")]],
  ["a", [toSet("a"), toSet("td th li p div")]],
  ["option", [toSet("option"), toSet("select")]],
  ["body", [toSet("head"), toSet("html")]],
]);

/** Parses HTML: a whole document or a part of one. The root has no name. */
export function parseHtml(html: string): HtmlElement {
  return runStepsSync(parseHtmlInSteps(html));
}

/** Parses HTML as `parseHtml` does, in steps. */
export function* parseHtmlInSteps(html: string): Steps<HtmlElement> {
  const builder = new TreeBuilder(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder);
  for (let start = 0; start < html.length; ) {
    // The text is cut before a `<`, so that no character reference is cut.
    const cut = start + CHARACTERS_PER_YIELD < html.length ? html.indexOf("<", start + CHARACTERS_PER_YIELD) : -1;
    const end = cut === -1 ? html.length : cut;
    tokenizer.write(html.slice(start, end));
    start = end;
    yield;
  }
  tokenizer.end();
  return builder.root;
}

/** Builds the tree from the callbacks of the tokenizer, whose numbers are offsets in the text. */
class TreeBuilder {
  readonly root: HtmlElement = { name: "", attributes: NO_ATTRIBUTES, children: [] };
  readonly #open: HtmlElement[] = [this.root];
  /** The number of tags that were opened below the deepest level and are not closed yet. */
  #tooDeepCount = 0;
  #elementCount = 0;
  #openParagraphs = 0;
  #openForeignElements = 0;
  #name = "";
  #attributes = new Map<string, string>();
  #attributeName = "";
  #attributeValue = "";

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
    this.#attributeName = this.html.slice(start, end).toLowerCase();
    this.#attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#attributeValue += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attributes.size < MAX_ATTRIBUTES && !this.#attributes.has(this.#attributeName))
      this.#attributes.set(this.#attributeName, this.#attributeValue);
  }

  onopentagend(): void {
    this.#openElement(VOID_ELEMENTS.has(this.#name));
  }

  onselfclosingtag(): void {
    const isForeign =
      this.#openForeignElements > 0 || this.#name.includes(":") || this.#name === "svg" || this.#name === "math";
    this.#openElement(isForeign || VOID_ELEMENTS.has(this.#name));
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === "br") this.#addElement({ name, attributes: NO_ATTRIBUTES, children: [] });
    if (VOID_ELEMENTS.has(name)) return;
    if (this.#tooDeepCount > 0) {
      this.#tooDeepCount--;
      return;
    }
    const isTablePart = TABLE_PARTS.has(name);
    const index = this.#findOpen(
      (open) => open === name,
      (open) => (isTablePart ? open === "table" : CELLS.has(open)),
    );
    if (index > 0) this.#closeFrom(index);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  isInForeignContext(): boolean {
    return this.#openForeignElements > 0;
  }

  #openElement(isVoid: boolean): void {
    const name = this.#name;
    const attributes = this.#attributes.size > 0 ? this.#attributes : NO_ATTRIBUTES;
    if (this.#openForeignElements === 0 && this.#tooDeepCount === 0) this.#closeBefore(name);
    const element: HtmlElement = { name, attributes, children: [] };
    this.#addElement(element);
    if (isVoid) return;
    if (this.#open.length >= MAX_ELEMENT_DEPTH) {
      this.#tooDeepCount++;
      return;
    }
    this.#open.push(element);
    if (name === "p") this.#openParagraphs++;
    if (name === "svg" || name === "math") this.#openForeignElements++;
  }

  /** Closes elements that cannot contain the new tag: a paragraph before a list, an item before the next one. */
  #closeBefore(name: string): void {
    if (this.#openParagraphs > 0 && ENDS_PARAGRAPH.has(name)) {
      const index = this.#findOpen(
        (open) => open === "p",
        (open) => CELLS.has(open) || open === "button",
      );
      if (index > 0) this.#closeFrom(index);
    }
    if (HEADINGS.has(name) && HEADINGS.has(this.#open.at(-1)!.name)) this.#closeFrom(this.#open.length - 1);
    const [ended, limits] = ENDED_BY_OPENING.get(name) ?? [];
    if (!ended || !limits) return;
    const index = this.#findOpen(
      (open) => ended.has(open),
      (open) => limits.has(open),
    );
    if (index > 0) this.#closeFrom(index);
  }

  /** Returns the index of the innermost open element of a kind, not beyond one of another kind, or 0 if there is none. */
  #findOpen(isWanted: (name: string) => boolean, isLimit: (name: string) => boolean): number {
    for (let index = this.#open.length - 1; index > 0; index--) {
      const { name } = this.#open[index]!;
      if (isWanted(name)) return index;
      if (isLimit(name)) return 0;
    }
    return 0;
  }

  #closeFrom(index: number): void {
    for (const { name } of this.#open.splice(index)) {
      if (name === "p") this.#openParagraphs--;
      if (name === "svg" || name === "math") this.#openForeignElements--;
    }
  }

  #addElement(element: HtmlElement): void {
    if (++this.#elementCount >= MAX_ELEMENTS)
      throw new PageTooLongError(`The page has more than ${MAX_ELEMENTS} elements.`);
    this.#open.at(-1)!.children.push(element);
  }

  #addText(text: string): void {
    const { children } = this.#open.at(-1)!;
    const last = children.length - 1;
    if (typeof children[last] === "string") children[last] += text;
    else children.push(text);
  }
}
