// Scripts of integrations, called by anybody at the public endpoint. Whatever a script does, it ends, and the server
// answers others meanwhile.

import { memoryStorage } from "octavo/memory";
import { setUp } from "../../support/setting";
import type { Attack } from "./attack";

const letters = `Array.from({ length: 60000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20000))).join("")`;

/** Somebody without a token asks an integration whose script does this. */
function asking(name: string, body: string): Attack {
  return {
    name,
    budget: "size limit",
    async prepare() {
      const { ask, api } = await setUp(memoryStorage(), { onError: () => {} });
      const bot = "/v1/integrations/bot";
      const script = `export default { async fetch() { ${body} } }`;
      await ask("admin", `POST ${bot}`, { script });
      return async () => {
        const { status } = await api.fetch(new Request(`http://test.invalid${bot}/public/integration`));
        if (status !== 502) throw new Error(`The answer was ${status}.`);
      };
    },
  };
}

export const sandbox: readonly Attack[] = [
  asking(
    "a script that parses a URL with a host of 60,000 letters, again and again",
    `const host = ${letters}; for (;;) { try { new URL("https://" + host) } catch {} }`,
  ),
  asking(
    "a script that sets such a host, again and again",
    `const host = ${letters}, url = new URL("https://a/"); for (;;) url.hostname = host`,
  ),
  asking(
    "a script that decodes megabytes, again and again",
    `const bytes = new Uint8Array(4e6); for (;;) new TextDecoder().decode(bytes)`,
  ),
  asking("a script that computes without an end", `for (;;);`),
  asking(
    "a script that makes RSA keys, again and again",
    `const rsa = { name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }; for (;;) await crypto.subtle.generateKey(rsa, false, ["sign"])`,
  ),
  asking(
    "a script that encrypts megabytes, again and again, without waiting",
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]), bytes = new Uint8Array(2e6); for (;;) { crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, bytes).catch(() => {}); await 1 }`,
  ),
  asking(
    "a script that answers with a stream without an end",
    `return new Response(new ReadableStream({ pull(to) { to.enqueue(new Uint8Array(1)) } }))`,
  ),
];
