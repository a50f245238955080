// S39: texts of the largest size. Their results are bounded, nothing of them is lost, and other calls get their turn
// meanwhile.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { parseMarkdown, parseMarkdownInSteps } from "../../src/content/markdown/parse";
import { readMarkdown } from "../../src/content/markdown/read";
import { writeMarkdown } from "../../src/content/markdown/write";
import { pdfPrinter } from "../../src/pdf";
import { countSheets, readPdf } from "../pdf/reader";
import { job, p, page } from "../pdf/writing";
import { countPieces, held } from "../support/held";
import { convertHtmlToMarkdown } from "../support/html";
import { type Setting, setUp } from "../support/setting";
import { changed, newPage, newSpace, read } from "./contents";
import { filled, HARMLESS } from "./hostile-texts";

const LONGEST = 1 << 20;
/** Long enough to be done in pieces. */
const LONG = LONGEST / 8;

describe("S39: short texts that become huge documents", () => {
  test.each([
    ["rows", `|a|b|\n|-|-|\n${"|x|y|\n".repeat(40_000)}|last|row|\n`],
    ["paragraphs", `${"a\n\n".repeat(60_000)}the last\n`],
    ["items", `${"- a\n".repeat(60_000)}- the last\n`],
    ["links", `${"[a](b) ".repeat(100_000)}the last\n`],
  ])("S39: %s become a document of bounded size, and the text stays as it was", (_, text) => {
    const { document } = readMarkdown(text);
    expect(JSON.stringify(document).length).toBeLessThan(25_000_000);
    const rest = document.nodes.at(-1)!;
    expect(rest.type).toBe("paragraph");
    expect(JSON.stringify(rest).slice(-200)).toContain("last");
    expect(writeMarkdown(document, { original: text }) === text).toBe(true);
  });

  test("S39: a megabyte of prose is one complete document", () => {
    const text = filled(HARMLESS, LONGEST);
    const { document, links } = readMarkdown(text);
    expect(links.length).toBe(text.split("](page.md)").length - 1);
    expect(document.nodes.length).toBe(text.split("\n\n").length);
  });

  test("S39: a change after a huge table is written in place", () => {
    const text = `# A\n\nFirst.\n\n${"- a\n".repeat(60_000)}`;
    const { document } = readMarkdown(text);
    const other = readMarkdown("# A\n\nOther.\n").document.nodes[0]!;
    const written = writeMarkdown({ ...document, nodes: [other, ...document.nodes.slice(1)] }, { original: text });
    expect(written === text.replace("First.", "Other.")).toBe(true);
  });
});

describe("S39: repeated parsing of hints", () => {
  test("S39: nested empty hints become nothing, however deep", () => {
    const nested = '<div class="admonition note">'.repeat(190);
    expect(convertHtmlToMarkdown(nested, { isContentOnly: true }).markdown.trim()).toBe("");
    expect(convertHtmlToMarkdown(`${nested}words`).markdown).toContain("words");
  });

  test("S39: a hint with only a title keeps it", () => {
    const titled = (title: string) =>
      convertHtmlToMarkdown(`<div class="admonition note"><p class="admonition-title">${title}</p></div>`, {
        isContentOnly: true,
      }).markdown.trim();
    expect(titled("Note")).toBe("Note");
    expect(titled("Mind the gap")).toContain("{% hint");
    expect(titled("Mind the gap")).toContain("Mind the gap");
  });
});

/** No stretch takes more than this part of the whole. */
const PART = 1 / 3;

/** Work pauses every 10 ms, so pieces of this length are no stretch, however little the whole takes. In milliseconds. */
const PIECE_MS = 30;

async function expectPieces(work: () => Promise<unknown>, part = PART): Promise<void> {
  const { processorMs, heldMs } = await held(work);
  expect(heldMs).toBeLessThan(Math.max(part * processorMs, PIECE_MS));
}

describe("S39: requests that block others", () => {
  let setting: Setting;
  let space: string;
  beforeAll(async () => {
    setting = await setUp(memoryStorage());
    space = await newSpace(setting);
  });

  test("S39: reading and printing a long page yields to other requests", async () => {
    const id = await newPage(setting, space, "Long", filled(HARMLESS, LONG));
    const asDocument = () => read(setting, space, id, "?format=document");
    // That takes a tenth of a second where the code is warm: a few pieces.
    await expectPieces(async () => expect((await asDocument()).status).toBe(200), 2 / 3);
    const { body } = await setting.ask("read", `GET /v1/spaces/${space}/pdf?page=${id}&only=true`);
    const download = () => setting.ask(null, `GET ${new URL(body.url).pathname}`);
    await expectPieces(async () => expect((await download()).status).toBe(200));
    await changed(setting, space, [{ operation: "delete_page", page: id }]);
  });
});

describe("S39: long work in steps", () => {
  const CONDITIONS = "{% if visitor.claims.a %}b{% endif %} `{% if %}` **c** ";
  const TAGS = "{% hint %}\n\n# A\n\n- b *c*\n\n| d | e |\n|---|---|\n| f | g |\n\n{% endhint %}\n\n";

  test("control: the measure detects work done at once, from its beginning", async () => {
    const atOnce = await held(async () => void readMarkdown(filled(HARMLESS, LONG)));
    expect(atOnce.heldMs / atOnce.processorMs).toBeGreaterThan(PART);
  });

  test.each(["{% a %}b ", "a\n\n", "- a\n", "[a]: b\n", "[^a]: b\n\n", "[a](b) ", "*a* ", "[", "|a|b|\n|-|-|\n"])(
    "S39: a text of many %j is parsed in many steps",
    (piece) => {
      const parsing = parseMarkdownInSteps(filled(piece, LONG));
      let steps = 1;
      while (!parsing.next().done) steps++;
      expect(steps).toBeGreaterThan(10);
    },
  );

  test.each([
    ["text", "the *rest*\n"],
    ["a heading", "the *rest*\n===\n"],
    ["a table", "|a|b|\n|-|-|\n"],
  ])("S39: link definitions that are read ahead, and what follows them, are parsed correctly: %s", (_, rest) => {
    const definitions = "[a]: b\n".repeat(5_000);
    const { children } = parseMarkdown(definitions + rest);
    expect(children.length).toBe(5_001);
    expect(new Set(children.slice(0, -1).map(({ type, end, start }) => `${type} ${end - start}`))).toEqual(
      new Set(["definition 6"]),
    );
    const alone = parseMarkdown(rest).children[0]!;
    expect(children.at(-1)!.type).toBe(alone.type);
    expect(children.at(-1)!.start).toBe(definitions.length);
  });

  test.each([
    ["one line of tags", CONDITIONS],
    ["blocks", TAGS],
  ])("S39: a page is written, found and read by a visitor: %s", async (_, piece) => {
    const setting = await setUp(memoryStorage());
    const space = await newSpace(setting);
    let id = "";
    await expectPieces(async () => {
      id = await newPage(setting, space, "Long", filled(piece, LONG));
    });
    await expectPieces(() => setting.ask("read", `GET /v1/spaces/${space}/search?query=long`));
    await expectPieces(() => read(setting, space, id, "?evaluated=true"));
  });

  test("S39: an endless word is printed line by line", async () => {
    const document = readMarkdown("a".repeat(LONG)).document.nodes as [];
    const print = () => pdfPrinter().print(job([page("Word", 0, ...document)]));
    expect(await countPieces(print)).toBeGreaterThan(20);
    const short = readMarkdown("a").document.nodes as [];
    expect(await countPieces(() => pdfPrinter().print(job([page("Word", 0, ...short)])))).toBeLessThan(10);
  });
});

describe("S39: short pages that fill a file", () => {
  test("S39: a page ends at the maximum number of sheets with a note, and the next page is printed", async () => {
    const rows = `${"|a".repeat(100)}|\n${"|-".repeat(100)}|\n${"x\n".repeat(4_000)}`;
    const wide = readMarkdown(rows).document.nodes as [];
    const pages = [page("Wide", 0, ...wide), page("Next", 0, p("after"))];
    const bytes = await pdfPrinter().print(job(pages));
    expect(await countSheets(bytes)).toBeLessThan(130);
    const { text } = await readPdf(bytes);
    expect(text).toContain("too long to be printed whole");
    expect(text).toContain("after");
  });
});
