// Parses the blocks of a text line by line, as CommonMark describes: first the containers that a line continues, then the
// containers and the leaf that it opens, then the rest of the line. Inlines are collected here, and parsed later.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_CONTAINERS } from "../limits";
import type { FootnoteDefinitionNode, RootNode } from "../nodes";
import { type BlockFindings, BlockTree, type OpenBlock } from "./block-tree";
import { findTrimmedEnd, isSpace, normalizeLabel, skipSpaces } from "./characters";
import { Content } from "./content";
import { getHtmlKind } from "./html";
import { beginFence, beginHtml, beginIndented, beginMath, type ClosingOffsets, type VerbatimLeaf } from "./leaf-blocks";
import { LineCursor } from "./line-cursor";
import { isThematicBreak, readListMarker } from "./list-markers";
import { beginShortcodeCode, convertShortcode } from "./shortcodes";
import { parseDelimiterRow } from "./tables";
import { findNextTag, isEscaped, MultilineTag, type ScannedTag, scanTag } from "./tags";

/** The number of characters that are read in one step, and of tags in one line. */
const STEP = 10_000;
const TAGS_PER_STEP = 500;
/** The number of times that a text may be searched for the ends of tags of several lines; more for a short text. */
const MAX_LOOK_AHEADS = 4;
const EXTRA_LOOK_AHEAD = 10_000;

export function* parseBlocks(source: string, from: number, found: BlockFindings): Steps<RootNode> {
  const root: RootNode = { type: "root", children: [], start: from, end: source.length };
  const tree = new BlockTree(source, found, root);
  const parser = new BlockParser(source, tree);
  for (let at = from, step = from + STEP; at < source.length; ) {
    at = parser.readLine(at);
    if (at < step) continue;
    step = at + STEP;
    yield;
  }
  tree.closeBelow(1);
  root.end = source.length;
  return root;
}

class BlockParser {
  #line: LineCursor;
  /** The line that is looked at ahead of the current one. */
  #ahead: LineCursor;
  /** The number of characters that may still be looked at ahead. */
  #lookAheadBudget: number;
  readonly #closings: ClosingOffsets = new Map();
  /** The index of the deepest block quote with a marker on this line. */
  #deepestQuote = 0;
  /** The number of containers that this line continues, and whether those are all of them. */
  #matched = 0;
  #matchesAll = true;
  /** True if this line has opened a block, so that the blocks it does not continue are closed. */
  #hasOpened = false;
  /** The offset from which tags of this line are still to be read. */
  #tagsFrom: number | undefined;

  constructor(
    readonly source: string,
    readonly tree: BlockTree,
  ) {
    this.#line = new LineCursor(source);
    this.#ahead = new LineCursor(source);
    this.#lookAheadBudget = MAX_LOOK_AHEADS * source.length + EXTRA_LOOK_AHEAD;
  }

  /** Reads the line at an offset, or some of its tags, and returns the offset to continue at. */
  readLine(at: number): number {
    if (at === this.#tagsFrom) this.#readTags();
    else this.#openLine(at);
    this.#extendContainers();
    return this.#tagsFrom ?? this.#line.next;
  }

  #openLine(at: number): void {
    const { open } = this.tree;
    this.#line.open(at);
    this.#deepestQuote = 0;
    this.#matched = 1;
    this.#hasOpened = false;
    for (; this.#matched < open.length; this.#matched++) {
      const container = open[this.#matched]!;
      const isEmpty = container.node.children.length === 0 && !this.tree.leaf;
      if (!canContinueContainer(container, this.#line, isEmpty)) break;
      if (container.node.type === "blockquote") this.#deepestQuote = this.#matched;
    }
    this.#matchesAll = this.#matched === open.length;
    if (!(this.#matchesAll && this.#continueLeaf())) this.#openBlocks();
  }

  /** Extends the open containers to the end of this line. */
  #extendContainers(): void {
    const { leaf, open } = this.tree;
    const line = this.#line;
    const isEnd = line.isBlank && !(leaf?.type === "verbatim" && leaf.isVerbatim);
    const depth = isEnd ? this.#deepestQuote + 1 : open.length;
    for (let i = 0; i < depth; i++) open[i]!.node.end = isEnd ? line.at : line.end;
  }

  /** Gives the line to the open leaf, if that takes lines verbatim. */
  #continueLeaf(): boolean {
    const { leaf } = this.tree;
    if (leaf?.type !== "verbatim") return false;
    const taken = leaf.take(this.#line);
    if (taken !== "more") this.tree.closeLeaf();
    return taken !== "no";
  }

  #closeUnmatched(): void {
    if (!this.#hasOpened) this.tree.closeBelow(this.#matched);
    this.#hasOpened = true;
  }

  /** Opens the blocks that the rest of the line begins. */
  #openBlocks(): void {
    const line = this.#line;
    while (!line.isBlank && line.indent < 4 && this.#tryContainer());
    const paragraph = this.#hasOpened ? undefined : this.tree.paragraph;
    if (!line.isBlank && line.indent > 3 && !paragraph) this.#tryVerbatim(beginIndented(line));
    else if (!line.isBlank && line.indent < 4 && this.#tryLeaf()) return;
    else this.#addRest();
  }

  /** Adds the rest of the line to the open paragraph or table, or opens a paragraph with it. */
  #addRest(): void {
    const line = this.#line;
    if (!this.#matchesAll && !this.#hasOpened) {
      if (!line.isBlank && this.tree.paragraph) {
        this.tree.addLine(line.text, line.end);
        return;
      }
      this.#closeUnmatched();
    }
    if (line.isBlank) this.tree.closeLeaf();
    else if (this.tree.leaf?.type === "table") this.tree.addRow(line.text, line.end);
    else this.#addText(line.text, line.end);
  }

  /** The paragraph that this line would interrupt by opening a block. */
  get #interrupted() {
    return this.#matchesAll && !this.#hasOpened ? this.tree.paragraph : undefined;
  }

  #tryContainer(): boolean {
    const line = this.#line;
    if (this.tree.open.length >= MAX_CONTAINERS * 2) return false;
    if (line.code !== 62) return this.#tryFootnote() || this.#tryItem();
    this.#closeUnmatched();
    const start = line.text;
    readQuoteMarker(line);
    this.tree.openContainer({ type: "blockquote", children: [], start, end: line.at });
    this.#deepestQuote = this.tree.open.length - 1;
    return true;
  }

  #tryFootnote(): boolean {
    const line = this.#line;
    if (line.code !== 91 || this.source[line.text + 1] !== "^") return false;
    const label = /^\[\^((?:[^\s[\]\\]|\\.){1,999})\]:/.exec(line.rest)?.[1];
    if (label === undefined) return false;
    this.#closeUnmatched();
    const start = line.text;
    line.skipIndent();
    line.skip(label.length + 4);
    line.skipIndent();
    const key = normalizeLabel(label);
    const type = "footnoteDefinition";
    const node: FootnoteDefinitionNode = {
      type,
      identifier: key.toLowerCase(),
      label,
      children: [],
      start,
      end: line.at,
    };
    this.tree.openContainer(node, 4);
    const { footnotes } = this.tree.found;
    if (!footnotes.has(key)) footnotes.set(key, node);
    return true;
  }

  #tryItem(): boolean {
    const line = this.#line;
    const marker = isThematicBreak(line) ? undefined : readListMarker(line, this.#interrupted !== undefined);
    if (!marker) return false;
    this.#closeUnmatched();
    const { start, first } = marker;
    const [end, last] = [line.at, this.tree.innermost];
    if (last.node.type !== "list" || last.marker?.mark !== marker.mark) {
      this.tree.openContainer({ type: "list", ordered: first !== null, first, children: [], start, end }, 0, marker);
    }
    this.tree.openContainer({ type: "listItem", checked: null, children: [], start, end }, marker.indent, marker);
    for (const { node } of this.tree.open) node.end = end;
    return true;
  }

  #tryVerbatim(leaf: VerbatimLeaf | undefined): boolean {
    if (!leaf) return false;
    this.#closeUnmatched();
    this.tree.openLeaf(leaf);
    return true;
  }

  #tryLeaf(): boolean {
    const line = this.#line;
    switch (line.code) {
      case 35:
        return this.#tryHeading();
      case 96:
      case 126:
        return this.#tryVerbatim(beginFence(line));
      case 36:
        return this.#tryVerbatim(beginMath(line, this.#closings));
      case 60:
        return this.#tryHtml();
      case 123:
        return this.#tryVerbatim(beginShortcodeCode(line, this.#closings)) || this.#tryTags();
      case 61:
      case 45:
        if (this.#trySetextUnderline()) return true;
    }
    if (!isThematicBreak(line)) return false;
    this.#closeUnmatched();
    this.tree.add({ type: "thematicBreak", start: line.text, end: line.end });
    return true;
  }

  /** HTML blocks of kind 7 do not interrupt a paragraph, not even one with lazy continuation lines. */
  #tryHtml(): boolean {
    const kind = getHtmlKind(this.#line.rest);
    if (kind === undefined || (kind === 7 && !this.#hasOpened && this.tree.paragraph)) return false;
    return this.#tryVerbatim(beginHtml(this.#line, kind));
  }

  #tryHeading(): boolean {
    const { source } = this;
    const line = this.#line;
    let start = line.text;
    while (source[start] === "#") start++;
    const depth = start - line.text;
    if (depth > 6 || (start < line.end && !isSpace(source.charCodeAt(start)))) return false;
    this.#closeUnmatched();
    start = skipSpaces(source, start, line.end);
    const last = findTrimmedEnd(source, start, line.end);
    let hashes = last;
    while (hashes > start && source[hashes - 1] === "#") hashes--;
    const isClosed = hashes === start || isSpace(source.charCodeAt(hashes - 1));
    const content = new Content();
    content.add(source, start, isClosed ? findTrimmedEnd(source, start, hashes) : last);
    this.tree.addHeading(depth, line.text, Math.max(last, line.text + depth), content);
    return true;
  }

  /** Turns the open paragraph into a heading if this line is a setext heading underline. */
  #trySetextUnderline(): boolean {
    const line = this.#line;
    const paragraph = this.#interrupted;
    if (!paragraph || !/^(?:=+|-+)[ \t]*$/.test(line.rest)) return false;
    return this.tree.addSetextHeading(
      paragraph,
      line.code === 61 ? 1 : 2,
      findTrimmedEnd(this.source, line.text, line.end),
    );
  }

  /** Reads a line of tags. Any other text on it becomes paragraphs between them. */
  #tryTags(): boolean {
    const { source } = this;
    const { text: start, end } = this.#line;
    const first = scanTag(source, start, end) ?? this.#convertShortcode() ?? this.#scanLongTag();
    if (!first) return false;
    this.#closeUnmatched();
    this.tree.addTag(first);
    this.#tagsFrom = first.end;
    this.#readTags();
    return true;
  }

  #convertShortcode(): ScannedTag | undefined {
    const line = this.#line;
    const { tags } = this.tree.innermost;
    const tag = convertShortcode(line, this.#closings, (name) => (tags.get(name) ?? 0) > 0);
    return tag && { ...tag, source: line.rest, start: line.text, end: line.end };
  }

  /** Scans a tag of several lines, all of them in the same containers. The last of them becomes the current line. */
  #scanLongTag(): ScannedTag | undefined {
    const { source } = this;
    const { text: start, end, next } = this.#line;
    const tag = MultilineTag.begin(source.slice(start, end));
    const around = this.tree.open.slice(0, this.#hasOpened ? undefined : this.#matched);
    const ahead = this.#ahead;
    for (let at = next; tag && at < source.length; at = ahead.next) {
      ahead.open(at);
      this.#lookAheadBudget -= ahead.next - at;
      if (this.#lookAheadBudget < 0 || !around.every((container) => canContinueContainer(container, ahead, false)))
        return undefined;
      const line = ahead.raw;
      const behind = tag.take(line);
      if (behind === "none") return undefined;
      if (behind === "more") continue;
      [this.#line, this.#ahead] = [ahead, this.#line];
      this.#deepestQuote = around.findLastIndex(({ node }) => node.type === "blockquote");
      return { ...tag.found!, start, end: ahead.end - (line.length - behind) };
    }
    return undefined;
  }

  /** Reads the remaining tags of the line, unless there are very many. */
  #readTags(): void {
    const { source } = this;
    const { end } = this.#line;
    let behind = this.#tagsFrom!;
    for (let read = 0; read < TAGS_PER_STEP; read++) {
      const tag = findNextTag(source, behind, end);
      const start = skipSpaces(source, behind, tag?.start ?? end);
      if (start < (tag?.start ?? end)) this.#addText(start, tag?.start ?? end);
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

  /** Adds text to the open paragraph, or opens one with it. */
  #addText(start: number, end: number): void {
    const align = this.tree.paragraph && this.#line.indent < 4 ? parseDelimiterRow(this.#line.rest) : undefined;
    if (align && this.tree.beginTable(this.tree.paragraph!, align, findTrimmedEnd(this.source, start, end))) return;
    const closing = this.#findClosingTags(start, end);
    const textEnd = closing[0]?.start ?? end;
    if (textEnd > start) this.tree.addLine(start, textEnd);
    if (closing.length === 0) return;
    this.tree.closeLeaf();
    for (const tag of closing) this.tree.addTag(tag);
  }

  #findClosingTags(start: number, lineEnd: number): ScannedTag[] {
    const { tags } = this.tree.innermost;
    const found: ScannedTag[] = [];
    if (tags.size === 0) return found;
    for (let end = findTrimmedEnd(this.source, start, lineEnd); this.source.startsWith("%}", end - 2); ) {
      const brace = this.source.slice(start, end - 2).lastIndexOf("{%");
      const isText = brace === -1 || isEscaped(this.source, start + brace);
      const tag = isText ? undefined : scanTag(this.source, start + brace, end);
      if (!tag || tag.end !== end || !tag.name.startsWith("end") || !tags.get(tag.name.slice(3))) break;
      found.push(tag);
      end = findTrimmedEnd(this.source, start, tag.start);
    }
    return found.reverse();
  }
}

/** Reads the marker or the indentation by which a line continues a container. An empty list item ends with a blank line. */
function canContinueContainer({ node, indent }: OpenBlock, line: LineCursor, isEmpty: boolean): boolean {
  switch (node.type) {
    case "blockquote":
      if (line.indent > 3 || line.code !== 62) return false;
      readQuoteMarker(line);
      return true;
    case "listItem":
      if (line.isBlank ? isEmpty : line.indent < indent) return false;
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

function readQuoteMarker(line: LineCursor): void {
  line.skipIndent();
  line.skip(1);
  line.skipSpace();
}
