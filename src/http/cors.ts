// CORS, which is optional: the browser origins that may call the API, and the headers that they may send and see.

export interface CorsOptions {
  /** Origins that may call, or "*" for every origin. */
  readonly origins: "*" | readonly string[];
  /** Seconds for which a browser may cache the response to a preflight request. Default: 600. */
  readonly maxAge?: number;
}

export const ALLOWED_HEADERS = [
  "authorization",
  "content-type",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "range",
  "if-range",
  "idempotency-key",
  "x-request-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
].join(", ");

const EXPOSED_HEADERS = [
  "etag",
  "last-modified",
  "accept-ranges",
  "content-range",
  "location",
  "x-request-id",
  "retry-after",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "idempotent-replayed",
  "www-authenticate",
].join(", ");

/** The seconds for which a browser may cache the response to a preflight request, if the host does not say it. */
export const DEFAULT_MAX_AGE = 600;

/** Returns the CORS headers of a response to this origin; none if the origin may not call. */
export function getCorsHeaders(options: CorsOptions | undefined, origin: string | null): Record<string, string> {
  if (!options || origin === null) return {};
  if (options.origins === "*")
    return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED_HEADERS };
  if (!options.origins.includes(origin)) return { vary: "origin" };
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS, vary: "origin" };
}
