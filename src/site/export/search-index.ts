// The search index of an export: the words of its pages, as a script that searches them. Browsers load scripts from `file:` URLs too.

import { Parser } from "htmlparser2";
import type { SearchIndexPage, SearchIndexSection } from "../browser/search-results";
import { script } from "../built/static-search";
import { serializeJsonForHtml } from "../pages/content-page";

/** Elements that have no words, or words that nobody searches for. */
const ELEMENTS_WITHOUT_WORDS = new Set(["script", "style", "svg", "math", "form", "select"]);
/** Elements within a word. All others separate words. */
const INLINE_ELEMENTS = new Set("a abbr b code del em i kbd mark s span strong sub sup wbr".split(" "));
const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
/** The most characters of a text below a heading. Lists of members of an API go on for much longer. */
const MAX_TEXT_LENGTH = 2000;

/** Returns a rendered page as a page of the index. */
export function createSearchIndexPage(markup: string, title: string, href: string, space: string): SearchIndexPage {
  const leadStart = markup.indexOf('<p class="lead">');
  const lead = leadStart < 0 ? "" : markup.slice(leadStart, markup.indexOf("</p>", leadStart));
  const start = markup.indexOf("</header>", markup.indexOf("<article>"));
  const footer = markup.indexOf('<footer class="about">', start);
  const body = markup.slice(start, footer < 0 ? markup.indexOf("</article>", start) : footer);

  const sections = [{ title, anchor: "", text: "" }];
  let isInHeading = false;
  /** The open element without words, and how many elements of its name are open in it. */
  let skipped: { readonly name: string; depth: number } | undefined;
  const append = (text: string) => {
    sections.at(-1)![isInHeading ? "title" : "text"] += text;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (skipped) {
        if (skipped.name === name) skipped.depth++;
        return;
      }
      if (ELEMENTS_WITHOUT_WORDS.has(name) || (name === "a" && attributes.class === "anchor")) {
        skipped = { name, depth: 1 };
      } else if (HEADINGS.has(name) && attributes.id !== undefined) {
        sections.push({ title: "", anchor: attributes.id, text: "" });
        isInHeading = true;
      } else if (!INLINE_ELEMENTS.has(name)) append(" ");
    },
    ontext(text) {
      if (!skipped) append(text);
    },
    onclosetag(name) {
      if (skipped) {
        if (skipped.name === name && --skipped.depth === 0) skipped = undefined;
        return;
      }
      if (HEADINGS.has(name)) isInHeading = false;
      else if (!INLINE_ELEMENTS.has(name)) append(" ");
    },
  });
  parser.write(`${lead}</p>${body}`);
  parser.end();

  const collapse = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TEXT_LENGTH);
  return [
    title,
    href,
    space,
    sections.map(({ title, anchor, text }): SearchIndexSection => [collapse(title), anchor, collapse(text)]),
  ];
}

/** Returns the script that searches these pages. */
export function renderSearchIndex(pages: readonly SearchIndexPage[]): string {
  return `globalThis.octavoPages=${serializeJsonForHtml(pages)};\n${script}`;
}
