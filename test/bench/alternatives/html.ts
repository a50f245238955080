// HTML to Markdown, for decision 87.

import { convertHtmlToMarkdown } from "../../support/html";
import { readDocumentation, runPart } from "./part";

await runPart<string>({
  alternatives: {
    ours: async () => (html) => describe(convertHtmlToMarkdown(html, { baseUrl: "https://docs.example/" }).markdown),
    turndown: async (load) => {
      const { default: TurndownService } = await load("turndown");
      const { gfm } = await load("turndown-plugin-gfm").then((module) => module.default ?? module);
      return (html) => {
        const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
        service.use(gfm);
        return describe(service.turndown(html));
      };
    },
    "rehype-remark": async (load) => {
      const { unified } = await load("unified");
      const plugins = ["rehype-parse", "rehype-remark", "remark-gfm", "remark-stringify"];
      const loaded = await Promise.all(plugins.map(async (name) => (await load(name)).default));
      return async (html) => {
        const processor = unified();
        for (const plugin of loaded) processor.use(plugin);
        return describe(String(await processor.process(html)));
      };
    },
  },
  inputs: {
    "our documentation": async (load) => {
      const { marked } = await load("marked");
      return `<main>${readDocumentation()
        .map(({ markdown }) => marked.parse(markdown))
        .join("\n")}</main>`;
    },
    "20,000 × `<div>`": () => `${"<div>".repeat(20_000)}a`,
    "20,000 × `<b>a`": () => "<b>a".repeat(20_000),
    "20,000 × `<ul><li>x`": () => "<ul><li>x".repeat(20_000),
  },
  packages: {
    turndown: ["turndown", "turndown-plugin-gfm"],
    "rehype-remark": ["unified", "rehype-parse", "rehype-remark", "remark-gfm", "remark-stringify"],
  },
});

function describe(markdown: string): string {
  return `${Math.round(markdown.length / 1024)} KB`;
}
