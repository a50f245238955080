// Reads the target of a request. A target is a path on the host that was asked, and is never resolved as a reference: to a
// browser `//docs.example/` at `api.example` is a page of `api.example`, whatever the rules for references make of it. Every
// handler reads targets with these functions.

import { parseUrl, tryParseUrl } from "../utils/url";

interface Request {
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** A host name or an address in brackets, perhaps with a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:[\]]+)(?::\d{1,5})?$/i;
/** A path that begins with a single slash. Parsers of URLs drop tabs and line breaks, so there is none. */
const PATH = /^\/(?![/\\])[^\x00-\x20\x7f]*$/;

/**
 * Returns the path and the query of a target as it was sent (RFC 9112, 3.2), or undefined when it is malformed or names
 * another host than the request. `host`: the `Host` header, or `:authority`.
 */
export function readRequestTarget(target: string, host: string | undefined): string | undefined {
  if (host && !HOST.test(host)) return undefined;
  if (PATH.test(target)) return target;
  const url = tryParseUrl(target);
  if (!url || !isWebUrl(url) || !host || !isSameHost(url, host)) return undefined;
  const path = url.pathname + url.search;
  return PATH.test(path) ? path : undefined;
}

/**
 * Returns the URL of a target: a path below `origin`, which has no slash at its end, or the URL that the platform made of the
 * request. Undefined when it is malformed.
 */
export function parseTarget(target: string, origin = "http://localhost"): URL | undefined {
  return tryParseUrl(target.startsWith("/") ? origin + target : target);
}

/**
 * Returns the URL that the browser asked for, by the `Host` header and with the scheme of `origin`; undefined when the
 * request does not say one host. Without a `Host` header it is at `origin`.
 */
export function readRequestUrl({ url, headers }: Request, origin: string): URL | undefined {
  const own = parseUrl(origin);
  const named = headers.get("host") || undefined;
  if (named !== undefined && !HOST.test(named)) return undefined;
  const asked = parseTarget(url, `${own.protocol}//${named ?? own.host}`);
  if (!asked || !isWebUrl(asked) || (named !== undefined && !isSameHost(asked, named))) return undefined;
  // Behind a proxy that ends TLS, the platform has seen plain http.
  if (own.protocol === "https:") asked.protocol = "https:";
  return asked;
}

function isWebUrl({ protocol, username, password }: URL): boolean {
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

function isSameHost({ protocol, host }: URL, named: string): boolean {
  return tryParseUrl(`${protocol}//${named}`)?.host === host;
}
