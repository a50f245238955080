// Parses an HTML block into elements and texts as browsers do: omitted closing tags are added, and unmatched ones and comments
// are skipped. Scripts are never part of the tree.

import type { Steps } from "../../../utils/concurrency/steps";
import type { HtmlBlockNode } from "../nodes";
import { decodeReferences } from "../parser/character-references";
import { EMOJI_CODE } from "../parser/characters";
import { scanHtml } from "../parser/html";
import { createOffsetMap } from "../parser/offset-map";
import { type Element, type Phrase, parseHtmlTag, VOID } from "./elements";

/** Elements whose content is not HTML. It is not shown, except that of the elements below. */
const RAW = new Set(["script", "style", "textarea", "template", "title", "noscript", "xmp", "noembed", "noframes"]);
/** Elements that show their content verbatim. */
const SHOWN_RAW = new Set(["textarea", "xmp"]);
const MAX_DEPTH = 24;
const EMOJI = /(?<![A-Za-z0-9_:]):([a-z0-9_+-]{1,64}):(?![A-Za-z0-9])/g;

/** A placeholder for Markdown inside HTML of several blocks. No text contains it. */
export const HOLE = "\0";

/** Elements that end where another one begins, up to the element that contains both. */
const ENDS: readonly (readonly [begins: RegExp, ends: RegExp, within: RegExp])[] = [
  [/^li$/, /^(?:li|p)$/, /^(?:ul|ol|menu)$/],
  [/^d[td]$/, /^(?:d[td]|p)$/, /^dl$/],
  [/^t[dh]$/, /^(?:t[dh]|p)$/, /^(?:tr|table)$/],
  [/^tr$/, /^(?:tr|t[dh]|p)$/, /^(?:table|thead|tbody|tfoot)$/],
  [/^(?:thead|tbody|tfoot)$/, /^(?:thead|tbody|tfoot|tr|t[dh]|p|colgroup|caption)$/, /^table$/],
  [/^option$/, /^option$/, /^select$/],
  [/^(?:p|div|ul|ol|dl|table|pre|blockquote|h[1-6]|hr|section|figure|details)$/, /^p$/, /^(?!p$)/],
];

/** The number of tags that are parsed in one step. */
const STEP = 500;

/** Parses an HTML block. Nodes have offsets in the source. Undefined if they are nested too deeply. */
export function parseHtmlTree(html: Pick<HtmlBlockNode, "value" | "lines" | "inside">): Steps<Phrase[] | undefined> {
  return new TreeBuilder(html).build();
}

class TreeBuilder {
  readonly #root: Phrase[] = [];
  readonly #open: Element[] = [];
  readonly #missing = new Set<string>();
  readonly #toSource: (offset: number) => number;
  readonly #value: string;
  #hole = 0;

  constructor(readonly html: Pick<HtmlBlockNode, "value" | "lines" | "inside">) {
    this.#value = html.value;
    this.#toSource = createOffsetMap(html);
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

  /** Adds text: whitespace is collapsed, character references are decoded, and short names become emoji. */
  #addText(from: number, to: number): void {
    const [start, end] = [this.#toSource(from), this.#toSource(to - 1) + 1];
    const addWords = (source: string) => {
      const value = decodeReferences(source.replace(/[ \t\n\r\f]+/g, " "));
      if (value !== "") this.#add({ type: "text", value, start, end });
    };
    let at = from;
    for (const text of this.#value.slice(from, to).split(HOLE)) {
      if (at > from) this.#addHole(at - 1);
      let wordsStart = 0;
      for (const { 0: source, 1: code = "", index } of text.matchAll(EMOJI)) {
        if (!EMOJI_CODE.test(code)) continue;
        addWords(text.slice(wordsStart, index));
        this.#add({ type: "emoji", code, start, end });
        wordsStart = index + source.length;
      }
      addWords(text.slice(wordsStart));
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

  /** Skips the Markdown between two offsets: it is part of a tag, of a comment, or of a script. */
  #skipHoles(from: number, to: number): void {
    if (this.html.inside) this.#hole += this.#value.slice(from, to).split(HOLE).length - 1;
  }

  /** Adds a tag, and returns the offset after it and its raw content; undefined if it is nested too deeply. */
  #addTag(from: number, to: number): number | undefined {
    const opening = this.#value.slice(from, to);
    const tag = parseHtmlTag(opening);
    if (!tag) return to;
    const { name, attributes } = tag;
    if (tag.isClosing) {
      if (this.#open.some((element) => element.name === name)) {
        while (this.#open.at(-1)!.name !== name) this.#close(from, from);
        this.#close(from, to);
      }
      return to;
    }
    this.#closeImplied(name, from);
    const [start, end] = [this.#toSource(from), this.#toSource(to - 1) + 1];
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
    if (RAW.has(name)) return this.#readRaw(element, to);
    this.#open.push(element);
    return this.#open.length > MAX_DEPTH ? undefined : to;
  }

  /** Closes the elements that cannot contain another one. */
  #closeImplied(name: string, at: number): void {
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
    element.end = to > 0 ? Math.max(element.end, this.#toSource(to - 1) + 1) : element.end;
    Object.assign(element.place!, { behind, to });
    if (element.name === "pre" || SHOWN_RAW.has(element.name))
      element.raw = this.#value.slice(element.place!.inside, behind);
  }

  /** Reads content that is not HTML, and returns the offset after the closing tag. */
  #readRaw(element: Element, at: number): number {
    const closing = new RegExp(`</${element.name}\\s*>`, "gi");
    closing.lastIndex = at;
    const match = this.#missing.has(element.name) ? null : closing.exec(this.#value);
    if (!match) {
      // Without a closing tag, the element must not hide everything after it.
      this.#missing.add(element.name);
      return at;
    }
    const behind = match.index;
    this.#open.push(element);
    if (!SHOWN_RAW.has(element.name)) this.#skipHoles(at, behind);
    else if (behind > at) this.#addText(at, behind);
    this.#close(behind, behind + match[0].length);
    return element.place!.to;
  }
}

/** Returns true for a phrase that is only whitespace. */
export function isSpace(node: Phrase): boolean {
  return node.type === "text" && /^[ \t\n\r]*$/.test(node.value);
}

/** Returns the elements among phrases; undefined if there is anything else but whitespace. */
export function getOnlyElements(nodes: readonly Phrase[]): Element[] | undefined {
  const elements = nodes.filter((node) => !isSpace(node));
  return elements.every((node) => node.type === "element") ? (elements as Element[]) : undefined;
}
