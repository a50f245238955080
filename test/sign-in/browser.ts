// A browser without a screen: it keeps cookies, sends what browsers send with forms, and follows nothing by itself.

import type { SignIn } from "octavo/sign-in";

export const ORIGIN = "http://localhost:3000";

export function browser(signIn: Pick<SignIn, "fetch">, origin = ORIGIN) {
  const jar = new Map<string, string>();

  async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await signIn.fetch(
      new Request(new URL(path, origin), {
        method,
        headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
      }),
    );
    const cookies = response.headers.getSetCookie();
    for (const line of cookies) {
      const [, name = "", value = ""] = line.match(/^([^=]+)=([^;]*)/) ?? [];
      if (/Max-Age=0/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    const to = response.headers.get("location");
    const url = to === null ? undefined : new URL(to, origin);
    return {
      status: response.status,
      headers: response.headers,
      text,
      /** The heading of the page. */
      title: text.match(/<h1>(.*?)<\/h1>/s)?.[1],
      /** Where it leads, as a path. */
      location: url && (url.origin === origin ? url.pathname + url.search + url.hash : url.href),
      cookies,
    };
  }

  return {
    jar,
    get: (path: string, headers: Record<string, string> = {}) => send("GET", path, headers),
    /** Posts a form as a page of ours does. */
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      send(
        "POST",
        path,
        { origin, "content-type": "application/x-www-form-urlencoded", ...headers },
        new URLSearchParams(fields).toString(),
      ),
  };
}
