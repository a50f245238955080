// Answers to tools: JSON that no cache keeps and every page may read, because nothing in them depends on a cookie.

import type { PlainResponse } from "../../http/plain-request";

/** A refusal in the words of RFC 6749 and its kin. */
export class OAuthError extends Error {
  constructor(
    readonly code: string,
    description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}

const OPEN = { "access-control-allow-origin": "*", "x-content-type-options": "nosniff" };

export function answer(status: number, value: object | undefined, headers: Record<string, string> = {}): PlainResponse {
  const told = { ...OPEN, "cache-control": "no-store", ...headers };
  if (value === undefined) return { status, headers: told, body: undefined };
  return { status, headers: { "content-type": "application/json", ...told }, body: JSON.stringify(value) };
}

export function errorAnswer({ code, message, status }: OAuthError, headers?: Record<string, string>): PlainResponse {
  return answer(status, { error: code, error_description: message }, headers);
}

/** What a browser asks before a page of another site may send more than a form. */
export function preflight(methods: string): PlainResponse {
  const allowed = {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "content-type, mcp-protocol-version",
    "access-control-max-age": "86400",
  };
  return { status: 204, headers: { ...OPEN, ...allowed }, body: undefined };
}
