// Texts that were stored before documents had column widths as numbers and emoji by code points are read as they were.
// The digests were made then, so everything else in these documents, with keys and anchors, must be the same. Four pages
// have newer ones: their comments and the tags of their containers are no blocks any more, search has their options, an
// operation that is spelled out is something to expand, and a footnote that nobody refers to is not shown.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readMarkdown } from "../../../src/content/markdown/read";
import type { TemplatePage } from "../../../src/content/templates";
import { builtIn } from "../../../src/resources/content/templates/built-in";
import { sha256Hex } from "../../../src/utils/sha256";
import { folders, gitbook, honkit, mdbook, nested } from "../book/books/corpus";
import { corpusPages } from "../markdown/markdown-pages";

const path = fileURLToPath(new URL("./documents-as-before.json", import.meta.url));

/** The fixtures: the corpus, the texts of books, and the templates. */
function* fixtures(): Generator<[name: string, text: string]> {
  for (const { name, text } of corpusPages()) yield [name, text];
  for (const [book, files] of Object.entries({ folders, gitbook, honkit, mdbook, nested }))
    for (const [name, text] of Object.entries(files))
      if (typeof text === "string" && name.endsWith(".md")) yield [`${book} ${name}`, text];
  const texts = (all: readonly TemplatePage[]): string[] =>
    all.flatMap(({ markdown, pages = [] }) => [...(markdown === undefined ? [] : [markdown]), ...texts(pages)]);
  for (const { id, pages } of builtIn) for (const [i, text] of texts(pages).entries()) yield [`${id} ${i}`, text];
}

/** A document in the form that it had then: an emoji had its name as its code, a width its unit, and a column no fragment. */
function asBefore(_: string, value: unknown): unknown {
  const node = value as {
    type?: string;
    data?: { name?: string; width?: number };
    fragments?: { type: string }[];
  } | null;
  if (node?.type === "emoji" && node.data?.name !== undefined) return { ...node, data: { code: node.data.name } };
  if (node?.type === "column" && typeof node.data?.width === "number")
    return { ...node, data: { ...node.data, width: `${node.data.width}%` } };
  if (node?.type === "table" && node.fragments?.some(({ type }) => type === "column-title")) {
    const { fragments: all, ...table } = node;
    const fragments = all.filter(({ type }) => type !== "column-title");
    return fragments.length === 0 ? table : { ...table, fragments };
  }
  return value;
}

test("the fixtures parse as before, except for widths, emoji, column titles and code", () => {
  const found: Record<string, string> = {};
  for (const [name, text] of fixtures()) {
    const { document, links, words, ...read } = readMarkdown(text);
    const sections = read.sections.map(({ code: _, ...section }) => section);
    const headings = read.headings.map(({ end: _, ...heading }) => heading);
    found[name] = sha256Hex(JSON.stringify({ document, headings, links, sections, words }, asBefore)).slice(0, 16);
  }
  expect(found).toEqual(JSON.parse(readFileSync(path, "utf8")));
});
