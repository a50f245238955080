// Answers for machines beside the pages: they are for whoever sees the page, and search engines keep the page itself.

import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { type CacheAudience, createTextResponse } from "../responses/responses";

export const MARKDOWN = "text/markdown; charset=utf-8";
export const PLAIN = "text/plain; charset=utf-8";
export const XML = "application/xml; charset=utf-8";
export const RSS = "application/rss+xml; charset=utf-8";

/** A text for this visitor. */
export function createMachineResponse(
  context: Pick<RequestContext, "isPublic">,
  text: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): CacheableResponse {
  const holders: CacheAudience = context.isPublic ? "everybody" : "visitor";
  return createTextResponse(text, { type, holders, headers });
}

/** What is not there. */
export function createMachineNotFound(sentence: string): CacheableResponse {
  return createTextResponse(`${sentence}\n`, { status: 404, type: PLAIN, holders: "nobody" });
}
