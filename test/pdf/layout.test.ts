// Sheets: what stays together, what is repeated, where things begin, and links whose target is not printed.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, ContentRef, Text } from "../../src/content/document";
import { readMarkdown } from "../../src/content/markdown/read";
import type { PrintedPage, PrintJob } from "../../src/content/print-job";
import { pdfPrinter } from "../../src/pdf";
import { type ReadBookmark, readPdf } from "./reader";
import { block, code, fragment, grid, h, inline, job, link, list, p, page, text, withFragments } from "./writing";

const LINE = "One line of text that is as long as it has to be so that it does not end before the margin does.";

async function printed(pages: PrintJob["pages"], changes: Partial<PrintJob> = {}) {
  return readPdf(await pdfPrinter().print(job(pages, changes)));
}

/** The lines of a sheet without its foot. */
const above = (lines: readonly string[]) => lines.slice(0, -1);

describe("page breaks", () => {
  test("a sheet never ends with a heading", async () => {
    for (let before = 30; before < 48; before++) {
      const filling = Array.from({ length: before }, (_, at) => p(`Filling ${at}`));
      const { sheets } = await printed([
        page("T", 0, ...filling, h(1, "A heading"), h(2, "And one below it"), p(LINE.repeat(4))),
      ]);
      const withHeading = sheets.find(({ lines }) => lines.includes("A heading"))!;
      const at = withHeading.lines.indexOf("And one below it");
      expect(withHeading.lines[at - 1]).toBe("A heading");
      expect(above(withHeading.lines).length - at).toBeGreaterThan(2);
    }
  });

  test("a paragraph that is split has at least two lines on a sheet", async () => {
    for (let before = 20; before < 34; before++) {
      const filling = Array.from({ length: before }, (_, at) => p(`Filling ${at}`));
      const { sheets } = await printed([
        page("T", 0, ...filling, p(Array.from({ length: 5 }, (_, at) => `line${at}`).join("\n"))),
      ]);
      const parts = sheets.map(({ lines }) => lines.filter((line) => line.startsWith("line")).length).filter(Boolean);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(5);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(2);
    }
  });

  test("a table that continues repeats its header", async () => {
    const rows = Array.from({ length: 90 }, (_, at) => [`row ${at}`, LINE]);
    const { sheets, text } = await printed([page("T", 0, p("before"), grid(["Name", "What it is"], rows), p("after"))]);
    const withRows = sheets.filter(({ lines }) => lines.some((line) => line.startsWith("row ")));
    expect(withRows.length).toBeGreaterThan(3);
    for (const { lines } of withRows) expect(lines.filter((line) => line === "Name What it is").length).toBe(1);
    for (const { lines } of withRows.slice(1)) expect(lines[0]).toBe("Name What it is");
    expect(Array.from(text.matchAll(/row (\d+)/g), ([, at]) => Number(at))).toEqual(rows.map((_, at) => at));
  });

  test("the blocks of a cell are stacked, and headings in cells are not in the outline", async () => {
    const { document } = readMarkdown(
      '<table data-view="cards"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><h3>Start here</h3></td><td><p>One</p><p>Two</p><ul><li>Item</li></ul><pre>code</pre></td></tr></tbody></table>',
    );
    const { sheets, bookmarks } = await printed([page("T", 0, ...(document.nodes as Block[]))]);
    expect(above(sheets.at(-1)!.lines)).toEqual(["T", "Start here", "One", "Two", "• Item", "code"]);
    expect(bookmarks.map(({ title }) => title)).toEqual(["T"]);
  });

  test("a row that is taller than a sheet continues on the next one", async () => {
    const long = Array.from({ length: 200 }, (_, at) => `word${at}`).join("\n");
    const { sheets } = await printed([
      page(
        "T",
        0,
        grid(
          ["Name", "Text"],
          [
            ["short", "first"],
            ["long", long],
            ["last", "row"],
          ],
        ),
      ),
    ]);
    const words = sheets.flatMap(({ text }) => Array.from(text.matchAll(/word(\d+)/g), ([, at]) => Number(at)));
    expect(words).toEqual(Array.from({ length: 200 }, (_, at) => at));
    for (const { lines } of sheets.slice(1)) expect(lines.filter((line) => line === "Name Text").length).toBe(1);
    expect(sheets.at(-1)!.text).toContain("last row");
  });

  test("code continues on the next sheet with every line once", async () => {
    const lines = Array.from({ length: 150 }, (_, at) => `line_${at}();`);
    const { text } = await printed([page("T", 0, code(lines.join("\n")))]);
    expect(Array.from(text.matchAll(/line_(\d+)\(\);/g), ([, at]) => Number(at))).toEqual(lines.map((_, at) => at));
  });

  test("columns stay side by side", async () => {
    const columns = block("columns", {}, block("column", {}, p("left")), block("column", {}, p("right")));
    const { sheets } = await printed([page("T", 0, columns)]);
    expect(sheets[1]!.lines).toContain("left right");
  });
});

describe("code", () => {
  test("code keeps its spaces, and long lines wrap", async () => {
    const { sheets } = await printed([page("T", 0, code(`if (a) {\n\treturn b;\n  }\n${"x".repeat(200)}`))]);
    const { text } = sheets[1]!;
    expect(text.replaceAll(" ", "")).toContain(`if(a){returnb;}${"x".repeat(200)}`);
    const pieces = sheets[1]!.lines.filter((line) => /^x+$/.test(line));
    expect(pieces.length).toBe(3);
  });

  test("code has line numbers on request", async () => {
    const { sheets } = await printed([page("T", 0, code("a\nb\nc", { lineNumbers: true, title: "x.ts" }))]);
    expect(sheets[1]!.lines).toEqual(["T", "x.ts", "1 a", "2 b", "3 c", "Handbook 2"]);
  });
});

describe("lists", () => {
  test("ordered lists start at their first number", async () => {
    const numbered = { ...list("list-ordered", "nine", "ten"), data: { start: 9 } } as Block;
    const { sheets } = await printed([page("T", 0, numbered, list("list-unordered", "", "x"))]);
    expect(sheets[1]!.lines).toEqual(["T", "9. nine", "10. ten", "•", "• x", "Handbook 2"]);
  });
});

describe("marked text", () => {
  /** Counts the shapes of a color. Files have colors in hundredths, so channels may differ a little. */
  const countShapes = (colors: readonly string[], wanted: string) => {
    const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    const channels = channelsOf(wanted);
    return colors.filter((color) => channelsOf(color).every((it, at) => Math.abs(it - channels[at]!) <= 2)).length;
  };
  const marked = (data: object): Block =>
    p({
      object: "text",
      leaves: [{ object: "leaf", text: "word", marks: [{ object: "mark", type: "color", data }] }],
    } as Text);

  test.each([
    ["the background of its color", { text: "default", background: "green" }, "#daf4e4"],
    ["a yellow background without a color of its own", { text: "default", background: "default" }, "#fff3c4"],
  ])("marked text has %s", async (_, data, color) => {
    const { sheets } = await printed([page("T", 0, marked(data), p("plain"))]);
    expect(countShapes(sheets[1]!.shapeColors, color)).toBe(1);
  });

  test("code in a line has a background", async () => {
    const { sheets } = await printed([page("T", 0, p(text("word", "code")))]);
    expect(countShapes(sheets[1]!.shapeColors, "#eef1f5")).toBe(1);
  });
});

describe("tables", () => {
  test("a table that is printed value by value has a rule above each row", async () => {
    const titles = Array.from({ length: 14 }, (_, at) => `Column ${at}`);
    const rulesOf = async (rows: number) => {
      const table = grid(
        titles,
        Array.from({ length: rows }, () => titles.map((_, at) => `value ${at}`)),
      );
      const { sheets } = await printed([page("T", 0, table)]);
      return sheets[1]!.shapeColors.length;
    };
    expect((await rulesOf(2)) - (await rulesOf(1))).toBe(1);
  });

  test("a table with too many columns is printed value by value", async () => {
    const titles = Array.from({ length: 14 }, (_, at) => `Column ${at}`);
    const { sheets } = await printed([page("T", 0, grid(titles, [titles.map((_, at) => `value ${at}`)]))]);
    expect(sheets[1]!.lines).toEqual(["T", ...titles.map((title, at) => `${title} value ${at}`), "Handbook 2"]);
  });

  test("columns have their given widths, or widths that suit their text", async () => {
    const words = Array.from({ length: 60 }, () => "word").join(" ");
    const linesOf = async (table: Block) => {
      const { sheets } = await printed([page("T", 0, table)]);
      return sheets[1]!.lines.filter((line) => line.includes("word")).length;
    };
    const wanted = await linesOf(grid(["Key", "Text"], [["k", words]]));
    const narrow = await linesOf(grid(["Key", "Text"], [["k", words]], { columnWidths: { c0: 450, c1: 150 } }));
    expect(wanted).toBeLessThan(5);
    expect(narrow).toBeGreaterThan(10);
  });

  test("tables have their captions above them", async () => {
    const text = "<table><caption>The <b>numbers</b></caption><tr><th>Head</th></tr><tr><td>One</td></tr></table>";
    const { sheets } = await printed([page("T", 0, ...readMarkdown(text).document.nodes)]);
    expect(above(sheets.at(-1)!.lines)).toEqual(["T", "The numbers", "Head", "One"]);
  });

  test("a table may have no header", async () => {
    const bare = grid(["A", "B"], [["1", "2"]], { hideHeader: true });
    expect((await printed([page("T", 0, bare)])).sheets[1]!.lines).toEqual(["T", "1 2", "Handbook 2"]);
  });
});

describe("pages", () => {
  test("a page starts on a new sheet below the titles of its groups", async () => {
    const { sheets } = await printed([
      page("Home", 0, p("a")),
      page("Inner", 1, p("b")),
      page("Innermost", 2, p("c")),
      page("Last", 0, p("d")),
    ]);
    expect(sheets.slice(2).map(({ lines }) => above(lines))).toEqual([
      ["Home", "a"],
      ["Home", "Inner", "b"],
      ["Home › Inner", "Innermost", "c"],
      ["Last", "d"],
    ]);
  });

  test("a group starts with its first page, and an empty group has a sheet", async () => {
    const group = (title: string, depth: number): PrintedPage => ({ id: title, title, depth });
    const pages = [
      group("One", 0),
      group("Inner", 1),
      page("A", 2, p("a")),
      group("Empty", 0),
      group("Two", 0),
      page("B", 1, p("b")),
    ];
    const { sheets, bookmarks } = await printed([...pages, group("At the end", 0)]);
    const tree = (items: readonly ReadBookmark[]): unknown =>
      items.map(({ title, sheet, items: below }) => [title, sheet, tree(below)]);
    expect(tree(bookmarks)).toEqual([
      ["One", 3, [["Inner", 3, [["A", 3, []]]]]],
      ["Empty", 4, []],
      ["Two", 5, [["B", 5, []]]],
      ["At the end", 6, []],
    ]);
    expect(above(sheets[2]!.lines)).toEqual(["One › Inner", "A", "a"]);
    expect(above(sheets[3]!.lines)).toEqual(["Empty"]);
  });

  test("pages may follow each other from anywhere", async () => {
    async function* pages() {
      yield page("A", 0, p("a"));
      await Promise.resolve();
      yield page("B", 0, p("b"));
    }
    expect((await printed(pages())).bookmarks.map(({ title }) => title)).toEqual(["A", "B"]);
  });

  test("a document with one page lists its headings as contents", async () => {
    const { sheets } = await printed([
      page("A", 0, h(1, "First"), p("a"), h(2, "Below"), p("b"), h(3, "Too deep"), p("c")),
    ]);
    expect(sheets[1]!.links.map(({ text, sheet }) => [text, sheet])).toEqual([
      ["First 3", 3],
      ["Below 3", 3],
    ]);
  });

  test("a document without pages has a title", async () => {
    const { sheets, bookmarks } = await printed([]);
    expect(sheets.map(({ lines }) => lines)).toEqual([["Handbook", "March 14, 2026"]]);
    expect(bookmarks).toEqual([]);
  });

  test("contents over several sheets have correct page numbers", async () => {
    const { sheets } = await printed(Array.from({ length: 90 }, (_, at) => page(`Page ${at}`, at % 3, p("text"))));
    const entries = sheets.flatMap(({ links }) => links);
    expect(entries.length).toBe(90);
    for (const [at, { text, sheet }] of entries.entries()) {
      expect(text).toBe(`Page ${at} ${sheet}`);
      expect(sheets[sheet! - 1]!.lines).toContain(`Page ${at}`);
      expect(sheets[sheet! - 1]!.lines.at(-1)).toBe(`Handbook ${sheet}`);
    }
  });
});

describe("links", () => {
  const leads = async (ref: ContentRef, url?: PrintJob["url"]) => {
    const pages = [
      page("A", 0, p(link("here", ref)), h(1, "Heading", "heading")),
      page("B", 0, h(1, "Other", "other")),
    ];
    return (await printed(pages, url && { url })).sheets[2]!.links.map(({ url: to, sheet }) => to ?? sheet);
  };

  test("links lead to their target in the file", async () => {
    expect(await leads({ kind: "page", page: "b" })).toEqual([4]);
    expect(await leads({ kind: "anchor", page: "b", anchor: "other" })).toEqual([4]);
    expect(await leads({ kind: "anchor", anchor: "heading" })).toEqual([3]);
  });

  test("a link to a missing anchor leads to the page", async () => {
    expect(await leads({ kind: "anchor", page: "b", anchor: "gone" })).toEqual([4]);
  });

  test("a link to a page outside the file leads to its URL, if it has one", async () => {
    expect(await leads({ kind: "page", page: "elsewhere" })).toEqual(["https://docs.example.com/elsewhere"]);
    expect(await leads({ kind: "page", page: "elsewhere" }, () => undefined)).toEqual([]);
    expect(await leads({ kind: "page", page: "b", space: "another" })).toEqual(["https://docs.example.com/b"]);
    expect(await leads({ kind: "file", file: "f" }, () => "https://files.example.com/f")).toEqual([
      "https://files.example.com/f",
    ]);
  });

  test.each(["https://example.com/ü?q=(a)\\b", "http://example.com/", "mailto:ada@example.com", "tel:+491234"])(
    "the link %s is kept",
    async (url) => {
      expect(await leads({ kind: "url", url })).toEqual([new URL(url).href]);
    },
  );
});

test("a footnote is printed below its page, and its number links to it", async () => {
  const note = { ...inline("annotation", {}, "word"), fragments: [fragment("annotation-body", "n", p("The note"))] };
  const { sheets } = await printed([page("A", 0, p(note as never)), page("B", 0, p("x"))]);
  expect(above(sheets[2]!.lines)).toEqual(["A", "1", "word", "Notes", "1 The note"]);
  expect(sheets[2]!.links.map(({ sheet }) => sheet)).toEqual([3]);
});

test("an expandable is printed open", async () => {
  const it = withFragments(
    block("expandable", {}),
    fragment("expandable-title", "t", p("Title")),
    fragment("expandable-body", "b", p("Body")),
  );
  expect(above((await printed([page("A", 0, it)])).sheets[1]!.lines)).toEqual(["A", "Title", "Body"]);
});

test("every word is printed once and in order, however a text is split", async () => {
  const printer = pdfPrinter();
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(word, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 30 }),
      async (paragraphs) => {
        const bytes = await printer.print(job([page("T", 0, ...paragraphs.map((words) => p(words.join(" "))))]));
        const { sheets } = await readPdf(bytes);
        const read = sheets
          .slice(1)
          .flatMap(({ lines }) => above(lines))
          .join(" ");
        expect(read).toBe(["T", ...paragraphs.map((words) => words.join(" "))].join(" "));
      },
    ),
    { numRuns: 25 },
  );
});
