// Rewrites the links of exported pages and texts: they lead to other files, and nothing names the server that they came from.

import { tryParseUrl } from "../../utils/url";
import { collectMarkupUrls, replaceMarkupUrls } from "../machine-readable/markup-urls";
import { serializeJsonForHtml } from "../pages/content-page";
import { type ExportedFiles, getSitePath } from "./exported-files";
import { toRelativeUrl } from "./file-paths";

export interface RewriteContext {
  readonly files: ExportedFiles;
  /** The URL of the site, with a slash at its end. */
  readonly root: string;
  /** The URL where the export will be published, with a slash at its end, if it is known. */
  readonly home: string | undefined;
  readonly url: string;
  readonly file: string;
}

const BREADCRUMB_DATA = '<script type="application/ld+json">';

/** The elements of the head that contain the URL of the page. Each is on a line of its own. */
const LINES_WITH_HOME = [
  '<link rel="canonical"',
  '<link rel="alternate" hreflang=',
  '<link rel="alternate" type="application/rss+xml"',
  '<meta property="og:url"',
  BREADCRUMB_DATA,
];

/** Rewrites a page. `link` returns the URL of a file. Default: a relative URL. */
export async function rewritePageLinks(
  markup: string,
  context: RewriteContext,
  link: (file: string) => string = (file) => toRelativeUrl(context.file, file),
): Promise<string> {
  const { root, home } = context;
  const headEnd = markup.indexOf("</head>");
  const headLines = markup
    .slice(0, headEnd)
    .split("\n")
    .flatMap((line) => {
      if (!LINES_WITH_HOME.some((beginning) => line.startsWith(beginning))) return [line];
      if (home === undefined) return [];
      if (!line.startsWith(BREADCRUMB_DATA))
        return line.replace(
          / (href|content)="([^"]*)"/,
          (_, name: string, url: string) => ` ${name}="${moveUrl(url, root, home)}"`,
        );
      const data = line.slice(BREADCRUMB_DATA.length, line.indexOf("</script>"));
      const list = JSON.parse(data) as { itemListElement: { item?: string }[] };
      for (const element of list.itemListElement)
        if (element.item !== undefined) element.item = moveUrl(element.item, root, home);
      return `${BREADCRUMB_DATA}${serializeJsonForHtml(list)}</script>`;
    });
  const text = headLines.join("\n") + markup.slice(headEnd);
  const replacements = new Map<string, string>();
  for (const url of collectMarkupUrls(text)) {
    const target = await context.files.resolveFile(url, context.url);
    if (target) replacements.set(url, link(target.file) + target.anchor);
  }
  return replaceMarkupUrls(text, (url) => replacements.get(url) ?? url);
}

/** Returns the URL of a page or file of the site in the export, where each page is a folder. */
export function moveUrl(address: string, root: string, home: string): string {
  const url = tryParseUrl(address);
  if (!url || !`${url.href}/`.startsWith(root)) return address;
  const path = getSitePath(url, root);
  const isFile = /\.[a-z]{2,5}$/.test(path);
  return home + path + (path === "" || isFile ? "" : "/") + url.hash;
}

/** A URL in Markdown or XML, with the punctuation that may follow it. */
const URL_IN_TEXT = /https?:\/\/(?:(?!&(?:quot|lt|gt|#39);)[^\s()<>"'`\\\]])+/g;
const TRAILING_PUNCTUATION = /(?<![.,;:!?*_~])[.,;:!?*_~]+$/;

/** Rewrites a text, such as Markdown. `link` returns the URL of a file. */
export async function rewriteTextLinks(
  text: string,
  context: RewriteContext,
  link: (file: string) => string,
): Promise<string> {
  const replacements = new Map<string, string>();
  for (const [match] of text.matchAll(URL_IN_TEXT)) {
    const url = match.replace(TRAILING_PUNCTUATION, "");
    if (replacements.has(url)) continue;
    const target = await context.files.resolveFile(url, context.url);
    if (target) replacements.set(url, link(target.file) + target.anchor);
  }
  return text.replace(URL_IN_TEXT, (match) => {
    const url = match.replace(TRAILING_PUNCTUATION, "");
    return (replacements.get(url) ?? url) + match.slice(url.length);
  });
}
