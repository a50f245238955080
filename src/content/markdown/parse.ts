// Parses Markdown into a tree: CommonMark and GFM with tags, formulas, emoji and expressions, in linear time for every text.
// Nothing is lost: an invalid extension stays what CommonMark makes of it.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import type { BlockNode, HtmlBlockNode, InlineNode, RootNode, SourceSpan } from "./nodes";
import type { BlockFindings } from "./parser/block-tree";
import { parseBlocks } from "./parser/blocks";
import { trimSpaces } from "./parser/characters";
import { Content } from "./parser/content";
import { Groups } from "./parser/groups";
import { parseInlines } from "./parser/inlines";
import { createOffsetMap } from "./parser/offset-map";

/** The maximum depth of Markdown inside HTML inside Markdown. */
const MAX_FRAGMENTS = 6;

/** The number of characters that are parsed in one step, and of nodes that are visited. */
const STEP = 5_000;

/** Parses a text. Front matter is skipped; offsets are those of the whole text. */
export function parseMarkdown(text: string): RootNode {
  return runStepsSync(parseMarkdownInSteps(text));
}

/** Parses a text step by step, so that other work can run in between. */
export function parseMarkdownInSteps(text: string): Steps<RootNode> {
  return new MarkdownParser().parse(text);
}

class MarkdownParser {
  readonly #found: BlockFindings = { definitions: new Map(), footnotes: new Map(), contents: [] };
  /** Moves the nodes of fragments to their offsets in the source once everything is parsed, innermost first. */
  readonly #moves: (() => Steps<void>)[] = [];

  *parse(text: string): Steps<RootNode> {
    const source = text.replaceAll("\0", "\uFFFD");
    const root = yield* parseBlocks(source, findFrontMatter(source)?.after ?? skipByteOrderMark(source), this.#found);
    yield* this.#group(root, 0);
    yield* this.#parseContents();
    for (const move of this.#moves) yield* move();
    return root;
  }

  /** Parses the inlines of all blocks. Each content is released afterwards: there may be hundreds of thousands. */
  *#parseContents(): Steps<void> {
    const { contents } = this.#found;
    let read = 0;
    for (let at = 0; at < contents.length; at++) {
      const { node, content } = contents[at]!;
      contents[at] = RELEASED;
      node.children = yield* parseInlines(content, this.#found);
      // Each content has a fixed cost besides its length.
      read += content.text.length + 20;
      if (read < STEP) continue;
      read = 0;
      yield;
    }
  }

  *#group(node: { children: BlockNode[] }, depth: number): Steps<void> {
    let read = 0;
    for (const child of node.children) {
      if (child.type === "list") {
        for (const item of child.children) {
          if (item.children.some(({ type }) => GROUPING.has(type) || NESTING.has(type)))
            yield* this.#group(item, depth);
          if (++read % STEP === 0) yield;
        }
      } else if (child.type === "blockquote" || child.type === "footnoteDefinition") yield* this.#group(child, depth);
      if (++read % STEP === 0) yield;
    }
    if (!node.children.some(({ type }) => GROUPING.has(type))) return;
    const groups = new Groups((html, from, to) => this.#readFragment(html, from, to, depth));
    for (const child of node.children) {
      yield* groups.add(child);
      if (++read % STEP === 0) yield;
    }
    node.children = groups.blocks;
  }

  *#readFragment(html: HtmlBlockNode, from: number, to: number, depth: number): Steps<BlockNode[]> {
    if (depth >= MAX_FRAGMENTS) {
      const value = html.value.slice(from, to);
      if (trimSpaces(value) === "") return [];
      const toSource = createOffsetMap(html);
      const line = html.value.slice(0, from).split("\n").length;
      const [start, end] = [toSource(from), toSource(to - 1) + 1];
      const lines = html.lines.slice(line - 1, line - 1 + value.split("\n").length).map((span) => ({ ...span }));
      lines[0]!.start = start;
      lines.at(-1)!.end = end;
      return [{ type: "html", value, lines, start, end }];
    }
    const { children } = yield* parseBlocks(html.value.slice(0, to), from, this.#found);
    const fragment = { children };
    yield* this.#group(fragment, depth + 1);
    const toSource = createOffsetMap(html);
    this.#moves.push(() => mapNodesToSource(fragment.children, toSource));
    return fragment.children;
  }
}

const GROUPING: ReadonlySet<BlockNode["type"]> = new Set<BlockNode["type"]>(["tag", "html"]);

/** Blocks that can contain blocks to group. */
const NESTING: ReadonlySet<BlockNode["type"]> = new Set<BlockNode["type"]>([
  "list",
  "blockquote",
  "footnoteDefinition",
]);

/** Replaces a content that is parsed. */
const RELEASED: BlockFindings["contents"][number] = { node: { children: [] }, content: new Content() };

/** Maps the offsets of nodes from the value of an HTML block to the source. */
function* mapNodesToSource(nodes: readonly MappedNode[], toSource: (offset: number) => number): Steps<void> {
  const move = (span: SourceSpan) => {
    span.start = toSource(span.start);
    span.end = toSource(Math.max(0, span.end - 1)) + 1;
  };
  let moved = 0;
  for (const node of nodes) {
    move(node);
    if ("open" in node) move(node.open);
    if ("close" in node && node.close) move(node.close);
    if ("lines" in node) node.lines.forEach(move);
    if ("children" in node) yield* mapNodesToSource(node.children, toSource);
    if (++moved % STEP === 0) yield;
  }
}

type MappedNode =
  | BlockNode
  | InlineNode
  | Extract<BlockNode, { type: "list" | "table" }>["children"][number]
  | TableCell;
type TableCell = Extract<BlockNode, { type: "table" }>["children"][number]["children"][number];
