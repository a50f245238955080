// A text read block by block, each with the node that it was read from.

import type { Block, Phrasing } from "../../document";
import type * as md from "../nodes";
import { parse } from "../parse";
import { Anchors } from "./anchors";
import { BlockReader } from "./blocks";
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
  parts: ReadPart[];
  headings: HeadingUse[];
  reading: Reading;
}

/** Reads a text. */
export function readPage(text: string, resolve: Resolve): ReadPage {
  const root = parse(text);
  const [first] = root.children;
  const title = first?.type === "heading" && first.depth === 1 ? first : undefined;
  const reading = new Reading(text, resolve);
  findNotes(root.children, reading);
  const reader = new BlockReader(reading);
  const parts: ReadPart[] = [];
  for (const node of title ? root.children.slice(1) : root.children) {
    const from = reading.links.length;
    const block = reader.read(node, 1);
    for (const link of reading.links.slice(from)) link.block = block?.key ?? "";
    if (block) parts.push({ block, node });
  }
  return { root, title, parts, headings: withAnchors(reader), reading };
}

function withAnchors({ headings }: BlockReader): HeadingUse[] {
  const anchors = new Anchors(headings.flatMap(({ stated }) => stated ?? []));
  return headings.map(({ block, level, stated }) => {
    const text = saidBy(block.nodes as Phrasing[])
      .replaceAll("\n", " ")
      .trim();
    const anchor = stated ?? anchors.anchorFor(text);
    block.meta = { id: anchor };
    return { level, text, anchor, key: block.key! };
  });
}

/** Finds the notes of a text, and which of them are referred to from outside of notes. */
function findNotes(blocks: readonly md.Block[], reading: Reading): void {
  const references: string[] = [];
  const visit = (node: md.Node, isInNote: boolean): void => {
    if (node.type === "footnoteReference" && !isInNote) references.push(node.identifier);
    if (node.type === "footnoteDefinition" && !reading.footnotes.has(node.identifier)) {
      reading.footnotes.set(node.identifier, node);
    }
    if ("children" in node) {
      for (const child of node.children) visit(child, isInNote || node.type === "footnoteDefinition");
    }
  };
  for (const block of blocks) visit(block, false);
  for (const identifier of references) {
    const note = reading.footnotes.get(identifier);
    if (note) reading.referred.add(note);
  }
}
