// The metadata in the head of a page: its title, the name of its site, its icon, and the URL of its oEmbed response.

import { findElements, getAttribute } from "../html/elements";
import { readHead, resolveBaseUrl } from "../html/head";
import { type HtmlElement, parseHtml } from "../html/parse-html";
import { parsePublicUrl } from "./public-host";

export interface PageMetadata {
  readonly title?: string | undefined;
  readonly site?: string | undefined;
  readonly icon?: string | undefined;
  /** The URL of the oEmbed response about the page. */
  readonly oEmbed?: URL | undefined;
}

/** The longest URL of an icon. One that holds its own bytes is longer, and is left out. */
const MAX_ICON_URL_LENGTH = 2048;

/** Reads the metadata of a page that came from a URL. */
export function readPageMetadata(html: string, url: string): PageMetadata {
  const root = parseHtml(html);
  const head = readHead(root);
  const baseUrl = resolveBaseUrl(head, url);
  const links = findElements(root, ({ name }) => name === "link");
  const hasRel = (link: HtmlElement, rel: string) =>
    getAttribute(link, "rel").slice(0, 200).toLowerCase().split(/\s+/).includes(rel);
  const resolve = (link: HtmlElement | undefined) => {
    const href = link ? getAttribute(link, "href").trim() : "";
    return href === "" ? undefined : parsePublicUrl(href, baseUrl);
  };

  const icon = resolve(
    links.find((link) => hasRel(link, "icon")) ?? links.find((link) => hasRel(link, "apple-touch-icon")),
  );
  const oEmbedLink = links.find((link) => {
    const type = getAttribute(link, "type").trim().toLowerCase();
    return type === "application/json+oembed" && hasRel(link, "alternate");
  });
  return {
    title: head.title,
    site: head.siteName,
    icon: icon && icon.href.length <= MAX_ICON_URL_LENGTH ? icon.href : undefined,
    oEmbed: resolve(oEmbedLink),
  };
}
