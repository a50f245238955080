// The authentication request to an identity provider. The storage holds nothing of it: its id contains a time and a digest that
// only this server can compute, and its state is in an encrypted cookie of the browser.

import { deflateSync } from "fflate";
import { generateRandomText, type Random } from "../../storage/ids";
import { type Secrets, toBase64url } from "../../storage/secrets";
import { toBase64 } from "../../utils/bytes";
import { parseUrl } from "../../utils/url";
import { POST, SAML, SAMLP } from "./names";
import { escapeXml } from "./xml";

/** The time that a user has to sign in at the provider. */
export const REQUEST_LIFETIME_MS = 15 * 60_000;

const RANDOM_LENGTH = 26;
const DIGEST_BYTES = 16;

export function createRequestId(provider: string, secrets: Secrets, now: Date, random: Random): string {
  const nonce = `${generateRandomText(random, RANDOM_LENGTH)}${now.getTime().toString(36)}`;
  const digest = toBase64url(secrets.digest("saml-request", `${provider} ${nonce}`).slice(0, DIGEST_BYTES));
  return `_${nonce}.${digest}`;
}

/** Checks whether this server created an id for a provider, and it has not expired. */
export function isOwnRequestId(id: string, provider: string, secrets: Secrets, now: Date): boolean {
  const [, nonce, digest] = id.match(/^_([0-9a-z]{30,40})\.([\w-]{22})$/) ?? [];
  if (nonce === undefined || digest === undefined) return false;
  const age = now.getTime() - Number.parseInt(nonce.slice(RANDOM_LENGTH), 36);
  return (
    age >= 0 &&
    age < REQUEST_LIFETIME_MS &&
    secrets.isDigest("saml-request", `${provider} ${nonce}`, digest, DIGEST_BYTES)
  );
}

export interface AuthnRequest {
  readonly id: string;
  readonly ssoURL: string;
  readonly entityID: string;
  readonly acsURL: string;
  readonly now: Date;
}

/** Encodes a message as a parameter of a redirect. */
export function deflateMessage(xml: string): string {
  return toBase64(deflateSync(new TextEncoder().encode(xml), { level: 9 }));
}

/** Returns the URL of the provider with a request. The URL keeps its own parameters. */
export function createAuthnRequestUrl({ id, ssoURL, entityID, acsURL, now }: AuthnRequest, relayState: string): string {
  // The request doesn't ask for a format of names, because providers know best which they support.
  const xml = [
    `<samlp:AuthnRequest xmlns:samlp="${SAMLP}" xmlns:saml="${SAML}" ID="${id}" Version="2.0"`,
    ` IssueInstant="${now.toISOString()}" Destination="${escapeXml(ssoURL)}"`,
    ` AssertionConsumerServiceURL="${escapeXml(acsURL)}" ProtocolBinding="${POST}">`,
    `<saml:Issuer>${escapeXml(entityID)}</saml:Issuer></samlp:AuthnRequest>`,
  ].join("");
  const url = parseUrl(ssoURL);
  url.searchParams.append("SAMLRequest", deflateMessage(xml));
  url.searchParams.append("RelayState", relayState);
  return url.href;
}
