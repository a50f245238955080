// What is different between two documents, block by block, and inside a block word by word. It works on blocks as the API
// gives them, so a writer sees the page and not its Markdown.

import { diffComm } from "node-diff3";
import type { Block } from "../../../content/document";

/** A run of blocks. */
export type Piece =
  | { readonly kind: "same"; readonly blocks: readonly Block[] }
  | { readonly kind: "removed"; readonly block: Block }
  | { readonly kind: "added"; readonly block: Block }
  /** A block of text in which words have changed. */
  | { readonly kind: "edited"; readonly before: Block; readonly after: Block; readonly words: readonly Words[] };

export interface Words {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

export function diffBlocks(before: readonly Block[], after: readonly Block[]): readonly Piece[] {
  const keys = (blocks: readonly Block[]) => blocks.map((block) => JSON.stringify(block, withoutKeys));
  let old = 0;
  let now = 0;
  return diffComm(keys(before), keys(after)).flatMap((run): readonly Piece[] => {
    if (run.common) {
      const blocks = after.slice(now, now + run.common.length);
      old += run.common.length;
      now += run.common.length;
      return [{ kind: "same", blocks }];
    }
    const removed = before.slice(old, old + (run.buffer1?.length ?? 0));
    const added = after.slice(now, now + (run.buffer2?.length ?? 0));
    old += removed.length;
    now += added.length;
    return paired(removed, added);
  });
}

/** Keys and anchors follow from the text: a block that only has another one is the same. */
function withoutKeys(name: string, value: unknown): unknown {
  return name === "key" || name === "meta" ? undefined : value;
}

/** Blocks of text that took the place of others are shown as edits, in order. */
function paired(removed: readonly Block[], added: readonly Block[]): readonly Piece[] {
  const pieces: Piece[] = [];
  const length = Math.max(removed.length, added.length);
  for (let i = 0; i < length; i++) {
    const [before, after] = [removed[i], added[i]];
    const words = before && after && wordsBetween(before, after);
    if (words) pieces.push({ kind: "edited", before, after, words });
    else {
      if (before) pieces.push({ kind: "removed", block: before });
      if (after) pieces.push({ kind: "added", block: after });
    }
  }
  return pieces;
}

const TEXTS = new Set(["paragraph", "heading-1", "heading-2", "heading-3"]);

/** The words of two blocks; undefined where they are not the same kind of text, or share too little to be one edit. */
function wordsBetween(before: Block, after: Block): readonly Words[] | undefined {
  if (before.type !== after.type || !TEXTS.has(before.type)) return undefined;
  const split = (block: Block): string[] => textOf(block).match(/\s+|[^\s]+/g) ?? [];
  const [old, now] = [split(before), split(after)];
  const runs = diffComm(old, now);
  const kept = runs.reduce((sum, run) => sum + (run.common?.filter((word) => word.trim() !== "").length ?? 0), 0);
  const all = Math.max(1, ...[old, now].map((words) => words.filter((word) => word.trim() !== "").length));
  if (kept / all < 0.3) return undefined;
  return runs.flatMap((run): Words[] => {
    if (run.common) return [{ kind: "same", text: run.common.join("") }];
    const parts: Words[] = [];
    if (run.buffer1?.length) parts.push({ kind: "removed", text: run.buffer1.join("") });
    if (run.buffer2?.length) parts.push({ kind: "added", text: run.buffer2.join("") });
    return parts;
  });
}

/** The text of a block, with nothing of its marks. */
function textOf(block: unknown): string {
  const node = block as { text?: string; leaves?: { text: string }[]; nodes?: unknown[] };
  if (node.leaves) return node.leaves.map(({ text }) => text).join("");
  if (typeof node.text === "string") return node.text;
  return (node.nodes ?? []).map(textOf).join("");
}
