// Forms that readers submit.

import type { PlainRequest } from "../../http/plain-request";
import type { RequestContext } from "./request-context";

const MAX_FORM_BYTES = 64 * 1024;

/** Returns the fields of a form. */
export async function readForm(request: PlainRequest): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await request.body(MAX_FORM_BYTES)));
}

/** Returns true if a form was sent by a page of the same origin, so that other sites cannot make browsers send it. */
export function isSameOriginForm({ request, url }: RequestContext): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return origin === url.origin;
  return request.headers.get("sec-fetch-site") === "same-origin";
}
