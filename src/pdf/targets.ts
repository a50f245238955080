// Targets of links: a place in the file, or a URL. Only URLs with a safe scheme are ever written.

import type { ContentRef } from "../content/document";
import type { PrintJob } from "../content/print-job";
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

/** Returns the place where the page of a place begins. */
export function getPagePlace(place: string): string {
  const end = place.indexOf("#");
  return end < 0 ? place : place.slice(0, end);
}

/** Resolves a reference on a page. Returns undefined if it has no target. */
export function resolveLinkTarget(ref: ContentRef | undefined, page: string, job: PrintJob): PdfLinkTarget | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  // A reference that names a space points outside of the printed one.
  let place: string | undefined;
  if (ref.kind === "page" && ref.space === undefined) place = getPlaceName(ref.page);
  if (ref.kind === "anchor" && ref.space === undefined) place = getPlaceName(ref.page ?? page, ref.anchor);
  const url = sanitizeUrl(ref.kind === "url" ? ref.url : job.url(ref));
  return place === undefined && url === undefined ? undefined : { place, url };
}

/** Returns a normalized URL that is safe to write into the file, or undefined. */
export function sanitizeUrl(address: unknown): string | undefined {
  if (typeof address !== "string" || address.length > MAX_URL) return undefined;
  const { protocol, href } = tryParseUrl(address) ?? { protocol: "", href: "" };
  return /^(?:https?|mailto|tel):$/.test(protocol) && href.length <= MAX_URL ? href : undefined;
}
