// Responses of sites: pages with a strict content security policy, redirects, and plain texts.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { PlainResponse } from "../../http/plain-request";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import { toLocation } from "../../utils/url";
import { VersionedCache } from "../../utils/versioned-cache";
import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";

/** The additions to the content security policy of a page. */
export interface ContentPolicyOptions {
  /** The inline styles of the page. */
  readonly styles: readonly string[];
  /** The sources of the site's own scripts. Default: none. */
  readonly ownScripts?: string;
  /** Further sources of scripts. */
  readonly scripts?: readonly string[];
  /** Further sources of styles. */
  readonly styleSources?: readonly string[];
  /** The origins that scripts may send requests to. */
  readonly connects?: readonly string[];
}

const MAX_CACHED_DIGESTS = 200;
/** The digests of inline styles. The pages of a site have few different ones. */
const styleDigests = new VersionedCache<string>(MAX_CACHED_DIGESTS);

/** The headers of every response. */
export const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
};

/** The caches that may store a response: shared caches, the visitor's browser, or none. */
export type CacheAudience = "everybody" | "visitor" | "nobody";

/** The header `Cache-Control` of each audience. */
export const CACHE_CONTROL: Readonly<Record<CacheAudience, string>> = {
  // A browser revalidates every time, and gets 304. A shared cache may be a minute behind.
  everybody: "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
  visitor: "private, no-cache",
  nobody: "no-store",
};

/** The request headers that a response depends on. */
export const VARY = "accept, accept-encoding, authorization, cookie";

/** Responds with a page and its content security policy. */
export function createPageResponse(
  text: string,
  {
    status = 200,
    holders,
    styles,
    styleSources = [],
    ownScripts = "'none'",
    scripts = [],
    connects = [],
  }: ContentPolicyOptions & { readonly status?: number; readonly holders: CacheAudience },
): CacheableResponse {
  const hashes = styles.map((style) => {
    let digest = styleDigests.get(style);
    if (digest === undefined) {
      digest = btoa(String.fromCharCode(...sha256(utf8ToBytes(style))));
      styleDigests.set(style, digest);
    }
    return `'sha256-${digest}'`;
  });
  // The policy has no nonce, so a page has the same bytes for everybody and can be cached.
  const policy = [
    "default-src 'none'",
    `style-src ${["'self'", ...hashes, ...styleSources].join(" ")}`,
    `script-src ${[ownScripts, ...scripts].join(" ")}`,
    `connect-src ${["'self'", ...connects].join(" ")}`,
    // Authors use images of any host and choose what is embedded. None of it runs in this origin.
    "img-src 'self' https: http: data:",
    "media-src https: http:",
    "font-src 'self' https:",
    "frame-src https: http:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return createTextResponse(text, {
    status,
    type: "text/html; charset=utf-8",
    holders,
    headers: { "content-security-policy": policy.join("; ") },
  });
}

/** Responds with a text of any type. Its ETag is the digest of its content. */
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

/** Responds with a sentence, for a request that is refused. */
export function createPlainResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): CacheableResponse {
  return createTextResponse(text, { status, type: "text/plain; charset=utf-8", holders: "nobody", headers });
}

/**
 * Redirects permanently (308), temporarily (307), or to a page after a form was sent (303). `to` is a URL, or a path at the origin
 * of the request.
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
