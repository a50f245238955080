// Markdown into a tree: CommonMark and GFM with our own forms, in linear time for every text. Nothing is lost: what is
// not valid as one of our forms stays what CommonMark says it is.

import { frontMatterPlace, textStart } from "../page-file/place";
import type { Block, Html, Inline, Root, Span } from "./nodes";
import { parseBlocks } from "./parser/blocks";
import { trimSpaces } from "./parser/characters";
import { groupBlocks } from "./parser/groups";
import { parseInlines } from "./parser/inlines";
import { placesOf } from "./parser/places";
import type { Found } from "./parser/tree";
import { finished, type Steps } from "./steps";

/** How often HTML that contains Markdown may be nested. */
const MAX_FRAGMENTS = 6;

/** How many characters are read in one step. */
const STEP = 20_000;

/** Reads a text. Front matter is skipped; offsets are those of the whole text. */
export function parse(text: string): Root {
  return finished(parseInSteps(text));
}

/** Reads a text step by step, so that other calls can run in between. */
export function parseInSteps(text: string): Steps<Root> {
  return new Parser().parse(text);
}

class Parser {
  readonly #found: Found = { definitions: new Map(), footnotes: new Map(), contents: [] };
  /** What has to be moved to its place in the source once everything is read, innermost first. */
  readonly #moves: (() => void)[] = [];

  *parse(text: string): Steps<Root> {
    const source = text.replaceAll("\0", "\uFFFD");
    const root = parseBlocks(source, frontMatterPlace(source)?.after ?? textStart(source), this.#found);
    yield;
    this.#group(root, 0);
    let read = 0;
    for (const { children, content } of this.#found.contents) {
      for (const node of parseInlines(content, this.#found)) children.push(node);
      read += content.text.length;
      if (read < STEP) continue;
      read = 0;
      yield;
    }
    for (const move of this.#moves) move();
    return root;
  }

  #group(node: { children: Block[] }, depth: number): void {
    for (const child of node.children) {
      if (child.type === "list") for (const item of child.children) this.#group(item, depth);
      else if (child.type === "blockquote" || child.type === "footnoteDefinition") this.#group(child, depth);
    }
    node.children = groupBlocks(node.children, (html, from, to) => this.#readFragment(html, from, to, depth));
  }

  #readFragment(html: Html, from: number, to: number, depth: number): Block[] {
    if (depth >= MAX_FRAGMENTS) return trimSpaces(html.value.slice(from, to)) === "" ? [] : [partOf(html, from, to)];
    const { children } = parseBlocks(html.value.slice(0, to), from, this.#found);
    const fragment = { children };
    this.#group(fragment, depth + 1);
    const sourceOf = placesOf(html);
    this.#moves.push(() => moveAll(fragment.children, sourceOf));
    return fragment.children;
  }
}

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

function moveAll(nodes: readonly Movable[], sourceOf: (offset: number) => number): void {
  const move = (span: Span) => {
    span.start = sourceOf(span.start);
    span.end = sourceOf(Math.max(0, span.end - 1)) + 1;
  };
  for (const node of nodes) {
    move(node);
    if ("open" in node) move(node.open);
    if ("close" in node && node.close) move(node.close);
    if ("lines" in node) node.lines.forEach(move);
    if ("children" in node) moveAll(node.children, sourceOf);
  }
}

type Movable = Block | Inline | Extract<Block, { type: "list" | "table" }>["children"][number] | Cell;
type Cell = Extract<Block, { type: "table" }>["children"][number]["children"][number];
