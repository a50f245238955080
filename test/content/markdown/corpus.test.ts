// Real pages from installed packages, and pages with every block. Reading and writing gives the same text byte for
// byte, and text that is written from a document reads as the same document.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Document } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import type { TemplatePage } from "../../../src/content/templates";
import { builtIn } from "../../../src/resources/content/templates/built-in";
import { isLongRun } from "../../support/test-length";

const MOST = 400;
const LONGEST = 200_000;

function* markdownUnder(folder: string, depth = 0): Generator<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (/^(readme|changelog|contributing|history)\.md$/i.test(name)) yield path;
    else if (depth < 2 && !name.startsWith(".") && statSync(path).isDirectory()) yield* markdownUnder(path, depth + 1);
  }
}

function pages(): [name: string, text: string][] {
  const found: [string, string][] = [];
  for (const path of [...markdownUnder("node_modules"), ...markdownUnder("test/node_modules")]) {
    const text = readFileSync(path, "utf8");
    if (text.length <= LONGEST) found.push([path, text]);
    if (found.length >= MOST) break;
  }
  // Many are of one hand: a short run takes every other one.
  if (!isLongRun) found.splice(0, Infinity, ...found.filter((_, i) => i % 2 === 0));
  const texts = (all: readonly TemplatePage[]): string[] =>
    all.flatMap(({ markdown, pages = [] }) => [...(markdown === undefined ? [] : [markdown]), ...texts(pages)]);
  for (const { id, pages } of builtIn) for (const [i, text] of texts(pages).entries()) found.push([`${id} ${i}`, text]);
  return found;
}

const corpus = pages();

test("the corpus has enough pages", () => {
  console.info(`${corpus.length} pages, ${corpus.reduce((sum, [, text]) => sum + text.length, 0)} characters`);
  expect(corpus.length).toBeGreaterThan(200);
});

/** The documents of the texts that were read: all tests compare with them. */
const known = new Map<string, Document>();

function documentOf(text: string): Document {
  const document = known.get(text) ?? readMarkdown(text).document;
  known.set(text, document);
  return document;
}

/** A document without the keys of its blocks, which tell where they came from. */
const keyless = (document: Document) => JSON.stringify(document, (name, value) => (name === "key" ? undefined : value));

test("every page of the corpus round-trips byte for byte", () => {
  for (const [name, text] of corpus) {
    const document = documentOf(text);
    expect(checkDocument(document), name).toEqual([]);
    expect(writeMarkdown(document, { original: text }) === text, name).toBe(true);
  }
});

test("every page of the corpus that is written anew parses as the same document", () => {
  const differing: string[] = [];
  for (const [name, text] of corpus) {
    const document = documentOf(text);
    const again = readMarkdown(writeMarkdown(document)).document;
    if (keyless(again) !== keyless(document)) differing.push(name);
  }
  expect(differing).toEqual([]);
});
