// What can be imported into a space, and how a file of this device is taken.

import type { ImportSource } from "../../../generated/resources";
import type { Change } from "../space/place";
import type { Words } from "../words/words";

/** The sources in the order in which they are offered, with what their address is. */
export function sourcesOf(words: Words): readonly {
  readonly source: ImportSource;
  readonly label: string;
  readonly hint: string;
  readonly sample: string;
}[] {
  return [
    {
      source: "website",
      label: words.importWebsite,
      hint: words.importWebsiteHint,
      sample: "https://docs.example.com/",
    },
    { source: "zip", label: words.importZip, hint: words.importZipHint, sample: "https://example.com/docs.zip" },
    {
      source: "markdown",
      label: words.importMarkdown,
      hint: words.importOneFile,
      sample: "https://example.com/guide.md",
    },
    { source: "docx", label: words.importWord, hint: words.importOneFile, sample: "https://example.com/guide.docx" },
    { source: "html", label: words.importHtml, hint: words.importOneFile, sample: "https://example.com/guide.html" },
    { source: "confluence", label: "Confluence", hint: words.importExport, sample: "https://example.com/export.zip" },
    { source: "notion", label: "Notion", hint: words.importExport, sample: "https://example.com/export.zip" },
    {
      source: "google-docs",
      label: "Google Docs",
      hint: words.importGoogle,
      sample: "https://docs.google.com/document/d/…",
    },
    {
      source: "github-wiki",
      label: words.importWiki,
      hint: words.importWikiHint,
      sample: "https://github.com/example/project/wiki",
    },
  ];
}

/** Files of this device that are taken as they are. Everything else is fetched from an address. */
export type TextKind = "markdown" | "html";

export function kindOfFile(name: string): TextKind | undefined {
  if (/\.(?:md|markdown|mdown|txt)$/i.test(name)) return "markdown";
  return /\.html?$/i.test(name) ? "html" : undefined;
}

/** The title of a page that a file becomes: its first heading, else its name. */
export function titleOfFile(name: string, text: string): string {
  const found = kindOfFile(name) === "markdown" ? firstHeading(withoutFrontMatter(text)) : titleTag(text);
  const plain = found.replace(/[*_`]/g, "").trim();
  return (plain === "" ? name.replace(/\.[^.]+$/, "") : plain).slice(0, 255);
}

/** The text of the first line that begins with one hash and a space. A heading may be closed by hashes. */
function firstHeading(text: string): string {
  const line = text.split(/\r?\n/).find((line) => /^#[ \t]/.test(line)) ?? "";
  const words = line.slice(1).trim().split(/[ \t]/);
  return (/^#*$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words).join(" ");
}

/** What stands in the first `<title>`. */
function titleTag(text: string): string {
  const tag = text.search(/<title[\s>]/i);
  const from = tag < 0 ? -1 : text.indexOf(">", tag);
  const to = from < 0 ? -1 : text.indexOf("<", from);
  return to < 0 ? "" : text.slice(from + 1, to);
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "");
}

/** The change that makes a page of a file. The text of HTML is imported into it afterwards. */
export function pageOfFile(name: string, text: string): Change {
  const markdown = kindOfFile(name) === "markdown" ? text : "";
  return { operation: "insert_page", title: titleOfFile(name, text), document: { markdown } };
}
