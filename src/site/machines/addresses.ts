// Addresses of the forms that a page has for machines, and addresses with their host.

import { readAddress } from "../../web-address";
import type { Visit } from "../visit";

/** The address of a page's Markdown. */
export function markdownAddress(page: string): string {
  return withEnding(page, ".md");
}

/** The address of the feed of a page. */
export function feedAddress(page: string): string {
  return withEnding(page, "/rss.xml");
}

/** A preview has its token behind the path. */
function withEnding(address: string, ending: string): string {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  return path.replace(/(?<!\/)\/+$/, "") + ending + rest;
}

/** An address of the site with its host, as this visitor reaches it. */
export function absolute({ url, local }: Pick<Visit, "url" | "local">, href: string): string {
  return readAddress(local(href), url)?.href ?? href;
}
