// The blocks of a text, line by line: first the quotes, items and footnotes that a line goes on with, then those that it
// begins, then what is left of it. What stands inside paragraphs is only collected here.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_CONTAINERS } from "../limits";
import type { FootnoteDefinition, Root } from "../nodes";
import { isSpace, normalizeLabel, trimEnd } from "./characters";
import { Content } from "./content";
import { htmlKindOf } from "./html";
import { beginFence, beginHtml, beginIndented, beginMath, type Closings, type VerbatimLeaf } from "./leaves";
import { Line } from "./lines";
import { isThematicBreak, markerAt } from "./markers";
import { beginForeignCode, type Ends, tagOfShortcode } from "./shortcodes";
import { alignmentsOf } from "./tables";
import { type FoundTag, isEscaped, LongTag, nextTag, scanTag } from "./tags";
import { type BlockFindings, type Container, Tree } from "./tree";

/** How many characters are read in one step, and how many tags of one line. */
const STEP = 10_000;
const TAGS_AT_ONCE = 500;
/** How often a text may be searched for the ends of tags that go over several lines; a short text more often. */
const MAX_READINGS = 4;
const MORE_ROOM = 10_000;

/** Reads the blocks of a source from an offset on. */
export function* parseBlocks(source: string, from: number, found: BlockFindings): Steps<Root> {
  const root: Root = { type: "root", children: [], start: from, end: source.length };
  const tree = new Tree(source, found, root);
  const parser = new BlockParser(source, tree);
  for (let at = from, step = from + STEP; at < source.length; ) {
    at = parser.readLine(at);
    if (at < step) continue;
    step = at + STEP;
    yield;
  }
  tree.settle(1);
  root.end = source.length;
  return root;
}

class BlockParser {
  #line: Line;
  /** The line that is looked at, ahead of the one that is read. */
  #ahead: Line;
  /** How many characters may still be looked at ahead. */
  #room: number;
  readonly #closings: Closings = new Map();
  readonly #ends: Ends = new Map();
  /** The deepest quote whose marker stands on this line. */
  #quoted = 0;
  /** How many containers this line goes on with, and whether those are all. */
  #matched = 0;
  #isWhole = true;
  /** Whether this line has begun something, so that nothing from before it is open any more. */
  #isFresh = false;
  /** From where on tags of this line are still to be read. */
  #tagsFrom: number | undefined;

  constructor(
    readonly source: string,
    readonly tree: Tree,
  ) {
    this.#line = new Line(source);
    this.#ahead = new Line(source);
    this.#room = MAX_READINGS * source.length + MORE_ROOM;
  }

  /** Reads the line at an offset, or some tags of it; gives the offset to go on from. */
  readLine(at: number): number {
    if (at === this.#tagsFrom) this.#readTags();
    else this.#readFrom(at);
    this.#stretch();
    return this.#tagsFrom ?? this.#line.next;
  }

  #readFrom(at: number): void {
    const { open } = this.tree;
    this.#line.open(at);
    this.#quoted = 0;
    this.#matched = 1;
    this.#isFresh = false;
    while (this.#matched < open.length && this.#goesOn(open[this.#matched]!)) this.#matched++;
    this.#isWhole = this.#matched === open.length;
    if (!(this.#isWhole && this.#goesOnWithLeaf())) this.#begin();
  }

  /** Says of the containers that are open how far they reach. */
  #stretch(): void {
    const { leaf, open } = this.tree;
    const line = this.#line;
    const isOver = line.isBlank && !(leaf?.type === "verbatim" && leaf.isVerbatim);
    const reached = isOver ? this.#quoted + 1 : open.length;
    for (let i = 0; i < reached; i++) open[i]!.node.end = isOver ? line.at : line.end;
  }

  /** Reads the marker or the indentation by which a line goes on with a container. */
  #goesOn(container: Container): boolean {
    const { node } = container;
    const isHollow = node.children.length === 0 && !this.tree.leaf;
    if (!goesOnWith(container, this.#line, isHollow)) return false;
    if (node.type === "blockquote") this.#quoted = this.#matched;
    return true;
  }

  /** Gives a line to the leaf that is open, if that takes every line as it comes. */
  #goesOnWithLeaf(): boolean {
    const { leaf } = this.tree;
    if (leaf?.type !== "verbatim") return false;
    const taken = leaf.take(this.#line);
    if (taken !== "more") this.tree.closeLeaf();
    return taken !== "no";
  }

  /** Closes what this line does not go on with. */
  #settle(): void {
    if (!this.#isFresh) this.tree.settle(this.#matched);
    this.#isFresh = true;
  }

  /** Begins what the rest of a line begins. */
  #begin(): void {
    const line = this.#line;
    while (!line.isBlank && line.indent < 4 && this.#beginsContainer());
    const paragraph = this.#isFresh ? undefined : this.tree.paragraph;
    if (!line.isBlank && line.indent > 3 && !paragraph) this.#openLeaf(beginIndented(line));
    else if (!line.isBlank && line.indent < 4 && this.#beginsLeaf()) return;
    else this.#goOn();
  }

  /** What is left of a line goes on with a paragraph or a table, or begins a paragraph. */
  #goOn(): void {
    const line = this.#line;
    if (!this.#isWhole && !this.#isFresh) {
      if (!line.isBlank && this.tree.paragraph) {
        this.tree.addLine(line.text, line.end);
        return;
      }
      this.#settle();
    }
    if (line.isBlank) this.tree.closeLeaf();
    else if (this.tree.leaf?.type === "table") this.tree.addRow(line.text, line.end);
    else this.#addText(line.text, line.end);
  }

  /** The paragraph that this line would interrupt if it began something. */
  get #interrupted() {
    return this.#isWhole && !this.#isFresh ? this.tree.paragraph : undefined;
  }

  #beginsContainer(): boolean {
    const line = this.#line;
    if (this.tree.open.length >= MAX_CONTAINERS * 2) return false;
    if (line.code !== 62) return this.#beginsFootnote() || this.#beginsItem();
    this.#settle();
    const start = line.text;
    readQuoteMarker(line);
    this.tree.openContainer({ type: "blockquote", children: [], start, end: line.at });
    this.#quoted = this.tree.open.length - 1;
    return true;
  }

  #beginsFootnote(): boolean {
    const line = this.#line;
    if (line.code !== 91 || this.source[line.text + 1] !== "^") return false;
    const label = /^\[\^((?:[^\s[\]\\]|\\.){1,999})\]:/.exec(line.rest)?.[1];
    if (label === undefined) return false;
    this.#settle();
    const start = line.text;
    line.skipIndent();
    line.skip(label.length + 4);
    line.skipIndent();
    const key = normalizeLabel(label);
    const type = "footnoteDefinition";
    const node: FootnoteDefinition = { type, identifier: key.toLowerCase(), label, children: [], start, end: line.at };
    this.tree.openContainer(node, 4);
    const { footnotes } = this.tree.found;
    if (!footnotes.has(key)) footnotes.set(key, node);
    return true;
  }

  #beginsItem(): boolean {
    const line = this.#line;
    const marker = isThematicBreak(line) ? undefined : markerAt(line, this.#interrupted !== undefined);
    if (!marker) return false;
    this.#settle();
    const { start, first } = marker;
    const [end, last] = [line.at, this.tree.innermost];
    if (last.node.type !== "list" || last.marker?.mark !== marker.mark) {
      this.tree.openContainer({ type: "list", ordered: first !== null, first, children: [], start, end }, 0, marker);
    }
    this.tree.openContainer({ type: "listItem", checked: null, children: [], start, end }, marker.indent, marker);
    for (const { node } of this.tree.open) node.end = end;
    return true;
  }

  #openLeaf(leaf: VerbatimLeaf | undefined): boolean {
    if (!leaf) return false;
    this.#settle();
    this.tree.openLeaf(leaf);
    return true;
  }

  #beginsLeaf(): boolean {
    const line = this.#line;
    switch (line.code) {
      case 35:
        return this.#beginsHeading();
      case 96:
      case 126:
        return this.#openLeaf(beginFence(line));
      case 36:
        return this.#openLeaf(beginMath(line, this.#closings));
      case 60:
        return this.#beginsHtml();
      case 123:
        return this.#openLeaf(beginForeignCode(line, this.#ends)) || this.#beginsTags();
      case 61:
      case 45:
        if (this.#underlines()) return true;
    }
    if (!isThematicBreak(line)) return false;
    this.#settle();
    this.tree.add({ type: "thematicBreak", start: line.text, end: line.end });
    return true;
  }

  /** HTML of the seventh kind does not interrupt a paragraph, not even one that would go on lazily. */
  #beginsHtml(): boolean {
    const kind = htmlKindOf(this.#line.rest);
    if (kind === undefined || (kind === 7 && !this.#isFresh && this.tree.paragraph)) return false;
    return this.#openLeaf(beginHtml(this.#line, kind));
  }

  #beginsHeading(): boolean {
    const { source } = this;
    const line = this.#line;
    let start = line.text;
    while (source[start] === "#") start++;
    const depth = start - line.text;
    if (depth > 6 || (start < line.end && !isSpace(source.charCodeAt(start)))) return false;
    this.#settle();
    while (start < line.end && isSpace(source.charCodeAt(start))) start++;
    const last = trimEnd(source, start, line.end);
    let hashes = last;
    while (hashes > start && source[hashes - 1] === "#") hashes--;
    const isClosed = hashes === start || isSpace(source.charCodeAt(hashes - 1));
    const content = new Content();
    content.add(source, start, isClosed ? trimEnd(source, start, hashes) : last);
    this.tree.addHeading(depth, line.text, Math.max(last, line.text + depth), content);
    return true;
  }

  /** Makes the open paragraph a heading, if this line underlines it. */
  #underlines(): boolean {
    const line = this.#line;
    const paragraph = this.#interrupted;
    if (!paragraph || !/^(?:=+|-+)[ \t]*$/.test(line.rest)) return false;
    return this.tree.underline(paragraph, line.code === 61 ? 1 : 2, trimEnd(this.source, line.text, line.end));
  }

  /** A line of tags: whatever else stands on it is a paragraph between them. */
  #beginsTags(): boolean {
    const { source } = this;
    const { text: start, end } = this.#line;
    const first = scanTag(source, start, end) ?? this.#shortcode() ?? this.#longTag();
    if (!first) return false;
    this.#settle();
    this.tree.addTag(first);
    this.#tagsFrom = first.end;
    this.#readTags();
    return true;
  }

  /** A shortcode of another generator, as the tag that says the same. */
  #shortcode(): FoundTag | undefined {
    const line = this.#line;
    const { tags } = this.tree.innermost;
    const tag = tagOfShortcode(line, this.#ends, (name) => (tags.get(name) ?? 0) > 0);
    return tag && { ...tag, source: line.rest, start: line.text, end: line.end };
  }

  /** A tag that goes over several lines, all of them in the same quotes and items; then the last of them is the line. */
  #longTag(): FoundTag | undefined {
    const { source } = this;
    const { text: start, end, next } = this.#line;
    const tag = LongTag.begin(source.slice(start, end));
    const around = this.tree.open.slice(0, this.#isFresh ? undefined : this.#matched);
    const ahead = this.#ahead;
    for (let at = next; tag && at < source.length; at = ahead.next) {
      ahead.open(at);
      this.#room -= ahead.next - at;
      if (this.#room < 0 || !around.every((container) => goesOnWith(container, ahead, false))) return undefined;
      const line = ahead.raw;
      const behind = tag.take(line);
      if (behind === "none") return undefined;
      if (behind === "more") continue;
      [this.#line, this.#ahead] = [ahead, this.#line];
      this.#quoted = around.findLastIndex(({ node }) => node.type === "blockquote");
      return { ...tag.found!, start, end: ahead.end - (line.length - behind) };
    }
    return undefined;
  }

  /** Reads more of a line of tags: all that is left, unless there are very many. */
  #readTags(): void {
    const { source } = this;
    const { end } = this.#line;
    let behind = this.#tagsFrom!;
    for (let read = 0; read < TAGS_AT_ONCE; read++) {
      const tag = nextTag(source, behind, end);
      this.#addPassage(behind, tag?.start ?? end);
      if (!tag) {
        this.#tagsFrom = undefined;
        return;
      }
      this.tree.closeLeaf();
      this.tree.addTag(tag);
      behind = tag.end;
    }
    this.#tagsFrom = behind;
  }

  #addPassage(from: number, to: number): void {
    let start = from;
    while (start < to && isSpace(this.source.charCodeAt(start))) start++;
    if (start < to) this.#addText(start, to);
  }

  /** Adds text to the open paragraph, or begins one with it. */
  #addText(start: number, end: number): void {
    const align = this.tree.paragraph && this.#line.indent < 4 ? alignmentsOf(this.#line.rest) : undefined;
    if (align && this.tree.beginTable(this.tree.paragraph!, align, trimEnd(this.source, start, end))) return;
    const closing = this.#closingTags(start, end);
    const textEnd = closing[0]?.start ?? end;
    if (textEnd > start) this.tree.addLine(start, textEnd);
    if (closing.length === 0) return;
    this.tree.closeLeaf();
    for (const tag of closing) this.tree.addTag(tag);
  }

  /** The tags at the end of a line of text that close tags which are open. */
  #closingTags(start: number, lineEnd: number): FoundTag[] {
    const { tags } = this.tree.innermost;
    const found: FoundTag[] = [];
    if (tags.size === 0) return found;
    for (let end = trimEnd(this.source, start, lineEnd); this.source.startsWith("%}", end - 2); ) {
      const brace = this.source.slice(start, end - 2).lastIndexOf("{%");
      const isNone = brace === -1 || isEscaped(this.source, start + brace);
      const tag = isNone ? undefined : scanTag(this.source, start + brace, end);
      if (!tag || tag.end !== end || !tag.name.startsWith("end") || !tags.get(tag.name.slice(3))) break;
      found.push(tag);
      end = trimEnd(this.source, start, tag.start);
    }
    return found.reverse();
  }
}

/** Reads the marker or the indentation by which a line goes on with a container; a hollow item ends with a blank line. */
function goesOnWith({ node, indent }: Container, line: Line, isHollow: boolean): boolean {
  switch (node.type) {
    case "blockquote":
      if (line.indent > 3 || line.code !== 62) return false;
      readQuoteMarker(line);
      return true;
    case "listItem":
      if (line.isBlank ? isHollow : line.indent < indent) return false;
      line.skipColumns(indent);
      return true;
    case "footnoteDefinition":
      if (!line.isBlank && line.indent < indent) return false;
      line.skipColumns(indent);
      return true;
    default:
      return true;
  }
}

function readQuoteMarker(line: Line): void {
  line.skipIndent();
  line.skip(1);
  line.skipSpace();
}
