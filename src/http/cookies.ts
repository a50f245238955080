// Reads and writes cookies.

/** Returns the value of a cookie; undefined if the request has none of this name. The first one counts. */
export function getCookie(header: string | null, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const separator = pair.indexOf("=");
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return undefined;
}

/** The attributes of a cookie. Scripts never see a cookie of ours. */
export interface CookieOptions {
  /** True if the cookie is sent over https only. */
  readonly isSecure: boolean;
  /** The path under which the cookie is sent. */
  readonly path: string;
  /** The lifetime in seconds; 0 deletes the cookie. Default: until the browser is closed. */
  readonly maxAge?: number;
  /** `None` for a cookie that has to be sent with a form that another site posts. Default: `Lax`. */
  readonly sameSite?: "Lax" | "Strict" | "None";
}

export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  const { isSecure, path, maxAge, sameSite = "Lax" } = options;
  const secure = isSecure ? "; Secure" : "";
  const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}${secure}${age}`;
}
