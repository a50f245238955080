// An API in this process, asked with a token.

import type { DocsApi } from "../../src/index";

/** What a program asks: a path below `/v1`, and what is answered. */
export type Ask = (
  method: string,
  path: string,
  send?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
) => Promise<{ readonly status: number; readonly body: any }>;

/** Returns what asks an API with a token. */
export function askWithToken(api: Pick<DocsApi, "fetch">, token: string): Ask {
  return async (method, path, send) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = send === undefined ? null : JSON.stringify(send);
    const response = await api.fetch(new Request(`http://test.invalid/v1${path}`, { method, headers, body }));
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
}

/** Returns what asks in the same way, gives the body of the answer, and throws when it is no success. */
export function mustSucceed(ask: Ask) {
  return async (method: string, path: string, send?: unknown) => {
    const { status, body } = await ask(method, path, send);
    if (status >= 300)
      throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(body)?.slice(0, 500)}`);
    return body;
  };
}
