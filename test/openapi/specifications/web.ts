// A web of documents for the tests: what is at which address, with states that can be asked for, as `fetch` sees it.

import { sha256Hex } from "../../../src/utils/sha256";

/** What is asked for, and under which condition. */
export interface Asked {
  readonly url: string;
  readonly ifNoneMatch: string | null;
  readonly status: number;
}

/** A web whose documents can be changed; one that is missing is 404, and null is one that never answers. */
export function webOf(documents: Record<string, string | null>, options: { readonly etags?: boolean } = {}) {
  const asked: Asked[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = String(input instanceof Request ? input.url : input);
    const ifNoneMatch = new Headers(init?.headers).get("if-none-match");
    const found = documents[url];
    const answer = (status: number, body: string | null, headers: Record<string, string> = {}) => {
      asked.push({ url, ifNoneMatch, status });
      return Object.defineProperty(new Response(body, { status, headers }), "url", { value: url });
    };
    if (found === null) {
      asked.push({ url, ifNoneMatch, status: 0 });
      throw new DOMException("It took too long.", "TimeoutError");
    }
    if (found === undefined) return answer(404, "none");
    const etag = `"${sha256Hex(found).slice(0, 16)}"`;
    if (ifNoneMatch === etag) return answer(304, null);
    return answer(200, found, options.etags === false ? {} : { etag });
  };
  return { fetch: fetch as typeof globalThis.fetch, asked, documents };
}
