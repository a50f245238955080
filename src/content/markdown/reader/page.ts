// A text read block by block, each with the node that it was read from.

import { runStepsSync, type Steps } from "../../../utils/concurrency/steps";
import type { Block, Phrasing } from "../../document";
import type { FencedBlocks } from "../fences";
import { MAX_NODES } from "../limits";
import type * as md from "../nodes";
import { parse } from "../parse";
import type { RuledHeading } from "./anchor-rules";
import { Anchors } from "./anchors";
import { arranged } from "./arrange";
import { BlockReader } from "./blocks";
import { pairTags } from "./pair-tags";
import { plainText, shownBy } from "./phrasing";
import { type HeadingUse, Reading, type Resolve } from "./reading";
import { saidBy } from "./words";

/** A block at the top, and what it was read from. */
export interface ReadPart {
  block: Block;
  node: md.Block;
}

/** A text that was read. */
export interface ReadPage {
  root: md.Root;
  /** The heading that is the title of the page. */
  title: md.Heading | undefined;
  /** What stands at the top behind the title; the last may be the rest of the text. */
  nodes: md.Block[];
  parts: ReadPart[];
  headings: HeadingUse[];
  /** The title, if there is one, and the headings, as the rules of anchors read them. */
  ruled: readonly RuledHeading[];
  reading: Reading;
}

/** Reads a text. `origins` gets what each block was read from. */
export function readPage(
  text: string,
  resolve: Resolve,
  fences?: FencedBlocks,
  origins?: Map<Block, md.Node>,
): ReadPage {
  return runStepsSync(readPageInSteps(text, parse(text), resolve, fences, origins));
}

/** Reads a text that was parsed, step by step. */
export function* readPageInSteps(
  text: string,
  root: md.Root,
  resolve: Resolve,
  fences?: FencedBlocks,
  origins?: Map<Block, md.Node>,
): Steps<ReadPage> {
  const [first] = root.children;
  const title = first?.type === "heading" && first.depth === 1 ? first : undefined;
  // The character U+0000 is no part of a document.
  const source = text.replaceAll("\0", "\uFFFD");
  const reading = new Reading(source, resolve, fences, origins);
  yield* findNotes(root.children, reading);
  const reader = new BlockReader(reading);
  const nodes: md.Block[] = [];
  const parts: ReadPart[] = [];
  let room = MAX_NODES;
  for (const parsed of yield* arranged(title ? root.children.slice(1) : root.children, reading.text)) {
    const size = yield* sizeOf(parsed, room, reading);
    const node = size > room ? restOf(source, parsed.start) : parsed;
    nodes.push(node);
    const from = reading.links.length;
    const block = yield* reader.read(node, 1);
    for (const link of reading.links.slice(from)) link.block = block?.key ?? "";
    if (block) parts.push({ block, node });
    if (node !== parsed) break;
    room -= size;
  }
  const headings = yield* withAnchors(reader);
  const ruled = reader.headings.map(({ shown, source }, i) => ({ text: headings[i]!.text, shown, source }));
  if (title) ruled.unshift(ruledTitle(source, title));
  return { root, title, nodes, parts, headings, ruled, reading };
}

/** Nodes that cost little to read and to store. */
const INLINES: ReadonlySet<md.Node["type"]> = new Set<md.Inline["type"]>([
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

/** What it takes to look at a node, where reading it takes 1. */
const LOOK = 1 / 20;

/** The size of a node, as `MAX_NODES` counts it. The count stops above `most`. */
function* sizeOf(node: md.Node, most: number, reading: Reading): Steps<number> {
  let size = INLINES.has(node.type) ? 1 : 4;
  // An element has two tags, most of the time.
  if (node.type === "html" && "lines" in node) {
    for (let at = node.value.indexOf("<"); at !== -1 && size <= most; at = node.value.indexOf("<", at + 1)) size += 2;
    for (const child of node.inside ?? []) size += yield* sizeOf(child, most - size, reading);
  }
  if ("children" in node) {
    for (const child of node.children) {
      if (size > most) break;
      if (child.type === "text") size++;
      else size += yield* sizeOf(child, most - size, reading);
      if (reading.isStep(LOOK)) yield;
    }
  }
  return size;
}

/** What follows a place, as plain text. */
function restOf(text: string, start: number): md.Paragraph {
  const value = text.slice(start).trimEnd();
  const end = start + value.length;
  return { type: "paragraph", children: [{ type: "text", value, start, end }], start, end };
}

function* withAnchors({ headings, reading }: BlockReader): Steps<HeadingUse[]> {
  const anchors = new Anchors(headings.flatMap(({ stated }) => stated ?? []));
  const uses: HeadingUse[] = [];
  for (const { block, level, stated, end } of headings) {
    const text = saidBy(block.nodes as Phrasing[])
      .replaceAll("\n", " ")
      .trim();
    const anchor = stated ?? anchors.anchorFor(text);
    block.meta = { id: anchor };
    uses.push({ level, text, anchor, key: block.key!, end });
    if (reading.isStep()) yield;
  }
  return uses;
}

function ruledTitle(text: string, { children }: md.Heading): RuledHeading {
  const phrases = pairTags(children);
  const source = text.slice(children[0]?.start ?? 0, children.at(-1)?.end ?? 0);
  return { text: plainText(phrases).replaceAll("\n", " ").trim(), shown: shownBy(phrases), source };
}

/** Finds the notes of a text, which of them are referred to from outside of notes, and which from notes that are shown. */
function* findNotes(blocks: readonly md.Block[], reading: Reading): Steps<void> {
  /** The identifiers that are referred to, by the note in which that is done. */
  const references = new Map<md.FootnoteDefinition | undefined, string[]>();
  function* visit(nodes: readonly md.Node[], note: md.FootnoteDefinition | undefined): Steps<void> {
    for (const node of nodes) {
      if (node.type === "footnoteReference") {
        const known = references.get(note);
        if (known) known.push(node.identifier);
        else references.set(note, [node.identifier]);
      }
      if (node.type === "footnoteDefinition" && !reading.footnotes.has(node.identifier)) {
        reading.footnotes.set(node.identifier, node);
      }
      if (reading.isStep(LOOK)) yield;
      if ("children" in node) yield* visit(node.children, node.type === "footnoteDefinition" ? node : note);
    }
  }
  yield* visit(blocks, undefined);
  const notesOf = (note: md.FootnoteDefinition | undefined) =>
    (references.get(note) ?? []).flatMap((identifier) => reading.footnotes.get(identifier) ?? []);
  for (const note of notesOf(undefined)) reading.referred.add(note);
  // A set that grows is gone through to its end.
  const shown = new Set(reading.referred);
  for (const note of shown) {
    for (const other of notesOf(note)) {
      reading.inNotes.add(other);
      shown.add(other);
    }
  }
}
