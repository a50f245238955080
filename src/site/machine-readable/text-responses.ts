// Text responses for crawlers and agents.

import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { createTextResponse } from "../responses/responses";

export const MARKDOWN = "text/markdown; charset=utf-8";
export const PLAIN = "text/plain; charset=utf-8";
export const XML = "application/xml; charset=utf-8";
export const RSS = "application/rss+xml; charset=utf-8";

/** Responds with a text that may be cached by everybody if the site is public, otherwise only by this visitor. */
export function createMachineResponse(
  { isPublic }: Pick<RequestContext, "isPublic">,
  text: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): CacheableResponse {
  return createTextResponse(text, { type, holders: isPublic ? "everybody" : "visitor", headers });
}
