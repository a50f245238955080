// The tree while it grows: the containers that are open, the leaf that is open in the innermost of them, and what becomes
// of a leaf when it is closed.

import type {
  Alignment,
  Block,
  Blockquote,
  Definition,
  FootnoteDefinition,
  Heading,
  Inline,
  List,
  ListItem,
  Paragraph,
  Root,
  TableCell,
} from "../nodes";
import { trimEnd } from "./characters";
import { Content } from "./content";
import type { Known } from "./inlines";
import type { Leaf, ParagraphLeaf, VerbatimLeaf } from "./leaves";
import type { Marker } from "./markers";
import { cellsOf } from "./tables";
import { attributesOf, type FoundTag } from "./tags";
import { scanDefinition } from "./targets";

/** How long a paragraph is when the definitions at its start are read for the first time. */
const READ_AHEAD = 10_000;

/** What the blocks of a text leave behind for the second walk. */
export interface BlockFindings extends Known {
  definitions: Map<string, Definition>;
  footnotes: Map<string, FootnoteDefinition>;
  /** Contents that wait to be read into the children of their nodes. */
  contents: { node: { children: Inline[] }; content: Content }[];
}

/** A block that is open and holds others. */
export interface Container {
  node: Root | Blockquote | List | ListItem | FootnoteDefinition;
  /** How far a line has to be indented to go on with it. */
  indent: number;
  marker: Marker | undefined;
  /** How many tags of a name are open in it. */
  tags: Map<string, number>;
}

/** A tree that grows. */
export class Tree {
  /** The containers that are open, the root first. */
  readonly open: Container[] = [];
  leaf: Leaf | undefined;

  constructor(
    readonly source: string,
    readonly found: BlockFindings,
    root: Root,
  ) {
    this.open.push({ node: root, indent: 0, marker: undefined, tags: new Map() });
  }

  /** The innermost container. */
  get innermost(): Container {
    return this.open.at(-1)!;
  }

  /** The paragraph that is open, if one is. */
  get paragraph(): ParagraphLeaf | undefined {
    return this.leaf?.type === "paragraph" ? this.leaf : undefined;
  }

  /** Adds a block to the innermost container that may hold it. */
  add(block: Block): void {
    this.#leaveList();
    (this.innermost.node as Root | Blockquote).children.push(block);
  }

  /** A list holds items alone: anything else ends it. */
  #leaveList(): void {
    if (this.innermost.node.type === "list") this.open.pop();
  }

  openContainer(node: Blockquote | List | ListItem | FootnoteDefinition, indent = 0, marker?: Marker): void {
    if (node.type === "listItem") (this.innermost.node as List).children.push(node);
    else this.add(node);
    this.open.push({ node, indent, marker, tags: new Map() });
  }

  openLeaf(leaf: VerbatimLeaf): void {
    this.add(leaf.node);
    if (leaf.isDone) leaf.close();
    else this.leaf = leaf;
  }

  /** Closes the open leaf, and the containers beyond a depth. */
  settle(depth: number): void {
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
    const node: Heading = { type: "heading", depth, children: [], start, end };
    this.add(node);
    this.found.contents.push({ node, content });
  }

  addTag({ name, argument, source, start, end }: FoundTag): void {
    const [attributes, open] = [attributesOf(argument), { start, end }];
    const lines = source === undefined ? {} : { source };
    this.add({ type: "tag", name, argument, attributes, ...lines, open, close: undefined, children: [], start, end });
    const { tags } = this.innermost;
    const closed = name.startsWith("end") ? name.slice(3) : undefined;
    if (closed === undefined) tags.set(name, (tags.get(name) ?? 0) + 1);
    else tags.set(closed, Math.max(0, (tags.get(closed) ?? 0) - 1));
  }

  /** Adds a line to the open paragraph, or begins one with it. */
  addLine(start: number, end: number): void {
    if (this.leaf?.type !== "paragraph") {
      this.#leaveList();
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

  /** Reads definitions while more of them come, so that very many are not read at once. Nothing can be added any more to one
   * that another follows. */
  #readAhead(leaf: ParagraphLeaf): void {
    const read = this.#readDefinitions(leaf.content, true);
    if (read > 0) {
      leaf.content = leaf.content.slice(read, leaf.content.text.length);
      leaf.lastLine -= read;
    }
    leaf.readAheadAt = 2 * leaf.content.text.length + READ_AHEAD;
  }

  /** Makes the open paragraph a heading that ends at an offset; false if it held nothing but definitions. */
  underline({ content }: ParagraphLeaf, depth: number, end: number): boolean {
    this.leaf = undefined;
    const start = this.#readDefinitions(content);
    if (start >= content.text.length) return false;
    const words = content.slice(start, trimEnd(content.text, 0, content.text.length));
    this.addHeading(depth, content.sourceOf(start), end, words);
    return true;
  }

  /** Makes the last line of the open paragraph the head of a table, if it has as many cells as there are columns. */
  beginTable(leaf: ParagraphLeaf, align: (Alignment | null)[], end: number): boolean {
    const { lastLine, lastStart: start, lastEnd, content } = leaf;
    if (cellsOf(this.source, start, lastEnd).length !== align.length) return false;
    this.leaf = undefined;
    if (lastLine > 0) this.#addParagraph(content.slice(0, lastLine - 1));
    this.leaf = { type: "table", node: { type: "table", align, children: [], start, end } };
    this.add(this.leaf.node);
    this.addRow(start, lastEnd);
    this.leaf.node.end = end;
    return true;
  }

  /** Adds a row to the open table. */
  addRow(start: number, lineEnd: number): void {
    if (this.leaf?.type !== "table") return;
    const end = trimEnd(this.source, start, lineEnd);
    const children = cellsOf(this.source, start, end).map((cell) => {
      const node: TableCell = { type: "tableCell", children: [], start: cell.start, end: cell.end };
      this.found.contents.push({ node, content: cell.content });
      return node;
    });
    this.leaf.node.children.push({ type: "tableRow", children, start, end });
    this.leaf.node.end = end;
  }

  #addParagraph(content: Content): void {
    let start = this.#readDefinitions(content);
    const end = trimEnd(content.text, 0, content.text.length);
    if (start >= end) return;
    const [from, to] = [content.sourceOf(start), content.sourceOf(end - 1) + 1];
    start += this.#readCheckbox(content.text, start);
    const node: Paragraph = { type: "paragraph", children: [], start: from, end: to };
    this.add(node);
    this.found.contents.push({ node, content: content.slice(start, end) });
  }

  /** Reads the box of a task at the start of an item; gives its length. */
  #readCheckbox(text: string, start: number): number {
    const { node } = this.innermost;
    if (node.type !== "listItem" || node.children.length > 0) return 0;
    const box = /^\[([ \t\nxX])\][ \t\n]+(?=\S)/.exec(text.slice(start, start + 64));
    if (!box) return 0;
    node.checked = box[1] === "x" || box[1] === "X";
    return box[0].length;
  }

  /** Takes the definitions at the start of a paragraph; gives the offset behind them. */
  #readDefinitions(content: Content, onlyIfFollowed = false): number {
    let at = 0;
    while (content.text[at] === "[") {
      const definition = scanDefinition(content.text, at);
      if (!definition || (onlyIfFollowed && content.text[definition.end] !== "[")) break;
      const { identifier, url, title, last } = definition.value;
      const [start, end] = [content.sourceOf(at), content.sourceOf(last - 1) + 1];
      const node: Definition = { type: "definition", identifier, url, title, start, end };
      if (!this.found.definitions.has(identifier)) this.found.definitions.set(identifier, node);
      this.add(node);
      at = definition.end;
    }
    return at;
  }
}
