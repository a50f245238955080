import { describe, expect, test } from "vitest";
import type { FileTree } from "../../src/content/book/repository-files";
import { ImportError } from "../../src/importers/errors";
import { convertWikiLinks, importGithubWiki, readWiki } from "../../src/importers/github-wiki/import-github-wiki";
import { PIXEL } from "./docx-fixture";

function treeOf(files: Record<string, string | Uint8Array>, modes: Record<string, string> = {}): FileTree {
  const bytes = (it: string | Uint8Array) => (typeof it === "string" ? new TextEncoder().encode(it) : it);
  return {
    list: async () => Object.keys(files).map((path) => ({ path, mode: modes[path] ?? "100644" })),
    read: async (path) => (Object.hasOwn(files, path) ? bytes(files[path]!) : undefined),
  };
}

const WIKI = {
  "Home.md":
    "Welcome. [[Getting Started]] or [[the rules|Style-Guide#names]], not `[[Code]]`.\n\n![](images/Logo.png)\n",
  "Getting-Started.md":
    "# Start here\n\n[Home](Home) [Rules](https://github.com/octo/docs/wiki/Style-Guide) [Out](https://example.com) [[Missing Page]]\n\n[[images/logo.png|alt=A logo]]\n",
  "Style-Guide.md": "Rules.\n\n![](https://raw.githubusercontent.com/wiki/octo/docs/images/logo.png)\n",
  "deep/FAQ.md": "Questions. [Up](../Home)\n",
  "Zebra.md": "Not in the sidebar.\n",
  "Old.rst": "Old\n===\n",
  "_Sidebar.md":
    "**[[Home]]**\n\n## Guides\n\n* [[Getting Started]]\n  * [Style](Style-Guide)\n* Help\n  * [[Questions|FAQ]]\n* [Site](https://example.com)\n",
  "_Footer.md": "Made with care.",
  "images/logo.png": PIXEL,
  "images/unused.png": PIXEL,
};

describe("importing a wiki", () => {
  test("a wiki starts with Home, follows its sidebar and ends with the remaining pages", async () => {
    const { book, foundCount: total } = await readWiki(treeOf(WIKI), "octo/docs");
    const page = (path: string, title: string, chapters: unknown[] = []) => ({ kind: "page", path, title, chapters });
    expect(book.chapters).toEqual([
      page("README.md", "Home"),
      {
        kind: "group",
        title: "Guides",
        chapters: [
          page("Getting-Started.md", "Getting Started", [page("Style-Guide.md", "Style")]),
          page("FAQ.md", "Questions"),
        ],
      },
      page("Zebra.md", "Zebra"),
    ]);
    expect([...book.files]).toEqual([["images/logo.png", { bytes: PIXEL }]]);
    expect(book.skipped).toEqual([
      { resource: "Old.rst", reason: "It is not written in Markdown." },
      { resource: "images/unused.png", reason: "No page refers to it." },
    ]);
    expect(total).toBe(8);
  });

  test("a wiki keeps links between its pages, and code unchanged", async () => {
    const { book } = await readWiki(treeOf(WIKI), "octo/docs");
    expect(book.texts.get("README.md")?.text).toBe(
      "Welcome. [Getting Started](Getting-Started.md) or [the rules](Style-Guide.md#names), not `[[Code]]`.\n\n![](images/logo.png)\n",
    );
    expect(book.texts.get("Getting-Started.md")?.text).toBe(
      "# Start here\n\n[Home](README.md) [Rules](Style-Guide.md) [Out](https://example.com) [Missing Page](Missing-Page)\n\n![A logo](images/logo.png)\n",
    );
    expect(book.texts.get("Style-Guide.md")?.text).toBe("Rules.\n\n![](images/logo.png)\n");
    expect(book.texts.get("FAQ.md")?.text).toBe("Questions. [Up](README.md)\n");
  });

  test("a wiki without a sidebar lists its pages by name", async () => {
    const { book } = await readWiki(treeOf({ "b.md": "b", "A.md": "a", "Home.md": "h", "C-d.md": "c" }));
    expect(book.chapters.map((it) => (it.kind === "page" ? it.path : ""))).toEqual([
      "README.md",
      "A.md",
      "b.md",
      "C-d.md",
    ]);
  });

  test.each([
    "https://github.com/octo/docs/wiki",
    "https://github.com/octo/docs/wiki/Some-Page?x#y",
    "https://github.com/octo/docs",
    "https://github.com/octo/docs.git",
    "https://github.com/octo/docs.wiki.git",
  ])("the wiki at %s is read from the repository beside it", async (url) => {
    const asked: string[] = [];
    const readTree = async (it: string) => {
      asked.push(it);
      return treeOf(WIKI);
    };
    await importGithubWiki({ url, readTree });
    expect(asked).toEqual(["https://github.com/octo/docs.wiki.git"]);
  });

  test.each([
    "https://example.com/octo/docs/wiki",
    "http://github.com/octo/docs/wiki",
    "https://github.com/octo",
    "ext::sh",
    "https://github.com.evil.example/a/b/wiki",
  ])("%s is not a wiki, and nothing is requested", async (url) => {
    const readTree = () => Promise.reject(new Error("asked"));
    await expect(importGithubWiki({ url, readTree })).rejects.toThrow(ImportError);
  });

  test("a wiki without a page is rejected", async () => {
    await expect(readWiki(treeOf({ "a.png": PIXEL, "_Sidebar.md": "[[Home]]" }))).rejects.toThrow(ImportError);
  });

  test("S9: links, submodules and names that lead elsewhere are skipped", async () => {
    const files = { "Home.md": "h", "../evil.md": "x", "link.md": "/etc/passwd", module: "", "a\\b.md": "x" };
    const { book } = await readWiki(treeOf(files, { "link.md": "120000", module: "160000" }));
    expect([...book.texts.keys()]).toEqual(["README.md"]);
    expect(book.skipped.map(({ resource }) => resource)).toEqual(["../evil.md", "link.md", "module", "a\\b.md"]);
  });

  test("S7: pages named like JavaScript properties are ordinary pages", async () => {
    const { book } = await readWiki(treeOf({ "Home.md": "[[constructor]] [[__proto__]]", "constructor.md": "c" }));
    expect(book.texts.get("README.md")?.text).toBe("[constructor](constructor.md) [__proto__](__proto__)");
  });
});

test.each(["[[", "[[a]]", "[[a|", "`[[a]]`", "]]"])(
  "S39: half a megabyte of %j is converted in time",
  (piece) => {
    expect(typeof convertWikiLinks(piece.repeat(Math.ceil(500_000 / piece.length)))).toBe("string");
  },
  20_000,
);
