// A block of HTML as elements and texts, as browsers read it: an end that is left out is found, one that closes nothing
// is skipped, and so are comments. What would be run is never part of the tree.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Html } from "../nodes";
import { isEmojiCode } from "../parser/characters";
import { scanHtml } from "../parser/html";
import { placesOf } from "../parser/places";
import { decodeReferences } from "../parser/references";
import { type Element, htmlTag, type Phrase, VOID } from "./elements";

/** Elements whose content is no HTML. Nothing of it is shown, but of those that are named below. */
const RAW = new Set(["script", "style", "textarea", "template", "title", "noscript", "xmp", "noembed", "noframes"]);
/** Elements that show their content as it is written. */
const SHOWN_RAW = new Set(["textarea", "xmp"]);
const MAX_DEPTH = 24;
const EMOJI = /(?<![A-Za-z0-9_:]):([a-z0-9_+-]{1,64}):(?![A-Za-z0-9])/g;

/** Stands for Markdown inside HTML that goes over several blocks; no text holds it. */
export const HOLE = "\0";

/** Which elements end where another begins, up to the element that both are parts of. */
const ENDS: readonly (readonly [begins: RegExp, ends: RegExp, within: RegExp])[] = [
  [/^li$/, /^(?:li|p)$/, /^(?:ul|ol|menu)$/],
  [/^d[td]$/, /^(?:d[td]|p)$/, /^dl$/],
  [/^t[dh]$/, /^(?:t[dh]|p)$/, /^(?:tr|table)$/],
  [/^tr$/, /^(?:tr|t[dh]|p)$/, /^(?:table|thead|tbody|tfoot)$/],
  [/^(?:thead|tbody|tfoot)$/, /^(?:thead|tbody|tfoot|tr|t[dh]|p|colgroup|caption)$/, /^table$/],
  [/^option$/, /^option$/, /^select$/],
  [/^(?:p|div|ul|ol|dl|table|pre|blockquote|h[1-6]|hr|section|figure|details)$/, /^p$/, /^(?!p$)/],
];

/** How many tags are read in one step. */
const STEP = 500;

/** The elements and texts of a block of HTML, with their places in the source; undefined if they are nested too deeply. */
export function htmlTree(html: Pick<Html, "value" | "lines" | "inside">): Steps<Phrase[] | undefined> {
  return new TreeBuilder(html).build();
}

class TreeBuilder {
  readonly #root: Phrase[] = [];
  readonly #open: Element[] = [];
  readonly #missing = new Set<string>();
  readonly #sourceOf: (offset: number) => number;
  readonly #value: string;
  #hole = 0;

  constructor(readonly html: Pick<Html, "value" | "lines" | "inside">) {
    this.#value = html.value;
    this.#sourceOf = placesOf(html);
  }

  *build(): Steps<Phrase[] | undefined> {
    const value = this.#value;
    let read = 0;
    for (let at = 0; at < value.length; ) {
      if (++read % STEP === 0) yield;
      const bracket = value.indexOf("<", at);
      const end = bracket === -1 ? -1 : scanHtml(value, bracket, this.#missing);
      const textEnd = bracket === -1 ? value.length : end === -1 ? bracket + 1 : bracket;
      if (textEnd > at) this.#addText(at, textEnd);
      if (end === -1) at = textEnd;
      else {
        this.#skipHoles(bracket, end);
        const behind = this.#addTag(bracket, end);
        if (behind === undefined) return undefined;
        at = behind;
      }
    }
    while (this.#open.length > 0) this.#close(value.length, value.length);
    return this.#root;
  }

  #add(node: Phrase): void {
    (this.#open.at(-1)?.children ?? this.#root).push(node);
  }

  #addText(from: number, to: number): void {
    const [start, end] = [this.#sourceOf(from), this.#sourceOf(to - 1) + 1];
    let at = from;
    for (const text of this.#value.slice(from, to).split(HOLE)) {
      if (at > from) this.#addHole(at - 1);
      if (text !== "") for (const node of textsOf(text, start, end)) this.#add(node);
      at += text.length + 1;
    }
  }

  #addHole(at: number): void {
    const block = this.html.inside?.[this.#hole++];
    if (!block) return;
    const { start, end } = block;
    const blocks = [block];
    const tags = { opening: "", closing: "", start, end };
    const place = { from: at, inside: at, behind: at + 1, to: at + 1 };
    this.#add({ type: "element", name: "#markdown", attributes: {}, children: [], blocks, ...tags, place });
  }

  /** Leaves out the Markdown between two offsets: it is part of a tag, of a comment, or of what is never shown. */
  #skipHoles(from: number, to: number): void {
    if (this.html.inside) this.#hole += this.#value.slice(from, to).split(HOLE).length - 1;
  }

  /** Adds a tag; gives the offset behind it and behind what is never shown, or undefined if it is too deep. */
  #addTag(from: number, to: number): number | undefined {
    const opening = this.#value.slice(from, to);
    const tag = htmlTag(opening);
    if (!tag) return to;
    const { name, attributes } = tag;
    if (tag.isClosing) {
      if (this.#open.some((element) => element.name === name)) {
        while (this.#open.at(-1)!.name !== name) this.#close(from, from);
        this.#close(from, to);
      }
      return to;
    }
    this.#end(name, from);
    const [start, end] = [this.#sourceOf(from), this.#sourceOf(to - 1) + 1];
    const place = { from, inside: to, behind: to, to };
    const element: Element = {
      type: "element",
      name,
      attributes,
      children: [],
      opening,
      closing: "",
      start,
      end,
      place,
    };
    this.#add(element);
    if (VOID.has(name) || opening.endsWith("/>")) return to;
    if (RAW.has(name)) return this.#skip(element, to);
    this.#open.push(element);
    return this.#open.length > MAX_DEPTH ? undefined : to;
  }

  /** Ends the elements that another one cannot stand in. */
  #end(name: string, at: number): void {
    for (const [begins, ends, within] of ENDS) {
      if (!begins.test(name)) continue;
      let first = this.#open.length;
      for (let i = first - 1; i >= 0 && !within.test(this.#open[i]!.name); i--)
        if (ends.test(this.#open[i]!.name)) first = i;
      while (this.#open.length > first) this.#close(at, at);
    }
  }

  #close(behind: number, to: number): void {
    const element = this.#open.pop()!;
    element.closing = this.#value.slice(behind, to);
    element.end = to > 0 ? Math.max(element.end, this.#sourceOf(to - 1) + 1) : element.end;
    Object.assign(element.place!, { behind, to });
    if (element.name === "pre" || SHOWN_RAW.has(element.name))
      element.raw = this.#value.slice(element.place!.inside, behind);
  }

  /** Goes behind what is no HTML. */
  #skip(element: Element, at: number): number {
    const closing = new RegExp(`</${element.name}\\s*>`, "gi");
    closing.lastIndex = at;
    const found = this.#missing.has(element.name) ? null : closing.exec(this.#value);
    if (!found) this.#missing.add(element.name);
    // Nobody meant to hide everything behind it.
    if (!found) return at;
    const behind = found.index;
    this.#open.push(element);
    if (!SHOWN_RAW.has(element.name)) this.#skipHoles(at, behind);
    else if (behind > at) this.#addText(at, behind);
    this.#close(behind, behind + found[0].length);
    return element.place!.to;
  }
}

/** Text of HTML: runs of space are one, references are what they stand for, and emoji have their names. */
function textsOf(source: string, start: number, end: number): Phrase[] {
  const nodes: Phrase[] = [];
  const addText = (raw: string) => {
    const value = decodeReferences(raw.replace(/[ \t\n\r\f]+/g, " "));
    if (value !== "") nodes.push({ type: "text", value, start, end });
  };
  let at = 0;
  for (const found of source.matchAll(EMOJI)) {
    if (!isEmojiCode(found[1]!)) continue;
    addText(source.slice(at, found.index));
    nodes.push({ type: "emoji", code: found[1]!, start, end });
    at = found.index + found[0].length;
  }
  addText(source.slice(at));
  return nodes;
}

/** Whether a phrase is only space. */
export function isSpace(node: Phrase): boolean {
  return node.type === "text" && /^[ \t\n\r]*$/.test(node.value);
}

/** The elements among phrases, if there is nothing else but space. */
export function onlyElements(nodes: readonly Phrase[]): Element[] | undefined {
  const elements = nodes.filter((node) => !isSpace(node));
  return elements.every((node) => node.type === "element") ? (elements as Element[]) : undefined;
}
