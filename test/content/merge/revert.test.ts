// Reverting single blocks of a page to an earlier text.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readMarkdown } from "../../../src/content/markdown/read";
import { revertBlocks } from "../../../src/content/revision/revert-blocks";
import { runs } from "../../support/test-length";

const keyOf = (text: string, at: number) => readMarkdown(text).document.nodes[at]!.key!;

const then = "# Title\n\nFirst.\n\nSecond.\n\nThird.\n";
const now = "# Title\n\nFirst, changed.\n\nSecond.\n\nNew.\n\nThird, changed.\n";

test("a changed block is reverted, and the others stay", () => {
  expect(revertBlocks(now, then, [keyOf(now, 0)])).toBe("# Title\n\nFirst.\n\nSecond.\n\nNew.\n\nThird, changed.\n");
});

test("content between two equal blocks is reverted as a whole, named by either side", () => {
  const reverted = "# Title\n\nFirst, changed.\n\nSecond.\n\nThird.\n";
  expect(revertBlocks(now, then, [keyOf(now, 2)])).toBe(reverted);
  expect(revertBlocks(now, then, [keyOf(then, 2)])).toBe(reverted);
});

test("a deleted block returns to its place", () => {
  const without = "# Title\n\nFirst.\n\nThird.\n";
  expect(revertBlocks(without, then, [keyOf(then, 1)])).toBe(then);
});

test("an added block is removed", () => {
  const more = "# Title\n\nFirst.\n\nAdded.\n\nSecond.\n\nThird.\n";
  expect(readMarkdown(revertBlocks(more, then, [keyOf(more, 1)])).document).toEqual(readMarkdown(then).document);
});

test("unknown keys change nothing", () => {
  expect(revertBlocks(now, then, ["nothing"])).toBe(now);
});

test("reverting all blocks restores the earlier blocks", () => {
  const paragraph = fc.constantFrom("One.", "Two.", "## Head", "* item", "```\ncode\n```", "> quote");
  const text = fc.uniqueArray(paragraph, { maxLength: 6 }).map((parts) => parts.map((part) => `${part}\n`).join("\n"));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const keys = [one, other].flatMap((it) => readMarkdown(it).document.nodes.map((node) => node.key!));
      expect(readMarkdown(revertBlocks(one, other, keys)).document).toEqual(readMarkdown(other).document);
    }),
    { numRuns: runs(300) },
  );
});
