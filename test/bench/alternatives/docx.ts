// Word documents to Markdown, for decision 88.

import { readDocx } from "../../../src/importers/docx/import-docx";
import { cell, docx, item, p, row, run, style, table } from "../../importers/docx-fixture";
import { readDocumentation, runPart } from "./part";

await runPart<Uint8Array>({
  alternatives: {
    ours: async () => (bytes) => {
      const { book } = readDocx(bytes);
      const texts = [...book.texts.values()].map(({ text }) => text);
      return `${Math.round(texts.join("").length / 1024)} KB`;
    },
    mammoth: async (load) => {
      const mammoth = await load("mammoth").then((module) => module.default ?? module);
      return async (bytes) => {
        const { value } = await mammoth.convertToMarkdown({ buffer: Buffer.from(bytes) });
        return `${Math.round(value.length / 1024)} KB`;
      };
    },
  },
  inputs: {
    "our documentation": () =>
      docx(
        readDocumentation()
          .flatMap(({ markdown }) => markdown.split(/\n+/))
          .map(toParagraph)
          .join(""),
      ),
    "20,000 lists in each other": () => docx(Array.from({ length: 20_000 }, (_, i) => p("x", item(1, i))).join("")),
    "1,000 tables in each other": () =>
      docx(Array.from({ length: 1000 }).reduce<string>((inner) => table(row(cell(`${inner}${p("x")}`))), p("x"))),
    "64 MB of spaces in 64 KB": () => docx(p(run(" ".repeat(64 * 1024 * 1024)))),
  },
  packages: { mammoth: ["mammoth"] },
});

/** Converts a line of Markdown to a paragraph: a heading, an item of a list or a text. */
function toParagraph(line: string): string {
  const text = line.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const heading = /^(#{1,4}) (.*)/.exec(text);
  if (heading) return p(heading[2]!, style(`berschrift${heading[1]!.length}`));
  if (text.startsWith("- ")) return p(text.slice(2), item(1, 0));
  if (text.startsWith("| "))
    return table(
      row(
        ...text
          .split("|")
          .slice(1, -1)
          .map((part) => cell(part.trim())),
      ),
    );
  return p(text);
}
