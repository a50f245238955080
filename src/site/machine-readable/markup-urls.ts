// The URLs in markup that the HTML templates of sites have rendered. Attributes there always have quotes, and quotes in texts
// are escaped, so URLs are found without a parser.

import { escapeHtml } from "../../utils/html";

const URL_ATTRIBUTE = /(\s(?:href|src|srcset|poster|action|data)=")([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Returns all URLs of markup, each once. */
export function collectMarkupUrls(markup: string): Set<string> {
  const urls = new Set<string>();
  replaceMarkupUrls(markup, (url) => {
    urls.add(url);
    return url;
  });
  return urls;
}

/** Returns markup in which each URL is replaced with the result of `change`. */
export function replaceMarkupUrls(markup: string, change: (url: string) => string): string {
  return markup.replace(URL_ATTRIBUTE, (_, before: string, escaped: string) => {
    const value = escaped.replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => ENTITIES[name]!);
    if (!before.includes("srcset")) return `${before}${escapeHtml(change(value))}"`;
    // `a.png 1x, b.png 2x`: a URL ends at a space.
    const sources = value.split(/,\s+/).map((source) => {
      const [url = "", ...size] = source.trim().split(/\s+/);
      return [change(url), ...size].join(" ");
    });
    return `${before}${escapeHtml(sources.join(", "))}"`;
  });
}
