// Documents from outside, checked against their types.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_COLUMNS, MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_NODES } from "../../../src/content/document";
import { checkDocument } from "../../../src/content/document/check-document";
import { isSafeUrl } from "../../../src/content/document/safe-url";
import { readMarkdown } from "../../../src/content/markdown/read";
import { corpusPages } from "../markdown/markdown-pages";

const leaf = { object: "leaf", text: "a", marks: [] };
const text = { object: "text", leaves: [leaf] };
const paragraph = { object: "block", type: "paragraph", nodes: [text] };
const documentOf = (...nodes: unknown[]) => ({ object: "document", data: { schemaVersion: 1 }, nodes });
const saying = (...nodes: unknown[]) => documentOf({ ...paragraph, nodes });
const messages = (value: unknown) => checkDocument(value).map(({ path, message }) => `${path} ${message}`);

describe("S17: invalid documents", () => {
  test.each<[name: string, value: unknown, issue: string]>([
    ["nothing", undefined, " is not an object"],
    ["null", null, " is not an object"],
    ["a list", [], " is not an object"],
    ["a text", "document", " is not an object"],
    ["another object", { object: "block", data: {}, nodes: [] }, "object is not one of document"],
    ["no nodes", { object: "document", data: {} }, "nodes is missing"],
    ["nodes that are none", { object: "document", data: {}, nodes: {} }, "nodes is not a list"],
    ["a node that is none", documentOf("a"), "nodes.0 is not an object"],
    ["a block without a type", documentOf({ object: "block", nodes: [] }), "nodes.0.type is missing"],
    [
      "a type that nobody knows",
      documentOf({ ...paragraph, type: "script" }),
      "nodes.0.type is not a type of block; what is not known has the type unknown",
    ],
    [
      "a type that is an object",
      documentOf({ ...paragraph, type: { toString: "paragraph" } }),
      "nodes.0.type is not a type of block; what is not known has the type unknown",
    ],
    [
      "a type that objects have",
      documentOf({ ...paragraph, type: "constructor" }),
      "nodes.0.type is not a type of block; what is not known has the type unknown",
    ],
    [
      "a part without its whole",
      documentOf({ object: "block", type: "list-item", nodes: [] }),
      "nodes.0.type does not belong here",
    ],
    [
      "a whole with the wrong parts",
      documentOf({ object: "block", type: "tabs", nodes: [paragraph] }),
      "nodes.0.nodes.0.type does not belong here",
    ],
    ["a member that nobody knows", documentOf({ ...paragraph, html: "<b>" }), "nodes.0.html is unknown"],
    ["data that nobody knows", documentOf({ ...paragraph, data: { onclick: "x" } }), "nodes.0.data.onclick is unknown"],
    ["data that is null", documentOf({ ...paragraph, data: null }), "nodes.0.data is not an object"],
    [
      "data of the wrong type",
      documentOf({ object: "block", type: "code", data: { syntax: ["js"] }, nodes: [] }),
      "nodes.0.data.syntax is not a text",
    ],
    [
      "blocks where text belongs",
      documentOf({ ...paragraph, nodes: [paragraph] }),
      "nodes.0.nodes.0.object is not text or inline",
    ],
    [
      "text where blocks belong",
      documentOf({ object: "block", type: "hint", data: { style: "info" }, nodes: [text] }),
      "nodes.0.nodes.0.object is not one of block",
    ],
    [
      "a text that is an object",
      saying({ object: "text", leaves: [{ ...leaf, text: { toString: "x" } }] }),
      "nodes.0.nodes.0.leaves.0.text is not a text",
    ],
    ["a text without leaves", saying({ object: "text" }), "nodes.0.nodes.0.leaves is missing"],
    [
      "a mark that nobody knows",
      saying({ object: "text", leaves: [{ ...leaf, marks: [{ object: "mark", type: "blink" }] }] }),
      "nodes.0.nodes.0.leaves.0.marks.0.type is not one of bold, italic, code, keyboard, strikethrough, superscript, subscript",
    ],
    [
      "a color that is more",
      saying({
        object: "text",
        leaves: [
          {
            ...leaf,
            marks: [{ object: "mark", type: "color", data: { text: "red;position:fixed", background: "default" } }],
          },
        ],
      }),
      "nodes.0.nodes.0.leaves.0.marks.0.data.text is not a color",
    ],
    [
      "an inline that nobody knows",
      saying({ object: "inline", type: "html", data: {} }),
      "nodes.0.nodes.0.type is not a type of inline",
    ],
    [
      "an inline that objects have",
      saying({ object: "inline", type: "__proto__", data: {} }),
      "nodes.0.nodes.0.type is not a type of inline",
    ],
    [
      "a link without a reference",
      saying({ object: "inline", type: "link", data: {}, nodes: [text] }),
      "nodes.0.nodes.0.data.ref is missing",
    ],
    [
      "a reference of an unknown kind",
      saying({ object: "inline", type: "link", data: { ref: { kind: "x" } }, nodes: [text] }),
      "nodes.0.nodes.0.data.ref is not a reference",
    ],
    [
      "a reference with more than it has",
      saying({
        object: "inline",
        type: "link",
        data: { ref: { kind: "page", page: "p", url: "javascript:x" } },
        nodes: [text],
      }),
      "nodes.0.nodes.0.data.ref.url is unknown",
    ],
    [
      "an id that is none",
      saying({ object: "inline", type: "link", data: { ref: { kind: "page", page: "../x" } }, nodes: [text] }),
      "nodes.0.nodes.0.data.ref.page is not an id",
    ],
    [
      "a link that runs",
      saying({
        object: "inline",
        type: "link",
        data: { ref: { kind: "url", url: "java\nscript:alert(1)" } },
        nodes: [text],
      }),
      "nodes.0.nodes.0.data.ref.url is not an address that a document may hold",
    ],
    [
      "a link that is data",
      saying({
        object: "inline",
        type: "link",
        data: { ref: { kind: "url", url: "data:image/png;base64,AA==" } },
        nodes: [text],
      }),
      "nodes.0.nodes.0.data.ref.url is not an address that a document may hold",
    ],
    [
      "an embed that runs",
      documentOf({ object: "block", type: "embed", data: { url: "vbscript:x" } }),
      "nodes.0.data.url is not an address that a document may hold",
    ],
    [
      "a fragment that does not belong",
      documentOf({ ...paragraph, fragments: [{ object: "fragment", type: "caption", nodes: [] }] }),
      "nodes.0.fragments.0.type is not a fragment that belongs here",
    ],
    ["a key that is none", documentOf({ ...paragraph, key: "<b>" }), "nodes.0.key is not an id"],
    [
      "an unknown block without its source",
      documentOf({ object: "block", type: "unknown", data: { html: "<b>" } }),
      "nodes.0.data.html is unknown",
    ],
    [
      "a table with a view that is none",
      documentOf({ object: "block", type: "table", data: { view: { type: "x" }, records: {}, definition: {} } }),
      "nodes.0.data.view is not a view of a table",
    ],
    ["a function", documentOf(() => {}), "nodes.0 is not an object"],
    ["an object of a class", documentOf(new Date(0)), "nodes.0 is not an object"],
  ])("an invalid document is rejected with the location: %s", (_, value, issue) => {
    expect(messages(value)).toContain(issue);
  });

  test.each(["__proto__", "constructor", "prototype"])("the key %s is rejected wherever keys are free", (key) => {
    const evil = JSON.parse(`{"${key}": {"polluted": true}}`);
    const places = [
      { object: "document", data: evil, nodes: [] },
      { object: "document", data: { a: { b: evil } }, nodes: [] },
      documentOf({
        object: "block",
        type: "integration",
        data: { integration: "a", block: "b", props: JSON.parse(`{"${key}": "x"}`) },
      }),
      documentOf({
        object: "block",
        type: "table",
        data: { view: { type: "grid", columns: [], hideHeader: false }, records: evil, definition: {} },
      }),
      documentOf({ ...paragraph, ...evil }),
    ];
    for (const place of places) expect(checkDocument(place)).not.toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a document that is too deep is rejected without descending further", () => {
    let node: unknown = paragraph;
    for (let i = 0; i < 100_000; i++) node = { object: "block", type: "blockquote", nodes: [node] };
    expect(messages(documentOf(node))).toEqual([
      `nodes.0${".nodes.0".repeat(MAX_DOCUMENT_DEPTH)} is nested deeper than ${MAX_DOCUMENT_DEPTH}`,
    ]);
  });

  test("free data that is too deep is rejected", () => {
    let data: unknown = 1;
    for (let i = 0; i < 100_000; i++) data = { a: data };
    expect(messages({ object: "document", data, nodes: [] })[0]).toMatch(/is nested too deeply$/);
  });

  test("a document that is too large is rejected", () => {
    const [issue] = checkDocument(documentOf(...Array.from({ length: MAX_DOCUMENT_NODES }, () => paragraph)));
    expect(issue?.message).toBe(`is one node more than ${MAX_DOCUMENT_NODES}`);
  });

  test("a table that is too wide is rejected", () => {
    const definition = Object.fromEntries(
      Array.from({ length: MAX_COLUMNS + 1 }, (_, i) => [`c${i}`, { id: `c${i}`, title: "", type: "text" }]),
    );
    const table = {
      object: "block",
      type: "table",
      data: { view: { type: "grid", columns: [], hideHeader: false }, records: {}, definition },
    };
    expect(messages(documentOf(table))).toEqual([`nodes.0.data.definition has more than ${MAX_COLUMNS} columns`]);
  });

  test("any value, and any document with a value in the wrong place, is checked without an exception", () => {
    fc.assert(fc.property(fc.anything(), (value) => Array.isArray(checkDocument(value))));
    const pages = corpusPages()
      .slice(0, 10)
      .map(({ text: page }) => readMarkdown(page).document);
    fc.assert(
      fc.property(fc.constantFrom(...pages), fc.nat(), fc.jsonValue(), (page, at, value) => {
        const copy = structuredClone(page) as unknown;
        const members: [Record<string, unknown>, string][] = [];
        JSON.stringify(copy, function (this: Record<string, unknown>, name, member) {
          if (name !== "") members.push([this, name]);
          return member;
        });
        const [owner, name] = members[at % members.length]!;
        owner[name] = value;
        return Array.isArray(checkDocument(copy));
      }),
    );
  });
});

describe("valid documents", () => {
  test("the smallest document is valid", () => {
    expect(checkDocument({ object: "document", data: {}, nodes: [] })).toEqual([]);
    expect(checkDocument(documentOf(paragraph))).toEqual([]);
    expect(checkDocument(documentOf({ object: "block", type: "unknown", data: { source: "<b>" } }))).toEqual([]);
  });

  test("a document may have additional properties in its data", () => {
    expect(
      checkDocument({
        object: "document",
        data: { schemaVersion: 8, any: { thing: [1, null, "x", true] } },
        nodes: [],
      }),
    ).toEqual([]);
  });
});

test.each<[url: string, link: boolean, image: boolean]>([
  ["https://a.example", true, true],
  ["", true, true],
  ["a b:c", false, false],
  ["a/b:c", true, true],
  ["ftp://a", false, false],
  ["javascript:x", false, false],
  ["data:image/png;base64,AAAA", false, true],
  ["data:image/png,AAAA", false, false],
  ["data:image/svg+xml;base64,AAAA", false, false],
])("S18: %j may be a link: %s, an image: %s", (url, link, image) => {
  expect([isSafeUrl(url), isSafeUrl(url, "image")]).toEqual([link, image]);
});
