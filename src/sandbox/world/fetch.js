// fetch: carried out by the host, which decides what may be reached.

import { readBytes } from "./body.js";
import { exactly } from "./bytes.js";
import { ask } from "./host.js";
import { Request } from "./request.js";
import { received } from "./response.js";
import { expect } from "./waiting.js";

export async function fetch(input, init) {
  const request = new Request(input, init);
  const { url, method, redirect, signal } = request;
  signal.throwIfAborted();
  if (!/^https?:/.test(url)) throw new TypeError("Only http and https can be fetched.");
  const bytes = await readBytes(request);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const one = expect(({ error, response }, body) => {
      signal.removeEventListener("abort", end);
      if (error === undefined) resolve(received(response, body && new Uint8Array(body)));
      else reject(new TypeError(error));
    });
    const end = () => {
      one.forget();
      ask("abort", one.id);
      reject(signal.reason);
    };
    signal.addEventListener("abort", end, { once: true });
    ask(
      "fetch",
      { id: one.id, url, method, redirect, headers: [...request.headers] },
      bytes === null ? undefined : exactly(bytes),
    );
  });
}
