// Compares sequences, and merges two changes of one sequence. The items are numbers that represent lines or blocks. The
// comparison is bounded: if two sequences are too long and too different, a whole range counts as replaced.

import { diffIndices } from "node-diff3";
import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { findLongestIncreasingSubsequence } from "../../utils/longest-increasing-subsequence";
import type { Versions } from "./versions";

/** The items from `start` up to, but not including, `end`. */
export interface ItemRange {
  readonly start: number;
  readonly end: number;
}

/** A range of one sequence, and the range that replaces it in another. */
export interface Hunk {
  readonly before: ItemRange;
  readonly after: ItemRange;
}

/** A range of three sequences, and the sides that changed it. */
export interface MergeRegion extends Versions<ItemRange> {
  readonly changedBy: "nobody" | "ours" | "theirs" | "both";
}

/** The most pairs of one comparison: a number, and some for each item. node-diff3 takes time for each pair. */
const MAX_PAIRS = 40_000;
const MAX_PAIRS_PER_ITEM = 64;
/** The most pairs of one step. Longer ranges are split at their unique items first. */
const MAX_PAIRS_PER_STEP = 250_000;
/** The items of one step, and the pairs that take as long as one item. */
const ITEMS_PER_STEP = 10_000;
const PAIRS_PER_ITEM = 50;
/** The deepest nesting of ranges that are split at their unique items. */
const MAX_ROUNDS = 4;

/** Creates a function that returns the same number for equal texts. */
export function createTextNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

/** Returns the differences of two sequences in order. Between two hunks there is always at least one equal item. */
export function* diffSequencesInSteps(before: readonly number[], after: readonly number[]): Steps<Hunk[]> {
  const comparison = new SequenceComparison(before, after);
  yield* comparison.compare({ start: 0, end: before.length }, { start: 0, end: after.length }, 0);
  return comparison.hunks;
}

class SequenceComparison {
  readonly hunks: Hunk[] = [];
  #pairsLeft: number;
  #itemsOfStep = 0;

  constructor(
    readonly before: readonly number[],
    readonly after: readonly number[],
  ) {
    this.#pairsLeft = MAX_PAIRS + MAX_PAIRS_PER_ITEM * (before.length + after.length);
  }

  *compare(before: ItemRange, after: ItemRange, round: number): Steps<void> {
    // Equal items at both ends are left out.
    let [beforeStart, beforeEnd, afterStart, afterEnd] = [before.start, before.end, after.start, after.end];
    while (beforeStart < beforeEnd && afterStart < afterEnd && this.before[beforeStart] === this.after[afterStart]) {
      beforeStart++;
      afterStart++;
    }
    while (
      beforeEnd > beforeStart &&
      afterEnd > afterStart &&
      this.before[beforeEnd - 1] === this.after[afterEnd - 1]
    ) {
      beforeEnd--;
      afterEnd--;
    }
    const [beforeLength, afterLength] = [beforeEnd - beforeStart, afterEnd - afterStart];
    const pairs = beforeLength * afterLength;
    if (this.#isStepOver(before.end - before.start - beforeLength + pairs / PAIRS_PER_ITEM)) yield;
    if (beforeLength === 0 && afterLength === 0) return;

    if (pairs <= Math.min(this.#pairsLeft, MAX_PAIRS_PER_STEP)) {
      this.#pairsLeft -= pairs;
      const indices = diffIndices(this.before.slice(beforeStart, beforeEnd), this.after.slice(afterStart, afterEnd));
      for (const { buffer1, buffer2 } of indices) {
        const [oldStart, newStart] = [beforeStart + buffer1[0], afterStart + buffer2[0]];
        this.hunks.push({
          before: { start: oldStart, end: oldStart + buffer1[1] },
          after: { start: newStart, end: newStart + buffer2[1] },
        });
      }
      return;
    }

    // Too many pairs are split at the items that occur once on each side.
    const trimmedBefore = { start: beforeStart, end: beforeEnd };
    const trimmedAfter = { start: afterStart, end: afterEnd };
    const anchors = round < MAX_ROUNDS ? yield* this.#findAnchorsInSteps(trimmedBefore, trimmedAfter) : [];
    if (anchors.length === 0) {
      this.hunks.push({ before: trimmedBefore, after: trimmedAfter });
      return;
    }
    for (const [beforeIndex, afterIndex] of [...anchors, [beforeEnd, afterEnd] as const]) {
      yield* this.compare({ start: beforeStart, end: beforeIndex }, { start: afterStart, end: afterIndex }, round + 1);
      [beforeStart, afterStart] = [beforeIndex + 1, afterIndex + 1];
    }
  }

  /** Counts items that were processed. Returns true if they are enough for a step. */
  #isStepOver(items: number): boolean {
    this.#itemsOfStep += items;
    if (this.#itemsOfStep < ITEMS_PER_STEP) return false;
    this.#itemsOfStep = 0;
    return true;
  }

  /** Returns the positions of items that occur once on each side, as many as have the same order on both. */
  *#findAnchorsInSteps(before: ItemRange, after: ItemRange): Steps<[number, number][]> {
    const afterIndexes = yield* findUniqueItemsInSteps(this.after, after);
    const pairs: [number, number][] = [];
    for (const [item, beforeIndex] of yield* findUniqueItemsInSteps(this.before, before)) {
      const afterIndex = afterIndexes.get(item);
      if (afterIndex !== undefined) pairs.push([beforeIndex, afterIndex]);
      if (this.#isStepOver(1)) yield;
    }
    const rising = yield* findLongestIncreasingSubsequence(pairs.map(([, afterIndex]) => afterIndex));
    return rising.map((i) => pairs[i]!);
  }
}

/** Returns the indexes of the items that occur once in a range, in order. */
function* findUniqueItemsInSteps(items: readonly number[], { start, end }: ItemRange): Steps<Map<number, number>> {
  const indexes = new Map<number, number>();
  const repeatedItems = new Set<number>();
  for (let i = start; i < end; i++) {
    const item = items[i]!;
    if ((i - start) % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    if (repeatedItems.has(item)) continue;
    if (indexes.delete(item)) repeatedItems.add(item);
    else indexes.set(item, i);
  }
  return indexes;
}

interface SidedHunk extends Hunk {
  readonly side: "ours" | "theirs";
  /** The number of items that the hunk adds; negative if it removes items. */
  readonly growth: number;
}

/** Returns the regions of three sequences in order. Overlapping changes of both sides are one region. */
export function findMergeRegions(
  base: readonly number[],
  ours: readonly number[],
  theirs: readonly number[],
): MergeRegion[] {
  const diffSide = (side: "ours" | "theirs", items: readonly number[]): SidedHunk[] =>
    runStepsSync(diffSequencesInSteps(base, items)).map(({ before, after }) => {
      return { before, after, side, growth: after.end - after.start - (before.end - before.start) };
    });
  const hunks = [...diffSide("ours", ours), ...diffSide("theirs", theirs)].sort(
    (a, b) => a.before.start - b.before.start || a.before.end - b.before.end,
  );

  const regions: MergeRegion[] = [];
  let baseStart = 0;
  /** The distance of each side's position from the one in the base. */
  const offsets = { ours: 0, theirs: 0 };
  const addRegion = (changedBy: MergeRegion["changedBy"], baseEnd: number, growth = { ours: 0, theirs: 0 }) => {
    if (baseEnd > baseStart || changedBy !== "nobody")
      regions.push({
        changedBy,
        base: { start: baseStart, end: baseEnd },
        ours: { start: baseStart + offsets.ours, end: baseEnd + offsets.ours + growth.ours },
        theirs: { start: baseStart + offsets.theirs, end: baseEnd + offsets.theirs + growth.theirs },
      });
    baseStart = baseEnd;
    offsets.ours += growth.ours;
    offsets.theirs += growth.theirs;
  };

  for (let i = 0; i < hunks.length; ) {
    // Take a hunk with the following ones that overlap with it, and their end in the base.
    const { before, side } = hunks[i]!;
    const group = [hunks[i]!];
    let lastHunks = group.slice();
    let { end } = before;
    for (i++; i < hunks.length; i++) {
      const hunk = hunks[i]!;
      if (hunk.before.start > end) break;
      // Changes that only touch overlap if one adds items and the other adds or removes some: their order is unknown then.
      const isAmbiguous = (last: SidedHunk) =>
        last.growth !== 0 && hunk.growth !== 0 && (last.growth > 0 || hunk.growth > 0);
      if (hunk.before.start === end && !lastHunks.some(isAmbiguous)) break;
      group.push(hunk);
      if (hunk.before.end > end) lastHunks = [];
      end = Math.max(end, hunk.before.end);
      if (hunk.before.end === end) lastHunks.push(hunk);
    }
    addRegion("nobody", before.start);
    const growth = { ours: 0, theirs: 0 };
    for (const hunk of group) growth[hunk.side] += hunk.growth;
    addRegion(group.every((hunk) => hunk.side === side) ? side : "both", end, growth);
  }
  addRegion("nobody", base.length);
  return regions;
}
