// A browser of the tests: it keeps cookies, and follows nothing by itself.

export type Browser = ReturnType<typeof newBrowser>;

/** A form that is posted comes from a page of this origin, unless `headers` say otherwise. */
export function newBrowser(fetch: (request: Request) => Promise<Response>) {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async open(url: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const { origin } = new URL(url);
      const sent = { ...(cookie ? { cookie } : {}), ...(form ? { origin } : {}), ...headers };
      const body = form && new URLSearchParams(form);
      const response = await fetch(
        new Request(url, body ? { method: "POST", body, headers: sent } : { headers: sent }),
      );
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = set.match(/^([^=]+)=([^;]*)/)!;
        if (/Max-Age=0/.test(set)) cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      return response;
    },
  };
}
