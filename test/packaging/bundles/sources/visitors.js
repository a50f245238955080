// The login of visitors: they are sent to another service, with a state that is signed for this site.

import { base64url, createIntegration } from "./runtime.js";

export default createIntegration({
  async fetch_visitor_authentication({ location, siteId }, { environment }) {
    const hmac = { name: "HMAC", hash: { name: "SHA-512" } };
    const secret = new TextEncoder().encode(environment.signingSecrets.siteInstallation);
    const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign"]);
    const state = new TextEncoder().encode(JSON.stringify({ siteId, location }));
    const to = new URL("https://login.example/authorize");
    to.searchParams.set("state", `${base64url(state)}.${base64url(await crypto.subtle.sign("HMAC", key, state))}`);
    return new Response(null, { status: 302, headers: { location: to.href } });
  },
});
