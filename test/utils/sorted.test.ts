import { expect, test } from "vitest";
import { findSortedIndex } from "../../src/utils/sorted";

test("the index of a text is the number of texts that are less", () => {
  const sorted = ["a", "c", "c", "e"];
  const indexes = ["", "a", "b", "c", "d", "e", "f"].map((text) => findSortedIndex(sorted, text));
  expect(indexes).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(findSortedIndex([], "a")).toBe(0);
});
