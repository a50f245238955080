// Responses to OAuth clients: JSON that no cache stores, and that pages of every site may read, because no response depends on
// a cookie.

import type { PlainResponse } from "../../http/plain-request";

/** An error with a code of RFC 6749 or its extensions. */
export class OAuthError extends Error {
  constructor(
    readonly code: string,
    description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}

const OPEN_HEADERS = { "access-control-allow-origin": "*", "x-content-type-options": "nosniff" };

export function createOAuthResponse(
  status: number,
  value: object | undefined,
  headers: Record<string, string> = {},
): PlainResponse {
  const allHeaders = { ...OPEN_HEADERS, "cache-control": "no-store", ...headers };
  if (value === undefined) return { status, headers: allHeaders, body: undefined };
  return { status, headers: { "content-type": "application/json", ...allHeaders }, body: JSON.stringify(value) };
}

export function createOAuthErrorResponse(
  { code, message, status }: OAuthError,
  headers?: Record<string, string>,
): PlainResponse {
  return createOAuthResponse(status, { error: code, error_description: message }, headers);
}

/** Responds to the preflight request of a browser, for pages of all sites. */
export function createPreflightResponse(methods: string): PlainResponse {
  const headers = {
    ...OPEN_HEADERS,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "content-type, mcp-protocol-version",
    "access-control-max-age": "86400",
  };
  return { status: 204, headers, body: undefined };
}
