// A documentation with every block, printed and read back with pdf.js: with fonts that are embedded, and without any.

import { beforeAll, describe, expect, test } from "vitest";
import { pdfPrinter } from "../../src/pdf";
import { NOTO } from "./fonts";
import { type ReadPdf, type ReadSheet, readPdf } from "./reader";
import { sample } from "./sample";

/** What is written in the sample, in reading order; "…" stands for what the two kinds of fonts print differently. */
const WRITTEN = [
  // The title and the contents
  "Octavo documentation Everything that there is March 14, 2026",
  "Contents Introduction 3 Guides 5 Set up 5 Pictures and tables 7 Authentication 9",
  // Introduction
  "Introduction What Octavo is, and what can be done with it.",
  "Octavo keeps documentation. This paragraph has bold text, italic text, both, inline code, a key Ctrl, what is gone",
  "It leads to the website, to another page and to a heading on it; formulas such as eiπ+1=0 are printed",
  "expressions such as space.vars.version too.",
  "and so can Ada Lovelace",
  "A note can hang on some words",
  "Get started",
  "What is in the box",
  "First point",
  "Second point with a list",
  "Inner point",
  "Inner with numbers",
  "Deep one",
  "Deep two",
  "Third point",
  "Download the package",
  "Read the manual",
  "Start the server",
  "A task that is done",
  "A task that is open",
  "Hints",
  "Information: the server listens on port 8080.",
  "Success: everything is in place.",
  "Warning: keep the token secret.",
  "in the environment",
  "never in the repository",
  "Danger: this cannot be undone.",
  "A quotation that somebody said once",
  "Notes",
  "This is the body of the note.",
  // Set up
  "Guides Set up",
  "Code is printed in fixed width:",
  "server.ts",
  'import { createDocsApi } from "octavo";',
  'import { memoryStorage } from "octavo/memory";',
  "secret: process.env.SECRET,",
  "export default { fetch: api.fetch }; // a comment that makes this line much longer",
  "package.json",
  "npm With npm:",
  "npm install octavo",
  "Yarn With Yarn:",
  "yarn add octavo",
  "Why is there no binary?",
  "Because it runs inside of your own server.",
  "That is the point of it.",
  "Install",
  "Install the package.",
  "Configure",
  "Set the secret.",
  "export SECRET=…",
  "Start",
  "Start the server.",
  "The left column has more room",
  "The right column has less.",
  "x2dx = 13",
  "https://video.example.com/watch?v=1",
  "installation-manual.zip",
  "Authentication",
  // Pictures and tables
  "Pictures and tables",
  "A picture with a caption",
  "A picture from outside https://example.com/outside.png",
  "Option Type Description",
  "secret string What tokens and cursors are sealed with.",
  "now function The clock; tests give their own.",
  "limits object",
  "requests a minute",
  "bytes of a body",
  "Name Count Done Rating State See Who",
  "Row one 42",
  "Active Authentication Ada Lovelace",
  "Row two 7",
  "Quick start Card number 1 Guides Card number 2 API Card number 3",
  // Authentication
  "Every request carries a token.",
  "Tokens",
  "A token begins with its kind. See the introduction.",
  "POST /orgs/{organizationId}/tokens",
  "GET /pets",
  "POST petAdopted",
  "Pet store: Pet, Owner",
  "mermaid · diagram",
  "What several pages share.",
  "What only some people see.",
  "2026-02-01 · feature",
  "Tokens can expire.",
  "a film",
];

describe.each([
  ["with Noto", { fonts: NOTO }],
  ["with the standard fonts", {}],
])("the sample %s", (_, options) => {
  let pdf: ReadPdf;
  beforeAll(async () => {
    pdf = await readPdf(await pdfPrinter(options).print(sample()));
  });

  test("the sample contains all text in order", () => {
    const squeezed = (words: string) => words.replace(/\s+/g, "");
    const whole = squeezed(pdf.text);
    let at = 0;
    for (const words of WRITTEN) {
      const found = whole.indexOf(squeezed(words), at);
      expect.soft(found, `"${words}" after "…${whole.slice(Math.max(0, at - 40), at)}"`).toBeGreaterThanOrEqual(at);
      if (found >= 0) at = found + squeezed(words).length;
    }
    expect(pdf.text).not.toContain("could not be printed");
    expect(pdf.text).not.toContain("hidden");
  });

  test("the sample has nested bookmarks for every page, group and heading", () => {
    const nested = (items: ReadPdf["bookmarks"]): unknown =>
      items.map(({ title, items: below }) => [title, nested(below)]);
    expect(nested(pdf.bookmarks)).toEqual([
      ["Introduction", [["What is in the box", [["Hints", []]]]]],
      [
        "Guides",
        [
          [
            "Set up",
            [
              ["Install", []],
              ["Configure", []],
              ["Start", []],
            ],
          ],
          ["Pictures and tables", []],
        ],
      ],
      ["Authentication", [["Tokens", []]]],
    ]);
    const authentication = pdf.bookmarks.at(-1)!;
    expect(pdf.sheets[authentication.sheet - 1]!.lines[0]).toBe("Authentication");
  });

  test("the sample has contents with the page numbers of the sheets", () => {
    const entries = pdf.sheets[1]!.links.map(({ text, sheet }) => [text, sheet] as const);
    expect(entries.map(([text]) => text)).toEqual([
      "Introduction 3",
      "Guides 5",
      "Set up 5",
      "Pictures and tables 7",
      "Authentication 9",
    ]);
    for (const [text, sheet] of entries) {
      const number = text.split(" ").at(-1)!;
      expect(sheet).toBe(Number(number));
      expect(pdf.sheets[sheet! - 1]!.lines).toContain(text.slice(0, -number.length - 1));
    }
  });

  test("the sample has the title and the page number at the foot of every sheet but the first", () => {
    expect(pdf.sheets[0]!.lines).toEqual(["Octavo documentation", "Everything that there is", "March 14, 2026"]);
    for (const [at, sheet] of pdf.sheets.entries())
      if (at > 0) expect(sheet.lines.at(-1)).toBe(`Octavo documentation ${at + 1}`);
  });

  test("the sample has links that lead to their targets", () => {
    const authentication = pdf.bookmarks.at(-1)!;
    const [tokens] = authentication.items;
    expect(leads(pdf.sheets[2]!)).toEqual([
      "https://example.com/start?a=1&b=(2)",
      9, // another page
      9, // a heading on it
      4, // the note
      "https://example.com/go",
    ]);
    const [, page, heading] = pdf.sheets[2]!.links;
    expect(authentication.sheet).toBe(9);
    expect(tokens).toMatchObject({ title: "Tokens", sheet: 9 });
    expect(heading!.y).toBeLessThan(page!.y!);
    expect(leads(pdf.sheets[5]!)).toEqual(["https://video.example.com/watch?v=1", 9]);
    expect(leads(pdf.sheets[6]!)).toEqual(["https://example.com/outside.png", 9]);
    expect(pdf.sheets[7]!.links.map(({ sheet }) => sheet)).toEqual([9, 9, 9]);
    expect(leads(pdf.sheets[8]!)).toEqual([3, "https://mermaid.example.com/d/1"]);
  });

  test("the sample shows its pictures", () => {
    expect(pdf.sheets.map(({ pictures }) => pictures.length)).toEqual([0, 0, 1, 0, 0, 0, 3, 3, 0]);
  });

  test("the sample has document information", () => {
    expect(pdf.info).toMatchObject({
      Title: "Octavo documentation",
      Subject: "Everything that there is",
      CreationDate: "D:20260314092653Z",
      Producer: "Octavo",
      Language: "en",
    });
  });
});

/** Where the links of a sheet lead, in order. One that is broken over two lines counts once. */
function leads({ links }: ReadSheet): (string | number | undefined)[] {
  const isSame = (at: number) => links[at - 1]?.sheet === links[at]!.sheet && links[at - 1]?.y === links[at]!.y;
  return links.flatMap(({ url, sheet }, at) => (sheet && isSame(at) ? [] : [url ?? sheet]));
}

test("the same job gives the same bytes, at once or in pieces", async () => {
  const printer = pdfPrinter({ fonts: NOTO });
  const bytes = await printer.print(sample());
  expect(await printer.print(sample())).toEqual(bytes);
  const pieces: Uint8Array[] = [];
  for await (const piece of printer.stream(sample())) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(pieces.length).toBeGreaterThan(1);
});
