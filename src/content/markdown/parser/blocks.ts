// The blocks of a text, line by line: first the quotes, items and footnotes that a line goes on with, then those that it
// begins, then what is left of it. What stands inside paragraphs is only collected here.

import { MAX_CONTAINERS } from "../limits";
import type { Block, Blockquote, Definition, FootnoteDefinition, Inline, List, ListItem, Root } from "../nodes";
import { isSpace, normalizeLabel } from "./characters";
import { Content } from "./content";
import { htmlKindOf } from "./html";
import type { Known } from "./inlines";
import { beginFence, beginHtml, beginIndented, beginMath, type Closings, type Leaf, type VerbatimLeaf } from "./leaves";
import { Line } from "./lines";
import { type Marker, markerAt } from "./markers";
import { alignmentsOf, cellsOf } from "./tables";
import { attributesOf, type FoundTag, nextTag, scanTag } from "./tags";
import { scanDefinition } from "./targets";

/** What the blocks of a text leave behind for the second walk. */
export interface Found extends Known {
  definitions: Map<string, Definition>;
  footnotes: Map<string, FootnoteDefinition>;
  /** Contents that wait to be read into the children of their nodes. */
  contents: { children: Inline[]; content: Content }[];
}

/** A block that is open and holds others. */
interface Container {
  node: Root | Blockquote | List | ListItem | FootnoteDefinition;
  /** How far a line has to be indented to go on with it. */
  indent: number;
  marker: Marker | undefined;
  /** How many tags of a name are open in it. */
  tags: Map<string, number>;
}

/** Reads the blocks of a source from an offset on. */
export function parseBlocks(source: string, from: number, found: Found): Root {
  return new BlockParser(source, found).parse(from);
}

class BlockParser {
  readonly #line: Line;
  readonly #open: Container[] = [];
  #leaf: Leaf | undefined;
  /** The deepest quote whose marker stands on this line. */
  #quoted = 0;

  readonly #closings: Closings = new Map();

  constructor(
    readonly source: string,
    readonly found: Found,
  ) {
    this.#line = new Line(source);
  }

  parse(from: number): Root {
    const root: Root = { type: "root", children: [], start: from, end: this.source.length };
    this.#open.push({ node: root, indent: 0, marker: undefined, tags: new Map() });
    for (let at = from; at < this.source.length; at = this.#line.next) {
      this.#line.open(at);
      this.#readLine();
    }
    this.#settle(1);
    root.end = this.source.length;
    return root;
  }

  #readLine(): void {
    this.#quoted = 0;
    let matched = 1;
    while (matched < this.#open.length && this.#goesOn(this.#open[matched]!, matched)) matched++;
    const isWhole = matched === this.#open.length;
    if (!(isWhole && this.#goesOnWithLeaf())) this.#begin(matched, isWhole);
    this.#stretch();
  }

  /** Says of the containers that are open how far they reach. */
  #stretch(): void {
    const line = this.#line;
    const isOver = line.isBlank && !this.#isVerbatim();
    const reached = isOver ? this.#quoted + 1 : this.#open.length;
    for (let i = 0; i < reached; i++) this.#open[i]!.node.end = isOver ? line.at : line.end;
  }

  #isVerbatim(): boolean {
    return this.#leaf?.type === "verbatim" && this.#leaf.isVerbatim;
  }

  /** Reads the marker or the indentation by which a line goes on with a container. */
  #goesOn({ node, indent }: Container, index: number): boolean {
    const line = this.#line;
    switch (node.type) {
      case "blockquote":
        if (line.indent > 3 || line.code !== 62) return false;
        this.#readQuoteMarker();
        this.#quoted = index;
        return true;
      case "listItem":
      case "footnoteDefinition":
        if (line.isBlank ? node.children.length === 0 && !this.#leaf && node.type === "listItem" : line.indent < indent)
          return false;
        line.skipColumns(indent);
        return true;
      default:
        return true;
    }
  }

  #readQuoteMarker(): void {
    this.#line.skipIndent();
    this.#line.skip(1);
    this.#line.skipSpace();
  }

  /** Gives a line to the leaf that is open, if that takes every line as it comes. */
  #goesOnWithLeaf(): boolean {
    const leaf = this.#leaf;
    if (!leaf || leaf.type === "paragraph" || leaf.type === "table") return false;
    const taken = leaf.take(this.#line);
    if (taken !== "more") this.#closeLeaf();
    return taken !== "no";
  }

  /** Begins what the rest of a line begins. */
  #begin(matched: number, isWhole: boolean): void {
    const line = this.#line;
    let isFresh = false;
    const settle = () => {
      if (!isFresh) this.#settle(matched);
      isFresh = true;
    };
    while (!line.isBlank) {
      const paragraph = !isFresh && this.#leaf?.type === "paragraph" ? this.#leaf : undefined;
      if (line.indent > 3) {
        if (paragraph) break;
        settle();
        this.#openLeaf(beginIndented(line));
        return;
      }
      const interrupted = isWhole ? paragraph : undefined;
      if (this.#beginsContainer(interrupted !== undefined, settle)) continue;
      if (this.#beginsLeaf(interrupted, paragraph !== undefined, settle)) return;
      break;
    }
    if (!isWhole && !isFresh && !line.isBlank && this.#leaf?.type === "paragraph") {
      this.#addLine();
      return;
    }
    if (!isWhole && !isFresh) settle();
    if (line.isBlank) this.#closeLeaf();
    else if (this.#leaf?.type === "table") this.#addRow(line.text, line.end);
    else this.#addText();
  }

  #beginsContainer(interrupts: boolean, settle: () => void): boolean {
    const line = this.#line;
    if (this.#open.length >= MAX_CONTAINERS * 2) return false;
    if (line.code === 62) {
      settle();
      const start = line.text;
      this.#readQuoteMarker();
      this.#openContainer({ type: "blockquote", children: [], start, end: start });
      this.#quoted = this.#open.length - 1;
      return true;
    }
    return this.#beginsFootnote(settle) || this.#beginsItem(interrupts, settle);
  }

  #beginsFootnote(settle: () => void): boolean {
    const line = this.#line;
    if (line.code !== 91 || this.source[line.text + 1] !== "^") return false;
    const label = /^\[\^((?:[^\s[\]\\]|\\.){1,999})\]:/.exec(line.rest)?.[1];
    if (label === undefined) return false;
    settle();
    const start = line.text;
    const identifier = normalizeLabel(label);
    const node: FootnoteDefinition = {
      type: "footnoteDefinition",
      identifier: identifier.toLowerCase(),
      label,
      children: [],
      start,
      end: start,
    };
    line.skipIndent();
    line.skip(label.length + 4);
    line.skipIndent();
    this.#openContainer(node, 4);
    if (!this.found.footnotes.has(identifier)) this.found.footnotes.set(identifier, node);
    return true;
  }

  #beginsItem(interrupts: boolean, settle: () => void): boolean {
    const line = this.#line;
    const marker = isThematicBreak(line) ? undefined : markerAt(line, interrupts);
    if (!marker) return false;
    settle();
    const { start } = marker;
    const last = this.#open.at(-1)!;
    if (last.node.type !== "list" || last.marker?.mark !== marker.mark) {
      if (last.node.type === "list") this.#open.pop();
      const ordered = marker.first !== null;
      this.#openContainer({ type: "list", ordered, first: marker.first, children: [], start, end: start }, 0, marker);
    }
    this.#openContainer({ type: "listItem", checked: null, children: [], start, end: start }, marker.indent, marker);
    return true;
  }

  #openContainer(node: Blockquote | List | ListItem | FootnoteDefinition, indent = 0, marker?: Marker): void {
    if (node.type === "listItem") (this.#open.at(-1)!.node as List).children.push(node);
    else this.#add(node);
    this.#open.push({ node, indent, marker, tags: new Map() });
  }

  /** Adds a block to the innermost container that may hold it. */
  #add(block: Block): void {
    if (this.#open.at(-1)!.node.type === "list") this.#open.pop();
    (this.#open.at(-1)!.node as Root | Blockquote).children.push(block);
  }

  #openLeaf(leaf: VerbatimLeaf): void {
    this.#add(leaf.node);
    if (leaf.isDone) leaf.close();
    else this.#leaf = leaf;
  }

  #beginsLeaf(interrupted: Leaf | undefined, isMaybeLazy: boolean, settle: () => void): boolean {
    const line = this.#line;
    switch (line.code) {
      case 35:
        return this.#beginsHeading(settle);
      case 96:
      case 126:
        return this.#beginsVerbatim(beginFence(line), settle);
      case 36:
        return this.#beginsVerbatim(beginMath(line, this.#closings), settle);
      case 60: {
        const kind = htmlKindOf(line.rest);
        if (kind === undefined || (kind === 7 && isMaybeLazy)) return false;
        return this.#beginsVerbatim(beginHtml(line, kind), settle);
      }
      case 123:
        return this.#beginsTags(settle);
      case 61:
      case 45:
        if (interrupted && this.#underlines()) return true;
    }
    if (!isThematicBreak(line)) return false;
    settle();
    this.#add({ type: "thematicBreak", start: line.text, end: line.end });
    return true;
  }

  #beginsVerbatim(leaf: VerbatimLeaf | undefined, settle: () => void): boolean {
    if (!leaf) return false;
    settle();
    this.#openLeaf(leaf);
    return true;
  }

  #beginsHeading(settle: () => void): boolean {
    const line = this.#line;
    const { source } = this;
    let start = line.text;
    while (source[start] === "#") start++;
    const depth = start - line.text;
    if (depth > 6 || (start < line.end && !isSpace(source.charCodeAt(start)))) return false;
    settle();
    while (start < line.end && isSpace(source.charCodeAt(start))) start++;
    let end = trimEnd(source, start, line.end);
    const last = end;
    let hashes = end;
    while (hashes > start && source[hashes - 1] === "#") hashes--;
    if (hashes < end && (hashes === start || isSpace(source.charCodeAt(hashes - 1))))
      end = trimEnd(source, start, hashes);
    const children: Inline[] = [];
    this.#add({ type: "heading", depth, children, start: line.text, end: Math.max(last, line.text + depth) });
    this.#await(children, start, end);
    return true;
  }

  #await(children: Inline[], start: number, end: number): void {
    const content = new Content();
    content.add(this.source, start, end);
    this.found.contents.push({ children, content });
  }

  /** Makes the open paragraph a heading, if this line underlines it. */
  #underlines(): boolean {
    const line = this.#line;
    if (!/^(?:=+|-+)[ \t]*$/.test(line.rest) || this.#leaf?.type !== "paragraph") return false;
    const { content } = this.#leaf;
    const start = this.#readDefinitions(content);
    if (start >= content.text.length) {
      this.#leaf = undefined;
      return false;
    }
    this.#leaf = undefined;
    const children: Inline[] = [];
    const depth = line.code === 61 ? 1 : 2;
    this.#add({
      type: "heading",
      depth,
      children,
      start: content.sourceOf(start),
      end: trimEnd(this.source, line.text, line.end),
    });
    this.found.contents.push({
      children,
      content: content.slice(start, trimEnd(content.text, 0, content.text.length)),
    });
    return true;
  }

  /** A line of tags: whatever else stands on it is a paragraph between them. */
  #beginsTags(settle: () => void): boolean {
    const line = this.#line;
    const first = scanTag(this.source, line.text, line.end);
    if (!first) return false;
    settle();
    this.#addTag(first);
    let text = first.end;
    for (let tag = nextTag(this.source, text, line.end); tag; tag = nextTag(this.source, text, line.end)) {
      this.#addPassage(text, tag.start);
      this.#closeLeaf();
      this.#addTag(tag);
      text = tag.end;
    }
    this.#addPassage(text, line.end);
    return true;
  }

  #addPassage(from: number, to: number): void {
    let start = from;
    while (start < to && isSpace(this.source.charCodeAt(start))) start++;
    if (start < to) this.#addText(start, to);
  }

  #addTag({ name, argument, start, end }: FoundTag): void {
    const attributes = attributesOf(argument);
    this.#add({
      type: "tag",
      name,
      argument,
      attributes,
      open: { start, end },
      close: undefined,
      children: [],
      start,
      end,
    });
    const { tags } = this.#open.at(-1)!;
    const closed = name.startsWith("end") ? name.slice(3) : undefined;
    if (closed === undefined) tags.set(name, (tags.get(name) ?? 0) + 1);
    else tags.set(closed, Math.max(0, (tags.get(closed) ?? 0) - 1));
  }

  /** Adds the rest of a line to the open paragraph, or begins one with it. */
  #addText(start = this.#line.text, end = this.#line.end): void {
    if (this.#leaf?.type === "paragraph" && this.#becomesTable()) return;
    const closing = this.#closingTags(start, end);
    if (!closing) {
      this.#addLine(start, end);
      return;
    }
    if (closing[0]!.start > start) this.#addLine(start, closing[0]!.start);
    this.#closeLeaf();
    for (const tag of closing) this.#addTag(tag);
  }

  /** The closing tags that a line of text ends with. */
  #closingTags(start: number, lineEnd: number): FoundTag[] | undefined {
    const { tags } = this.#open.at(-1)!;
    if (tags.size === 0) return undefined;
    const found: FoundTag[] = [];
    for (let end = trimEnd(this.source, start, lineEnd); this.source.startsWith("%}", end - 2); ) {
      const brace = this.source.lastIndexOf("{%", end - 2);
      const tag = brace < start ? undefined : scanTag(this.source, brace, end);
      if (!tag || tag.end !== end || !(tag.name.startsWith("end") && tags.get(tag.name.slice(3)))) break;
      found.push(tag);
      end = trimEnd(this.source, start, brace);
    }
    return found.length > 0 ? found.reverse() : undefined;
  }

  #addLine(start = this.#line.text, end = this.#line.end): void {
    if (this.#leaf?.type !== "paragraph") {
      if (this.#open.at(-1)!.node.type === "list") this.#open.pop();
      this.#leaf = { type: "paragraph", content: new Content(), lastLine: 0, lastStart: 0, lastEnd: 0 };
    }
    const leaf = this.#leaf;
    if (leaf.content.text !== "") leaf.content.addEnding(leaf.lastEnd);
    leaf.lastLine = leaf.content.text.length;
    leaf.lastStart = start;
    leaf.lastEnd = end;
    leaf.content.add(this.source, start, end);
  }

  /** Makes the last line of the open paragraph the head of a table, if this line gives it columns. */
  #becomesTable(): boolean {
    const line = this.#line;
    const leaf = this.#leaf;
    if (leaf?.type !== "paragraph" || line.indent > 3) return false;
    const align = alignmentsOf(line.rest);
    if (!align || cellsOf(this.source, leaf.lastStart, leaf.lastEnd).length !== align.length) return false;
    const before = leaf.lastLine > 0 ? leaf.content.slice(0, leaf.lastLine - 1) : undefined;
    this.#leaf = undefined;
    if (before) this.#addParagraph(before);
    const { lastStart: start, lastEnd } = leaf;
    this.#leaf = { type: "table", node: { type: "table", align, children: [], start, end: line.end } };
    this.#add(this.#leaf.node);
    this.#addRow(start, lastEnd);
    this.#leaf.node.end = trimEnd(this.source, line.text, line.end);
    return true;
  }

  #addRow(start: number, lineEnd: number): void {
    if (this.#leaf?.type !== "table") return;
    const end = trimEnd(this.source, start, lineEnd);
    const children = cellsOf(this.source, start, end).map((cell) => {
      const inlines: Inline[] = [];
      this.found.contents.push({ children: inlines, content: cell.content });
      return { type: "tableCell" as const, children: inlines, start: cell.start, end: cell.end };
    });
    this.#leaf.node.children.push({ type: "tableRow", children, start, end });
    this.#leaf.node.end = end;
  }

  /** Closes the open leaf, and the containers that a line does not go on with. */
  #settle(depth: number): void {
    this.#closeLeaf();
    this.#open.length = depth;
  }

  #closeLeaf(): void {
    const leaf = this.#leaf;
    this.#leaf = undefined;
    if (leaf?.type === "paragraph") this.#addParagraph(leaf.content);
    else if (leaf && leaf.type !== "table") leaf.close();
  }

  #addParagraph(content: Content): void {
    let start = this.#readDefinitions(content);
    const end = trimEnd(content.text, 0, content.text.length);
    if (start >= end) return;
    const [from, to] = [content.sourceOf(start), content.sourceOf(end - 1) + 1];
    start += this.#readCheckbox(content.text, start);
    const children: Inline[] = [];
    this.#add({ type: "paragraph", children, start: from, end: to });
    this.found.contents.push({ children, content: content.slice(start, end) });
  }

  /** Reads the box of a task at the start of an item; gives its length. */
  #readCheckbox(text: string, start: number): number {
    const { node } = this.#open.at(-1)!;
    if (node.type !== "listItem" || node.children.length > 0) return 0;
    const box = /^\[([ \t\nxX])\][ \t\n]+(?=\S)/.exec(text.slice(start, start + 64));
    if (!box) return 0;
    node.checked = box[1] === "x" || box[1] === "X";
    return box[0].length;
  }

  /** Takes the definitions at the start of a paragraph; gives the offset behind them. */
  #readDefinitions(content: Content): number {
    let at = 0;
    while (content.text[at] === "[") {
      const definition = scanDefinition(content.text, at);
      if (!definition) break;
      const { identifier, url, title, last } = definition.value;
      const [start, end] = [content.sourceOf(at), content.sourceOf(last - 1) + 1];
      const node: Definition = { type: "definition", identifier, url, title, start, end };
      if (!this.found.definitions.has(identifier)) this.found.definitions.set(identifier, node);
      this.#add(node);
      at = definition.end;
    }
    return at;
  }
}

function trimEnd(source: string, start: number, end: number): number {
  let last = end;
  while (last > start && isSpace(source.charCodeAt(last - 1))) last--;
  return last;
}

function isThematicBreak(line: Line): boolean {
  const mark = line.code;
  if (mark !== 42 && mark !== 45 && mark !== 95) return false;
  let count = 0;
  for (let i = line.text; i < line.end; i++) {
    const code = line.source.charCodeAt(i);
    if (code === mark) count++;
    else if (!isSpace(code)) return false;
  }
  return count >= 3;
}
