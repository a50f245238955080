// Sorts many items in steps, so that other work can run in between.

import type { Steps } from "../../utils/concurrency/steps";

const ITEMS_PER_STEP = 4000;

/** Returns the items in order. Default: strings in the order of their characters. */
export function* sortInSteps<Item>(items: readonly Item[], compare?: (a: Item, b: Item) => number): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += ITEMS_PER_STEP) {
    // Without a comparator, `sort` orders strings by their characters, which is much faster.
    runs.push(items.slice(start, start + ITEMS_PER_STEP).sort(compare));
    yield;
  }
  const isInOrder = compare ? (a: Item, b: Item) => compare(a, b) <= 0 : (a: Item, b: Item) => a < b;
  while (runs.length > 1) {
    const mergedRuns: Item[][] = [];
    for (let run = 0; run < runs.length; run += 2) {
      const [left, right, merged] = [runs[run]!, runs[run + 1] ?? [], [] as Item[]];
      let [i, j] = [0, 0];
      while (i < left.length || j < right.length) {
        const isLeftNext = j >= right.length || (i < left.length && isInOrder(left[i]!, right[j]!));
        merged.push(isLeftNext ? left[i++]! : right[j++]!);
        if (merged.length % ITEMS_PER_STEP === 0) yield;
      }
      mergedRuns.push(merged);
    }
    runs = mergedRuns;
  }
  return runs[0] ?? [];
}
