// fetch: carried out by the host, which decides what may be reached.

import { peekBytes } from "./body.js";
import { exactly } from "./bytes.js";
import { ask } from "./host.js";
import { Request } from "./request.js";
import { received } from "./response.js";

const waiting = new Map();
let lastId = 0;

export async function fetch(input, init) {
  const request = new Request(input, init);
  request.signal.throwIfAborted();
  const { url, method, redirect } = request;
  if (!/^https?:/.test(url)) throw new TypeError("Only http and https can be fetched.");
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    request.signal.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      ask("abort", id);
      reject(request.signal.reason);
    });
    const bytes = peekBytes(request);
    ask(
      "fetch",
      { id, url, method, redirect, headers: [...request.headers] },
      bytes === null ? undefined : exactly(bytes),
    );
  });
}

/** Ends a fetch with what the host brings. */
export function settle({ id, error, response }, bytes) {
  const one = waiting.get(id);
  if (!one) return;
  waiting.delete(id);
  if (error !== undefined) one.reject(new TypeError(error));
  else one.resolve(received(response, bytes && new Uint8Array(bytes)));
}
