import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { ChunkedFile } from "../../src/importers/archive/chunked-file";
import { importZip, readZip } from "../../src/importers/archive/import-zip";
import { ImportError } from "../../src/importers/errors";
import { zipOf } from "./archive-bytes";
import { PIXEL } from "./docx-fixture";
import { served } from "./served";

const pack = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, it]) => [path, typeof it === "string" ? strToU8(it) : it])),
  );

const read = async (bytes: Uint8Array) => {
  const pieces = new ChunkedFile();
  await pieces.add(bytes);
  return readZip(pieces);
};

describe("archives of a folder", () => {
  test("an archive with Markdown files becomes a book of its folders with the files they refer to", async () => {
    const bytes = pack({
      "docs-main/README.md": "# Home\n\n[Setup](guide/setup.md) ![](img/logo.png)\n",
      "docs-main/guide/README.md": "# Guide\n",
      "docs-main/guide/setup.md": "# Setup\n\n[Back](../README.md) [Gone](gone.md)\n",
      "docs-main/img/logo.png": PIXEL,
      "docs-main/img/unused.png": PIXEL,
      "__MACOSX/docs-main/._README.md": "junk",
    });
    const { book, foundCount: total } = await read(bytes);
    expect(book.chapters).toMatchObject([
      { path: "README.md" },
      { path: "guide/README.md", chapters: [{ path: "guide/setup.md" }] },
    ]);
    expect(book.texts.get("guide/setup.md")?.text).toBe("# Setup\n\n[Back](../README.md) [Gone](gone.md)\n");
    expect([...book.files.keys()]).toEqual(["img/logo.png"]);
    expect(book.skipped).toEqual([{ resource: "img/unused.png", reason: "No page refers to it." }]);
    expect(total).toBe(5);
  });

  test("files are found despite different case or encoding of their names, and everything else stays", async () => {
    const other = "# Other\r\n\r\n* [a](a%20b.md)\r\n";
    const bytes = pack({
      "README.md": "# Home\n\n![](IMG/Logo.PNG) [A](A%20B.md#x) `[A](A%20B.md)`\n",
      "a b.md": "# A B\n",
      "other.md": other,
      "img/logo.png": PIXEL,
    });
    const { book } = await read(bytes);
    expect(book.texts.get("README.md")?.text).toBe("# Home\n\n![](img/logo.png) [A](a%20b.md#x) `[A](A%20B.md)`\n");
    expect(book.texts.get("other.md")?.text).toBe(other);
    expect([...book.files.keys()]).toEqual(["img/logo.png"]);
  });

  test("an archive with HTML files becomes their content with links between the pages", async () => {
    const page = (title: string, body: string) =>
      `<!DOCTYPE html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
    const bytes = pack({
      "index.html": page("Start", '<p>See <a href="Guide/Setup.html#one">setup</a>.</p><img src="i/p.png" alt="P">'),
      "guide/setup.html": page(
        "Setup",
        '<h2 id="one">One</h2><pre><code class="language-js">let a;</code></pre><p><a href="../index.html">Back</a></p>',
      ),
      "i/p.png": PIXEL,
      "style.css": "p {}",
    });
    const { book, foundCount: total } = await read(bytes);
    expect([...(book.websitePaths ?? [])].sort()).toEqual([
      ["guide/setup.md", "guide/setup.html"],
      ["index.md", "index.html"],
    ]);
    expect(book.texts.get("index.md")?.text).toBe("# Start\n\nSee [setup](guide/setup.md#one).\n\n![P](i/p.png)\n");
    expect(book.texts.get("guide/setup.md")?.text).toBe(
      "# Setup\n\n## One\n\n```js\nlet a;\n```\n\n[Back](../index.html)\n",
    );
    expect([...book.files.keys()]).toEqual(["i/p.png"]);
    expect(book.skipped).toEqual([{ resource: "style.css", reason: "No page refers to it." }]);
    expect(total).toBe(4);
  });

  test("an archive with a table of contents becomes what it lists", async () => {
    const bytes = pack({
      ".gitbook.yaml": "root: ./docs/\n",
      "docs/SUMMARY.md":
        "# Table of contents\n\n* [Home](README.md)\n\n## Part\n\n* [Two](b.md)\n  * [One](a.md)\n* [Lost](lost.md)\n",
      "docs/README.md": "# Home\n",
      "docs/a.md": "# One\n",
      "docs/b.md": "# Two\n",
      "docs/draft.md": "# Draft\n",
    });
    const { book, foundCount: total } = await read(bytes);
    expect(book.chapters).toMatchObject([
      { kind: "page", path: "README.md" },
      { kind: "group", title: "Part", chapters: [{ path: "b.md", chapters: [{ path: "a.md" }] }] },
    ]);
    expect(book.skipped.map(({ resource }) => resource)).toEqual(["lost.md", "docs/draft.md"]);
    expect(total).toBe(5);
  });

  test("an archive can be imported from a URL", async () => {
    const { fetch } = served({ "/docs.zip": pack({ "a.md": "# A\n" }) });
    const { book, foundCount: total } = await importZip({ url: "https://host.example/docs.zip", fetch });
    expect([[...book.texts.keys()], total]).toEqual([["a.md"], 1]);
  });
});

describe("unusable archives", () => {
  const link = { name: "a.md", data: strToU8("/etc/passwd"), mode: 0o120777 };
  test.each([
    ["no page in it", pack({ "a.png": PIXEL })],
    ["nothing in it", zipSync({})],
    ["S9: only links", zipOf([link])],
    [
      "S9: a name that leads out",
      zipOf([
        { name: "../a.md", data: strToU8("# A") },
        { name: "b.md", data: strToU8("# B") },
      ]),
    ],
    ["S10: only names that are too long", zipOf([{ name: `${"a".repeat(5000)}.md`, data: strToU8("# A") }])],
    ["S40: only a bomb", zipOf([{ name: "a.md", data: strToU8("x"), method: 8, size: 2 ** 31 }])],
    ["no archive at all", strToU8("<html>not found</html>")],
  ])("an archive without usable files is rejected: %s", async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow(ImportError);
  });
});

test("S7: names with a meaning in JavaScript are ordinary names", async () => {
  const { book } = await read(pack({ "__proto__.md": "# P\n\n![](constructor)\n", constructor: PIXEL }));
  expect([...book.texts.keys()]).toEqual(["__proto__.md"]);
  expect(({} as Record<string, unknown>).text).toBeUndefined();
});
