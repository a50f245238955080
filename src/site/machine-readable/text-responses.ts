// Text responses for crawlers and agents.

import type { CacheableResponse } from "../cache/response-cache";
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

/** Responds to agents on a site with a login, which they cannot follow. */
export function createClosedMcpResponse(): CacheableResponse {
  return createTextResponse(
    "This site is for visitors who are signed in: send the visitor's JWT as a bearer token.\n",
    {
      status: 401,
      type: PLAIN,
      holders: "nobody",
      headers: { "www-authenticate": "Bearer" },
    },
  );
}

/** Responds with 404 and a sentence that says why. */
export function createMachineNotFound(sentence: string): CacheableResponse {
  return createTextResponse(`${sentence}\n`, { status: 404, type: PLAIN, holders: "nobody" });
}
