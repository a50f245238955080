// The search index of an export: the words of its pages, as a script that searches them. Browsers load scripts from `file:` URLs too.

import type { SearchIndexPage, SearchIndexSection } from "../browser/search-results";
import { script } from "../built/static-search";
import { serializeJsonForHtml } from "../pages/content-page";

/** Elements that have no words, or words that nobody searches for. */
const WITHOUT_WORDS = /<(script|style|svg|math|form|select)\b[\s\S]*?<\/\1>|<a class="anchor"[\s\S]*?<\/a>/g;
/** The most characters of a text below a heading. Lists of members of an API go on for much longer. */
const MAX_TEXT_LENGTH = 2000;
const HEADING = /<h[1-6] id="([^"]*)"[^>]*>([\s\S]*?)<\/h[1-6]>/;
/** Tags between which a word may go on. */
const INLINE_TAG = /<\/?(?:a|abbr|b|code|del|em|i|kbd|mark|s|span|strong|sub|sup|wbr)\b[^>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** Returns a rendered page as a page of the index. */
export function createSearchIndexPage(markup: string, title: string, href: string, space: string): SearchIndexPage {
  const [, lead = ""] = /<p class="lead">([\s\S]*?)<\/p>/.exec(markup) ?? [];
  const start = markup.indexOf("</header>", markup.indexOf("<article>"));
  const footer = markup.indexOf('<footer class="about">', start);
  const body = markup.slice(start, footer < 0 ? markup.indexOf("</article>", start) : footer);
  const [intro = "", ...rest] = body.replaceAll(WITHOUT_WORDS, "").split(HEADING);
  const sections: SearchIndexSection[] = [[title, "", extractText(`${lead} ${intro}`)]];
  for (let i = 0; i < rest.length; i += 3)
    sections.push([extractText(rest[i + 1]!), rest[i]!, extractText(rest[i + 2]!)]);
  return [title, href, space, sections];
}

/** Returns the text of markup that the reader rendered. */
function extractText(markup: string): string {
  const text = markup.replaceAll(INLINE_TAG, "").replaceAll(/<[^>]*>/g, " ");
  return text
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TEXT_LENGTH);
}

/** Returns the script that searches these pages. */
export function renderSearchIndex(pages: readonly SearchIndexPage[]): string {
  return `globalThis.octavoPages=${serializeJsonForHtml(pages)};\n${script}`;
}
