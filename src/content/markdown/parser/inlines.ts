// Parses the inlines of a paragraph, a heading or a cell in one pass over its content, as CommonMark and GFM define them,
// with formulas, emoji and expressions. Failed attempts are remembered, so that the pass stays linear.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_LABEL_LENGTH } from "../limits";
import type { DefinitionNode, InlineNode, LinkNode, TextNode } from "../nodes";
import { toAltText, unwrapLinks } from "./alt-text";
import { type Autolink, scanEmailAutolink, scanWebAutolink } from "./autolinks";
import { decodeReferences, scanReference } from "./character-references";
import { EMOJI_CODE, isEscapable, isSpace, normalizeLabel } from "./characters";
import type { Content } from "./content";
import { type DelimiterRun, DelimiterStack, getFlanking } from "./emphasis";
import { type AbsentEndings, scanHtml, scanThrough } from "./html";
import { type InlineEntry, InlineList } from "./inline-list";
import { type LinkResource, scanLabel, scanResource } from "./link-parts";
import { SpanDelimiters, skipRun } from "./span-delimiters";

/** The definitions that inlines can refer to. */
export interface ReferenceTargets {
  /** By normalized label. */
  definitions: ReadonlyMap<string, DefinitionNode>;
  /** By normalized label. */
  footnotes: ReadonlyMap<string, unknown>;
}

/** A `[` or `![` that is not closed yet. */
interface Bracket {
  piece: InlineEntry;
  /** The offset after it. */
  behind: number;
  isImage: boolean;
  run: DelimiterRun | undefined;
  /** True if another bracket follows: then the text between the brackets is not a label. */
  hasInnerBracket: boolean;
}

const EMOJI = /:([a-z0-9_+-]{1,64}):(?![A-Za-z0-9])/y;
const SPECIAL = /[\n\\`*_~[\]!<&:$@]|[wW](?=[wW]{2}\.)|[hH](?=[tT]{2}[pP][sS]?:\/\/)/g;

/** The number of nodes that are handled in one step. */
const STEP = 5_000;

/** Parses a content. The nodes have offsets in the source. */
export function* parseInlines(content: Content, known: ReferenceTargets): Steps<InlineNode[]> {
  const { text } = content;
  // Most contents are plain text.
  if (text !== "" && text.search(SPECIAL) === -1)
    return [{ type: "text", value: text, start: content.toSource(0), end: content.toSource(text.length - 1) + 1 }];
  const nodes = yield* new InlineParser(text, known).parse();
  for (let at = 0; at < nodes.length; at++) {
    mapToSource(nodes[at]!, content);
    if (at % STEP === STEP - 1) yield;
  }
  return nodes;
}

function mapToSource(node: InlineNode, content: Content): void {
  node.start = content.toSource(node.start);
  node.end = content.toSource(node.end - 1) + 1;
  if ("children" in node) for (const child of node.children) mapToSource(child, content);
}

class InlineParser {
  readonly #row: InlineList;
  readonly #runs: DelimiterStack;
  #at = 0;
  /** The earliest offset at which an email autolink can begin. */
  #floor = 0;
  readonly #brackets: Bracket[] = [];
  /** Brackets below this index cannot become links: a link contains no other links. */
  #inactive = 0;
  /** The offset of the next `]`, if known. */
  #nextClosing = -1;
  /** The last piece, if it is text and cannot become anything else. */
  #plain: (InlineEntry & { node: TextNode }) | undefined;
  readonly #missing: AbsentEndings = new Set();
  readonly #backticks: SpanDelimiters;
  readonly #dollars: SpanDelimiters;

  constructor(
    readonly text: string,
    readonly known: ReferenceTargets,
  ) {
    this.#row = new InlineList(text);
    this.#runs = new DelimiterStack(this.#row);
    this.#backticks = new SpanDelimiters(text, "`");
    this.#dollars = new SpanDelimiters(text, "$");
  }

  *parse(): Steps<InlineNode[]> {
    const { text } = this;
    for (let read = 1; this.#at < text.length; read++) {
      SPECIAL.lastIndex = this.#at;
      const special = SPECIAL.exec(text)?.index ?? text.length;
      if (special > this.#at) this.#pushText(special);
      if (special < text.length) {
        const isMore = text[special] === "]" ? yield* this.#closeBracket() : this.#parseSpecial(text[special]!);
        if (!isMore) this.#pushText(special + 1);
      }
      if (read % STEP === 0) yield;
    }
    yield* this.#runs.resolve(undefined);
    return this.#row.toArray();
  }

  /** Parses what a special character begins; false if it is only itself. */
  #parseSpecial(character: string): boolean {
    switch (character) {
      case "\n":
        return this.#parseLineEnding();
      case "\\":
        return this.#parseEscape();
      case "`":
        return this.#parseSpan(this.#backticks, 1, "inlineCode");
      case "$":
        return this.#parseSpan(this.#dollars, 2, "inlineMath");
      case "*":
      case "_":
      case "~":
        return this.#pushRun(character);
      case "[":
        return this.#parseFootnote() || this.#openBracket(1);
      case "!":
        return this.text[this.#at + 1] === "[" && !this.#scanFootnote(this.#at + 1) && this.#openBracket(2);
      case "<":
        return this.#parseAngleBracket();
      case "&":
        return this.#parseReference();
      case ":":
        return this.#parseEmoji();
      case "@":
        return this.#parseEmail();
      default:
        return this.#parseWebAutolink();
    }
  }

  #push(node: InlineNode, height?: number): InlineEntry {
    this.#at = node.end;
    this.#floor = node.end;
    return this.#row.push(node, height);
  }

  /** Adds text to the last text, or begins a new one. */
  #pushText(end: number, value = this.text.slice(this.#at, end)): void {
    if (!this.#plain || this.#plain !== this.#row.last) {
      this.#plain = this.#pushDelimiter(end, value);
      return;
    }
    this.#plain.node.value += value;
    this.#plain.node.end = end;
    this.#at = end;
  }

  /** Adds text that can become more than text. */
  #pushDelimiter(end: number, value = this.text.slice(this.#at, end)): InlineEntry & { node: TextNode } {
    const node: TextNode = { type: "text", value, start: this.#at, end };
    this.#at = end;
    return this.#row.push(node) as InlineEntry & { node: TextNode };
  }

  #parseLineEnding(): boolean {
    const last = this.#row.last?.node;
    let end = this.#at;
    if (last?.type === "text" && last.end === this.#at) {
      while (end > last.start && isSpace(this.text.charCodeAt(end - 1))) end--;
      last.value = last.value.slice(0, last.value.length - (this.#at - end));
      last.end = end;
    }
    const trail = this.text.slice(end, this.#at);
    const isBreak = trail.length >= 2 && !trail.includes("\t");
    if (!isBreak) this.#pushText(this.#at + 1);
    else this.#push({ type: "break", start: end, end: this.#at + 1 });
    return true;
  }

  #parseEscape(): boolean {
    const next = this.text.charCodeAt(this.#at + 1);
    if (next === 10) this.#push({ type: "break", start: this.#at, end: this.#at + 2 });
    else if (isEscapable(next)) {
      this.#pushText(this.#at + 2, this.text[this.#at + 1]);
      this.#floor = this.#at;
    } else return false;
    return true;
  }

  /** Parses code between equal backtick strings, and formulas between equal strings of dollars. */
  #parseSpan(runs: SpanDelimiters, least: number, type: "inlineCode" | "inlineMath"): boolean {
    const start = this.#at;
    const behind = skipRun(this.text, start);
    const length = behind - start;
    const closing = length < least ? undefined : runs.findClosing(behind, length);
    if (closing === undefined) {
      this.#pushText(behind);
      return true;
    }
    const inner = this.text.slice(behind, closing).replaceAll("\n", " ");
    const isPadded = inner.startsWith(" ") && inner.endsWith(" ") && /[^ ]/.test(inner);
    this.#push({ type, value: isPadded ? inner.slice(1, -1) : inner, start, end: closing + length });
    return true;
  }

  #pushRun(mark: "*" | "_" | "~"): boolean {
    const start = this.#at;
    const end = skipRun(this.text, start);
    const { opens, closes } = getFlanking(this.text, start, end);
    if ((!opens && !closes) || (mark === "~" && end - start > 2)) this.#pushText(end);
    else this.#runs.push(this.#pushDelimiter(end), mark, end - start, opens, closes);
    return true;
  }

  #openBracket(width: number): boolean {
    const above = this.#brackets.at(-1);
    if (above) above.hasInnerBracket = true;
    const run = this.#runs.last;
    const piece = this.#pushDelimiter(this.#at + width);
    this.#floor = this.#at;
    this.#brackets.push({ piece, behind: this.#at, isImage: width === 2, run, hasInnerBracket: false });
    return true;
  }

  *#closeBracket(): Steps<boolean> {
    const bracket = this.#brackets.pop();
    if (!bracket) return false;
    const isActive = bracket.isImage || this.#brackets.length >= this.#inactive;
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    const target = isActive ? this.#findTarget(bracket) : undefined;
    if (!target) return false;
    yield* this.#runs.resolve(bracket.run);
    const { children, height } = this.#row.takeBetween(bracket.piece, undefined);
    this.#row.remove(bracket.piece);
    const { start } = bracket.piece.node;
    const { end, value } = target;
    if (bracket.isImage) this.#push({ type: "image", ...value, alt: toAltText(children), start, end }, height + 1);
    else {
      this.#push({ type: "link", ...value, children: unwrapLinks(children), start, end }, height + 1);
      this.#inactive = this.#brackets.length;
    }
    return true;
  }

  #findTarget(bracket: Bracket): { end: number; value: LinkResource & { definition?: DefinitionNode } } | undefined {
    const behind = this.#at + 1;
    const resource = scanResource(this.text, behind);
    if (resource) return resource;
    const label = scanLabel(this.text, behind);
    let end = label?.end ?? behind;
    if (!label) {
      if (bracket.hasInnerBracket || this.#at - bracket.behind > MAX_LABEL_LENGTH) return undefined;
      if (this.text.startsWith("[]", behind)) end += 2;
    }
    const value = label?.value ?? this.text.slice(bracket.behind, this.#at);
    const definition = this.known.definitions.get(normalizeLabel(value));
    return definition && { end, value: { url: definition.url, title: definition.title, definition } };
  }

  #parseFootnote(): boolean {
    const label = this.#scanFootnote(this.#at);
    if (!label) return false;
    const identifier = normalizeLabel(label.value.slice(1)).toLowerCase();
    this.#push({ type: "footnoteReference", identifier, label: label.value.slice(1), start: this.#at, end: label.end });
    return true;
  }

  #scanFootnote(at: number): { end: number; value: string } | undefined {
    if (this.text[at + 1] !== "^" || this.known.footnotes.size === 0) return undefined;
    const label = scanLabel(this.text, at);
    if (!label || !/^\^[^\s]+$/.test(label.value)) return undefined;
    return this.known.footnotes.has(normalizeLabel(label.value.slice(1))) ? label : undefined;
  }

  /** Parses the expression, autolink or raw HTML that `<` begins. */
  #parseAngleBracket(): boolean {
    const node = parseAngleBracket(this.text, this.#at, this.#missing);
    if (node) this.#push(node, node.type === "link" ? 2 : 1);
    return node !== undefined;
  }

  #parseReference(): boolean {
    const reference = scanReference(this.text, this.#at);
    if (!reference) return false;
    this.#pushText(reference.end, reference.value);
    this.#floor = this.#at;
    return true;
  }

  #parseEmoji(): boolean {
    const before = this.text[this.#at - 1];
    if (before !== undefined && /[A-Za-z0-9_:]/.test(before) && this.#row.last?.node.type !== "emoji") return false;
    EMOJI.lastIndex = this.#at;
    const [source, code] = EMOJI.exec(this.text) ?? [];
    if (source === undefined || code === undefined || !EMOJI_CODE.test(code)) return false;
    this.#push({ type: "emoji", code, start: this.#at, end: this.#at + source.length });
    return true;
  }

  #parseWebAutolink(): boolean {
    const until = this.#brackets.length > 0 ? this.#findNextClosing() : this.text.length;
    const address = scanWebAutolink(this.text, this.#at, until);
    if (address) this.#push(createAutolink(this.text, address), 2);
    return address !== undefined;
  }

  /** Returns the offset of the next `]`, where an autolink inside brackets has to end. */
  #findNextClosing(): number {
    if (this.#nextClosing >= this.#at) return this.#nextClosing;
    const offset = this.text.indexOf("]", this.#at);
    this.#nextClosing = offset === -1 ? this.text.length : offset;
    return this.#nextClosing;
  }

  #parseEmail(): boolean {
    const address = scanEmailAutolink(this.text, this.#at, this.#floor);
    if (!address) return false;
    this.#takeBack(address.start);
    this.#push(createAutolink(this.text, address), 2);
    return true;
  }

  /** Removes the text from an offset on, which turned out to belong to an autolink. */
  #takeBack(offset: number): void {
    this.#runs.forgetFrom(offset);
    for (let piece = this.#row.last; piece && piece.node.end > offset; piece = this.#row.last) {
      if (piece.node.start >= offset) this.#row.remove(piece);
      else {
        const node = piece.node as TextNode;
        node.value = node.value.slice(0, node.value.length - (node.end - offset));
        node.end = offset;
      }
    }
  }
}

// Inlines that are recognized by one pattern: expressions, autolinks, and raw HTML.

const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>]*)>/y;
const MAIL_AUTOLINK =
  /<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>/y;
const EXPRESSION = /<code[ \t]+class=(?:"expression"|'expression')[ \t]*>/iy;

/** Parses the expression, autolink or raw HTML that begins with the `<` at an offset. */
function parseAngleBracket(text: string, start: number, missing: AbsentEndings): InlineNode | undefined {
  EXPRESSION.lastIndex = start;
  const opening = EXPRESSION.exec(text)?.[0];
  if (opening !== undefined) {
    const end = scanThrough(text, start + opening.length, "</code>", missing);
    if (end !== -1) {
      const source = text.slice(start + opening.length, end - "</code>".length);
      return { type: "expression", value: decodeReferences(source.replaceAll("\n", " ")).trim(), start, end };
    }
  }

  AUTOLINK.lastIndex = start;
  const uri = AUTOLINK.exec(text)?.[1];
  MAIL_AUTOLINK.lastIndex = start;
  const label = uri ?? MAIL_AUTOLINK.exec(text)?.[1];
  if (label !== undefined) {
    const url = uri ?? `mailto:${label}`;
    const inner = { start: start + 1, end: start + 1 + label.length };
    return { ...createAutolink(text, { url, ...inner }), start, end: inner.end + 1 };
  }

  const end = scanHtml(text, start, missing);
  return end === -1 ? undefined : { type: "html", value: text.slice(start, end), start, end };
}

function createAutolink(text: string, { url, start, end }: Autolink): LinkNode {
  const value = text.slice(start, end);
  return { type: "link", url, title: null, children: [{ type: "text", value, start, end }], start, end };
}
