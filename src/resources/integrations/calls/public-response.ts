// Passes the response of an integration on to a caller, who may be anybody. The response cannot act for this origin, and cannot
// redirect to a URL that runs code.

import { createError } from "../../../errors";
import { toLocation, tryParseUrl } from "../../../utils/url";
import type { IntegrationResponse, Invocation, InvocationContext } from "./invocation";
import { invokeIntegration } from "./invoke";

/** Headers of a response that describe only the response itself. */
const FORWARDED_HEADERS = new Set([
  ...["cache-control", "content-disposition", "content-language", "content-type", "etag", "expires", "last-modified"],
  ...["link", "location", "retry-after", "vary"],
]);
/** Custom headers, except for those that mean something to browsers, proxies or this API. */
const CUSTOM_HEADER =
  /^x-(?!frame-options|content-type-options|request-id|ratelimit-|powered-by|accel-|sendfile)[a-z0-9-]+$/i;

/** The most headers in each direction. */
export const MAX_HEADERS = 100;
/** A page of an integration runs in a separate origin. */
const CONTENT_SECURITY_POLICY = "sandbox allow-forms allow-popups allow-scripts";

/** Invokes an integration and returns its response. The reason for a failure is shown only to those who run the integration. */
export async function getIntegrationResponse(
  context: InvocationContext,
  invocation: Invocation,
): Promise<IntegrationResponse> {
  const { answer } = await invokeIntegration(context, invocation);
  if (!answer) throw createError("integration_failed");
  return answer;
}

/**
 * Returns the headers of a response that may be passed on, and those that isolate it. No value can begin another header, and no
 * redirect leads to a URL that runs code.
 */
export function filterResponseHeaders(headers: IntegrationResponse["headers"]): Record<string, string> {
  const forwarded = headers.flatMap(([mixedCaseName, value]): [name: string, value: string][] => {
    const name = mixedCaseName.toLowerCase();
    if (!FORWARDED_HEADERS.has(name) && !CUSTOM_HEADER.test(name)) return [];
    if (!/^[\x20-\x7e\x80-\xff]*$/.test(value)) return [];
    if (name !== "location" || /^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return [[name, value]];
    const isWebUrl = /^https?:\/\//i.test(value) && tryParseUrl(value) !== undefined;
    return isWebUrl ? [[name, toLocation(value)]] : [];
  });
  return {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...Object.fromEntries(forwarded.slice(0, MAX_HEADERS)),
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
  };
}
