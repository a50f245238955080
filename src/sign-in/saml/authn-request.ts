// The request that sends somebody to their identity provider. Nothing is stored for it: its id carries a time and a digest
// that only we can make, and what belongs to it waits, sealed, in a cookie of the browser.

import { deflateSync } from "fflate";
import { generateRandomText, type Random } from "../../storage/ids";
import { type Secrets, toBase64url } from "../../storage/secrets";
import { parseUrl } from "../../utils/url";
import { toBase64 } from "./base64";
import { POST, SAML, SAMLP } from "./names";
import { escapeXml } from "./xml";

/** How long somebody may take to sign in at their provider. */
export const REQUEST_LIFETIME_MS = 15 * 60_000;

const RANDOM_LENGTH = 26;
const DIGEST_BYTES = 16;

/** A new id for a request to a provider. */
export function createRequestId(provider: string, secrets: Secrets, now: Date, random: Random): string {
  const named = `${generateRandomText(random, RANDOM_LENGTH)}${now.getTime().toString(36)}`;
  const digest = toBase64url(secrets.digest("saml-request", `${provider} ${named}`).slice(0, DIGEST_BYTES));
  return `_${named}.${digest}`;
}

/** Whether we have made this id for this provider, lately. */
export function isOwnRequestId(id: string, provider: string, secrets: Secrets, now: Date): boolean {
  const [, named, digest] = id.match(/^_([0-9a-z]{30,40})\.([\w-]{22})$/) ?? [];
  if (named === undefined || digest === undefined) return false;
  const age = now.getTime() - Number.parseInt(named.slice(RANDOM_LENGTH), 36);
  return (
    age >= 0 &&
    age < REQUEST_LIFETIME_MS &&
    secrets.isDigest("saml-request", `${provider} ${named}`, digest, DIGEST_BYTES)
  );
}

/** The part of an id by which its cookie is found. */
export function getRequestTag(id: string): string {
  return id.slice(1, 13);
}

/** What a provider is asked. */
export interface AuthnRequest {
  readonly id: string;
  readonly ssoURL: string;
  readonly entityID: string;
  readonly acsURL: string;
  readonly now: Date;
}

/** The text of the request. It asks for no kind of name: providers know best which they have. */
export function renderAuthnRequest({ id, ssoURL, entityID, acsURL, now }: AuthnRequest): string {
  return `<samlp:AuthnRequest xmlns:samlp="${SAMLP}" xmlns:saml="${SAML}" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${escapeXml(ssoURL)}" AssertionConsumerServiceURL="${escapeXml(acsURL)}" ProtocolBinding="${POST}"><saml:Issuer>${escapeXml(entityID)}</saml:Issuer></samlp:AuthnRequest>`;
}

/** A message as a parameter of a redirect. */
export function deflateMessage(xml: string): string {
  return toBase64(deflateSync(new TextEncoder().encode(xml), { level: 9 }));
}

/** The URL that leads to the provider. What its own URL has as parameters stays. */
export function createAuthnRequestUrl(asking: AuthnRequest, relayState: string): string {
  const url = parseUrl(asking.ssoURL);
  url.searchParams.append("SAMLRequest", deflateMessage(renderAuthnRequest(asking)));
  url.searchParams.append("RelayState", relayState);
  return url.href;
}
