// Changed documents that are written into the text that they came from.

import { describe, expect, test } from "vitest";
import type { Block, ContentRef, Document } from "../../../src/content/document";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { someOf } from "../../support/test-length";
import { corpusPages } from "./markdown-pages";

const blocksOf = (markdown: string) => readMarkdown(markdown).document.nodes;
const documentOf = (nodes: Block[]): Document => ({ object: "document", data: {}, nodes });

/** Reads a text, changes its blocks and writes them back. */
function edit(original: string, change: (blocks: Block[]) => Block[]): string {
  return writeMarkdown(documentOf(change(blocksOf(original))), { original });
}

const said = (nodes: Block[]) =>
  JSON.stringify(nodes, (name, value) => (name === "key" || name === "meta" ? undefined : value));
const [added] = blocksOf("New *text*.") as [Block];

describe("minimal changes", () => {
  const page = "---\nicon: x\n---\n\n# Title #\n\n\nOne   \ntwo.\n* a\n* b\n\n\n__Three__\n\n***\nlast";

  test("an inserted block stands between its neighbors, whose bytes stay", () => {
    expect(edit(page, (blocks) => blocks.toSpliced(1, 0, added))).toBe(
      "---\nicon: x\n---\n\n# Title #\n\n\nOne   \ntwo.\n\nNew *text*.\n\n* a\n* b\n\n\n__Three__\n\n***\nlast",
    );
  });

  test("a removed block takes only its own bytes", () => {
    expect(edit(page, (blocks) => blocks.toSpliced(2, 1))).toBe(
      "---\nicon: x\n---\n\n# Title #\n\n\nOne   \ntwo.\n* a\n* b\n\n***\nlast",
    );
  });

  test("a changed block is written in its place", () => {
    expect(edit(page, (blocks) => blocks.with(2, added))).toBe(
      "---\nicon: x\n---\n\n# Title #\n\n\nOne   \ntwo.\n* a\n* b\n\n\nNew *text*.\n\n***\nlast",
    );
  });

  test("the first block, the last block and all blocks can be removed", () => {
    expect(edit(page, (blocks) => blocks.slice(1))).toMatch(
      /^---\nicon: x\n---\n\n# Title #\n\n\n\* a\n\* b\n\n\n__Three__/,
    );
    expect(edit(page, (blocks) => blocks.slice(0, -1))).toMatch(/\n\n\n__Three__\n\n\*\*\*\n$/);
    expect(edit(page, () => [])).toBe("---\nicon: x\n---\n\n# Title #\n");
  });

  test("blocks can be written into an empty text", () => {
    expect(edit("", () => [added])).toBe("New *text*.\n");
    expect(edit("# Title", () => [added])).toBe("# Title\n\nNew *text*.\n");
    expect(edit("\ufeff", () => [added])).toBe("\ufeffNew *text*.\n");
    expect(edit("---\na: b\n---\n", () => [added])).toBe("---\na: b\n---\n\nNew *text*.\n");
  });

  test("new blocks use the line endings of the text", () => {
    expect(edit("a\r\n\r\nb\r\n", (blocks) => [...blocks, ...blocksOf("* c\n* d")])).toBe(
      "a\r\n\r\nb\r\n\r\n* c\r\n* d\r\n",
    );
  });

  test("moved blocks keep their bytes where possible", () => {
    expect(edit("__a__\n\n_b_\n\nc\n", ([a, b, c]) => [c!, a!, b!])).toBe("c\n\n__a__\n\n_b_\n");
  });
});

describe("definitions and footnotes", () => {
  test("link definitions stay when the text around them is removed", () => {
    expect(edit("[a][x]\n\nb\n\n[x]: /u\n\nc\n", ([a]) => [a!])).toBe("[a][x]\n\n[x]: /u\n");
  });

  test("link definitions inside a removed quote are kept for their references", () => {
    const written = edit("[a][x]\n\n> q\n>\n> [x]: /u\n", ([a]) => [a!]);
    expect(written).toContain("[a][x]");
    expect(said(blocksOf(written))).toBe(said(blocksOf("[a](/u)")));
  });

  test("a footnote is removed with its last reference, and new ones use free labels", () => {
    const original = "a[^1]\n\nb[^2]\n\n[^1]: one\n\n[^2]: two\n";
    expect(edit(original, ([a]) => [a!])).toBe("a[^1]\n\n[^1]: one\n");
    const [noted] = blocksOf("n[^x]\n\n[^x]: new") as [Block];
    expect(edit(original, (blocks) => [...blocks, noted])).toBe(
      "a[^1]\n\nb[^2]\n\nn[^3]\n\n[^1]: one\n\n[^2]: two\n\n[^3]: new\n",
    );
  });
});

describe("adjacent blocks", () => {
  test("a new list stays separate from adjacent lists", () => {
    const written = edit("* a\n\nx\n\n* b\n", ([a, , b]) => [a!, blocksOf("* n")[0]!, b!]);
    expect(said(blocksOf(written))).toBe(said([...blocksOf("* a"), ...blocksOf("* n"), ...blocksOf("* b")]));
  });

  test("lists that become adjacent when the text between them is removed stay separate", () => {
    const written = edit("* a\n\nx\n\n* b\n", ([a, , b]) => [a!, b!]);
    expect(written).toBe("* a\n\n+ b\n");
  });

  test("unclosed code and HTML are closed before a following block", () => {
    for (const open of ["```\na", "<!-- a", "$$\na\n$$", "<pre>\na"]) {
      const original = `x\n\n${open}`;
      const blocks = [...blocksOf(original), added];
      const written = writeMarkdown(documentOf(blocks), { original });
      expect(blocksOf(written).at(-1)).toMatchObject({ type: "paragraph" });
    }
  });

  test("indented text is not absorbed by a preceding list", () => {
    const original = "a\n\n   b\n\n    code\n";
    const blocks = blocksOf(original).toSpliced(1, 0, blocksOf("* n")[0]!);
    expect(said(blocksOf(writeMarkdown(documentOf(blocks), { original })))).toBe(said(blocks));
  });
});

describe("references", () => {
  const pages: Record<string, ContentRef> = {
    "a.md": { kind: "page", page: "pag_a" },
    "b.md": { kind: "page", page: "pag_b" },
  };
  const resolve = (href: string): ContentRef => pages[href] ?? { kind: "url", url: href };

  test("blocks keep their addresses as written if these lead to the target in the document", () => {
    const original = "[a](a.md)  \nx\n\n[b](b.md)\n";
    const { nodes } = readMarkdown(original, resolve).document;
    const href = (ref: ContentRef) => (ref.kind === "page" ? `/pages/${ref.page}` : "?");
    const options = { original, resolve, href };
    expect(writeMarkdown(documentOf(nodes), options)).toBe(original);
    expect(writeMarkdown(documentOf([...nodes, nodes[1]!]), options)).toBe(`${original}\n[b](/pages/pag_b)\n`);
  });

  test("a reference with a new target is rewritten", () => {
    const original = "[a](a.md)\n\n__b__\n";
    const { nodes } = readMarkdown("[a](b.md)\n\n__b__\n", resolve).document;
    expect(writeMarkdown(documentOf(nodes), { original, resolve, href: () => "/pages/pag_b" })).toBe(
      "[a](/pages/pag_b)\n\n__b__\n",
    );
  });
});

test("every page of the corpus accepts every single removal and insertion", () => {
  for (const [at, { name, text }] of corpusPages().entries()) {
    const { nodes } = readMarkdown(text).document;
    for (const i of someOf([...nodes.keys(), nodes.length], at)) {
      for (const changed of [nodes.toSpliced(i, 0, added), nodes.toSpliced(i, 1)]) {
        const written = writeMarkdown(documentOf(changed), { original: text });
        expect({ name, i, blocks: said(blocksOf(written)) }).toEqual({ name, i, blocks: said(changed) });
      }
    }
  }
});
