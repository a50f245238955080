// Malicious repositories. Everything in them is imported, skipped with a reason, or refused with a sentence. Nothing
// leads out of the tree, and everything ends.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Book } from "../../../src/content/book/book";
import { BookError } from "../../../src/content/book/errors";
import { readBook } from "../../../src/content/book/read-book";
import { MAX_TREE_FILES, type TreeFile } from "../../../src/content/book/repository-files";
import { runs } from "../../support/test-length";
import { type Contents, Repository, Space } from "./books/trees";

const read = (contents: Contents, directory?: string) => readBook(new Repository(contents), { directory });
const reasonFor = ({ skipped }: Book, resource: string) => skipped.find((it) => it.resource === resource)?.reason;
const page = { "README.md": "# Home\n" };

describe("S9: path traversal", () => {
  test.each([
    ["above the tree", "../secret.md"],
    ["above it from inside", "docs/../../secret.md"],
    ["from the root", "/etc/passwd.md"],
    ["a drive", "C:/windows.md"],
    ["backslashes", "..\\secret.md"],
    ["a NUL", "a\0.md"],
    ["an empty name", "docs//a.md"],
    ["half a character", "a\ud800.md"],
  ])("names that lead elsewhere are skipped: %s", async (_, path) => {
    const book = await read({ ...page, [path]: "# Secret\n" });
    expect([...book.texts.keys()]).toEqual(["README.md"]);
    expect(reasonFor(book, path)).toMatch(/path/);
  });

  test.each([
    ["a table of contents", { "SUMMARY.md": "* [A](../../secret.md)\n* [B](/../secret.md)\n* [Home](README.md)\n" }],
    ["settings", { ".gitbook.yaml": "structure:\n  summary: ../../SUMMARY.md\n  readme: ../../secret.md\n" }],
    ["links", { "README.md": "# Home\n\n![x](../../secret.png) [y](../../secret.md) ![z](/../secret.png)\n" }],
  ])("paths that lead elsewhere are not followed from %s", async (_, contents) => {
    const tree = new Repository({ "in/secret.md": "# No\n", "in/secret.png": "no" });
    for (const [path, text] of Object.entries({ ...page, ...contents })) tree.set(`in/docs/${path}`, text);
    const book = await readBook(tree, { directory: "in/docs" });
    expect([...book.texts.keys()]).toEqual(["README.md"]);
    expect([...book.files.keys()]).toEqual([]);
  });

  test("a root outside of the repository is rejected", async () => {
    await expect(read({ ...page, ".gitbook.yaml": "root: ../../\n" })).rejects.toThrow(BookError);
    await expect(read({ ...page, "book.toml": '[book]\nsrc = "../.."\n' })).rejects.toThrow(BookError);
  });
});

test("S10: names and paths that are too long are skipped", async () => {
  const long = `${"a".repeat(300)}.md`;
  const deep = `${"abc/".repeat(400)}x.md`;
  const book = await read({ ...page, [long]: "# Long\n", [deep]: "# Deep\n" });
  expect([...book.texts.keys()]).toEqual(["README.md"]);
  expect(reasonFor(book, long)).toMatch(/name is longer/);
  expect(reasonFor(book, deep)).toMatch(/path is longer/);
});

test("symbolic links, submodules and unusual modes are skipped with a reason", async () => {
  const tree = new Repository(page);
  const odd: TreeFile[] = [
    { path: "link.md", mode: "120000", oid: "1".repeat(40) },
    { path: "vendor.md", mode: "160000", oid: "2".repeat(40) },
    { path: "folder.md", mode: "040000", oid: "3".repeat(40) },
    { path: ".gitbook/assets/huge.bin", mode: "100644", oid: "4".repeat(40), size: 1e12 },
  ];
  tree.odd.push(...odd);
  const book = await readBook(tree);
  expect(book.skipped.map(({ reason }) => reason)).toEqual([
    "It is a symbolic link.",
    "It is a submodule.",
    "It is not a plain file.",
    "It is larger than 100 MB.",
  ]);
  expect([...book.texts.keys(), ...book.files.keys()]).toEqual(["README.md"]);
});

test("texts that are too long or not UTF-8 are skipped, and their child pages move up", async () => {
  const tree = new Repository({
    "SUMMARY.md": "* [Home](README.md)\n* [Latin](latin.md)\n  * [Below](below.md)\n* [Long](long.md)\n",
    ...page,
    "below.md": "# Below\n",
    "long.md": "a".repeat(1024 * 1024 + 1),
  }).set("latin.md", Uint8Array.of(0x23, 0x20, 0xe4, 0x0a));
  const space = new Space();
  await space.import(tree);
  expect(await space.outline()).toEqual(["Home (home)", "Below (below)"]);
  const { skipped } = await readBook(tree);
  expect(skipped.map(({ resource }) => resource)).toEqual(["latin.md", "long.md"]);
  expect([...(await space.write({ previousTree: tree })).files.keys()]).toEqual([]);
});

test("a page whose condition is too long to be stored is shown to no one instead of to everyone", async () => {
  const long = `---\nif: visitor.claims.a === "${"x".repeat(1100)}"\n---\n# Closed\n`;
  const space = new Space();
  await space.import(
    new Repository({ "SUMMARY.md": "* [Home](README.md)\n* [Closed](closed.md)\n", ...page, "closed.md": long }),
  );
  const pages = await space.view.listPages();
  expect(pages.map(({ title, condition }) => [title, condition])).toContainEqual(["Closed", "false"]);
});

describe("S40: YAML bombs", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
    .split("")
    .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${"abcdefghi"[i]}`).join(",")}]\n`)
    .join("")}`;

  test("YAML aliases are not expanded", async () => {
    const book = await read({ ...page, ".gitbook/vars.yaml": `${bomb}plain: 1\ncopied: *j\n`, ".gitbook.yaml": bomb });
    expect(book.variables).toEqual({ plain: 1 });
  });

  test.each([
    ["lists", "[".repeat(100_000)],
    ["maps", "{a: ".repeat(50_000)],
    ["keys", "? ".repeat(100_000)],
    ["dashes", "- ".repeat(100_000)],
    ["a closed list", `a: ${"[".repeat(5000)}${"]".repeat(5000)}\n`],
  ])("thousands of nested %s are not accepted as settings", async (_, yaml) => {
    const book = await read({ ...page, ".gitbook.yaml": yaml, ".gitbook/vars.yaml": yaml });
    expect([...book.texts.keys()]).toEqual(["README.md"]);
    expect(book.variables).toEqual({});
  });
});

test("S7: names that every object has are ordinary names", async () => {
  const book = await read({
    ...page,
    ".gitbook.yaml": "__proto__:\n  root: x\nredirects:\n  __proto__: README.md\n  constructor: README.md\n",
    ".gitbook/vars.yaml": "__proto__: 1\nconstructor: 2\nprototype: 3\nok: 4\n",
    "book.json": '{"__proto__": {"root": "x"}}',
  });
  expect(book.redirects).toEqual({});
  expect(book.variables).toEqual({ ok: 4 });
  expect(({} as { root?: string }).root).toBeUndefined();
  const space = new Space();
  await space.import(
    new Repository({ "constructor.md": "# \\_\\_proto\\_\\_\n", "__proto__/README.md": "# constructor\n" }),
  );
  expect(await space.outline()).toEqual(["constructor (proto)", "__proto__ (constructor)"]);
});

describe("limits", () => {
  const listing = (length: number, name: (i: number) => string) => ({
    list: async () =>
      Array.from({ length }, (_, i) => ({ path: name(i), oid: "1".repeat(40), mode: "100644", size: 4 })),
    read: async () => new TextEncoder().encode("# A\n"),
  });

  test("a hundred thousand files that are not texts are scanned", async () => {
    await expect(readBook(listing(100_000, (i) => `src/file-${i}.ts`))).rejects.toThrow(/No page/);
  });

  test("too many chapters or files are rejected with a message", async () => {
    await expect(readBook(listing(100_001, (i) => `docs/page-${i}.md`))).rejects.toThrow(/more than 100000 chapters/);
    await expect(readBook(listing(MAX_TREE_FILES + 1, (i) => `${i}.md`))).rejects.toThrow(/more than 200000 files/);
  });

  test("an empty repository is rejected", async () => {
    await expect(read({})).rejects.toThrow(BookError);
    await expect(read(page, "elsewhere")).rejects.toThrow(BookError);
    await expect(read({ ...page, ".gitbook.yaml": "root: ./docs\n" })).rejects.toThrow(BookError);
  });

  test("a table of contents nested thousands of levels deep is flattened to the limit", async () => {
    const lines = Array.from({ length: 900 }, (_, i) => `${" ".repeat(i * 2)}* [P${i}](p${i}.md)\n`);
    const pages = Object.fromEntries(lines.map((_, i) => [`p${i}.md`, `# P${i}\n`]));
    const space = new Space();
    await space.import(new Repository({ ...pages, "SUMMARY.md": `# T\n\n## Group\n\n${lines.join("")}` }));
    const outline = await space.outline();
    expect(outline.length).toBe(901);
    expect(Math.max(...outline.map((line) => line.search(/\S/) / 2 + 1))).toBe(32);
  });
});

test("addresses that run scripts are not links in a table of contents", async () => {
  const summary = "* [Home](README.md)\n* [Bad](javascript:alert(1))\n* [Good](https://example.com)\n";
  const { chapters, skipped } = await read({ ...page, "SUMMARY.md": summary });
  expect(chapters.map(({ kind }) => kind)).toEqual(["page", "link"]);
  expect(skipped).toEqual([{ resource: "Bad", reason: "It has a URL that can't be linked to." }]);
});

test("front matter that exceeds the limits is ignored, and the page is imported", async () => {
  const space = new Space();
  const text = `---\nif: ${"x".repeat(2000)}\n---\n\n# Home\n`;
  const laid = await space.import(new Repository({ "README.md": text }));
  expect(laid.skipped).toHaveLength(1);
  expect(await space.outline()).toEqual(["README (readme)"]);
});

test("any tree with any table of contents is either a book or rejected", async () => {
  const name = fc.oneof(
    fc.constantFrom(
      "README.md",
      "a.md",
      "b.md",
      "..",
      ".",
      "docs",
      "SUMMARY.md",
      ".gitbook",
      "assets",
      "x.png",
      "index.md",
    ),
    fc.string({ maxLength: 8 }),
  );
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((it) => it.join("/"));
  const href = fc.oneof(path, fc.constantFrom("", "#", "a.md#x", "<a b>", "https://x.org", "%", "%ff.md", "docs/"));
  const line = fc.oneof(
    fc
      .record({ indent: fc.nat(9), title: fc.string({ maxLength: 6 }), href })
      .map((it) => `${" ".repeat(it.indent)}* [${it.title}](${it.href})`),
    fc.constantFrom(
      "# T",
      "## G",
      "---",
      "***",
      "* x",
      "- ```yaml",
      "  a: 1",
      "```",
      "<!--",
      "-->",
      "[x](a.md)",
      "1. [y](b.md)",
      "\t* [t](a.md)",
      "## <a id='x'></a>",
    ),
    fc.string(),
  );
  const contents = fc.record({
    files: fc.dictionary(path, fc.oneof(fc.string(), fc.constantFrom("# A\n", "[x](a.md) ![y](x.png)\n")), {
      maxKeys: 8,
    }),
    summary: fc.option(fc.array(line, { maxLength: 12 }), { nil: undefined }),
    settings: fc.constantFrom(
      undefined,
      "root: docs\n",
      "structure: {summary: a.md}\n",
      "root: [1]\n",
      "structure: 1\n",
      "\0",
    ),
    kind: fc.constantFrom(".gitbook.yaml", "book.toml", "book.json"),
  });
  await fc.assert(
    fc.asyncProperty(contents, async ({ files, summary, settings, kind }) => {
      const tree = new Repository({ "README.md": "# Home\n", "a.md": "# A\n", "b.md": "B\n", ...files });
      if (summary) tree.set("SUMMARY.md", summary.join("\n"));
      if (settings !== undefined) tree.set(kind, settings);
      const space = new Space();
      try {
        await space.import(tree);
      } catch (error) {
        expect(error).toBeInstanceOf(BookError);
        return;
      }
      const before = space.root;
      const { files: written, deletedPaths: deleted } = await space.write({ previousTree: tree });
      expect([...written.keys(), ...deleted]).toEqual([]);
      await space.import(tree, { all: true });
      expect(space.root).toBe(before);
    }),
    { numRuns: runs(500) },
  );
});
