// A repository imported into a space and exported again: unchanged files stay byte for byte the same, and pages keep
// their ids.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BatchChange } from "../../../src/content/revision/changes";
import { runs } from "../../support/test-length";
import { corpus, nested } from "./books/corpus";
import { Repository, Space } from "./books/trees";

describe.each(corpus)("$name", ({ contents, directory, root }) => {
  test("a book is written back as it was read", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    expect((await space.outline()).length).toBeGreaterThan(1);
    space.textReads = 0;
    const written = await space.write({ previousTree: repository, directory });
    expect([...written.files.keys()]).toEqual([]);
    expect(written.deletedPaths).toEqual([]);
    expect(space.textReads).toBe(0);
  });

  test("a book is written into an empty repository with every page unchanged", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    const there = await new Repository().with(await space.write());
    const pages = (await space.view.listPages()).flatMap(({ git }) => git?.path ?? []);
    for (const path of there.files.keys()) expect(path.startsWith("..")).toBe(false);
    for (const path of pages) {
      const before = repository.text(root + path) ?? "";
      if (!before.includes("../../../shared") && !before.includes("../.gitbook/assets/a.png"))
        expect(there.text(path), path).toBe(before);
    }
  });

  test("importing a book again changes nothing, whether it is read whole or in part", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    for (const all of [true, false]) {
      const before = space.root;
      const laid = await space.import(repository, { directory, all });
      expect(space.root).toBe(before);
      expect([...space.brought.keys()]).toEqual([]);
      expect(laid.pages).toEqual({ created: 0, updated: 0, deleted: 0 });
      expect(laid.files).toEqual({ created: 0, updated: 0, deleted: 0 });
    }
  });

  test("a book that was written elsewhere and read back has the same pages and ids", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    const [ids, outline] = [await space.ids(), await space.outline()];
    const there = await space.export(new Repository());
    await space.import(there);
    expect(await space.ids()).toEqual(ids);
    expect(await space.outline()).toEqual(outline);
    const again = await space.write({ previousTree: there });
    expect([...again.files.keys(), ...again.deletedPaths]).toEqual([]);
  });

  test("a book has no broken links", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    const links = [...(await space.entries())].filter(([key]) => key.startsWith("t/n:"));
    expect(links).toEqual([]);
  });
});

test("files outside the directory are brought inside when a book is exported elsewhere, and links follow", async () => {
  const space = new Space();
  await space.import(new Repository(nested), { directory: "projects/one" });
  const there = await space.export(new Repository());
  expect([...there.files.keys()].sort()).toEqual([
    ".gitbook/assets/a.png",
    ".gitbook/assets/picture.png",
    "README.md",
    "SUMMARY.md",
    "two.md",
  ]);
  expect(there.text("README.md")).toBe("# Home\n\n[shared](.gitbook/assets/picture.png) [two](two.md)\n");
  const before = space.root;
  await space.import(there);
  expect(space.root).toBe(before);
});

/** A page that somebody makes, and those below it. */
interface Made {
  readonly title: string;
  readonly body: string;
  readonly description: string | undefined;
  readonly kind: "document" | "group" | "link";
  readonly pages: readonly Made[];
}

const title = fc.oneof(
  // Spaces at the ends and in a row do not come through Markdown.
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
    .map((it) => it.replace(/[\s\p{Cc}]+/gu, " ").trim())
    .filter((it) => it !== ""),
  fc.constantFrom(
    "Setup",
    "README",
    "index",
    "a]b [c](d)",
    "1. One",
    "# No",
    "`x`",
    "www.example.com",
    "* x",
    "a\\b",
    "<b>",
    "&amp;",
    "![x](y)",
    "~a~ $b$ :smile:",
    "---",
  ),
);
const { page } = fc.letrec<{ page: Made; pages: Made[] }>((tie) => ({
  pages: fc.array(tie("page"), { maxLength: 3 }),
  page: fc.record({
    title,
    body: fc.constantFrom("", "Words.\n", "## Part\n\nWords.\n", "[up](/pages/x)\n"),
    description: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), { nil: undefined }),
    kind: fc.constantFrom("document" as const, "document" as const, "group" as const, "link" as const),
    pages: fc.oneof({ depthSize: "small", withCrossShrink: true }, fc.constant([]), tie("pages")),
  }),
}));

function changesFor(pages: readonly Made[], into: string | null, refs = { count: 0 }): BatchChange[] {
  return pages.flatMap((made): BatchChange[] => {
    const ref = `r${refs.count++}`;
    const { title, body, description } = made;
    if (made.kind === "link")
      return [{ operation: "insert_link", title, target: { kind: "url", url: "https://example.com/a(b)" }, into }];
    if (made.kind === "group" && into === null)
      return [{ operation: "insert_group", title, ref }, ...changesFor(made.pages, ref, refs)];
    const page = { operation: "insert_page" as const, title, into, ref, document: { markdown: body }, description };
    return [page, ...changesFor(made.pages, ref, refs)];
  });
}

test("content that people created is exported, imported elsewhere as the same tree, and back without changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 4 }), async (pages) => {
      const [space, other] = [new Space(), new Space()];
      await space.apply(
        { operation: "insert_page", title: "Home", document: { markdown: "Hello.\n" } },
        ...changesFor(pages, null),
      );
      const there = await space.export(new Repository());
      const kept = space.root;
      const outline = (await space.outline()).map((line) => line.replace(/ \([^()]*\)$/, ""));
      await space.import(there, { all: true });
      expect(space.root).toBe(kept);
      await other.import(there);
      expect((await other.outline()).map((line) => line.replace(/ \([^()]*\)$/, ""))).toEqual(outline);
      const written = await other.write({ previousTree: there });
      expect([...written.files.keys(), ...written.deletedPaths]).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});
