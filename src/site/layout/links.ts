// Links as attributes of an element.

import { isSafeUrl } from "../../content/document/safe-url";
import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";

/** What may be written into `href`. Everything else an author wrote leads nowhere. */
const SAFE = /^(?:https?:|mailto:|tel:|[/#?.]|$)/i;

/** Returns whether an address leads anywhere. Nothing is beside a page of a site, so one that begins with a name leads nowhere. */
export function isFollowableHref(href: string): boolean {
  return SAFE.test(href);
}

/** An address that a browser may follow. A backslash is written as CommonMark writes it: browsers take one for a slash. */
export function sanitizeHref(href: string): string {
  return SAFE.test(href) ? href.replaceAll("\\", "%5C") : "#";
}

/**
 * The address of a file or an image as a browser may ask for it. Returns undefined for one that is relative: a page has no
 * files beside it, so a browser would ask for another page.
 */
export function sanitizeFileHref(href: string): string | undefined {
  if (/^data:/i.test(href)) return isSafeUrl(href, "image") ? href : undefined;
  return /^(?:https?:|\/)/i.test(href) ? sanitizeHref(href) : undefined;
}

/** The attributes of a link that may lead to another host. Those open as the site's look says. */
export function renderLinkAttributes(
  { toLocalUrl, customization, url }: Pick<PageContext, "toLocalUrl" | "customization" | "url">,
  address: string,
): Markup {
  const href = sanitizeHref(toLocalUrl(address));
  const leaves = /^https?:/i.test(href) && !href.startsWith(`${url.origin}/`);
  return leaves && customization.externalLinks.target === "blank"
    ? html`href="${href}" target="_blank" rel="noopener"`
    : html`href="${href}"`;
}
