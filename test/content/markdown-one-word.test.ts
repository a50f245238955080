// A document that is posted back with one change: its text differs in that change alone.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Document, Ref } from "../../src/content/document";
import type { Node } from "../../src/content/markdown/nodes";
import { readMarkdown } from "../../src/content/markdown/read";
import { readPage } from "../../src/content/markdown/reader/page";
import { asWritten } from "../../src/content/markdown/reader/reading";
import { writeMarkdown } from "../../src/content/markdown/write";
import { runs } from "../runs";
import { END, FORMS, WRAPPERS } from "./markdown-forms";

type Json = Record<string, unknown>;

/** A document as a client has it. */
const documentIn = (text: string, resolve?: (href: string) => Ref): Document =>
  JSON.parse(JSON.stringify(readMarkdown(text, resolve).document));

const said = ({ nodes }: Document) =>
  JSON.stringify(nodes, (name, value) => (name === "key" || name === "meta" ? undefined : value));

/** Where strings of a document have a word that it shows. */
function placesOf(value: unknown): [holder: Json, name: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]): [Json, string][] => {
    if (/^(?:key|meta|type|kind|object|id|url|ref|source)$/.test(name)) return [];
    if (typeof inside === "string") return inside.includes("word") ? [[value as Json, name]] : [];
    return placesOf(inside);
  });
}

/** Changes the n-th word of a document. */
function changeWord(document: Document, n: number): boolean {
  const words = placesOf(document.nodes).flatMap(([holder, name]) =>
    Array.from((holder[name] as string).matchAll(/word\d*/g), ({ 0: word, index }) => ({ holder, name, word, index })),
  );
  const chosen = words[n];
  if (!chosen) return false;
  const { holder, name, word, index } = chosen;
  const text = holder[name] as string;
  holder[name] = `${text.slice(0, index)}changed${text.slice(index + word.length)}`;
  return true;
}

/** A text with numbers behind its words, so that each is another one. */
const numbered = (text: string): string => {
  let n = 0;
  return text.replace(/word/g, () => `word${++n}`);
};

const changed = (original: string, edit: (document: Document) => void): string => {
  const document = documentIn(original);
  edit(document);
  return writeMarkdown(document, { original });
};

/** Fails if a text with another word differs from the original in anything but that word. */
function expectOneWord(original: string, n: number): boolean {
  const document = documentIn(original);
  if (!changeWord(document, n)) return false;
  const written = writeMarkdown(document, { original });
  const [before, after, ...more] = written.split("changed");
  const word = original.slice(before?.length).match(/^word\d*/)?.[0];
  expect({ more, text: `${before}${word}${after}` }).toEqual({ more: [], text: original });
  expect(said(documentIn(written))).toBe(said(document));
  return true;
}

describe("one word of a document is one word of its text", () => {
  test.each(FORMS)("%s", (form) => {
    for (const text of [form + END, numbered(form + END), numbered(form + END).replaceAll("\n", "\r\n")]) {
      let n = 0;
      while (expectOneWord(text, n)) n++;
      expect(n).toBeGreaterThan(0);
    }
  });

  const form = fc.constantFrom(...FORMS);
  const wrapped = fc.tuple(form, fc.constantFrom(...WRAPPERS), fc.constantFrom(...WRAPPERS));
  const pages = fc
    .array(wrapped, { minLength: 1, maxLength: 3 })
    .map((blocks) => blocks.map(([text, inner, outer]) => outer(inner(text))).join("\n\n") + END);

  test("inside of anything, and beside anything", () => {
    fc.assert(
      fc.property(pages, fc.nat(40), fc.boolean(), (text, n, isNumbered) => {
        fc.pre(!hasUnread(text));
        const page = isNumbered ? numbered(text) : text;
        const words = placesOf(documentIn(page).nodes).length;
        expectOneWord(page, n % Math.max(1, words));
      }),
      { numRuns: runs(1200) },
    );
  });

  test("a block that is put in, taken out or moved leaves all others as they are, byte for byte", () => {
    const edits = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("insert", "remove", "move"));
    fc.assert(
      fc.property(pages, edits, (text, [where, at, edit]) => {
        const original = numbered(text);
        fc.pre(!hasUnread(original));
        const sources = sourcesIn(original);
        const document = documentIn(original);
        const lists = holdersIn(document.nodes);
        const list = lists[where % lists.length]!;
        const place = at % list.length;
        const [taken] = edit === "insert" ? [] : list.splice(place, 1);
        if (edit === "insert") list.splice(place, 0, JSON.parse(JSON.stringify(added(list[0]!))));
        if (edit === "move") list.splice((place * 7 + 1) % (list.length + 1), 0, taken!);
        fc.pre(list.length > 0);
        const written = writeMarkdown(document, { original });
        expect(said(documentIn(written))).toBe(said(normal(document)));
        const moved = new Set(edit === "insert" ? [] : keysIn([taken!]));
        let from = 0;
        for (const [key, source] of sources) {
          if (moved.has(key)) continue;
          const found = written.indexOf(source, from);
          if (found < 0) console.log(JSON.stringify({ edit, source, original, written }, null, 1));
          expect({ source, found: found >= 0, written: found >= 0 || written }).toMatchObject({ found: true });
          from = found;
        }
      }),
      { numRuns: runs(800) },
    );
  });
});

/** Whether a text is not read as blocks inside of blocks: then its form does not go together with what it stands in. */
function hasUnread(text: string): boolean {
  void text;
  return false;
}

/** The document that a text with those blocks has: numbers of lists may be other ones. */
function normal(document: Document): Document {
  return documentIn(writeMarkdown(document));
}

/** A new block, as it may stand beside another one. */
function added(beside: Block): Block {
  const [list] = documentIn("- new *text*").nodes as [Block];
  const item = (list.nodes as Block[])[0]!;
  const data = "checked" in (beside.data ?? {}) ? { checked: false } : {};
  return beside.type === "list-item" ? ({ ...item, data } as Block) : (item.nodes as Block[])[0]!;
}

/** The lists of blocks in blocks that may hold any block, or any item. */
function holdersIn(nodes: Block[]): Block[][] {
  const inside = nodes.flatMap((block) => {
    const lists = [
      ...(/^(?:list-|hint|tabs-item|blockquote|stepper-step|column$)/.test(block.type) ? [block.nodes as Block[]] : []),
      ...(["tabs", "stepper", "columns"].includes(block.type)
        ? (block.nodes as Block[]).map(({ nodes }) => nodes as Block[])
        : []),
      ...(block.fragments ?? []).filter(({ type }) => type === "expandable-body").map(({ nodes }) => nodes),
    ];
    return lists
      .filter((list) => list.length > 0)
      .flatMap((list) => (list[0]!.type.startsWith("tabs-") ? [] : holdersIn(list)));
  });
  return [nodes, ...inside];
}

function keysIn(nodes: readonly Block[]): string[] {
  return nodes.flatMap((block) => [
    block.key!,
    ...keysIn(((block.nodes ?? []) as Block[]).filter(({ object }) => object === "block")),
    ...(block.fragments ?? []).flatMap(({ nodes }) => keysIn(nodes)),
  ]);
}

/** The sources of all blocks that hold no others, by key, in their order. */
function sourcesIn(text: string): [key: string, source: string][] {
  const origins = new Map<Block, Node>();
  readPage(text, asWritten, undefined, origins);
  return [...origins]
    .filter(([{ type }]) => /^(?:paragraph|heading|code|table|images|math|file|embed|integration)/.test(type))
    .sort(([, a], [, b]) => a.start - b.start)
    .map(([{ key }, { start, end }]) => [key!, text.slice(start, end).replace(/^\[[ xX]\]\s+/, "")]);
}

void changed;
