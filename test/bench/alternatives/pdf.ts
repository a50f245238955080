// Documents to PDF, for decision 89.

import { readMarkdown } from "../../../src/content/markdown/read";
import { pdfPrinter } from "../../../src/pdf";
import { readDocumentation, runPart } from "./part";

type Page = ReturnType<typeof readDocumentation>[number];

await runPart<readonly Page[]>({
  alternatives: {
    ours: async () => async (pages) => {
      const bytes = await pdfPrinter().print({
        title: "Documentation",
        date: new Date(0),
        pages: pages.map(({ name, markdown }) => ({
          id: name,
          title: name,
          depth: 0,
          document: readMarkdown(markdown).document,
        })),
        file: async () => undefined,
        url: () => undefined,
      });
      return describe(bytes.length);
    },
    // Only text, headings and lists: what links, tables and code look like would have to be written.
    pdfkit: async (load) => {
      const { default: PDFDocument } = await load("pdfkit");
      return async (pages) => {
        const document = new PDFDocument({ bufferPages: false });
        let bytes = 0;
        document.on("data", (chunk: Uint8Array) => (bytes += chunk.length));
        const ended = new Promise((resolve) => document.on("end", resolve));
        for (const { markdown } of pages) {
          document.addPage();
          for (const line of markdown.split(/\n+/)) {
            const heading = /^#+ (.*)/.exec(line);
            document.font(heading ? "Helvetica-Bold" : "Helvetica").fontSize(heading ? 18 : 11);
            document.text(heading ? heading[1] : line).moveDown(0.5);
          }
        }
        document.end();
        await ended;
        return describe(bytes);
      };
    },
    pdfmake: async (load) => {
      const pdfmake = await load("pdfmake").then((module) => module.default ?? module);
      const files = {
        normal: "Helvetica",
        bold: "Helvetica-Bold",
        italics: "Helvetica-Oblique",
        bolditalics: "Helvetica-BoldOblique",
      };
      pdfmake.setFonts({ Helvetica: files });
      return async (pages) => {
        const content = pages.flatMap(({ markdown }) =>
          markdown.split(/\n+/).map((line) => {
            const heading = /^#+ (.*)/.exec(line);
            return heading ? { text: heading[1], fontSize: 18, bold: true } : { text: line, margin: [0, 0, 0, 5] };
          }),
        );
        const bytes = await pdfmake
          .createPdf({ content, defaultStyle: { font: "Helvetica", fontSize: 11 } })
          .getBuffer();
        return describe(bytes.length);
      };
    },
  },
  inputs: {
    "our documentation": readDocumentation,
    "a word of 1,000,000 letters": () => [{ name: "long", markdown: "a".repeat(1_000_000) }],
    "200,000 lines": () => [{ name: "lines", markdown: "a line of text\n\n".repeat(200_000) }],
  },
  packages: { pdfkit: ["pdfkit"], pdfmake: ["pdfmake"] },
});

function describe(bytes: number): string {
  return `${Math.round(bytes / 1024)} KB`;
}
