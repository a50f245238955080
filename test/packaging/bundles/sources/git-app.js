// An app of a code host: it signs a JWT with its private key (RSA, PKCS #8 in PEM), and asks what it is installed on.

import { base64url, createIntegration, fromBase64url } from "./runtime.js";

const encode = (value) => base64url(new TextEncoder().encode(JSON.stringify(value)));

async function appToken(pem, id) {
  const body = pem.replace(/-----[^-]+-----|\s/g, "");
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("pkcs8", fromBase64url(body), algorithm, false, ["sign"]);
  if (!(key instanceof CryptoKey)) throw new TypeError("That is no key");
  const now = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode({ iss: id, iat: now - 60, exp: now + 600 })}`;
  return `${signed}.${base64url(await crypto.subtle.sign(algorithm.name, key, new TextEncoder().encode(signed)))}`;
}

export default createIntegration({
  events: {
    async installation_setup(event, { environment }) {
      const token = await appToken(environment.secrets.PRIVATE_KEY, environment.secrets.APP_ID);
      const response = await fetch("https://git.example/app/installations", {
        headers: { authorization: `Bearer ${token}`, "user-agent": navigator.userAgent },
      });
      const list = await response.json();
      console.info(`${list.length} installations for ${event.installationId}`);
    },
  },
});
