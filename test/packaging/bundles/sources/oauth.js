// OAuth: the state that travels through the other service is encrypted with AES-GCM, and the answer ends in the
// configuration of the installation.

import { base64url, createIntegration, fromBase64url, HttpError } from "./runtime.js";

async function keyOf(secret) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return crypto.subtle.importKey("raw", digest, { name: "AES-GCM" }, false, ["encrypt", "decrypt"]);
}

async function seal(secret, value) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = new TextEncoder().encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(secret), data);
  return `${base64url(iv)}.${base64url(sealed)}`;
}

async function unseal(secret, text) {
  const [iv, sealed] = text.split(".").map(fromBase64url);
  try {
    const data = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keyOf(secret), sealed);
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    throw new HttpError(400, "The state is not ours");
  }
}

export default createIntegration({
  async fetch(request, { environment }) {
    const url = new URL(request.url);
    const { installation, secrets, apiEndpoint, apiTokens } = environment;
    if (!url.searchParams.has("code")) {
      const to = new URL("https://login.example/authorize");
      to.searchParams.set("client_id", secrets.CLIENT_ID);
      to.searchParams.set("redirect_uri", installation.urls.publicEndpoint);
      to.searchParams.set("state", await seal(secrets.CLIENT_SECRET, { installation: installation.id }));
      return Response.redirect(to.toString());
    }
    const state = await unseal(secrets.CLIENT_SECRET, url.searchParams.get("state"));
    const answer = await fetch("https://login.example/token", {
      method: "POST",
      body: new URLSearchParams({ code: url.searchParams.get("code"), client_secret: secrets.CLIENT_SECRET }),
    });
    const { access_token: token } = await answer.json();
    const saved = await fetch(`${apiEndpoint}/v1/integrations/oauth/installations/${state.installation}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${apiTokens.installation}`, "content-type": "application/json" },
      body: JSON.stringify({ configuration: { token }, externalIds: [token] }),
    });
    return new Response(`<p>Saved: ${saved.status}</p>`, { headers: { "content-type": "text/html" } });
  },
});
