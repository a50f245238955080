// `llms.txt`, the contents of a site for models with links to the Markdown of its pages, and `llms-full.txt`, the pages
// themselves. Both are bounded. They are cut between two pages, and lead on with an address that names the next page.

import { loadMarkdownReader } from "../../content/lazy";
import { toSingleLine } from "../../content/page-source/title";
import { runSteps } from "../../utils/concurrency/event-loop";
import type { KeptResponse } from "../shelf";
import type { Visit } from "../visit";
import { absolute, markdownAddress } from "./addresses";
import { indexedPages, isForAgents, type Listed, visitIn } from "./listed";
import { markdownOf } from "./markdown";
import { machineAnswer, machineNothing, PLAIN } from "./text-answer";

const MOST_LINKS = 2_000;
const MOST_PAGES = 200;
/** Where a part ends, in UTF-16 units. Its last page may go beyond. */
const LONGEST_PART = 1_000_000;
/** Of a description. */
const LONGEST_NOTE = 300;

/** A part of a list: its text, and where the next one begins. */
export interface Part {
  readonly text: string;
  readonly next?: Listed;
}

export async function llmsText(visit: Visit): Promise<KeptResponse> {
  return partAnswer(visit, "llms.txt", (pages) => contentsPart(visit, pages));
}

export async function llmsFullText(visit: Visit): Promise<KeptResponse> {
  return partAnswer(visit, "llms-full.txt", (pages) => textsPart(visit, pages));
}

async function partAnswer(
  visit: Visit,
  name: string,
  part: (pages: AsyncIterable<Listed>) => Promise<Part>,
): Promise<KeptResponse> {
  if (!isForAgents(visit)) return machineNothing("This site is not for agents.");
  const from = visit.url.searchParams.get("from");
  const { text, next } = await part(from === null ? indexedPages(visit) : pagesFrom(visit, from));
  const more =
    next === undefined ? "" : `\n[More pages](${absolute(visit, visit.own(`${name}?from=${nameOfPage(next)}`))})\n`;
  return machineAnswer(visit, text + more, PLAIN, { "x-robots-tag": "noindex" });
}

/** A page is named with its site-space: translations have the ids of what they translate. */
function nameOfPage({ siteSpace, page }: Listed): string {
  return `${siteSpace.id}.${page.id}`;
}

/** The pages from one on. If it is gone, there are none. */
async function* pagesFrom(visit: Visit, name: string): AsyncGenerator<Listed> {
  let isBehind = false;
  for await (const listed of indexedPages(visit)) {
    isBehind ||= nameOfPage(listed) === name;
    if (isBehind) yield listed;
  }
}

/** Links to pages, under the titles of their site-spaces. `link` gives the address of a page's Markdown. */
export async function contentsPart(
  visit: Visit,
  pages: AsyncIterable<Listed>,
  link: (url: string) => string = (url) => absolute(visit, markdownAddress(url)),
): Promise<Part> {
  const lines = [headOf(visit)];
  let siteSpace: string | undefined;
  let count = 0;
  for await (const listed of pages) {
    if (count++ === MOST_LINKS) return { text: lines.join(""), next: listed };
    if (siteSpace !== listed.siteSpace.id) lines.push(`\n## ${toSingleLine(listed.siteSpace.title) ?? ""}\n\n`);
    siteSpace = listed.siteSpace.id;
    lines.push(lineOf(listed, link(listed.url)));
  }
  return { text: lines.join("") };
}

/** The name of the site and its summary, as llmstxt.org has them. A site without a description has one in general terms. */
function headOf({ look, profile }: Visit): string {
  const title = toSingleLine(look.title ?? profile.site.title) ?? "";
  const summary =
    toSingleLine(look.socialPreview.description ?? "") ?? `The pages of ${title}, as links to their Markdown.`;
  return `# ${title}\n\n> ${summary}\n`;
}

function lineOf({ page, depth }: Listed, address: string): string {
  const title = (toSingleLine(page.title) ?? "").replace(/[[\]\\]/g, "\\$&");
  const note = toSingleLine(page.description ?? "")?.slice(0, LONGEST_NOTE);
  return `${"  ".repeat(depth)}- [${title}](${address})${note === undefined ? "" : `: ${note}`}\n`;
}

/** The texts of pages, one after the other. */
export async function textsPart(visit: Visit, pages: AsyncIterable<Listed>): Promise<Part> {
  const texts: string[] = [];
  let length = 0;
  for await (const listed of pages) {
    if (texts.length === MOST_PAGES || length >= LONGEST_PART) return { text: texts.join("\n"), next: listed };
    const made = await markdownOf(visitIn(visit, listed.siteSpace), listed.page.id);
    if (!made) continue;
    const { replaceTagsInSteps } = await loadMarkdownReader();
    const plain = await runSteps(replaceTagsInSteps(made.text));
    const [title = "", ...body] = plain.split("\n");
    const text = [title, "", `Source: ${absolute(visit, listed.url)}`, ...body].join("\n");
    texts.push(text);
    length += text.length;
  }
  return { text: texts.join("\n") };
}
