// The reader is a client of the API's own operations, within the process: what a visitor may see is decided there, and
// nowhere else. Answers that were kept come back as the text that was kept, and are parsed only when they are needed.

import type { PlainRequest, PlainResponse } from "../http/plain";

/** What a call came to. */
export interface Answer<Value> {
  readonly status: number;
  readonly etag: string;
  /** The answer, parsed once. */
  value(): Value;
}

/** Asks as one visitor. Undefined where the answer is an error: absent and hidden are the same here. */
export interface Asking {
  get<Value>(path: string): Promise<Answer<Value> | undefined>;
  post<Value>(path: string, body: unknown): Promise<Answer<Value> | undefined>;
}

/** The API as far as it is asked. */
export interface Asked {
  handle(request: PlainRequest): Promise<PlainResponse>;
}

/** `from` is the request that causes the calls: rate limits count by its address. */
export function askingAs(api: Asked, basePath: string, from: PlainRequest, token: string | undefined): Asking {
  async function ask<Value>(method: string, path: string, body?: unknown): Promise<Answer<Value> | undefined> {
    const sent: Record<string, string | undefined> = {
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      "content-type": body === undefined ? undefined : "application/json",
    };
    const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
    const response = await api.handle({
      method,
      url: `${basePath}/v1${path}`,
      headers: { get: (name) => sent[name.toLowerCase()] ?? null },
      body: async () => bytes,
      address: from.address,
    });
    if (response.status >= 500 || response.status === 429) throw new Refused(response);
    if (response.status >= 400 || typeof response.body !== "string") return undefined;
    const text = response.body;
    let parsed: { readonly value: Value } | undefined;
    const value = () => {
      parsed ??= { value: JSON.parse(text) as Value };
      return parsed.value;
    };
    return { status: response.status, etag: response.headers.etag ?? "", value };
  }
  return { get: (path) => ask("GET", path), post: (path, body) => ask("POST", path, body) };
}

/** The API cannot answer now. The reader says so with the same status. */
export class Refused extends Error {
  constructor(readonly response: PlainResponse) {
    super(`The API answered ${response.status}.`);
  }
}
