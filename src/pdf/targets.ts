// Targets of links: a place in the file, or a URL. Only URLs with a safe scheme are ever written.

import { tryParseUrl } from "../utils/url";
import { MAX_URL } from "./limits";

/** The target of a link: the place in the file if it exists, or else the URL. */
export interface PdfLinkTarget {
  readonly place?: string | undefined;
  readonly url?: string | undefined;
}

/** Returns the name of the place where a page, or a heading in it, begins. */
export function getPlaceName(page: string, anchor?: string): string {
  return anchor === undefined ? `page:${page}` : `page:${page}#${anchor}`;
}

/** Returns a normalized URL that is safe to write into the file, or undefined. */
export function sanitizeUrl(address: unknown): string | undefined {
  if (typeof address !== "string" || address.length > MAX_URL) return undefined;
  const { protocol, href } = tryParseUrl(address) ?? { protocol: "", href: "" };
  return /^(?:https?|mailto|tel):$/.test(protocol) && href.length <= MAX_URL ? href : undefined;
}
