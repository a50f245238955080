// Documents that were written to break the printer: none hangs or throws, and the result is always a valid file.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Document } from "../../src/content/document";
import { pdfPrinter } from "../../src/pdf";
import { runs } from "../support/test-length";
import { NOTO } from "./fonts";
import { countSheets, readPdf } from "./reader";
import { block, code, doc, grid, h, job, list, p, page, text } from "./writing";

const printers = { "standard fonts": pdfPrinter(), Noto: pdfPrinter({ fonts: NOTO }) };

const filled = (pattern: string, characters = runs(60_000)) =>
  pattern.repeat(Math.ceil(characters / pattern.length)).slice(0, characters);

describe.each(Object.entries(printers))("hostile blocks with %s", (_, printer) => {
  test.each<readonly [string, () => Block[]]>([
    ["one word", () => [p(filled("x"))]],
    ["one word of code", () => [code(filled("x"))]],
    ["one heading", () => [h(1, filled("http://a/"))]],
    ["one word of ideographs", () => [p(filled("漢"))]],
    ["one letter with marks", () => [p(`a${filled("\u0301\u0489", 4_000)}`)]],
    ["brackets from right to left", () => [p(`ש${filled("(")}`)]],
    ["words in both directions", () => [p(filled("aש(1"))]],
    ["spaces", () => [p(`${filled(" ")}x`), code(`${filled("\t")}x`)]],
    ["lines", () => [p(filled("\n", 2_000)), code(filled("\n", 2_000))]],
    ["control characters", () => [p(filled("\0\x07\x1b\u202e\u2066\ufeff\u200b")), code(filled("\u0085\u2028"))]],
    ["halves of characters", () => [p(filled("\ud83d")), p(filled("\ude00"))]],
    ["emoji that are joined", () => [p(filled("👩\u200d"))]],
    ["characters that no font has", () => [p(filled("\u{13000}"))]],
    ["a cell without end", () => [grid(["a", "b"], [[filled("word "), filled("x")]])]],
  ])("a document with %s is printed", async (_, make) => {
    const { sheets, text: read } = await readPdf(
      await printer.print(job([page("T", 0, p("before"), ...make(), p("after"))])),
    );
    expect(read).toContain("before");
    // What is said of characters that no font has may stand on a sheet of its own.
    const ends = sheets.slice(-2).map((sheet) => sheet.text);
    expect(ends.join(" ")).toContain("after");
    expect(read).not.toContain("could not be printed");
  });
});

describe("extreme documents", () => {
  const print = async (...blocks: Block[]) =>
    readPdf(await printers["standard fonts"].print(job([page("T", 0, ...blocks)])));

  function deep(type: "hint" | "blockquote" | "columns" | "tabs" | "stepper", levels: number): Block {
    let inner = p("innermost");
    for (let level = 0; level < levels; level++) {
      const child = { columns: "column", tabs: "tabs-item", stepper: "stepper-step" } as const;
      inner = block(
        type,
        { style: "info" } as never,
        type in child ? block(child[type as keyof typeof child], {}, inner) : inner,
      );
    }
    return inner;
  }

  test.each(["hint", "blockquote", "columns", "tabs", "stepper"] as const)(
    "deeply nested %s are printed",
    async (type) => {
      for (const levels of [10, 64, 4000]) expect((await print(deep(type, levels))).text).toContain("innermost");
    },
  );

  test("deeply nested lists and tables are printed", async () => {
    let lists = p("innermost");
    let tables = p("innermost");
    for (let level = 0; level < 500; level++) lists = list("list-ordered", [p("x"), lists]);
    for (let level = 0; level < 60; level++) tables = grid(["a", "b"], [[tables, "y"]]);
    expect((await print(lists)).text).toContain("innermost");
    expect((await print(tables)).text.replaceAll(" ", "")).toContain("innermost");
  });

  test("endless text, blocks, rows and columns are printed", async () => {
    const styles = ["bold", "code", "italic", "superscript"] as const;
    expect(
      (await print(p(...Array.from({ length: 20_000 }, (_, at) => text("a ", styles[at % 4]!))))).sheets.length,
    ).toBeGreaterThan(3);
    expect((await print(...Array.from({ length: 5_000 }, () => p("")), p("end"))).text).toContain("end");
    const titles = Array.from({ length: 3_000 }, (_, at) => `c${at}`);
    expect((await print(grid(titles, [titles]), p("end"))).text).toContain("end");
  });

  test("a link whose URL breaks out of its string is printed safely", async () => {
    const url = "https://example.com/)>>/S/JavaScript/JS(app.alert(1))\\)";
    const pdf = await print(
      p({ object: "inline", type: "link", isVoid: false, data: { ref: { kind: "url", url } }, nodes: [text("x")] }),
    );
    expect(pdf.sheets[1]!.links.map((link) => link.url)).toEqual([new URL(url).href]);
  });

  test("names that every JavaScript object has are printed", async () => {
    const table = grid(["a"], [["b"]]);
    const data = JSON.parse(
      '{"view":{"type":"grid","columns":["__proto__","constructor","c0"]},"records":{"__proto__":{"values":{"__proto__":"x"}}},"definition":{"__proto__":{"title":"p"}}}',
    );
    const odd = { object: "block", type: "__proto__", nodes: [text("odd")] } as never as Block;
    const pdf = await print(
      { ...table, data } as Block,
      odd,
      block("hint", { style: "constructor" } as never, p("hint")),
    );
    expect(pdf.text).toContain("odd");
    expect(pdf.text).toContain("hint");
  });
});

describe("limits", () => {
  const LIMIT = 2_000;
  const PAGE_LIMIT = 120;
  const ofDocument = "The document is too long to be printed in one piece";
  const ofPage = "The page is too long to be printed whole";

  test.each(Object.entries(printers))(
    "an endless page ends with a note, and the next page is printed (%s)",
    async (_, printer) => {
      const endless = page("Endless", 0, p("before"), p(filled("\n", 10_000)), code(filled("\n", 10_000)), p("after"));
      const {
        sheets,
        text: read,
        bookmarks,
      } = await readPdf(await printer.print(job([endless, page("Next", 0, p("the next"))])));
      expect(read).toContain("before");
      expect(read).not.toContain("after");
      expect(read).not.toContain(ofDocument);
      expect(sheets.at(-1)!.text).toContain("the next");
      expect(sheets.filter((sheet) => sheet.text.includes(ofPage))).toEqual([sheets.at(-2)]);
      const [first, next] = bookmarks.map(({ sheet }) => sheet!);
      expect(next).toBe(sheets.length);
      expect(next! - first!).toBeGreaterThanOrEqual(PAGE_LIMIT);
      expect(next! - first!).toBeLessThanOrEqual(PAGE_LIMIT + 1);
    },
  );

  test("an endless document ends with a note, and its page numbers are still correct", async () => {
    const printer = printers["standard fonts"];
    const long = Array.from({ length: 20 }, (_, at) => page(`Long ${at}`, 0, p(filled("\n", 10_000))));
    const bytes = await printer.print(job([page("First", 0, p("text")), ...long]));
    const { sheets, bookmarks } = await readPdf(bytes);
    expect(sheets.length).toBeGreaterThan(LIMIT - 10);
    expect(sheets.length).toBeLessThanOrEqual(LIMIT);
    expect(sheets.at(-1)!.text).toContain(ofDocument);
    expect(sheets.at(-1)!.lines.at(-1)).toBe(`Handbook ${sheets.length}`);
    expect(bookmarks.slice(0, 2).map(({ title, sheet }) => [title, sheet])).toEqual([
      ["First", 3],
      ["Long 0", 4],
    ]);
    for (const { title, sheet } of bookmarks) expect(sheets[sheet! - 1]!.text).toContain(title);
    expect(bookmarks.length).toBeLessThan(1 + long.length);
  });

  test("pages and groups beyond the limit are not requested", async () => {
    for (const depth of [(at: number) => at, () => 0]) {
      let asked = 0;
      function* groups() {
        for (;;) yield { id: `g${asked}`, title: `Group ${asked}`, depth: depth(asked++) };
      }
      const bytes = await printers["standard fonts"].print(job(groups()));
      expect(asked).toBeLessThan(11_000);
      expect(await countSheets(bytes)).toBeLessThanOrEqual(LIMIT);
    }
  });
});

/** Values of any shape where documents have theirs. */
const anything = fc.anything({
  maxDepth: 2,
  maxKeys: 4,
  key: fc.constantFrom("kind", "url", "file", "values", "type", "x"),
});
const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.lorem(),
);
const types = fc.constantFrom(
  ..."paragraph heading-1 heading-2 heading-3 list-ordered list-unordered list-tasks list-item divider blockquote hint if images image file drawing embed math code code-line expandable tabs tabs-item table content-ref reusable-content integration stepper stepper-step columns column swagger openapi-operation openapi-schemas openapi-webhook updates update unknown nothing".split(
    " ",
  ),
);
const inlines = fc.constantFrom(
  ..."link emoji icon expression inline-math inline-image annotation mention anchor button nothing".split(" "),
);
const refs = fc.oneof(
  anything,
  fc.record({ kind: fc.constant("url"), url: fc.oneof(words, fc.webUrl()) }),
  fc.record({ kind: fc.constantFrom("page", "file", "anchor", "user"), page: words, file: words, anchor: words }),
);
const data = fc.oneof(
  anything,
  fc.record(
    {
      ref: refs,
      style: fc.constantFrom("info", "danger", "x"),
      align: fc.constantFrom("center", "end", "x"),
      start: fc.oneof(fc.integer(), fc.double()),
      width: anything,
      title: words,
      formula: words,
      url: words,
      code: words,
      label: words,
      method: words,
      path: words,
      checked: fc.boolean(),
      view: fc.oneof(
        anything,
        fc.record({
          type: fc.constantFrom("grid", "cards", "x"),
          columns: fc.array(fc.constantFrom("a", "b", "c")),
          coverDefinition: fc.constant("b"),
          targetDefinition: fc.constant("c"),
          columnWidths: anything,
        }),
      ),
      definition: fc.oneof(
        anything,
        fc.dictionary(
          fc.constantFrom("a", "b", "c"),
          fc.record({
            title: words,
            type: fc.constantFrom("text", "rating", "checkbox", "image", "files", "users", "select"),
            max: anything,
            options: anything,
          }),
        ),
      ),
      records: fc.oneof(
        anything,
        fc.dictionary(
          words,
          fc.record({
            orderIndex: words,
            values: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(anything, words, refs, fc.array(refs))),
          }),
        ),
      ),
    },
    { requiredKeys: [] },
  ),
);

const { node } = fc.letrec((tie) => ({
  leaf: fc.record({
    object: fc.constant("leaf"),
    text: words,
    marks: fc.oneof(
      anything,
      fc.array(
        fc.record({
          object: fc.constant("mark"),
          type: fc.constantFrom("bold", "code", "italic", "color", "superscript"),
          data: anything,
        }),
      ),
    ),
  }),
  text: fc.record({
    object: fc.constant("text"),
    leaves: fc.oneof({ weight: 4, arbitrary: fc.array(tie("leaf"), { maxLength: 3 }) }, anything),
  }),
  inline: fc.record({
    object: fc.constant("inline"),
    type: inlines,
    data,
    nodes: fc.array(tie("node"), { maxLength: 2 }),
    fragments: fc.array(tie("fragment"), { maxLength: 1 }),
  }),
  fragment: fc.record({
    object: fc.constant("fragment"),
    type: fc.constantFrom("caption", "expandable-title", "expandable-body", "annotation-body", "cell"),
    fragment: fc.constantFrom("a", "b"),
    nodes: fc.array(tie("node"), { maxLength: 2 }),
  }),
  block: fc.record({
    object: fc.constant("block"),
    type: types,
    data,
    meta: anything,
    nodes: fc.array(tie("node"), { maxLength: 4 }),
    fragments: fc.array(tie("fragment"), { maxLength: 2 }),
  }),
  node: fc.oneof({ maxDepth: 6, depthSize: "small" }, tie("text"), tie("block"), tie("inline"), anything),
}));

test("no document makes the printer throw", async () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
  await fc.assert(
    fc.asyncProperty(fc.array(node, { maxLength: 8 }), words, words, async (nodes, title, description) => {
      const document = { ...doc(), nodes } as Document;
      const pages = [
        { id: title, title, description, depth: nodes.length - 4, document },
        { id: "x", title, depth: 1 },
      ];
      const printing = job(pages, {
        title,
        subtitle: description,
        file: async () => ({ bytes, contentType: title }),
        url: () => title,
        name: () => description,
      });
      const { sheets } = await readPdf(await printers["standard fonts"].print(printing));
      expect(sheets.length).toBeGreaterThan(1);
    }),
    { numRuns: runs(150) },
  );
});

test("a value that is not a document is printed as its title", async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (value) => {
      const pages = [{ id: "a", title: "Title", depth: 0, document: value as Document }];
      const { text: read } = await readPdf(await printers["standard fonts"].print(job(pages)));
      expect(read).toContain("Title");
    }),
    { numRuns: runs(100) },
  );
});
