// Cookies of requests and answers.

/** The value of a cookie; undefined when the request has none of this name. The first one counts. */
export function getCookie(header: string | null, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** How long a cookie lives, and where it goes. Scripts never see one. */
export interface CookieOptions {
  /** Whether it is sent over https alone. */
  readonly isSecure: boolean;
  readonly path: string;
  /** In seconds; 0 takes it away. Default: as long as the browser is open. */
  readonly maxAge?: number;
  /** `None` for a cookie that must come with a form that another site posts. Default: `Lax`. */
  readonly sameSite?: "Lax" | "Strict" | "None";
}

/** The value of a `Set-Cookie` header. */
export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  const { isSecure, path, maxAge, sameSite = "Lax" } = options;
  const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? "; Secure" : ""}${age}`;
}
