// The answers of a content source, one rule at a time: valid forms, and each limit. Every other answer is refused with
// a sentence, or is a tree that can be shown.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ComputedPage } from "../../../src/content/revision/computed";
import {
  InvalidReplyError,
  parseDocumentReply,
  parseRevisionReply,
} from "../../../src/resources/integrations/computing/reply";

const revision = (reply: unknown) => parseRevisionReply(JSON.stringify(reply));
const pages = (...all: unknown[]) => revision({ pages: all }).pages;
const document = (reply: unknown) => parseDocumentReply(JSON.stringify(reply));
const nested = (levels: number): object => ({ title: "A", ...(levels > 1 ? { pages: [nested(levels - 1)] } : {}) });
const linkTo = (url: string) => ({
  object: "document",
  data: {},
  nodes: [
    {
      object: "block",
      type: "paragraph",
      nodes: [
        {
          object: "inline",
          type: "link",
          isVoid: false,
          data: { ref: { kind: "url", url } },
          nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Here", marks: [] }] }],
        },
      ],
    },
  ],
});

describe("deferred texts", () => {
  const ours = (type: string) => (type === "integration:bot:months" ? "months" : undefined);
  const late = (...computed: unknown[]) =>
    parseRevisionReply(JSON.stringify({ pages: computed.map((it, at) => ({ title: `P${at}`, computed: it })) }), ours);
  const type = "integration:bot:months";

  test("a page with a source, props and dependencies has a deferred text", () => {
    const dependencies = { spec: { ref: { kind: "openapi", spec: "books" } } };
    const found = late({ type, props: { a: 1 }, dependencies }, { type }, { type, dependencies });
    expect(found.pages.map(({ markdown }) => markdown)).toEqual(["lazy", "lazy", "lazy"]);
    expect([...found.lazyTexts.values()]).toEqual([
      { sourceId: "months", props: { a: 1 }, dependencies },
      { sourceId: "months", props: {} },
      { sourceId: "months", props: {}, dependencies },
    ]);
    expect(found.dependencies).toEqual([dependencies]);
  });

  test("a page with a source of another integration or with a text is rejected", () => {
    for (const other of ["integration:other:months", "integration:bot:none", "builtin:openapi", "", "x".repeat(301)])
      expect(() => late({ type: other })).toThrow(InvalidReplyError);
    const both = { title: "A", computed: { type }, document: { markdown: "x" } };
    expect(() => parseRevisionReply(JSON.stringify({ pages: [both] }), ours)).toThrow(/document, computed or props/);
    expect(() =>
      parseRevisionReply(JSON.stringify({ pages: [{ title: "A", type: "group", computed: { type } }] }), ours),
    ).toThrow(/a text of documents alone/);
    expect(() => late({ type, more: 1 })).toThrow(InvalidReplyError);
    expect(() => late({ type, props: { a: "x".repeat(10_000) } })).toThrow(/10000 characters/);
  });

  test("a reply has at most twenty different sets of dependencies", () => {
    const of = (at: number) => ({ type, dependencies: { it: { ref: { kind: "openapi", spec: `s${at}` } } } });
    expect(late(...Array.from({ length: 20 }, (_, at) => of(at)), of(0)).dependencies).toHaveLength(20);
    expect(() => late(...Array.from({ length: 21 }, (_, at) => of(at)))).toThrow(/at most 20/);
  });
});

describe("replies with pages", () => {
  test("a reply with pages may be empty", () => {
    for (const reply of [{}, { pages: [] }, { pages: [], files: [] }])
      expect(revision(reply)).toMatchObject({ pages: [], files: [] });
  });

  test("pages get distinct slugs among siblings, requested ones first", () => {
    const found = pages({ title: "Setup" }, { title: "Other", slug: "setup" }, { title: "Setup" });
    expect(found.map(({ slug }) => slug)).toEqual(["setup-2", "setup", "setup-3"]);
  });

  test("pages have texts as Markdown, as documents, deferred, or none", () => {
    const { pages: found, lazyTexts } = revision({
      pages: [
        { title: "A", document: { markdown: "*a*" } },
        { title: "B", document: linkTo("https://b.example/") },
        { title: "C", props: { c: [1] } },
        { title: "D", type: "group" },
        { title: "E", type: "link", href: "https://e.example/" },
      ],
    });
    const texts = found.map(({ markdown }) => (typeof markdown === "function" ? markdown() : markdown));
    expect(texts).toEqual(["*a*", "[Here](https://b.example/)\n", "lazy", "", undefined]);
    expect([...lazyTexts]).toEqual([[found[2]!.key, { props: { c: [1] } }]]);
    expect(found[4]!.target).toEqual({ kind: "url", url: "https://e.example/" });
  });

  test.each<[string, unknown, RegExp]>([
    ["no object", [], /object/],
    ["members that nobody knows", { page: [] }, /page/],
    ["a page without a title", { pages: [{}] }, /title/],
    ["a title without an end", { pages: [{ title: "x".repeat(201) }] }, /200 characters/],
    ["a slug that is a path", { pages: [{ title: "A", slug: "../a" }] }, /slug/],
    [
      "one slug twice",
      {
        pages: [
          { title: "A", slug: "a" },
          { title: "B", slug: "a" },
        ],
      },
      /slug a stands twice/,
    ],
    ["one id twice", { pages: [{ id: "a", title: "A", pages: [{ id: "a", title: "B" }] }] }, /id a stands twice/],
    ["an id with a line break", { pages: [{ id: "a\nb", title: "A" }] }, /id/],
    ["a type that is none", { pages: [{ title: "A", type: "computed" }] }, /document, group or link/],
    ["a link to nowhere", { pages: [{ title: "A", type: "link" }] }, /href/],
    ["an address of what is no link", { pages: [{ title: "A", href: "https://a.example" }] }, /href/],
    [
      "a link with pages",
      { pages: [{ title: "A", type: "link", href: "https://a.example", pages: [{ title: "B" }] }] },
      /below/,
    ],
    [
      "a link with a text",
      { pages: [{ title: "A", type: "link", href: "https://a.example", document: { markdown: "" } }] },
      /text/,
    ],
    ["a text twice", { pages: [{ title: "A", document: { markdown: "" }, props: {} }] }, /document, computed or props/],
    [
      "a text that is too long",
      { pages: [{ title: "A", document: { markdown: "x".repeat(1024 * 1024 + 1) } }] },
      /document/,
    ],
    ["props that are a list", { pages: [{ title: "A", props: [] }] }, /object/],
    ["props that are too long", { pages: [{ title: "A", props: { a: "x".repeat(10_000) } }] }, /10000 characters/],
    ["pages without a bottom", { pages: [nested(9)] }, /8 levels/],
  ])("a reply with %s is rejected", (_, reply, words) => {
    expect(() => revision(reply)).toThrow(InvalidReplyError);
    expect(() => revision(reply)).toThrow(words);
  });

  test("a reply is accepted up to the maximum size and depth", () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ title: "A" }));
    expect(pages(...many(1000))).toHaveLength(1000);
    expect(() => pages(...many(1001))).toThrow(/1000/);
    expect(() => pages({ title: "A", pages: many(1000) })).toThrow(/1000/);
    expect(pages(nested(8))).toHaveLength(1);
  });

  test("S40: a reply that is a bomb is rejected before it is examined", () => {
    expect(() => parseRevisionReply(`{"pages":${"[".repeat(100_000)}`)).toThrow(InvalidReplyError);
    expect(() => parseRevisionReply(`{"pages":[${"[".repeat(5000)}${"]".repeat(5000)}]}`)).toThrow(/too deep/);
    expect(() => parseRevisionReply(`{"pages":[${"0,".repeat(500_000)}0]}`)).toThrow(/too large/);
    expect(() => parseRevisionReply(`"${"x".repeat(4 * 1024 * 1024)}"`)).toThrow(/longer/);
    expect(() => parseRevisionReply("{")).toThrow(/isn't JSON/);
  });

  test("S7: a reply with names that mean something in JavaScript is rejected", () => {
    for (const name of ["__proto__", "constructor", "prototype"])
      expect(() => parseRevisionReply(`{"pages":[{"title":"A","props":{"a":{"${name}":{}}}}]}`)).toThrow(/names/);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  test("any reply is rejected with a message or gives a tree with distinct keys and paths", () => {
    const page = fc.letrec((tie) => ({
      page: fc.record(
        {
          title: fc.string({ maxLength: 5 }),
          id: fc.constantFrom("a", "b", "c", "d"),
          slug: fc.constantFrom("a", "b", "page", "page-2"),
          type: fc.constantFrom("document", "group", "link", "other"),
          document: fc.oneof(fc.constant({ markdown: "x" }), fc.jsonValue()),
          props: fc.jsonValue(),
          pages: fc.array(tie("page"), { maxLength: 3 }),
        },
        { requiredKeys: ["title"] },
      ),
    })).page;
    const shown = { count: 0 };
    fc.assert(
      fc.property(fc.array(page, { maxLength: 4 }), (given) => {
        let found: readonly ComputedPage[];
        try {
          found = revision({ pages: given }).pages;
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidReplyError);
          return;
        }
        shown.count += found.length;
        const [keys, paths]: string[][] = [[], []];
        const walk = (all: readonly ComputedPage[], above: string): void => {
          for (const it of all) {
            keys!.push(it.key);
            paths!.push(`${above}/${it.slug}`);
            walk(it.pages, `${above}/${it.slug}`);
          }
        };
        walk(found, "");
        expect(new Set(keys).size).toBe(keys!.length);
        expect(new Set(paths).size).toBe(paths!.length);
      }),
    );
    expect(shown.count).toBeGreaterThan(0);
  });
});

describe("replies with files", () => {
  const url = "https://a.example/x";
  const file = { id: "a", name: "a.png", url };
  const only = (given: object) => revision({ files: [given] }).files[0];

  test("a reply with files has them at their own URLs as declared", () => {
    const told = { ...file, contentType: "image/webp", size: 3, dimensions: { width: 1, height: 2 } };
    expect(only(told)).toEqual(told);
    expect(only({ ...file, url: "http://a.example/x?y=1#z" })!.url).toBe("http://a.example/x?y=1#z");
  });

  test.each([
    ["logo.PNG", "image/png"],
    ["photo.jpeg", "image/jpeg"],
    ["drawing.svg", "image/svg+xml"],
    ["report.pdf", "application/pdf"],
    ["notes.md", "text/markdown"],
    ["table.csv", "text/csv"],
    ["film.mp4", "video/mp4"],
    ["what.ever", "application/octet-stream"],
    ["png", "application/octet-stream"],
    ["constructor", "application/octet-stream"],
  ])("the type of a file without details follows from its name: %s is %s", (name, contentType) => {
    expect(only({ ...file, name })).toEqual({ ...file, name, contentType, size: 0 });
  });

  test("types of files have no parameters, and names have no folders or invisible characters", () => {
    expect(only({ ...file, contentType: "Text/Plain; charset=utf-8" })!.contentType).toBe("text/plain");
    expect(only({ ...file, name: "../b/\u202ec.png" })!.name).toBe("c.png");
  });

  test.each<[string, object, RegExp]>([
    ["no id", { id: undefined }, /id/],
    ["an id with a space", { id: "a b" }, /ASCII/],
    ["an id without an end", { id: "x".repeat(201) }, /ASCII/],
    ["no name", { name: "" }, /name/],
    ["a name without an end", { name: "x".repeat(257) }, /256/],
    ["no address", { url: undefined }, /url/],
    ["an address of no place", { url: "/a.png" }, /URL/],
    ["an address without an end", { url: `${url}/${"x".repeat(2048)}` }, /2048/],
    ["an address of another kind", { url: "ftp://a.example/x" }, /http/],
    ["an address in two lines", { url: "https://a.example/\nx" }, /white space/],
    ["S18: an address that runs", { url: "javascript:alert(1)" }, /URLs/],
    ["S18: an address that runs behind white space", { url: " \tjava\nscript:alert(1)" }, /URLs/],
    ["S18: an address that holds a page", { url: "data:text/html,<script>" }, /URLs/],
    ["S18: an address that holds a picture", { url: "data:image/png;base64,AAAA" }, /http/],
    ["a type that is none", { contentType: "png" }, /content type/],
    ["S18: a type with a line break", { contentType: "image/png\r\nx: y" }, /content type/],
    ["half a byte", { size: 0.5 }, /whole/],
    ["less than nothing", { size: -1 }, /0 or more/],
    ["one dimension", { dimensions: { width: 1 } }, /height/],
    ["no dimension at all", { dimensions: { width: 0, height: 1 } }, /1 or more/],
    ["members that nobody knows", { object: "x" }, /object/],
  ])("a file with %s is rejected", (_, wrong, words) => {
    const given = { files: [{ ...file, ...wrong }] };
    expect(() => revision(given)).toThrow(InvalidReplyError);
    expect(() => revision(given)).toThrow(words);
    expect(revision({ files: [file] }).files).toHaveLength(1);
  });

  test("a file id may not repeat, but may equal that of a page", () => {
    expect(() => revision({ files: [file, { ...file, name: "b" }] })).toThrow(/id a stands twice/);
    expect(revision({ pages: [{ id: "a", title: "A" }], files: [file] }).files).toHaveLength(1);
  });

  test("a reply with files is accepted up to the maximum", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...file, id: `${i}` }));
    const edge = { ...file, id: "~".repeat(200), name: "x".repeat(256), url: url.padEnd(2048, "x") };
    expect(revision({ files: [...many(199), edge] }).files).toHaveLength(200);
    expect(() => revision({ files: many(201) })).toThrow(/files: Expected at most 200/);
  });
});

describe("replies with a text", () => {
  test("a text is Markdown as given, or a document written as Markdown", () => {
    expect(document({ document: { markdown: "# A\n" } })).toBe("# A\n");
    expect(document({ document: linkTo("/pages/x") })).toBe("[Here](/pages/x)\n");
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["text", { document: "# A" }],
    ["members that nobody knows", { document: { markdown: "", title: "A" } }],
    ["S17: a document of another kind", { document: { object: "document", data: {}, nodes: [{ object: "block" }] } }],
    ["S18: a link that runs", { document: linkTo("java\nscript:alert(1)") }],
    ["S18: data that is no picture", { document: linkTo("data:text/html,<script>") }],
  ])("a text with %s is rejected", (_, reply) => {
    expect(() => document(reply)).toThrow(InvalidReplyError);
  });
});
