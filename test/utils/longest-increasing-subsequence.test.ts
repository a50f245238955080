import { expect, test } from "vitest";
import { runStepsSync } from "../../src/utils/concurrency/steps";
import { findLongestIncreasingSubsequence } from "../../src/utils/longest-increasing-subsequence";

const find = (values: readonly (number | string | undefined)[]) =>
  runStepsSync(findLongestIncreasingSubsequence(values));

test("the longest increasing subsequence is found", () => {
  expect(find([])).toEqual([]);
  expect(find([undefined])).toEqual([]);
  expect(find([3, 1, 2])).toEqual([1, 2]);
  expect(find([1, 1, 1])).toHaveLength(1);
  expect(find(["b", undefined, "d", "a", "c", "e"])).toHaveLength(3);
  expect(find(["a", undefined, "b"])).toEqual([0, 2]);
});

test("it is as long as the longest of all increasing subsequences", () => {
  let seed = 1;
  for (let round = 0; round < 200; round++) {
    const values = Array.from({ length: 12 }, () => {
      seed = (seed * 48271) % 2147483647;
      return seed % 10;
    });
    // The length of the longest one that ends with each value.
    const lengths: number[] = [];
    for (const [i, value] of values.entries())
      lengths.push(1 + Math.max(0, ...lengths.filter((_, j) => j < i && values[j]! < value)));
    const found = find(values);
    expect(found).toHaveLength(Math.max(...lengths));
    for (const [i, index] of found.entries())
      if (i > 0) {
        expect(index).toBeGreaterThan(found[i - 1]!);
        expect(values[index]).toBeGreaterThan(values[found[i - 1]!]!);
      }
  }
});

test("many values take several steps", () => {
  const steps = findLongestIncreasingSubsequence(Array.from({ length: 25_000 }, (_, i) => i));
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBe(2);
  expect(step.value).toHaveLength(25_000);
});
