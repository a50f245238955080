// Forms that readers send.

import type { PlainRequest } from "../../http/plain-request";
import type { RequestContext } from "./request-context";

const MOST_BYTES = 64 * 1024;

/** The fields of a form. */
export async function readForm(request: PlainRequest): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await request.body(MOST_BYTES)));
}

/** Whether a form was sent by one of the site's own pages, and not by another site that makes browsers send it. */
export function isSameOriginForm({ request, url }: RequestContext): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return origin === url.origin;
  return request.headers.get("sec-fetch-site") === "same-origin";
}
