// Answers of the reader: pages with a policy that lets only run and load what belongs there, redirects, and plain texts.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { PlainResponse } from "../../http/plain-request";
import { LruCache } from "../../utils/lru-cache";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import { toLocation } from "../../utils/url";
import type { CacheableResponse } from "../cache/response-cache";

/** What a page may do beyond the least. */
export interface ContentPolicyOptions {
  /** The style that stands in the page itself. */
  readonly styles: readonly string[];
  /** The sources of the reader's own scripts. Default: the page has none. */
  readonly ownScripts?: string;
  /** Sources of scripts besides the reader's own. */
  readonly scripts?: readonly string[];
  /** Sources of style besides the reader's own. */
  readonly styleSources?: readonly string[];
  /** Where the page's scripts may send requests. */
  readonly connects?: readonly string[];
}

/** The policy of a page. There is no nonce, so the same page has the same bytes for everybody and can be kept. */
export function buildContentPolicy({
  styles,
  styleSources = [],
  ownScripts = "'none'",
  scripts = [],
  connects = [],
}: ContentPolicyOptions): string {
  const hashes = styles.map((style) => `'sha256-${digestOf(style)}'`);
  return [
    "default-src 'none'",
    `style-src ${["'self'", ...hashes, ...styleSources].join(" ")}`,
    `script-src ${[ownScripts, ...scripts].join(" ")}`,
    `connect-src ${["'self'", ...connects].join(" ")}`,
    // Authors put images of any host on their pages, and choose what is embedded. Nothing of it runs in this origin.
    "img-src 'self' https: http: data:",
    "media-src https: http:",
    "font-src 'self' https:",
    "frame-src https: http:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

const MOST_KEPT = 200;
const kept = new LruCache<{ readonly digest: string }>(MOST_KEPT);

/** The digest of a style. The pages of a site have few. */
function digestOf(style: string): string {
  const known = kept.get(style) ?? { digest: btoa(String.fromCharCode(...sha256(utf8ToBytes(style)))) };
  kept.set(style, known);
  return known.digest;
}

/** What every answer says. */
export const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
};

/** Who may hold an answer. */
export type CacheAudience = "everybody" | "visitor" | "nobody";

/** How an answer may be held. */
export const CACHE_CONTROL: Readonly<Record<CacheAudience, string>> = {
  // A browser asks again every time, and gets 304. A cache in front may be a minute behind.
  everybody: "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
  visitor: "private, no-cache",
  nobody: "no-store",
};

/** What an answer depends on beside its address. */
export const VARY = "accept, accept-encoding, authorization, cookie";

/** A page. */
export function createPageResponse(
  text: string,
  {
    status = 200,
    holders,
    ...allowed
  }: ContentPolicyOptions & { readonly status?: number; readonly holders: CacheAudience },
): CacheableResponse {
  return createTextResponse(text, {
    status,
    type: "text/html; charset=utf-8",
    holders,
    headers: { "content-security-policy": buildContentPolicy(allowed) },
  });
}

/** A text of any type. Its tag is the digest of what is sent. */
export function createTextResponse(
  body: string,
  {
    status = 200,
    type,
    holders,
    headers = {},
  }: {
    readonly status?: number;
    readonly type: string;
    readonly holders: CacheAudience;
    readonly headers?: Readonly<Record<string, string>>;
  },
): CacheableResponse {
  return {
    status,
    headers: {
      ...SAFE_HEADERS,
      "content-type": type,
      "cache-control": CACHE_CONTROL[holders],
      vary: VARY,
      ...omitUndefined({ etag: status === 200 ? `"${sha256Hex(body).slice(0, 32)}"` : undefined }),
      ...headers,
    },
    body,
  };
}

/** A sentence, for what is refused. */
export function createPlainResponse(status: number, text: string): CacheableResponse {
  return createTextResponse(text, { status, type: "text/plain; charset=utf-8", holders: "nobody" });
}

/**
 * Leads elsewhere: for good (308), for now (307), or on to a page after something was sent (303). `to`: a URL, or a path at the
 * origin of the one that was visited.
 */
export function createRedirect(
  status: 303 | 307 | 308,
  to: string,
  {
    url,
    holders,
    cookies = [],
  }: { readonly url: Pick<URL, "origin">; readonly holders: CacheAudience; readonly cookies?: readonly string[] },
): PlainResponse {
  return {
    status,
    headers: { ...SAFE_HEADERS, location: toLocation(to, url.origin), "cache-control": CACHE_CONTROL[holders] },
    body: undefined,
    cookies,
  };
}
