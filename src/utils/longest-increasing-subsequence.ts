import type { Steps } from "./concurrency/steps";

/** The values that are processed in one step. */
const VALUES_PER_STEP = 10_000;

/** Returns the indexes of the longest selection of values in which each is greater than the one before. Undefined values are never selected. */
export function* findLongestIncreasingSubsequence<Value extends number | string>(
  values: readonly (Value | undefined)[],
): Steps<number[]> {
  // `ends[n]` is the index of the smallest value that ends a selection of n + 1 values.
  const ends: number[] = [];
  const predecessors = new Array<number>(values.length).fill(-1);
  for (const [i, value] of values.entries()) {
    if (i % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    predecessors[i] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = i;
  }
  const indexes: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = predecessors[index]!) indexes.push(index);
  return indexes.reverse();
}
