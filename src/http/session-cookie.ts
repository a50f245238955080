// The cookie that carries a session, and the rule that prevents other sites from using it.

import { getCookie, serializeCookie } from "./cookies";

/** The parts of a request that decide about its session. */
export interface BrowserRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** The session cookie of an API that is reached at one origin. */
export interface SessionCookie {
  readonly name: string;
  getValue(request: BrowserRequest): string | undefined;
  /** Returns the `Set-Cookie` header that begins a session in a browser. `maxAge` is in seconds. */
  createHeader(value: string, maxAge: number): string;
  /** The `Set-Cookie` header that ends the session in a browser. */
  readonly clearHeader: string;
  /**
   * Returns true if another site may have made the browser send the request: the request would change something, and does not say
   * that it comes from one of our own pages.
   */
  isCrossSite(request: BrowserRequest): boolean;
}

/** Creates the session cookie. `origins` are those of our own pages; the first one is the API's. */
export function createSessionCookie(origins: readonly [string, ...string[]]): SessionCookie {
  const isSecure = origins[0].startsWith("https:");
  // The `__Host-` prefix binds the cookie to this host. Browsers accept it over https only.
  const name = isSecure ? "__Host-octavo" : "octavo-session";
  const options = { isSecure, path: "/" };
  return {
    name,
    getValue: ({ headers }) => getCookie(headers.get("cookie"), name)?.match(/^[0-9a-z]{32}$/)?.[0],
    createHeader: (value, maxAge) => serializeCookie(name, value, { ...options, maxAge }),
    clearHeader: serializeCookie(name, "", { ...options, maxAge: 0 }),
    isCrossSite({ method, headers }) {
      if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false;
      const origin = headers.get("origin");
      if (origin !== null) return !origins.includes(origin);
      return headers.get("sec-fetch-site") !== "same-origin";
    },
  };
}
