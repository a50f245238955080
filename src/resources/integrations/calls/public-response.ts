// Passes the answer of an integration on to the caller, who may be anybody. The answer cannot act for this origin, and
// cannot redirect to a URL that runs code.

import { createError } from "../../../errors";
import { toLocation, tryParseUrl } from "../../../utils/url";
import { invokeIntegration } from "./ask";
import type { IntegrationResponse, Invocation, InvocationContext } from "./invocation";

/** Headers of an answer that describe only the answer itself. */
const PASSED =
  /^(?:content-type|content-language|content-disposition|cache-control|expires|etag|last-modified|vary|retry-after|location|link|x-(?!frame-options|content-type-options|request-id|ratelimit-|powered-by|accel-|sendfile)[a-z0-9-]+)$/i;
/** The most headers in each direction. */
export const MAX_HEADERS = 100;
/** A page of an integration runs in a separate origin. */
const POLICY = "sandbox allow-forms allow-popups allow-scripts";

/**
 * The answer of an integration for a caller who may be anybody. Why there is no answer is shown only to those who run
 * the integration.
 */
export async function getIntegrationResponse(
  work: InvocationContext,
  question: Invocation,
): Promise<IntegrationResponse> {
  const { answer } = await invokeIntegration(work, question);
  if (!answer) throw createError("integration_failed");
  return answer;
}

/** The headers of an answer that may be passed on, and those that isolate it. */
export function filterResponseHeaders(headers: IntegrationResponse["headers"]): Record<string, string> {
  const passed = headers.flatMap(([name, value]) => passHeader(name.toLowerCase(), value) ?? []).slice(0, MAX_HEADERS);
  return {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...Object.fromEntries(passed),
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
  };
}

/** Returns a header as it is passed on. No value can begin another header, and no redirect leads to a URL that runs code. */
function passHeader(name: string, value: string): [[name: string, value: string]] | undefined {
  if (!PASSED.test(name) || !/^[\x20-\x7e\x80-\xff]*$/.test(value)) return undefined;
  if (name !== "location" || /^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return [[name, value]];
  const isWeb = /^https?:\/\//i.test(value) && tryParseUrl(value) !== undefined;
  return isWeb ? [[name, toLocation(value)]] : undefined;
}
