// The cookie that carries a session, and the rule that keeps other sites from using it.

import { getCookie, serializeCookie } from "./cookies";

/** What a browser sends with every request. */
export interface Sending {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** The cookie of an API that is reached at an origin. */
export interface SessionCookie {
  readonly name: string;
  /** The session that a request names. */
  valueIn(request: Sending): string | undefined;
  /** The `Set-Cookie` that begins a session in a browser. */
  set(value: string, maxAge: number): string;
  /** The `Set-Cookie` that ends it there. */
  readonly cleared: string;
  /** Whether a request may be one that another site made the browser send: it would change something, and does not say that
   * it comes from here. */
  isCrossSite(request: Sending): boolean;
}

/** `origins`: where our own pages may come from; the first is the API's own. */
export function sessionCookie(origins: readonly [string, ...string[]]): SessionCookie {
  const isSecure = origins[0].startsWith("https:");
  // The prefix binds the cookie to this host. Browsers take it over https only.
  const name = isSecure ? "__Host-octavo" : "octavo-session";
  const options = { isSecure, path: "/" };
  return {
    name,
    valueIn: ({ headers }) => getCookie(headers.get("cookie"), name)?.match(/^[0-9a-z]{32}$/)?.[0],
    set: (value, maxAge) => serializeCookie(name, value, { ...options, maxAge }),
    cleared: serializeCookie(name, "", { ...options, maxAge: 0 }),
    isCrossSite({ method, headers }) {
      if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false;
      const origin = headers.get("origin");
      if (origin !== null) return !origins.includes(origin);
      return headers.get("sec-fetch-site") !== "same-origin";
    },
  };
}
