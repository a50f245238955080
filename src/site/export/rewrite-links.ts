// Pages and texts as files: their addresses lead to other files, and nothing in them names the server that they came from.

import { tryParseUrl } from "../../utils/url";
import { serializeJsonForHtml } from "../machine-readable/head-links";
import { collectMarkupUrls, replaceMarkupUrls } from "../machine-readable/markup-urls";
import { type ExportedFiles, getSitePath } from "./exported-files";
import { toRelativeUrl } from "./file-paths";

/** What is known while one file is rewritten. */
export interface RewriteContext {
  readonly files: ExportedFiles;
  /** The address of the site, with a slash at its end. */
  readonly root: string;
  /** Where the site will be, with a slash at its end; undefined: nobody knows. */
  readonly home: string | undefined;
  /** The address of the page. */
  readonly url: string;
  /** The file that is written. */
  readonly file: string;
}

const DATA_LINE = '<script type="application/ld+json">';

/** A page. `link` makes an address of a file; relative ones are the default. */
export async function rewritePageLinks(
  markup: string,
  at: RewriteContext,
  link: (file: string) => string = (file) => toRelativeUrl(at.file, file),
): Promise<string> {
  const text = rewriteHead(markup, at);
  const changed = new Map<string, string>();
  for (const address of collectMarkupUrls(text)) {
    const place = await at.files.resolveFile(address, at.url);
    if (place) changed.set(address, link(place.file) + place.anchor);
  }
  return replaceMarkupUrls(text, (address) => changed.get(address) ?? address);
}

/** Elements that say where a page is at home; each has a line of its own. */
const HOME_LINES = [
  '<link rel="canonical"',
  '<link rel="alternate" hreflang=',
  '<link rel="alternate" type="application/rss+xml"',
  '<meta property="og:url"',
  DATA_LINE,
];

/** What says where the page is at home says so of its new home, or is left out. */
function rewriteHead(markup: string, { root, home }: RewriteContext): string {
  const end = markup.indexOf("</head>");
  const lines = markup.slice(0, end).split("\n");
  const kept = lines.flatMap((line) => {
    if (!HOME_LINES.some((beginning) => line.startsWith(beginning))) return line;
    return home === undefined ? [] : moveHeadLine(line, root, home);
  });
  return kept.join("\n") + markup.slice(end);
}

function moveHeadLine(line: string, root: string, home: string): string {
  if (line.startsWith(DATA_LINE))
    return `${DATA_LINE}${moveBreadcrumbData(line.slice(DATA_LINE.length, line.indexOf("</script>")), root, home)}</script>`;
  return line.replace(/ (href|content)="([^"]*)"/, (_, name: string, address: string) => {
    return ` ${name}="${moveUrl(address, root, home)}"`;
  });
}

function moveBreadcrumbData(data: string, root: string, home: string): string {
  const steps = JSON.parse(data) as { itemListElement: { item?: string }[] };
  for (const step of steps.itemListElement) if (step.item !== undefined) step.item = moveUrl(step.item, root, home);
  return serializeJsonForHtml(steps);
}

/** An address of the site at its new home, where a page is a folder. */
export function moveUrl(address: string, root: string, home: string): string {
  const url = tryParseUrl(address);
  if (!url || !`${url.href}/`.startsWith(root)) return address;
  const rest = getSitePath(url, root);
  const isFile = /\.[a-z]{2,5}$/.test(rest);
  return home + rest + (rest === "" || isFile ? "" : "/") + url.hash;
}

/** An address in Markdown or XML. What may follow it at once is no part of it. */
const ADDRESS = /https?:\/\/(?:(?!&(?:quot|lt|gt|#39);)[^\s()<>"'`\\\]])+/g;
const SENTENCE_END = /(?<![.,;:!?*_~])[.,;:!?*_~]+$/;

/** A text, such as Markdown. `link` makes an address of a file. */
export async function rewriteTextLinks(
  text: string,
  at: RewriteContext,
  link: (file: string) => string,
): Promise<string> {
  const changed = new Map<string, string>();
  for (const [found] of text.matchAll(ADDRESS)) {
    const address = found.replace(SENTENCE_END, "");
    if (changed.has(address)) continue;
    const place = await at.files.resolveFile(address, at.url);
    if (place) changed.set(address, link(place.file) + place.anchor);
  }
  return text.replace(ADDRESS, (found) => {
    const address = found.replace(SENTENCE_END, "");
    return (changed.get(address) ?? address) + found.slice(address.length);
  });
}
