// Requests of a provider to sign somebody out, as a test wants them.

import { createSign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { createSignatureVerifier } from "../../../src/sign-in/saml/connection";
import type { LogoutExpectations } from "../../../src/sign-in/saml/logout-request";
import type { RefusalReason } from "../../../src/sign-in/saml/refusal";
import { other, rsa } from "./keys";
import { type Identity, ISSUER, inMinutes, NOW } from "./provider";

const AT = "https://docs.example/v1/orgs/org_1/saml/sml_1/logout";

export const logoutExpectations: LogoutExpectations = {
  verifySignature: createSignatureVerifier(rsa.certificate),
  allowsSha1: false,
  issuer: ISSUER,
  destination: AT,
  now: NOW,
};

interface Asked {
  readonly at: string;
  readonly issuer: string;
  readonly destination: string;
  readonly issued: string;
  readonly until: string;
  readonly name: string;
  readonly session: string;
  readonly by: Identity;
  readonly hash: "sha1" | "sha256";
  readonly filling: string;
  readonly xml: string;
}

/** The URL that a provider redirects to. */
export function logoutUrl(asked: Partial<Asked> = {}): string {
  const it = {
    ...{
      at: AT,
      issuer: ISSUER,
      destination: asked.at ?? AT,
      issued: inMinutes(0),
      until: "",
      by: rsa,
      hash: "sha256",
      filling: "",
    },
    ...{ name: "alice@corp.example", session: "_session" },
    ...asked,
  };
  const until = it.until && ` NotOnOrAfter="${it.until}"`;
  const xml =
    asked.xml ??
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_logout" Version="2.0" IssueInstant="${it.issued}" Destination="${it.destination}"${until}><saml:Issuer>${it.issuer}</saml:Issuer>${it.filling}<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${it.name}</saml:NameID><samlp:SessionIndex>${it.session}</samlp:SessionIndex></samlp:LogoutRequest>`;
  const method =
    it.hash === "sha1"
      ? "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
      : "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
  const query = Object.entries({
    SAMLRequest: deflateRawSync(xml).toString("base64"),
    RelayState: "a b",
    SigAlg: method,
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const signature = createSign(it.hash).update(query).sign(it.by.key, "base64");
  return `${it.at}?${query}&Signature=${encodeURIComponent(signature)}`;
}

/** What is refused, each by one check. */
export const logoutAttacks: readonly {
  readonly name: string;
  readonly url: () => string;
  readonly why: RefusalReason;
}[] = [
  { name: "by another key", url: () => logoutUrl({ by: other }), why: "logout_signature" },
  {
    name: "with another parameter",
    url: () => logoutUrl().replace("RelayState=a", "RelayState=b"),
    why: "logout_signature",
  },
  { name: "without a signature", url: () => logoutUrl().replace(/&Signature=.*/, ""), why: "logout_signature" },
  { name: "with SHA-1", url: () => logoutUrl({ hash: "sha1" }), why: "signature_algorithm" },
  { name: "of another issuer", url: () => logoutUrl({ issuer: "https://evil.example" }), why: "logout_issuer" },
  {
    name: "for another place",
    url: () => logoutUrl({ destination: "https://other.example" }),
    why: "logout_destination",
  },
  { name: "of yesterday", url: () => logoutUrl({ issued: inMinutes(-24 * 60) }), why: "logout_expired" },
  { name: "that has ended", url: () => logoutUrl({ until: inMinutes(-1) }), why: "logout_expired" },
  { name: "that grows without end", url: () => logoutUrl({ filling: " ".repeat(100_000) }), why: "logout_too_large" },
];
