// Links as attributes of an element.

import { html, type Markup } from "../../markup";
import type { Drawing } from "../visit";

/** What may be written into `href`. Everything else an author wrote leads nowhere. */
const SAFE = /^(?:https?:|mailto:|tel:|[/#?.]|$)/i;

/** An address that a browser may follow. */
export function safeHref(href: string): string {
  return SAFE.test(href) ? href : "#";
}

/** The attributes of a link that may lead to another host. Those open as the site's look says. */
export function outward({ local, look, url }: Pick<Drawing, "local" | "look" | "url">, address: string): Markup {
  const href = safeHref(local(address));
  const leaves = /^https?:/i.test(href) && !href.startsWith(`${url.origin}/`);
  return leaves && look.externalLinks.target === "blank"
    ? html`href="${href}" target="_blank" rel="noopener"`
    : html`href="${href}"`;
}
