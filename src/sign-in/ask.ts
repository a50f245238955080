// Asks the API on behalf of whoever sent a request to one of our pages. So what they may do is decided in one place.

import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { omitUndefined } from "../utils/objects";

/** An answer of the API. */
export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each page knows the shape of what it asked for.
  readonly body: any;
}

/** Asks for a method and a path below the version, without a body. */
export type Ask = (request: PlainRequest, route: string) => Promise<Asked>;

/** What was said of the page and not of the question. */
const OWN = new Set(["content-length", "content-type", "idempotency-key", "if-match", "if-none-match", "range"]);

export function createAsk(handle: (request: PlainRequest) => Promise<PlainResponse>, basePath: string): Ask {
  return async ({ headers, headerPairs, address }, route) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await handle({
      method,
      url: `${basePath}/v1${path}`,
      headers: { get: (name) => (OWN.has(name.toLowerCase()) ? null : headers.get(name)) },
      ...omitUndefined({ headerPairs }),
      body: async () => new Uint8Array(),
      address,
    });
    const { status, body } = response;
    return { status, body: typeof body === "string" && body !== "" ? JSON.parse(body) : undefined };
  };
}

/** Who somebody is, by whatever the API recognizes them; undefined: nobody. */
export async function whoIs(ask: Ask, request: PlainRequest): Promise<Person | undefined> {
  const { status, body } = await ask(request, "GET /user");
  return status === 200 ? body : undefined;
}

export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
}
