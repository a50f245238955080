// What a page says of itself in its head: title, name of the site, icon, and where its oEmbed answer is.

import { baseOf, headOf } from "../html/head";
import { attribute, findAll } from "../html/looking";
import { type Element, parseHtml } from "../html/tree";
import { publicAddress } from "./public-name";

export interface PageHead {
  readonly title?: string | undefined;
  readonly site?: string | undefined;
  readonly icon?: string | undefined;
  /** The address of the oEmbed answer about the page. */
  readonly oEmbed?: URL | undefined;
}

/** The longest address of an icon. One that holds its own bytes is longer, and is left out. */
const MAX_ICON = 2048;

/** Reads the head of a page that came from a URL. */
export function pageHead(html: string, url: string): PageHead {
  const root = parseHtml(html);
  const head = headOf(root);
  const base = baseOf(head, url);
  const links = findAll(root, ({ name }) => name === "link");
  const led = (link: Element | undefined) => link && webAddress(attribute(link, "href").trim(), base);
  const icon = led(
    links.find((link) => hasRel(link, "icon")) ?? links.find((link) => hasRel(link, "apple-touch-icon")),
  );
  const oEmbed = links.find(
    (link) => hasRel(link, "alternate") && attribute(link, "type").trim().toLowerCase() === "application/json+oembed",
  );
  return {
    title: head.title,
    site: head.siteName,
    icon: icon && icon.href.length <= MAX_ICON ? icon.href : undefined,
    oEmbed: led(oEmbed),
  };
}

function hasRel(link: Element, wanted: string): boolean {
  return attribute(link, "rel").slice(0, 200).toLowerCase().split(/\s+/).includes(wanted);
}

function webAddress(href: string, base: string | undefined): URL | undefined {
  return href === "" ? undefined : publicAddress(href, base);
}
