// Reads a text block by block, and returns each block with the node that it was read from.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Phrasing } from "../../document";
import type { FencedBlocks } from "../fences";
import { resolveAsWritten } from "../hrefs";
import { MAX_NODES } from "../limits";
import type * as md from "../nodes";
import { parseMarkdownInSteps } from "../parse";
import type { RuledHeading } from "./anchor-rules";
import { Anchors } from "./anchors";
import { arrangeBlocks } from "./arrange";
import { BlockReader } from "./blocks";
import { matchTags } from "./pair-tags";
import { toPlainText, toVisibleText } from "./phrasing";
import { type HeadingUse, type HrefResolver, Reading } from "./reading";
import { getPhrasingText } from "./words";

/** A block at the top level, and the node that it was read from. */
export interface PagePart {
  block: Block;
  node: md.BlockNode;
}

/** The blocks of a page's text, and the results of reading them. */
export interface PageBlocks {
  root: md.RootNode;
  title: md.HeadingNode | undefined;
  /** The nodes at the top level after the title. The last can be the rest of the text. */
  nodes: md.BlockNode[];
  parts: PagePart[];
  headings: HeadingUse[];
  /** The title, if there is one, and the headings, as the rules of anchors read them. */
  ruled: readonly RuledHeading[];
  reading: Reading;
}

export interface PageBlocksOptions {
  /** The parsed tree of the text. Default: it is parsed. */
  readonly root?: md.RootNode | undefined;
  /** Resolves URLs. Default: to themselves. */
  readonly resolve?: HrefResolver;
  readonly fences?: FencedBlocks | undefined;
  readonly origins?: Map<Block, md.SourceNode>;
}

export function* readPageBlocksInSteps(text: string, options: PageBlocksOptions = {}): Steps<PageBlocks> {
  const { resolve = resolveAsWritten, fences, origins } = options;
  const root = options.root ?? (yield* parseMarkdownInSteps(text));
  const [first] = root.children;
  const title = first?.type === "heading" && first.depth === 1 ? first : undefined;
  // A document does not contain the character U+0000.
  const source = text.replaceAll("\0", "\uFFFD");
  const reading = new Reading(source, resolve, fences, origins);
  yield* collectFootnotes(root.children, reading);
  const reader = new BlockReader(reading);
  const nodes: md.BlockNode[] = [];
  const parts: PagePart[] = [];
  let budget = MAX_NODES;
  for (const parsed of yield* arrangeBlocks(title ? root.children.slice(1) : root.children, reading.text)) {
    const size = measureNode(parsed, budget);
    let node = parsed;
    if (size > budget) {
      const { start } = parsed;
      const value = source.slice(start).trimEnd();
      const end = start + value.length;
      node = { type: "paragraph", children: [{ type: "text", value, start, end }], start, end };
    }
    nodes.push(node);
    const from = reading.links.length;
    const block = yield* reader.read(node, 1);
    for (const link of reading.links.slice(from)) link.block = block?.key ?? "";
    if (block) parts.push({ block, node });
    if (node !== parsed) break;
    budget -= size;
  }
  const anchors = new Anchors(reader.headings.flatMap(({ explicitAnchor }) => explicitAnchor ?? []));
  const headings: HeadingUse[] = [];
  for (const { block, level, explicitAnchor, end } of reader.headings) {
    const words = getPhrasingText(block.nodes as Phrasing[])
      .replaceAll("\n", " ")
      .trim();
    const anchor = explicitAnchor ?? anchors.createAnchor(words);
    block.meta = { id: anchor };
    headings.push({ level, text: words, anchor, key: block.key!, end });
    if (reading.isStep()) yield;
  }
  const ruled = reader.headings.map(({ shown, source }, i) => ({ text: headings[i]!.text, shown, source }));
  if (title) {
    const phrases = matchTags(title.children);
    const text = toPlainText(phrases).replaceAll("\n", " ").trim();
    const written = source.slice(title.children[0]?.start ?? 0, title.children.at(-1)?.end ?? 0);
    ruled.unshift({ text, shown: toVisibleText(phrases), source: written });
  }
  return { root, title, nodes, parts, headings, ruled, reading };
}

/** Inlines that count as 1. */
const INLINES: ReadonlySet<md.SourceNode["type"]> = new Set<md.InlineNode["type"]>([
  "text",
  "break",
  "emphasis",
  "strong",
  "delete",
  "inlineCode",
  "inlineMath",
  "emoji",
  "expression",
  "link",
  "image",
  "footnoteReference",
]);

/** The cost of visiting a node, compared to reading it. */
const VISIT_COST = 1 / 20;

/** Returns the size of a node, as `MAX_NODES` counts it. The count stops above `most`. */
function measureNode(node: md.SourceNode, most: number): number {
  let size = INLINES.has(node.type) ? 1 : 4;
  // Most elements have two tags.
  if (node.type === "html" && "lines" in node) {
    for (let at = node.value.indexOf("<"); at !== -1 && size <= most; at = node.value.indexOf("<", at + 1)) size += 2;
    for (const child of node.inside ?? []) size += measureNode(child, most - size);
  }
  if ("children" in node) {
    for (const child of node.children) {
      if (size > most) break;
      if (child.type === "text") size++;
      else size += measureNode(child, most - size);
    }
  }
  return size;
}

/** Collects the footnotes of a text, those that are referred to outside of footnotes, and those that shown footnotes refer to. */
function* collectFootnotes(blocks: readonly md.BlockNode[], reading: Reading): Steps<void> {
  /** The identifiers of references, by the footnote that contains them. */
  const references = new Map<md.FootnoteDefinitionNode | undefined, string[]>();
  const waiting: { node: md.SourceNode; note: md.FootnoteDefinitionNode | undefined }[] = [];
  const add = (nodes: readonly md.SourceNode[], note: md.FootnoteDefinitionNode | undefined) => {
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!;
      if ("children" in node || node.type === "footnoteReference") waiting.push({ node, note });
    }
  };
  add(blocks, undefined);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, note } = next;
    if (node.type === "footnoteReference") {
      const known = references.get(note);
      if (known) known.push(node.identifier);
      else references.set(note, [node.identifier]);
    }
    if (node.type === "footnoteDefinition" && !reading.footnotes.has(node.identifier))
      reading.footnotes.set(node.identifier, node);
    if ("children" in node) add(node.children, node.type === "footnoteDefinition" ? node : note);
    if (reading.isStep(VISIT_COST)) yield;
  }
  const getReferredNotes = (note: md.FootnoteDefinitionNode | undefined) =>
    (references.get(note) ?? []).flatMap((identifier) => reading.footnotes.get(identifier) ?? []);
  for (const note of getReferredNotes(undefined)) reading.referred.add(note);
  // Iterating over a set includes the elements that are added meanwhile.
  const shown = new Set(reading.referred);
  for (const note of shown) {
    for (const other of getReferredNotes(note)) {
      reading.inNotes.add(other);
      shown.add(other);
    }
  }
}
