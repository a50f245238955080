// Optional CORS: which browser origins may call, and what they may see of an answer.

export interface CorsOptions {
  /** Origins that may call, or "*" for every one. */
  readonly origins: "*" | readonly string[];
  /** Seconds for which a browser may keep the answer to a preflight. Default: 600. */
  readonly maxAge?: number;
}

const ALLOWED_HEADERS =
  "authorization, content-type, if-match, if-none-match, if-modified-since, range, if-range, idempotency-key, x-request-id, mcp-protocol-version, mcp-method, mcp-name";
const EXPOSED_HEADERS =
  "etag, last-modified, accept-ranges, content-range, location, x-request-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, idempotent-replayed, www-authenticate";

/** The headers for an answer to this origin; none when the origin may not call. */
export function corsHeaders(options: CorsOptions | undefined, origin: string | null): Record<string, string> {
  if (!options || origin === null) return {};
  if (options.origins === "*")
    return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED_HEADERS };
  if (!options.origins.includes(origin)) return { vary: "origin" };
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS, vary: "origin" };
}

/** Further headers of the answer to a preflight. */
export function preflightHeaders(options: CorsOptions, methods: readonly string[]): Record<string, string> {
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": String(options.maxAge ?? 600),
  };
}
