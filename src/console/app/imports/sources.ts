// The sources of imports, and the conversion of local files to pages.

import type { ImportSource } from "../../../generated/resources";
import type { Messages } from "../messages/messages";
import type { ContentEdit } from "../space/content-place";

/** Returns the sources in the order of the menu, with sample URLs. */
export function listImportSources(messages: Messages): readonly {
  readonly source: ImportSource;
  readonly label: string;
  readonly hint: string;
  readonly sample: string;
}[] {
  return [
    {
      source: "website",
      label: messages.imports.importWebsite,
      hint: messages.imports.importWebsiteHint,
      sample: "https://docs.example.com/",
    },
    {
      source: "zip",
      label: messages.imports.importZip,
      hint: messages.imports.importZipHint,
      sample: "https://example.com/docs.zip",
    },
    {
      source: "markdown",
      label: messages.imports.importMarkdown,
      hint: messages.imports.importOneFile,
      sample: "https://example.com/guide.md",
    },
    {
      source: "docx",
      label: messages.imports.importWord,
      hint: messages.imports.importOneFile,
      sample: "https://example.com/guide.docx",
    },
    {
      source: "html",
      label: messages.imports.importHtml,
      hint: messages.imports.importOneFile,
      sample: "https://example.com/guide.html",
    },
    {
      source: "confluence",
      label: "Confluence",
      hint: messages.imports.importExport,
      sample: "https://example.com/export.zip",
    },
    {
      source: "notion",
      label: "Notion",
      hint: messages.imports.importExport,
      sample: "https://example.com/export.zip",
    },
    {
      source: "google-docs",
      label: "Google Docs",
      hint: messages.imports.importGoogle,
      sample: "https://docs.google.com/document/d/…",
    },
    {
      source: "github-wiki",
      label: messages.imports.importWiki,
      hint: messages.imports.importWikiHint,
      sample: "https://github.com/example/project/wiki",
    },
  ];
}

/** The kinds of local files that can be imported. All others are fetched from a URL. */
export type TextKind = "markdown" | "html";

export function detectTextKind(name: string): TextKind | undefined {
  if (/\.(?:md|markdown|mdown|txt)$/i.test(name)) return "markdown";
  return /\.html?$/i.test(name) ? "html" : undefined;
}

/** Returns the title for a page from a file: its first heading, or its name. */
export function deriveTitle(name: string, text: string): string {
  let found = "";
  if (detectTextKind(name) === "markdown") {
    // The first heading, which may be closed by hashes, after the front matter.
    const markdown = text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "");
    const heading = markdown.split(/\r?\n/).find((line) => /^#[ \t]/.test(line)) ?? "";
    const words = heading.slice(1).trim().split(/[ \t]/);
    found = (/^#*$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words).join(" ");
  } else {
    const tag = text.search(/<title[\s>]/i);
    const from = tag < 0 ? -1 : text.indexOf(">", tag);
    const to = from < 0 ? -1 : text.indexOf("<", from);
    if (to >= 0) found = text.slice(from + 1, to);
  }
  const plain = found.replace(/[*_`]/g, "").trim();
  return (plain === "" ? name.replace(/\.[^.]+$/, "") : plain).slice(0, 255);
}

/** Builds the change that creates a page from a file. HTML is imported into the page afterwards. */
export function buildPageInsertion(name: string, text: string): ContentEdit {
  const markdown = detectTextKind(name) === "markdown" ? text : "";
  return { operation: "insert_page", title: deriveTitle(name, text), document: { markdown } };
}
