// The form in which a page is asked for: as HTML, as Markdown (`<page>.md`, or by the header `Accept`), as PDF (`<page>.pdf`),
// or as the feed of its updates (`<page>/rss.xml`). Slugs hold no dots, so no page has such an address itself.

import { parseUrl } from "../../utils/url";

export type PageFormat = "page" | "markdown" | "pdf" | "feed";

export interface RequestedFormat {
  readonly format: PageFormat;
  /** What the address may mean, the likeliest first. The last is the address itself. */
  readonly urls: readonly URL[];
}

/** What a request asks for. */
export function parseRequestedFormat(url: URL, accept: string | null): RequestedFormat {
  const path = url.pathname;
  if (path.endsWith("/rss.xml"))
    return { format: "feed", urls: [replacePath(url, path.slice(0, -"/rss.xml".length)), url] };
  for (const [ending, form] of ENDINGS)
    if (path.endsWith(ending)) return { format: form, urls: listUrlsWithoutExtension(url, ending) };
  return { format: prefersMarkdown(accept) ? "markdown" : "page", urls: [url] };
}

const ENDINGS = [
  [".md", "markdown"],
  [".pdf", "pdf"],
] as const;

function listUrlsWithoutExtension(url: URL, ending: string): readonly URL[] {
  const bare = url.pathname.slice(0, -ending.length);
  const folder = /^(.*)\/(?:index|readme)$/i.exec(bare)?.[1];
  const paths = folder === undefined ? [bare] : [bare, folder];
  return [...paths.map((it) => replacePath(url, it)), url];
}

function replacePath(url: URL, path: string): URL {
  const other = parseUrl(url.href);
  other.pathname = path === "" ? "/" : path;
  return other;
}

/** Whether a client names Markdown, and wants HTML no more than that. Browsers do not name it. */
export function prefersMarkdown(accept: string | null): boolean {
  if (!accept?.includes("text/markdown")) return false;
  const weights = new Map(accept.slice(0, 1000).split(",").map(parseMediaRange));
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0);
}

function parseMediaRange(range: string): [type: string, weight: number] {
  const [type = "", ...parameters] = range.split(";").map((it) => it.trim().toLowerCase());
  const weight = Number(parameters.find((it) => it.startsWith("q="))?.slice(2) ?? 1);
  return [type, Number.isNaN(weight) ? 0 : weight];
}
