// The tree of blocks while it is built: the open container blocks, and the leaf block that is open in the innermost of them.

import type {
  Alignment,
  BlockNode,
  BlockquoteNode,
  DefinitionNode,
  FootnoteDefinitionNode,
  HeadingNode,
  InlineNode,
  ListItemNode,
  ListNode,
  ParagraphNode,
  RootNode,
  TableCellNode,
  TagNode,
} from "../nodes";
import { findTrimmedEnd } from "./characters";
import { Content } from "./content";
import type { ReferenceTargets } from "./inlines";
import type { OpenLeaf, ParagraphLeaf, VerbatimLeaf } from "./leaf-blocks";
import { scanDefinition } from "./link-parts";
import type { ListMarker } from "./list-markers";
import { splitRow } from "./tables";
import { parseTagAttributes, type ScannedTag } from "./tags";

/** The length of a paragraph at which the definitions at its start are read for the first time. */
const READ_AHEAD = 10_000;

/** The results of the first pass, over the blocks of a text, that the second pass over the inlines needs. */
export interface BlockFindings extends ReferenceTargets {
  definitions: Map<string, DefinitionNode>;
  footnotes: Map<string, FootnoteDefinitionNode>;
  /** Contents that are still to be parsed into the children of their nodes. */
  contents: { node: { children: InlineNode[] }; content: Content }[];
}

export interface OpenBlock {
  node: RootNode | BlockquoteNode | ListNode | ListItemNode | FootnoteDefinitionNode;
  /** The indentation by which a line continues it. */
  indent: number;
  marker: ListMarker | undefined;
  /** The number of tags that are open in it, by their names. */
  tags: Map<string, number>;
}

export class BlockTree {
  /** The open containers, from the root to the innermost. */
  readonly open: OpenBlock[] = [];
  leaf: OpenLeaf | undefined;

  constructor(
    readonly source: string,
    readonly found: BlockFindings,
    root: RootNode,
  ) {
    this.open.push({ node: root, indent: 0, marker: undefined, tags: new Map() });
  }

  get innermost(): OpenBlock {
    return this.open.at(-1)!;
  }

  /** The open paragraph, if there is one. */
  get paragraph(): ParagraphLeaf | undefined {
    return this.leaf?.type === "paragraph" ? this.leaf : undefined;
  }

  /** Adds a block to the innermost container that can contain it. */
  add(block: BlockNode): void {
    this.#closeList();
    (this.innermost.node as RootNode | BlockquoteNode).children.push(block);
  }

  /** Closes the innermost list: a list contains only items. */
  #closeList(): void {
    if (this.innermost.node.type === "list") this.open.pop();
  }

  openContainer(
    node: BlockquoteNode | ListNode | ListItemNode | FootnoteDefinitionNode,
    indent = 0,
    marker?: ListMarker,
  ): void {
    if (node.type === "listItem") (this.innermost.node as ListNode).children.push(node);
    else this.add(node);
    this.open.push({ node, indent, marker, tags: new Map() });
  }

  openLeaf(leaf: VerbatimLeaf): void {
    this.add(leaf.node);
    if (leaf.isDone) leaf.close();
    else this.leaf = leaf;
  }

  /** Closes the open leaf, and the containers below a depth. */
  closeBelow(depth: number): void {
    this.closeLeaf();
    this.open.length = depth;
  }

  closeLeaf(): void {
    const { leaf } = this;
    this.leaf = undefined;
    if (leaf?.type === "paragraph") this.#addParagraph(leaf.content);
    else if (leaf?.type === "verbatim") leaf.close();
  }

  addHeading(depth: number, start: number, end: number, content: Content): void {
    const node: HeadingNode = { type: "heading", depth, children: [], start, end };
    this.add(node);
    this.found.contents.push({ node, content });
  }

  addTag({ name, argument, source, start, end }: ScannedTag): void {
    const [attributes, open] = [parseTagAttributes(argument), { start, end }];
    const tag: TagNode = { type: "tag", name, argument, attributes, open, close: undefined, children: [], start, end };
    if (source !== undefined) tag.source = source;
    this.add(tag);
    const { tags } = this.innermost;
    const closed = name.startsWith("end") ? name.slice(3) : undefined;
    if (closed === undefined) tags.set(name, (tags.get(name) ?? 0) + 1);
    else tags.set(closed, Math.max(0, (tags.get(closed) ?? 0) - 1));
  }

  /** Adds a line to the open paragraph, or opens one. */
  addLine(start: number, end: number): void {
    if (this.leaf?.type !== "paragraph") {
      this.#closeList();
      const content = new Content();
      this.leaf = { type: "paragraph", content, lastLine: 0, lastStart: 0, lastEnd: 0, readAheadAt: READ_AHEAD };
    }
    const { leaf } = this;
    if (leaf.content.text !== "") leaf.content.addEnding(leaf.lastEnd);
    leaf.lastLine = leaf.content.text.length;
    leaf.lastStart = start;
    leaf.lastEnd = end;
    leaf.content.add(this.source, start, end);
    if (leaf.content.text.length >= leaf.readAheadAt) this.#readAhead(leaf);
  }

  /** Reads definitions while the paragraph grows, each once another one follows it: never very many at once. */
  #readAhead(leaf: ParagraphLeaf): void {
    const read = this.#readDefinitions(leaf.content, true);
    if (read > 0) {
      leaf.content = leaf.content.slice(read, leaf.content.text.length);
      leaf.lastLine -= read;
    }
    leaf.readAheadAt = 2 * leaf.content.text.length + READ_AHEAD;
  }

  /** Turns the open paragraph into a setext heading; false if it contained only definitions. */
  addSetextHeading({ content }: ParagraphLeaf, depth: number, end: number): boolean {
    this.leaf = undefined;
    const start = this.#readDefinitions(content);
    if (start >= content.text.length) return false;
    const text = content.slice(start, findTrimmedEnd(content.text, 0, content.text.length));
    this.addHeading(depth, content.toSource(start), end, text);
    return true;
  }

  /** Turns the last line of the open paragraph into the header row of a table, if it has as many cells as columns. */
  beginTable(leaf: ParagraphLeaf, align: (Alignment | null)[], end: number): boolean {
    const { lastLine, lastStart: start, lastEnd, content } = leaf;
    if (splitRow(this.source, start, lastEnd).length !== align.length) return false;
    this.leaf = undefined;
    if (lastLine > 0) this.#addParagraph(content.slice(0, lastLine - 1));
    this.leaf = { type: "table", node: { type: "table", align, children: [], start, end } };
    this.add(this.leaf.node);
    this.addRow(start, lastEnd);
    this.leaf.node.end = end;
    return true;
  }

  addRow(start: number, lineEnd: number): void {
    if (this.leaf?.type !== "table") return;
    const end = findTrimmedEnd(this.source, start, lineEnd);
    const children = splitRow(this.source, start, end).map((cell) => {
      const node: TableCellNode = { type: "tableCell", children: [], start: cell.start, end: cell.end };
      this.found.contents.push({ node, content: cell.content });
      return node;
    });
    this.leaf.node.children.push({ type: "tableRow", children, start, end });
    this.leaf.node.end = end;
  }

  #addParagraph(content: Content): void {
    let start = this.#readDefinitions(content);
    const end = findTrimmedEnd(content.text, 0, content.text.length);
    if (start >= end) return;
    const [from, to] = [content.toSource(start), content.toSource(end - 1) + 1];
    start += this.#readCheckbox(content.text, start);
    const node: ParagraphNode = { type: "paragraph", children: [], start: from, end: to };
    this.add(node);
    this.found.contents.push({ node, content: content.slice(start, end) });
  }

  /** Reads the checkbox of a task list item, and returns its length. */
  #readCheckbox(text: string, start: number): number {
    const { node } = this.innermost;
    if (node.type !== "listItem" || node.children.length > 0) return 0;
    const box = /^\[([ \t\nxX])\][ \t\n]+(?=\S)/.exec(text.slice(start, start + 64));
    if (!box) return 0;
    node.checked = box[1] === "x" || box[1] === "X";
    return box[0].length;
  }

  /** Reads the link reference definitions at the start of a paragraph, and returns the offset after them. */
  #readDefinitions(content: Content, onlyIfFollowed = false): number {
    let at = 0;
    while (content.text[at] === "[") {
      const definition = scanDefinition(content.text, at);
      if (!definition || (onlyIfFollowed && content.text[definition.end] !== "[")) break;
      const { identifier, url, title, last } = definition.value;
      const [start, end] = [content.toSource(at), content.toSource(last - 1) + 1];
      const node: DefinitionNode = { type: "definition", identifier, url, title, start, end };
      if (!this.found.definitions.has(identifier)) this.found.definitions.set(identifier, node);
      this.add(node);
      at = definition.end;
    }
    return at;
  }
}
