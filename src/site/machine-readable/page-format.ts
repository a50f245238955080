// The format in which a page is requested: HTML, Markdown (`<page>.md` or the header `Accept`), PDF (`<page>.pdf`), or the feed of
// its updates (`<page>/rss.xml`). Slugs contain no dots, so no page has such a URL itself.

import { parseUrl } from "../../utils/url";

export type PageFormat = "page" | "markdown" | "pdf" | "feed";

export interface RequestedFormat {
  readonly format: PageFormat;
  /** The URLs of the page that the request may refer to, the most likely first. The last is the URL of the request. */
  readonly urls: readonly URL[];
}

const EXTENSIONS = [
  [".md", "markdown"],
  [".pdf", "pdf"],
] as const;

/** Returns the format that a request asks for. */
export function parseRequestedFormat(url: URL, accept: string | null): RequestedFormat {
  const path = url.pathname;
  const withPath = (pathname: string): URL => {
    const other = parseUrl(url.href);
    other.pathname = pathname === "" ? "/" : pathname;
    return other;
  };
  if (path.endsWith("/rss.xml")) return { format: "feed", urls: [withPath(path.slice(0, -"/rss.xml".length)), url] };
  for (const [extension, format] of EXTENSIONS) {
    if (!path.endsWith(extension)) continue;
    const pagePath = path.slice(0, -extension.length);
    // `guide/index.md` and `guide/readme.md` may be the Markdown of `guide`.
    const folder = /^(.*)\/(?:index|readme)$/i.exec(pagePath)?.[1];
    const paths = folder === undefined ? [pagePath] : [pagePath, folder];
    return { format, urls: [...paths.map(withPath), url] };
  }
  return { format: isMarkdownPreferred(accept) ? "markdown" : "page", urls: [url] };
}

/** Returns true if the header `Accept` contains Markdown, and does not prefer HTML. Browsers never send it. */
export function isMarkdownPreferred(accept: string | null): boolean {
  if (!accept?.includes("text/markdown")) return false;
  const weights = new Map(
    accept
      .slice(0, 1000)
      .split(",")
      .map((range): [type: string, weight: number] => {
        const [type = "", ...parameters] = range.split(";").map((it) => it.trim().toLowerCase());
        const weight = Number(parameters.find((it) => it.startsWith("q="))?.slice(2) ?? 1);
        return [type, Number.isNaN(weight) ? 0 : weight];
      }),
  );
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0);
}
