// Links as attributes of an element. Only URLs that a browser may safely follow become links.

import { isSafeUrl } from "../../content/document/safe-url";
import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";

/**
 * URLs that may be written into `href`. Any other URL that an author wrote is not followed. A relative URL that begins with a name
 * is none of them: a page has no files beside it.
 */
export const FOLLOWABLE = /^(?:https?:|mailto:|tel:|[/#?.]|$)/i;

/** Returns a URL that a browser may follow. Backslashes are escaped as in CommonMark, because browsers treat them as slashes. */
export function sanitizeHref(href: string): string {
  return FOLLOWABLE.test(href) ? href.replaceAll("\\", "%5C") : "#";
}

/**
 * Returns the URL of a file or an image as a browser may load it, or undefined if it is relative: a page has no files beside it,
 * so the browser would load another page.
 */
export function sanitizeFileHref(href: string): string | undefined {
  if (/^data:/i.test(href)) return isSafeUrl(href, "image") ? href : undefined;
  return /^(?:https?:|\/)/i.test(href) ? sanitizeHref(href) : undefined;
}

/** Renders the attributes of a link. Links to other origins open as the customization of the site says. */
export function renderLinkAttributes(
  { toLocalUrl, customization, url }: Pick<PageContext, "toLocalUrl" | "customization" | "url">,
  address: string,
): Markup {
  const href = sanitizeHref(toLocalUrl(address));
  const isExternal = /^https?:/i.test(href) && !href.startsWith(`${url.origin}/`);
  return isExternal && customization.externalLinks.target === "blank"
    ? html`href="${href}" target="_blank" rel="noopener"`
    : html`href="${href}"`;
}
