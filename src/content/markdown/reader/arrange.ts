// Blocks as readers see them. Markdown ends HTML at a blank line, and takes as one block whatever stands before it. Here
// HTML that goes over several blocks is put together, and HTML that holds several blocks is taken apart.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_TAG_DEPTH } from "../limits";
import type { Block, Html, Span, Tag } from "../nodes";
import { placesOf } from "../parser/places";
import { readAlert } from "./alerts";
import { type Element, htmlTag, type Phrase } from "./elements";
import { BLOCKS, isContainer, tagFor } from "./html-names";
import { HOLE, htmlTree, isSpace } from "./html-tree";
import { joinHtml } from "./join-html";

/** Blocks in the order of the source, each one that a reader can show or that is not shown at all. */
export function* arranged(given: readonly Block[], text: string): Steps<readonly Block[]> {
  const blocks = given.flatMap((block) => {
    if (block.type === "blockquote") return [readAlert(block, text)];
    return isRaw(block) ? dissolved(block) : [block];
  });
  if (!blocks.some(({ type }) => type === "html")) return blocks;
  const apart: Block[] = [];
  for (const block of joinHtml(blocks, text)) {
    if (block.type !== "html") apart.push(block);
    else for (const piece of yield* takenApart(block)) apart.push(piece);
  }
  return yield* paired(apart);
}

function isRaw(block: Block): block is Tag & { close: Span } {
  return block.type === "tag" && block.name === "raw" && block.close !== undefined;
}

/** `{% raw %}` of Liquid means that nothing between its tags is run. What is there is shown as if it stood alone. */
function dissolved(tag: Tag & { close: Span }): Block[] {
  const { open, close, children } = tag;
  const half = (name: string, place: Span): Tag => {
    return { ...tag, name, argument: "", open: place, close: undefined, children: [], ...place };
  };
  return [half("raw", open), ...children, half("endraw", close)];
}

/** The blocks that HTML consists of: one, unless elements that mean nothing hold several, or several follow each other. */
function* takenApart(html: Html): Steps<Block[]> {
  const tree = yield* htmlTree(html);
  if (!tree || (isWhole(tree) && !/^\s*<\//.test(html.value))) return [html];
  const cuts: Cut[] = [];
  yield* cut(tree, 0, html.value.length, html.value, cuts);
  return cuts.length === 1 ? [html] : yield* pieces(html, cuts);
}

type Cut = readonly [from: number, to: number];

/** Whether phrases are one block. */
function isWhole(nodes: readonly Phrase[]): boolean {
  const said = nodes.filter((node) => !isSpace(node));
  const [first] = said;
  if (said.every((node) => !isBlock(node)) || said.every(isPicture)) return true;
  return said.length === 1 && first?.type === "element" && !opens(first);
}

/** Whether an element is taken apart: one that only holds images, or that means something, is not. */
function opens({ name, attributes, children, blocks, opening, closing }: Element): boolean {
  const inside = children.filter((child) => !isSpace(child));
  if (blocks || inside.length === 0 || inside.every(isPicture)) return false;
  if (name === "figure") return !holdsPicture(children);
  // What is closed in a later block means something only together with it.
  return isContainer(name, opening) && (closing === "" || tagFor(name, attributes) === undefined);
}

function holdsPicture(nodes: readonly Phrase[]): boolean {
  return nodes.some(
    (node) => node.type === "element" && (/^(?:img|picture)$/.test(node.name) || holdsPicture(node.children)),
  );
}

function isBlock(node: Phrase): boolean {
  return node.type === "element" && (BLOCKS.has(node.name) || isContainer(node.name, node.opening));
}

function isPicture(node: Phrase): boolean {
  if (node.type !== "element") return false;
  return node.name === "figure" ? holdsPicture(node.children) : /^(?:img|picture)$/.test(node.name);
}

/** Finds where blocks begin and end between two offsets. */
function* cut(nodes: readonly Phrase[], from: number, to: number, value: string, cuts: Cut[]): Steps<void> {
  let start = from;
  for (const node of nodes) {
    if (node.type !== "element" || !node.place || !isBlock(node)) continue;
    const { place } = node;
    addCut(start, place.from, value, cuts);
    if (opens(node)) {
      addCut(place.from, place.inside, value, cuts);
      yield* cut(node.children, place.inside, place.behind, value, cuts);
      addCut(place.behind, place.to, value, cuts);
    } else addCut(place.from, place.to, value, cuts);
    start = place.to;
    if (cuts.length % STEP === 0) yield;
  }
  addCut(start, to, value, cuts);
}

const CLOSING = /<\/[A-Za-z][^<>]*>\s*/y;

function addCut(from: number, to: number, value: string, cuts: Cut[]): void {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(value[start]!)) start++;
  while (end > start && /\s/.test(value[end - 1]!)) end--;
  // Tags that close what an earlier block opened stand alone.
  for (CLOSING.lastIndex = start; start < end; ) {
    const closing = CLOSING.exec(value)?.[0];
    if (closing === undefined) break;
    cuts.push([start, start + closing.trimEnd().length]);
    start += closing.length;
  }
  if (start < end) cuts.push([start, end]);
}

/** The pieces of HTML between offsets, which only grow. Markdown between its tags is itself again. */
function* pieces(html: Html, cuts: readonly Cut[]): Steps<Block[]> {
  const { value, lines, inside = [] } = html;
  const sourceOf = placesOf(html);
  let [line, lineEnd, hole] = [0, endOfLine(value, 0), 0];
  const found: Block[] = [];
  for (const [from, to] of cuts) {
    while (lineEnd < from) [line, lineEnd] = [line + 1, endOfLine(value, lineEnd + 1)];
    const own: Span[] = [{ ...lines[line]! }];
    while (lineEnd < to) {
      [line, lineEnd] = [line + 1, endOfLine(value, lineEnd + 1)];
      own.push({ ...lines[line]! });
    }
    const [start, end] = [sourceOf(from), sourceOf(to - 1) + 1];
    own[0]!.start = start;
    own.at(-1)!.end = end;
    const text = value.slice(from, to);
    const holes = text.split(HOLE).length - 1;
    hole += holes;
    if (text === HOLE && inside[hole - 1]) {
      found.push(inside[hole - 1]!);
      continue;
    }
    const held = holes === 0 ? {} : { inside: inside.slice(hole - holes, hole) };
    found.push({ type: "html", value: text, lines: own, ...held, start, end });
    if (found.length % STEP === 0) yield;
  }
  return found;
}

/** How many pieces are made in one step. */
const STEP = 500;

function endOfLine(value: string, from: number): number {
  const end = value.indexOf("\n", from);
  return end === -1 ? value.length : end;
}

/** Puts what stands between the tags of an element that means something into a tag that means the same. */
function* paired(blocks: readonly Block[]): Steps<Block[]> {
  const result: Block[] = [];
  const open: { name: string; at: number }[] = [];
  for (const [i, block] of blocks.entries()) {
    if (i % STEP === STEP - 1) yield;
    const tag = block.type === "html" && !block.inside ? loneTag(block.value) : undefined;
    const opening = tag?.isClosing ? open.findLastIndex(({ name }) => name === tag.name) : -1;
    if (opening === -1) {
      result.push(block);
      if (tag && !tag.isClosing && open.length < MAX_TAG_DEPTH) open.push({ name: tag.name, at: result.length - 1 });
      continue;
    }
    const { at } = open[opening]!;
    open.length = opening;
    const first = result[at] as Html;
    const found = htmlTag(first.value)!;
    const meaning = tagFor(found.name, found.attributes);
    if (meaning) result.push(between(meaning, first, result.splice(at).slice(1), block));
    else result.push(block);
  }
  return result;
}

/** The element whose opening or closing tag HTML consists of. */
function loneTag(value: string): { name: string; isClosing: boolean } | undefined {
  if (!/^<\/?[A-Za-z]/.test(value) || value.indexOf("<", 1) !== -1 || !/[^/]>$/.test(value)) return undefined;
  const tag = htmlTag(value);
  return tag && isContainer(tag.name, value.replace("</", "<")) ? tag : undefined;
}

function between(
  { name, attributes }: Pick<Tag, "name" | "attributes">,
  opening: Html,
  children: Block[],
  closing: Block,
): Tag {
  const [open, close] = [opening, closing].map(({ start, end }) => ({ start, end })) as [Span, Span];
  const { start } = open;
  return {
    type: "tag",
    name,
    argument: "",
    attributes,
    source: opening.value,
    open,
    close,
    children,
    start,
    end: close.end,
  };
}
