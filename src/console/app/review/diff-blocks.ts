// Compares two documents block by block, and text blocks word by word. It works on the blocks of the API, so writers see the
// page and not its Markdown.

import { diffComm } from "node-diff3";
import type { Block } from "../../../content/document";

/** A difference between two documents: a run of equal blocks, or a changed block. */
export type BlockDiff =
  | { readonly kind: "same"; readonly blocks: readonly Block[] }
  | { readonly kind: "removed"; readonly block: Block }
  | { readonly kind: "added"; readonly block: Block }
  /** A text block with changed words. */
  | { readonly kind: "edited"; readonly before: Block; readonly after: Block; readonly words: readonly WordDiff[] };

export interface WordDiff {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

export function diffBlocks(before: readonly Block[], after: readonly Block[]): readonly BlockDiff[] {
  // Keys and anchors derive from the text, so they are ignored.
  const omitKeys = (name: string, value: unknown) => (name === "key" || name === "meta" ? undefined : value);
  const serialize = (blocks: readonly Block[]) => blocks.map((block) => JSON.stringify(block, omitKeys));
  let old = 0;
  let now = 0;
  return diffComm(serialize(before), serialize(after)).flatMap((run): readonly BlockDiff[] => {
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
    // Removed and added text blocks are paired in order, so that they are shown as edits.
    const diffs: BlockDiff[] = [];
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [oldBlock, newBlock] = [removed[i], added[i]];
      const words = oldBlock && newBlock && diffWords(oldBlock, newBlock);
      if (words) diffs.push({ kind: "edited", before: oldBlock, after: newBlock, words });
      else {
        if (oldBlock) diffs.push({ kind: "removed", block: oldBlock });
        if (newBlock) diffs.push({ kind: "added", block: newBlock });
      }
    }
    return diffs;
  });
}

const TEXT_BLOCKS = new Set(["paragraph", "heading-1", "heading-2", "heading-3"]);

/** Compares the words of two blocks. Returns undefined if their types differ, or if they share too few words. */
function diffWords(before: Block, after: Block): readonly WordDiff[] | undefined {
  if (before.type !== after.type || !TEXT_BLOCKS.has(before.type)) return undefined;
  const split = (block: Block): string[] => getBlockText(block).match(/\s+|[^\s]+/g) ?? [];
  const [old, now] = [split(before), split(after)];
  const runs = diffComm(old, now);
  const shared = runs.reduce((sum, run) => sum + (run.common?.filter((word) => word.trim() !== "").length ?? 0), 0);
  const all = Math.max(1, ...[old, now].map((words) => words.filter((word) => word.trim() !== "").length));
  if (shared / all < 0.3) return undefined;
  return runs.flatMap((run): WordDiff[] => {
    if (run.common) return [{ kind: "same", text: run.common.join("") }];
    const parts: WordDiff[] = [];
    if (run.buffer1?.length) parts.push({ kind: "removed", text: run.buffer1.join("") });
    if (run.buffer2?.length) parts.push({ kind: "added", text: run.buffer2.join("") });
    return parts;
  });
}

/** Returns the text of a block without its marks. */
function getBlockText(block: unknown): string {
  const node = block as { text?: string; leaves?: { text: string }[]; nodes?: unknown[] };
  if (node.leaves) return node.leaves.map(({ text }) => text).join("");
  if (typeof node.text === "string") return node.text;
  return (node.nodes ?? []).map(getBlockText).join("");
}
