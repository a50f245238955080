// Where links lead: to a place in the file, or to an address. Only addresses that a reader may open are ever written.

import type { ContentRef } from "../content/document";
import type { PrintJob } from "../content/print-job";
import { tryParseUrl } from "../utils/url";
import { MAX_URL } from "./limits";

/** Where a link leads: a place in the file if it exists, else an address, else nowhere. */
export interface Target {
  readonly place?: string | undefined;
  readonly url?: string | undefined;
}

/** The place where a page begins, or a heading in it. */
export function targetPlace(page: string, anchor?: string): string {
  return anchor === undefined ? `page:${page}` : `page:${page}#${anchor}`;
}

/** The place where the page of a place begins. */
export function pageOfPlace(place: string): string {
  const end = place.indexOf("#");
  return end < 0 ? place : place.slice(0, end);
}

/** Where a reference leads that stands on a page; undefined when it leads nowhere. */
export function targetOf(ref: ContentRef | undefined, page: string, job: PrintJob): Target | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  const place = innerPlace(ref, page);
  const url = safeUrl(ref.kind === "url" ? ref.url : job.url(ref));
  return place === undefined && url === undefined ? undefined : { place, url };
}

/** A reference that names a space leads out of the one that is printed. */
function innerPlace(ref: ContentRef, page: string): string | undefined {
  if (ref.kind === "page" && ref.space === undefined) return targetPlace(ref.page);
  if (ref.kind === "anchor" && ref.space === undefined) return targetPlace(ref.page ?? page, ref.anchor);
  return undefined;
}

/** An address as it may be written into the file, or undefined. */
export function safeUrl(address: unknown): string | undefined {
  if (typeof address !== "string" || address.length > MAX_URL) return undefined;
  const { protocol, href } = tryParseUrl(address) ?? { protocol: "", href: "" };
  return /^(?:https?|mailto|tel):$/.test(protocol) && href.length <= MAX_URL ? href : undefined;
}
