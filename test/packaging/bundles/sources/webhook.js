// A webhook of another service, which signs what it sends with HMAC.

import { createIntegration, HttpError } from "./runtime.js";

const bytesOf = (hex) => new Uint8Array(hex.match(/../g).map((pair) => Number.parseInt(pair, 16)));

async function isSigned(secret, body, header) {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, bytesOf(header.replace(/^sha256=/, "")), body);
}

export default createIntegration({
  async fetch(request, { environment, waitUntil }) {
    if (request.method !== "POST") return new Response(String(request.body), { status: 405 });
    const body = await request.clone().arrayBuffer();
    const header = request.headers.get("x-hub-signature-256") ?? "";
    if (!(await isSigned(environment.secrets.HOOK, body, header))) throw new HttpError(401, "The signature is wrong");
    const { action, number } = await request.json();
    waitUntil(Promise.resolve().then(() => console.log(`later: ${action}`)));
    return Response.json({ taken: `${action} ${number}` }, { status: 202 });
  },
});
