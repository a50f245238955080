// What stands inside a paragraph, a heading or a cell: one walk over its content, after CommonMark and GFM, with our
// own formulas, emoji and expressions. Failed attempts are remembered, so that the walk stays linear.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_LABEL_LENGTH } from "../limits";
import type { Definition, Inline, Text } from "../nodes";
import { emojiAt, linkTo, pointedAt } from "./atoms";
import { mailAddressAround, webAddressAt } from "./autolinks";
import { isEscapable, isSpace, normalizeLabel } from "./characters";
import type { Content } from "./content";
import { flanking, type Run, Runs } from "./emphasis";
import type { Missing } from "./html";
import { type Piece, Row } from "./pieces";
import { referenceAt } from "./references";
import { endOfRun, MarkRuns } from "./runs";
import { scanLabel, scanResource, type Target } from "./targets";
import { plainText, withoutLinks } from "./words";

/** What a content may refer to. */
export interface Known {
  /** By normalized label. */
  definitions: ReadonlyMap<string, Definition>;
  /** By normalized label. */
  footnotes: ReadonlyMap<string, unknown>;
}

/** A `[` or `![` that waits for its `]`. */
interface Bracket {
  piece: Piece;
  /** The offset behind it. */
  behind: number;
  isImage: boolean;
  run: Run | undefined;
  /** Whether another bracket follows: then what is between cannot be a label. */
  holdsBracket: boolean;
}

const SPECIAL = /[\n\\`*_~[\]!<&:$@]|[wW](?=[wW]{2}\.)|[hH](?=[tT]{2}[pP][sS]?:\/\/)/g;

/** How many pieces, marks or nodes are gone through in one step. */
const STEP = 5_000;

/** The text of a content that is nothing else; undefined when there may be more to it. */
export function plainInline(content: Content): Text | undefined {
  const { text } = content;
  if (text === "" || text.search(SPECIAL) !== -1) return undefined;
  return { type: "text", value: text, start: content.sourceOf(0), end: content.sourceOf(text.length - 1) + 1 };
}

/** The nodes of a content, at their places in the source. */
export function* parseInlines(content: Content, known: Known): Steps<Inline[]> {
  const nodes = yield* new InlineParser(content.text, known).parse();
  for (let at = 0; at < nodes.length; at++) {
    place(nodes[at]!, content);
    if (at % STEP === STEP - 1) yield;
  }
  return nodes;
}

/** Turns offsets of the content into those of the source. */
function place(node: Inline, content: Content): void {
  node.start = content.sourceOf(node.start);
  node.end = content.sourceOf(node.end - 1) + 1;
  if ("children" in node) for (const child of node.children) place(child, content);
}

class InlineParser {
  readonly #row: Row;
  readonly #runs: Runs;
  #at = 0;
  /** Where a mail address may begin at the earliest. */
  #floor = 0;
  readonly #brackets: Bracket[] = [];
  /** Brackets below this one cannot become links any more: a link holds no link. */
  #inactive = 0;
  /** Where the next `]` stands, as far as it is known. */
  #closing = -1;
  /** The last piece, if it is text and nothing more. */
  #plain: (Piece & { node: Text }) | undefined;
  readonly #missing: Missing = new Set();
  readonly #backticks: MarkRuns;
  readonly #dollars: MarkRuns;

  constructor(
    readonly text: string,
    readonly known: Known,
  ) {
    this.#row = new Row(text);
    this.#runs = new Runs(this.#row);
    this.#backticks = new MarkRuns(text, "`");
    this.#dollars = new MarkRuns(text, "$");
  }

  *parse(): Steps<Inline[]> {
    const { text } = this;
    for (let read = 1; this.#at < text.length; read++) {
      SPECIAL.lastIndex = this.#at;
      const special = SPECIAL.exec(text)?.index ?? text.length;
      if (special > this.#at) this.#pushText(special);
      if (special < text.length) {
        const isMore = text[special] === "]" ? yield* this.#closeBracket() : this.#special(text[special]!);
        if (!isMore) this.#pushText(special + 1);
      }
      if (read % STEP === 0) yield;
    }
    yield* this.#runs.resolve(undefined);
    return this.#row.toArray();
  }

  /** Reads what a special character begins; false when it is only itself. */
  #special(character: string): boolean {
    switch (character) {
      case "\n":
        return this.#lineEnding();
      case "\\":
        return this.#escape();
      case "`":
        return this.#fenced(this.#backticks, 1, "inlineCode");
      case "$":
        return this.#fenced(this.#dollars, 2, "inlineMath");
      case "*":
      case "_":
      case "~":
        return this.#run(character);
      case "[":
        return this.#footnote() || this.#openBracket(1);
      case "!":
        return this.text[this.#at + 1] === "[" && !this.#isFootnote(this.#at + 1) && this.#openBracket(2);
      case "<":
        return this.#pointed();
      case "&":
        return this.#reference();
      case ":":
        return this.#emoji();
      case "@":
        return this.#mail();
      default:
        return this.#web();
    }
  }

  #push(node: Inline, height?: number): Piece {
    this.#at = node.end;
    this.#floor = node.end;
    return this.#row.push(node, height);
  }

  /** Adds text to the text that stands last, or begins one. */
  #pushText(end: number, value = this.text.slice(this.#at, end)): void {
    if (!this.#plain || this.#plain !== this.#row.last) {
      this.#plain = this.#pushMark(end, value);
      return;
    }
    this.#plain.node.value += value;
    this.#plain.node.end = end;
    this.#at = end;
  }

  /** Adds text that may turn out to be more. */
  #pushMark(end: number, value = this.text.slice(this.#at, end)): Piece & { node: Text } {
    const node: Text = { type: "text", value, start: this.#at, end };
    this.#at = end;
    return this.#row.push(node) as Piece & { node: Text };
  }

  #lineEnding(): boolean {
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

  #escape(): boolean {
    const next = this.text.charCodeAt(this.#at + 1);
    if (next === 10) this.#push({ type: "break", start: this.#at, end: this.#at + 2 });
    else if (isEscapable(next)) {
      this.#pushText(this.#at + 2, this.text[this.#at + 1]);
      this.#floor = this.#at;
    } else return false;
    return true;
  }

  /** Code between equal runs of backticks, and formulas between equal runs of dollars. */
  #fenced(runs: MarkRuns, least: number, type: "inlineCode" | "inlineMath"): boolean {
    const start = this.#at;
    const behind = endOfRun(this.text, start);
    const length = behind - start;
    const closing = length < least ? undefined : runs.closing(behind, length);
    if (closing === undefined) {
      this.#pushText(behind);
      return true;
    }
    const inner = this.text.slice(behind, closing).replaceAll("\n", " ");
    const isPadded = inner.startsWith(" ") && inner.endsWith(" ") && /[^ ]/.test(inner);
    this.#push({ type, value: isPadded ? inner.slice(1, -1) : inner, start, end: closing + length });
    return true;
  }

  #run(mark: "*" | "_" | "~"): boolean {
    const start = this.#at;
    const end = endOfRun(this.text, start);
    const { opens, closes } = flanking(this.text, start, end);
    if ((!opens && !closes) || (mark === "~" && end - start > 2)) this.#pushText(end);
    else this.#runs.push(this.#pushMark(end), mark, end - start, opens, closes);
    return true;
  }

  #openBracket(width: number): boolean {
    const above = this.#brackets.at(-1);
    if (above) above.holdsBracket = true;
    const run = this.#runs.last;
    const piece = this.#pushMark(this.#at + width);
    this.#floor = this.#at;
    this.#brackets.push({ piece, behind: this.#at, isImage: width === 2, run, holdsBracket: false });
    return true;
  }

  *#closeBracket(): Steps<boolean> {
    const bracket = this.#brackets.pop();
    if (!bracket) return false;
    const isActive = bracket.isImage || this.#brackets.length >= this.#inactive;
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    const found = isActive ? this.#targetBehind(bracket) : undefined;
    if (!found) return false;
    yield* this.#runs.resolve(bracket.run);
    const { children, height } = this.#row.takeBetween(bracket.piece, undefined);
    this.#row.remove(bracket.piece);
    const { start } = bracket.piece.node;
    if (bracket.isImage)
      this.#push({ type: "image", ...found.value, alt: plainText(children), start, end: found.end }, height + 1);
    else
      this.#push({ type: "link", ...found.value, children: withoutLinks(children), start, end: found.end }, height + 1);
    if (!bracket.isImage) this.#inactive = this.#brackets.length;
    return true;
  }

  #targetBehind(bracket: Bracket): { end: number; value: Target } | undefined {
    const behind = this.#at + 1;
    const resource = scanResource(this.text, behind);
    if (resource) return resource;
    const label = scanLabel(this.text, behind);
    if (label) {
      const target = this.known.definitions.get(normalizeLabel(label.value));
      return target && { end: label.end, value: defined(target) };
    }
    if (bracket.holdsBracket || this.#at - bracket.behind > MAX_LABEL_LENGTH) return undefined;
    const target = this.known.definitions.get(normalizeLabel(this.text.slice(bracket.behind, this.#at)));
    const end = this.text.startsWith("[]", behind) ? behind + 2 : behind;
    return target && { end, value: defined(target) };
  }

  #footnote(): boolean {
    const label = this.#isFootnote(this.#at);
    if (!label) return false;
    const identifier = normalizeLabel(label.value.slice(1)).toLowerCase();
    this.#push({ type: "footnoteReference", identifier, label: label.value.slice(1), start: this.#at, end: label.end });
    return true;
  }

  #isFootnote(at: number): { end: number; value: string } | undefined {
    if (this.text[at + 1] !== "^" || this.known.footnotes.size === 0) return undefined;
    const label = scanLabel(this.text, at);
    if (!label || !/^\^[^\s]+$/.test(label.value)) return undefined;
    return this.known.footnotes.has(normalizeLabel(label.value.slice(1))) ? label : undefined;
  }

  /** What `<` begins: an expression, an address or HTML. */
  #pointed(): boolean {
    const node = pointedAt(this.text, this.#at, this.#missing);
    if (node) this.#push(node, node.type === "link" ? 2 : 1);
    return node !== undefined;
  }

  #reference(): boolean {
    const found = referenceAt(this.text, this.#at);
    if (!found) return false;
    this.#pushText(found.end, found.value);
    this.#floor = this.#at;
    return true;
  }

  #emoji(): boolean {
    const before = this.text[this.#at - 1];
    if (before !== undefined && /[A-Za-z0-9_:]/.test(before) && this.#row.last?.node.type !== "emoji") return false;
    const emoji = emojiAt(this.text, this.#at);
    if (emoji) this.#push(emoji);
    return emoji !== undefined;
  }

  #web(): boolean {
    const until = this.#brackets.length > 0 ? this.#nextClosing() : this.text.length;
    const address = webAddressAt(this.text, this.#at, until);
    if (address) this.#push(linkTo(this.text, address), 2);
    return address !== undefined;
  }

  /** Inside brackets an address ends where they may. */
  #nextClosing(): number {
    if (this.#closing >= this.#at) return this.#closing;
    const found = this.text.indexOf("]", this.#at);
    this.#closing = found === -1 ? this.text.length : found;
    return this.#closing;
  }

  #mail(): boolean {
    const address = mailAddressAround(this.text, this.#at, this.#floor);
    if (!address) return false;
    this.#takeBack(address.start);
    this.#push(linkTo(this.text, address), 2);
    return true;
  }

  /** Takes back text from an offset on that turned out to belong to something else. */
  #takeBack(offset: number): void {
    this.#runs.forgetFrom(offset);
    for (let piece = this.#row.last; piece && piece.node.end > offset; piece = this.#row.last) {
      if (piece.node.start >= offset) this.#row.remove(piece);
      else {
        const node = piece.node as Text;
        node.value = node.value.slice(0, node.value.length - (node.end - offset));
        node.end = offset;
      }
    }
  }
}

function defined(definition: Definition): Target & { definition: Definition } {
  return { url: definition.url, title: definition.title, definition };
}
