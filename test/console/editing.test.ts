// What the application works out before it asks the API: where pages go, how texts come together, and what is different.

import { describe, expect, test } from "vitest";
import { mergeTexts, splitTitle } from "../../src/console/app/editor/split-title";
import { diffBlocks } from "../../src/console/app/review/diff-blocks";
import type { PageInTree } from "../../src/console/app/space/content-place";
import {
  findByPath,
  findDestination,
  findFirstPage,
  isWithin,
  listTreeRows,
} from "../../src/console/app/space/tree-rows";
import type { Block } from "../../src/content/document";

describe("splitting a text", () => {
  test.each([
    ["---\ntitle: A\n---\n\n# A\n\nText\n", "A", "---\ntitle: A\n---\n\n# A\n\n", "Text\n"],
    ["+++\nx = 1\n+++\nText", "A", "+++\nx = 1\n+++\n", "Text"],
    ["# *A* title\n\nText", "A title", "# *A* title\n\n", "Text"],
    ["# Another\n\nText", "A", "", "# Another\n\nText"],
    ["", "A", "", ""],
    ["---\nnot closed", "A", "", "---\nnot closed"],
  ])("the head and the body of %j are split and join to the same text", (text, title, head, body) => {
    expect(splitTitle(text, title)).toEqual({ head, body });
    expect(head + body).toBe(text);
  });
});

describe("merging two edits", () => {
  test("two edits of different lines are merged", () => {
    expect(mergeTexts("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toEqual({ isClean: true, text: "A\nb\nC\n" });
    expect(mergeTexts("a\n", "a\nx\n", "a\n")).toEqual({ isClean: true, text: "a\nx\n" });
    expect(mergeTexts("a", "b", "b")).toEqual({ isClean: true, text: "b" });
  });

  test("two edits of the same lines are left to a person", () => {
    expect(mergeTexts("a\nb\n", "x\nb\n", "y\nb\n")).toEqual({ isClean: false });
  });
});

const page = (id: string, pages: PageInTree[] = [], kind: PageInTree["kind"] = "sheet"): PageInTree =>
  ({ id, title: id, kind, path: id, pages }) as unknown as PageInTree;

describe("the page tree", () => {
  const tree = [page("a"), page("g", [page("b"), page("c")], "group"), page("l", [], "link"), page("d")];
  const rows = listTreeRows(tree, () => true);
  const row = (id: string) => rows.find((it) => it.page.id === id)!;

  test("the page tree lists the rows that are open", () => {
    expect(rows.map((it) => `${it.depth}${it.page.id}`)).toEqual(["0a", "0g", "1b", "1c", "0l", "0d"]);
    expect(listTreeRows(tree, () => false).map((it) => it.page.id)).toEqual(["a", "g", "l", "d"]);
  });

  test.each([
    ["a", "up", undefined],
    ["a", "down", { into: null, at: 1 }],
    ["a", "in", undefined],
    ["b", "up", undefined],
    ["b", "down", { into: "g", at: 1 }],
    ["c", "in", { into: "b", at: 0 }],
    ["b", "out", { into: null, at: 2 }],
    // Groups stand only at the top, and nothing stands below a link.
    ["g", "in", undefined],
    ["d", "in", undefined],
    ["a", "out", undefined],
  ] as const)("moving %s goes %s", (id, step, to) => {
    expect(findDestination(tree, row(id), step)).toEqual(to);
  });

  test("the page tree finds pages by kind and by path", () => {
    expect(findFirstPage([page("g", [page("b")], "group")])?.id).toBe("b");
    expect(findByPath(tree, "d")?.id).toBe("d");
    expect(findByPath(tree, "nothing")).toBeUndefined();
    expect(isWithin(tree[1]!, "c")).toBe(true);
    expect(isWithin(tree[1]!, "a")).toBe(false);
  });
});

const text = (words: string, type = "paragraph"): Block =>
  ({
    object: "block",
    type,
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] }],
  }) as never;

describe("the diff view", () => {
  test("an edited paragraph is shown as a word diff", () => {
    const pieces = diffBlocks(
      [text("one"), text("the old house stands here")],
      [text("one"), text("the new house stands here")],
    );
    expect(pieces).toMatchObject([
      { kind: "same" },
      {
        kind: "edited",
        words: [
          { kind: "same", text: "the " },
          { kind: "removed", text: "old" },
          { kind: "added", text: "new" },
          { kind: "same", text: " house stands here" },
        ],
      },
    ]);
  });

  test("blocks without common text or of different types are shown as separate blocks", () => {
    const kinds = (before: Block[], after: Block[]) => diffBlocks(before, after).map(({ kind }) => kind);
    expect(kinds([text("one two three")], [text("four five six")])).toEqual(["removed", "added"]);
    expect(kinds([text("words")], [text("words", "heading-1")])).toEqual(["removed", "added"]);
    expect(kinds([], [text("words")])).toEqual(["added"]);
    expect(kinds([text("words")], [])).toEqual(["removed"]);
    expect(kinds([text("words")], [text("words")])).toEqual(["same"]);
    expect(kinds([], [])).toEqual([]);
  });

  test("the key of a block is not a difference", () => {
    const keyed = { ...text("words"), key: "b1" } as Block;
    expect(diffBlocks([keyed], [{ ...keyed, key: "b2" } as Block]).map(({ kind }) => kind)).toEqual(["same"]);
  });
});
