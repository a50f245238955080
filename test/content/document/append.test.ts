// A text that is put behind another one: both are read as they were alone.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "../../../src/content/document";
import { appendInSteps } from "../../../src/content/markdown/append";
import { readMarkdown } from "../../../src/content/markdown/read";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { runs } from "../../support/test-length";

const append = (text: string, body: string) => runStepsSync(appendInSteps(text, body));
const blocksOf = (markdown: string) => readMarkdown(markdown).document.nodes;
const said = (nodes: readonly Block[]) =>
  JSON.stringify(nodes, (name, value) => (name === "key" || name === "meta" ? undefined : value));

test("two appended texts keep their bytes where possible", () => {
  expect(append("---\nicon: x\n---\n\n# T\n\nOne   \ntwo\n\n\n", "* a\n* b\n")).toBe(
    "---\nicon: x\n---\n\n# T\n\nOne   \ntwo\n\n* a\n* b\n",
  );
  expect(append("", "a\n")).toBe("a\n");
  expect(append("# T\n", "a\n")).toBe("# T\n\na\n");
  expect(append("a", " \n")).toBe("a");
});

test("footnotes with the same label stay two footnotes", () => {
  const joined = append("a[^1]\n\n[^1]: one\n", "b[^1]\n\n[^1]: two\n");
  expect(joined).toBe("a[^1]\n\nb[^2]\n\n[^1]: one\n\n[^2]: two\n");
});

test("unclosed code does not absorb the appended text, and lists stay separate", () => {
  expect(blocksOf(append("```\ncode", "b")).map(({ type }) => type)).toEqual(["code", "paragraph"]);
  expect(blocksOf(append("* a", "* b")).map(({ type }) => type)).toEqual(["list-unordered", "list-unordered"]);
});

test("a heading or a rule at the start of the appended text is neither a title nor front matter", () => {
  expect(blocksOf(append("", "# b\n"))).toMatchObject([{ type: "heading-1" }]);
  expect(blocksOf(append("", "---\na: b\n---\nc")).length).toBeGreaterThan(1);
});

test("any two texts are read after appending as they were before", () => {
  const piece = fc.constantFrom(
    "a",
    "\n\n",
    "* b\n",
    "> q\n",
    "[^1]",
    "\n\n[^1]: n\n\n",
    "[r]",
    "\n\n[r]: /u\n\n",
    "# h\n",
    "---\n",
    "`c`",
    "| a |\n| - |\n",
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, (first, second) => {
      const before = `# T\n\nx\n\n${first}`;
      const [, ...behind] = blocksOf(`a\n\n${second}`);
      fc.pre(!/\[r\]/.test(first + second) || !(first.includes("[r]") && second.includes("[r]")));
      expect(said(blocksOf(append(before, second)))).toBe(said([...blocksOf(before), ...behind]));
    }),
    { numRuns: runs(500) },
  );
});
