// Arranges blocks as readers see them. Markdown ends an HTML block at a blank line, whatever it contains. Here the HTML of
// several blocks is joined, and an HTML block that contains several blocks is split.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_TAG_DEPTH } from "../limits";
import type { BlockNode, HtmlBlockNode, SourceSpan } from "../nodes";
import { createOffsetMap } from "../parser/offset-map";
import { readAlert } from "./alerts";
import { type Element, type Phrase, parseHtmlTag } from "./elements";
import { BLOCKS, getEquivalentTag, isContainer } from "./html-names";
import { HOLE, isSpace, parseHtmlTree } from "./html-tree";
import { joinHtml } from "./join-html";

/** Arranges blocks in the order of the source. Each of the results is shown as one block, or not at all. */
export function* arrangeBlocks(given: readonly BlockNode[], text: string): Steps<readonly BlockNode[]> {
  const blocks = given.flatMap((block): BlockNode[] => {
    if (block.type === "blockquote") return [readAlert(block, text)];
    if (block.type !== "tag" || block.name !== "raw" || !block.close) return [block];
    // Liquid's `{% raw %}` means that nothing in it is evaluated. Its content is shown as if it stood alone.
    const { open, close, children } = block;
    const half = { ...block, argument: "", close: undefined, children: [] };
    return [{ ...half, open, ...open }, ...children, { ...half, name: "endraw", open: close, ...close }];
  });
  if (!blocks.some(({ type }) => type === "html")) return blocks;
  const split: BlockNode[] = [];
  for (const block of joinHtml(blocks, text)) {
    const tree = block.type === "html" ? yield* parseHtmlTree(block) : undefined;
    if (block.type !== "html" || !tree) {
      split.push(block);
      continue;
    }
    // HTML is split if its elements only contain several blocks, or if it has several blocks in sequence.
    const nodes = tree.filter((node) => !isSpace(node));
    const [first] = nodes;
    const isSingle =
      nodes.every((node) => !isBlock(node)) ||
      nodes.every((node) => isPicture(node)) ||
      (nodes.length === 1 && first?.type === "element" && !isSplittable(first));
    const isWhole = isSingle && !/^\s*<\//.test(block.value);
    const cuts: Cut[] = [];
    if (!isWhole) yield* collectCuts(tree, 0, block.value.length, block.value, cuts);
    if (isWhole || cuts.length === 1) split.push(block);
    else for (const part of yield* cutHtml(block, cuts)) split.push(part);
  }

  // Elements that are equivalent to a tag become that tag, with the blocks between their opening and closing tags.
  const result: BlockNode[] = [];
  const open: { name: string; at: number }[] = [];
  for (const [i, block] of split.entries()) {
    if (i % STEP === STEP - 1) yield;
    // HTML that is one opening or closing tag of a container.
    const value = block.type === "html" && !block.inside ? block.value : "";
    const isTag = /^<\/?[A-Za-z]/.test(value) && value.indexOf("<", 1) === -1 && /[^/]>$/.test(value);
    const anyTag = isTag ? parseHtmlTag(value) : undefined;
    const tag = anyTag && isContainer(anyTag.name, value.replace("</", "<")) ? anyTag : undefined;
    const index = tag?.isClosing ? open.findLastIndex(({ name }) => name === tag.name) : -1;
    if (index === -1) {
      result.push(block);
      if (tag && !tag.isClosing && open.length < MAX_TAG_DEPTH) open.push({ name: tag.name, at: result.length - 1 });
      continue;
    }
    const { at } = open[index]!;
    open.length = index;
    const opening = result[at] as HtmlBlockNode;
    const element = parseHtmlTag(opening.value)!;
    const equivalent = getEquivalentTag(element.name, element.attributes);
    if (!equivalent) {
      result.push(block);
      continue;
    }
    result.push({
      type: "tag",
      ...equivalent,
      argument: "",
      source: opening.value,
      open: { start: opening.start, end: opening.end },
      close: { start: block.start, end: block.end },
      children: result.splice(at).slice(1),
      start: opening.start,
      end: block.end,
    });
  }
  return result;
}

/** The start and the end of a part of an HTML block. */
type Cut = readonly [from: number, to: number];

/** Returns true for an element that only contains blocks: not for images, and not for an element with a meaning. */
function isSplittable(element: Element): boolean {
  const { name, attributes, children, blocks, opening, closing } = element;
  const inside = children.filter((child) => !isSpace(child));
  if (blocks || inside.length === 0 || inside.every((node) => isPicture(node))) return false;
  if (name === "figure") return !isPicture(element);
  // An element that is closed in a later block has a meaning only together with that.
  return isContainer(name, opening) && (closing === "" || getEquivalentTag(name, attributes) === undefined);
}

function isBlock(node: Phrase): boolean {
  return node.type === "element" && (BLOCKS.has(node.name) || isContainer(node.name, node.opening));
}

/** Returns true for an image, and for a figure that contains one at any depth. */
function isPicture(node: Phrase, isInFigure = false): boolean {
  if (node.type !== "element") return false;
  const contains = isInFigure || node.name === "figure";
  return /^(?:img|picture)$/.test(node.name) || (contains && node.children.some((child) => isPicture(child, true)));
}

/** Collects the starts and ends of the blocks between two offsets. */
function* collectCuts(nodes: readonly Phrase[], from: number, to: number, value: string, cuts: Cut[]): Steps<void> {
  let start = from;
  for (const node of nodes) {
    if (node.type !== "element" || !node.place || !isBlock(node)) continue;
    const { place } = node;
    addCut(start, place.from, value, cuts);
    if (isSplittable(node)) {
      addCut(place.from, place.inside, value, cuts);
      yield* collectCuts(node.children, place.inside, place.behind, value, cuts);
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
  // Tags that close an element of an earlier block stand alone.
  for (CLOSING.lastIndex = start; start < end; ) {
    const closing = CLOSING.exec(value)?.[0];
    if (closing === undefined) break;
    cuts.push([start, start + closing.trimEnd().length]);
    start += closing.length;
  }
  if (start < end) cuts.push([start, end]);
}

/** Cuts an HTML block at ascending offsets. The Markdown between its tags becomes blocks of its own again. */
function* cutHtml(html: HtmlBlockNode, cuts: readonly Cut[]): Steps<BlockNode[]> {
  const { value, lines, inside = [] } = html;
  const toSource = createOffsetMap(html);
  const texts = value.split("\n");
  let [line, lineEnd, hole] = [0, texts[0]!.length, 0];
  const parts: BlockNode[] = [];
  for (const [from, to] of cuts) {
    while (lineEnd < from) lineEnd += 1 + texts[++line]!.length;
    const own: SourceSpan[] = [{ ...lines[line]! }];
    while (lineEnd < to) {
      lineEnd += 1 + texts[++line]!.length;
      own.push({ ...lines[line]! });
    }
    const [start, end] = [toSource(from), toSource(to - 1) + 1];
    own[0]!.start = start;
    own.at(-1)!.end = end;
    const text = value.slice(from, to);
    const holes = text.split(HOLE).length - 1;
    hole += holes;
    if (text === HOLE && inside[hole - 1]) {
      parts.push(inside[hole - 1]!);
      continue;
    }
    const part: HtmlBlockNode = { type: "html", value: text, lines: own, start, end };
    if (holes > 0) part.inside = inside.slice(hole - holes, hole);
    parts.push(part);
    if (parts.length % STEP === 0) yield;
  }
  return parts;
}

/** The number of parts that are created in one step. */
const STEP = 500;
