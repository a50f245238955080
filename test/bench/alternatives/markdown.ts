// Parsers of Markdown, for decision 13.

import { parseMarkdown } from "../../../src/content/markdown/parse";
import { readDocumentation, runPart } from "./part";

await runPart<string>({
  alternatives: {
    ours: async () => (text) => void parseMarkdown(text),
    "commonmark.js": async (load) => {
      const { Parser } = (await load("commonmark")).default ?? (await load("commonmark"));
      return (text) => void new Parser().parse(text);
    },
    "markdown-it": async (load) => {
      const { default: MarkdownIt } = await load("markdown-it");
      const parser = new MarkdownIt({ html: true });
      return (text) => void parser.parse(text, {});
    },
    marked: async (load) => {
      const { lexer } = await load("marked");
      return (text) => void lexer(text);
    },
    micromark: async (load) => {
      const { micromark } = await load("micromark");
      const { gfm } = await load("micromark-extension-gfm");
      return (text) => void micromark(text, { extensions: [gfm()] });
    },
    "@lezer/markdown": async (load) => {
      const { GFM, parser } = await load("@lezer/markdown");
      const withTables = parser.configure(GFM);
      return (text) => void withTables.parse(text);
    },
  },
  inputs: {
    "our documentation": () =>
      readDocumentation()
        .map(({ markdown }) => markdown)
        .join("\n\n"),
    "20,000 × `*a_ `": () => "*a_ ".repeat(20_000),
    "20,000 × `>`": () => `${">".repeat(20_000)} a`,
    "20,000 × `[a](`": () => "[a](".repeat(20_000),
  },
  packages: {
    "commonmark.js": ["commonmark"],
    "markdown-it": ["markdown-it"],
    marked: ["marked"],
    micromark: ["micromark", "micromark-extension-gfm"],
    "@lezer/markdown": ["@lezer/markdown"],
  },
});
