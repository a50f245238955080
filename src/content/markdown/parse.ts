// Markdown into a tree: CommonMark and GFM with our own forms, in linear time for every text. Nothing is lost: what is
// not valid as one of our forms stays what CommonMark says it is.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import type { Block, Html, Inline, Root, Span } from "./nodes";
import { parseBlocks } from "./parser/blocks";
import { trimSpaces } from "./parser/characters";
import { Content } from "./parser/content";
import { groupBlocks, mayGroup } from "./parser/groups";
import { parseInlines, plainInline } from "./parser/inlines";
import { placesOf } from "./parser/places";
import type { BlockFindings } from "./parser/tree";

/** How often HTML that contains Markdown may be nested. */
const MAX_FRAGMENTS = 6;

/** How many characters are read in one step, and how many nodes are gone through. */
const STEP = 5_000;

/** Reads a text. Front matter is skipped; offsets are those of the whole text. */
export function parse(text: string): Root {
  return runStepsSync(parseInSteps(text));
}

/** Reads a text step by step, so that other calls can run in between. */
export function parseInSteps(text: string): Steps<Root> {
  return new Parser().parse(text);
}

class Parser {
  readonly #found: BlockFindings = { definitions: new Map(), footnotes: new Map(), contents: [] };
  /** What has to be moved to its place in the source once everything is read, innermost first. */
  readonly #moves: (() => Steps<void>)[] = [];

  *parse(text: string): Steps<Root> {
    const source = text.replaceAll("\0", "\uFFFD");
    const root = yield* parseBlocks(source, findFrontMatter(source)?.after ?? skipByteOrderMark(source), this.#found);
    yield* this.#group(root, 0);
    yield* this.#readContents();
    for (const move of this.#moves) yield* move();
    return root;
  }

  /** What stands inside the blocks. A content that was read is let go of: there may be hundreds of thousands. */
  *#readContents(): Steps<void> {
    const { contents } = this.#found;
    let read = 0;
    for (let at = 0; at < contents.length; at++) {
      const { node, content } = contents[at]!;
      contents[at] = READ;
      const plain = plainInline(content);
      node.children = plain ? [plain] : yield* parseInlines(content, this.#found);
      // A short one takes its time as well.
      read += content.text.length + 20;
      if (read < STEP) continue;
      read = 0;
      yield;
    }
  }

  *#group(node: { children: Block[] }, depth: number): Steps<void> {
    let read = 0;
    for (const child of node.children) {
      if (child.type === "list") {
        for (const item of child.children) {
          if (item.children.some(holdsGroups)) yield* this.#group(item, depth);
          if (++read % STEP === 0) yield;
        }
      } else if (child.type === "blockquote" || child.type === "footnoteDefinition") yield* this.#group(child, depth);
      if (++read % STEP === 0) yield;
    }
    if (!node.children.some(mayGroup)) return;
    const readFragment = (html: Html, from: number, to: number) => this.#readFragment(html, from, to, depth);
    node.children = yield* groupBlocks(node.children, readFragment);
  }

  *#readFragment(html: Html, from: number, to: number, depth: number): Steps<Block[]> {
    if (depth >= MAX_FRAGMENTS) return trimSpaces(html.value.slice(from, to)) === "" ? [] : [partOf(html, from, to)];
    const { children } = yield* parseBlocks(html.value.slice(0, to), from, this.#found);
    const fragment = { children };
    yield* this.#group(fragment, depth + 1);
    const sourceOf = placesOf(html);
    this.#moves.push(() => moveAll(fragment.children, sourceOf));
    return fragment.children;
  }
}

/** Whether there may be something to group in a block, or by it. */
function holdsGroups(block: Block): boolean {
  return mayGroup(block) || block.type === "list" || block.type === "blockquote" || block.type === "footnoteDefinition";
}

/** In the place of a content that was read. */
const READ: BlockFindings["contents"][number] = { node: { children: [] }, content: new Content() };

/** A part of a block of HTML. */
function partOf(html: Html, from: number, to: number): Html {
  const sourceOf = placesOf(html);
  const line = html.value.slice(0, from).split("\n").length;
  const [start, end] = [sourceOf(from), sourceOf(to - 1) + 1];
  const value = html.value.slice(from, to);
  const lines = html.lines.slice(line - 1, line - 1 + value.split("\n").length).map((span) => ({ ...span }));
  lines[0]!.start = start;
  lines.at(-1)!.end = end;
  return { type: "html", value, lines, start, end };
}

function* moveAll(nodes: readonly Movable[], sourceOf: (offset: number) => number): Steps<void> {
  const move = (span: Span) => {
    span.start = sourceOf(span.start);
    span.end = sourceOf(Math.max(0, span.end - 1)) + 1;
  };
  let moved = 0;
  for (const node of nodes) {
    move(node);
    if ("open" in node) move(node.open);
    if ("close" in node && node.close) move(node.close);
    if ("lines" in node) node.lines.forEach(move);
    if ("children" in node) yield* moveAll(node.children, sourceOf);
    if (++moved % STEP === 0) yield;
  }
}

type Movable = Block | Inline | Extract<Block, { type: "list" | "table" }>["children"][number] | Cell;
type Cell = Extract<Block, { type: "table" }>["children"][number]["children"][number];
