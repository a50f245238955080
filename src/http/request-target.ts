// Reads the target of a request. A target is a path on the requested host, and is never resolved as a reference: to a browser
// `//docs.example/` at `api.example` is a page of `api.example`, whatever the rules for references say. Every handler reads targets
// with these functions.

import { tryParseUrl } from "../utils/url";
import type { PlainRequest } from "./plain-request";

/** A host name or an address in brackets, perhaps with a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:[\]]+)(?::\d{1,5})?$/i;
/** A path that begins with a single slash. Parsers of URLs drop tabs and line breaks, so the path may have none. */
const PATH = /^\/(?![/\\])[^\x00-\x20\x7f]*$/;

/**
 * Returns the path and the query of a target as it was sent (RFC 9112, 3.2), or undefined if the target is malformed or names
 * another host than the request. `host` is the `Host` header, or `:authority`.
 */
export function readRequestTarget(target: string, host: string | undefined): string | undefined {
  if (host && !HOST.test(host)) return undefined;
  if (PATH.test(target)) return target;
  const url = tryParseUrl(target);
  if (!url || !host || !isWebUrl(url, host)) return undefined;
  const path = url.pathname + url.search;
  return PATH.test(path) ? path : undefined;
}

/**
 * Returns the URL of a target, or undefined if it is malformed. The target is a path below `origin`, which has no slash at its end,
 * or the URL that the platform made of the request.
 */
export function parseTarget(target: string, origin = "http://localhost"): URL | undefined {
  return tryParseUrl(target.startsWith("/") ? origin + target : target);
}

/**
 * Returns the URL that the browser requested, by the `Host` header and with the scheme of `origin`, or undefined if the request
 * does not name one host. Without a `Host` header the URL is at `origin`.
 */
export function readRequestUrl(
  { url, headers }: Pick<PlainRequest, "url" | "headers">,
  origin: string,
): URL | undefined {
  const protocol = origin.slice(0, origin.indexOf("//"));
  const host = headers.get("host") || undefined;
  if (host !== undefined && !HOST.test(host)) return undefined;
  const requestUrl = parseTarget(url, host === undefined ? origin : `${protocol}//${host}`);
  if (!requestUrl || !isWebUrl(requestUrl, host)) return undefined;
  // Behind a proxy that ends TLS, the platform sees plain http.
  if (protocol === "https:" && requestUrl.protocol !== protocol) requestUrl.protocol = protocol;
  return requestUrl;
}

/** Returns true if a URL is one of the web, and at a host if one is given. The default port of its scheme may be left out. */
function isWebUrl({ protocol, username, password, host }: URL, requestedHost: string | undefined): boolean {
  const isWeb = (protocol === "https:" || protocol === "http:") && username === "" && password === "";
  // Most hosts are requested as URLs write them, and parsing a URL takes longer than everything else here.
  const isRequested = requestedHost === undefined || requestedHost === host;
  return isWeb && (isRequested || tryParseUrl(`${protocol}//${requestedHost}`)?.host === host);
}
