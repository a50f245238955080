// An identity provider of the tests: it says what a test wants said, and signs it with the library that others sign with.
// What is encrypted is encrypted by Node's OpenSSL, and decrypted by WebCrypto.

import { constants, createCipheriv, createPublicKey, createSign, publicEncrypt, randomBytes } from "node:crypto";
import { SignedXml } from "xml-crypto";
import { createSignatureVerifier } from "../../../src/sign-in/saml/connection";
import type { ResponseExpectations } from "../../../src/sign-in/saml/response";
import { createKeyUnwrapper } from "../../../src/sign-in/saml/service-key";
import { own } from "./keys";

const ownKey = own.key.replace(/-----[A-Z ]+-----|\s/g, "");

export function expectations(by: Identity, more: Partial<ResponseExpectations> = {}): ResponseExpectations {
  return {
    verifySignature: createSignatureVerifier(by.certificate),
    allowsSha1: false,
    issuer: ISSUER,
    audience: AUDIENCE,
    recipient: RECIPIENT,
    isKnownRequest: (id) => id === REQUEST,
    now: NOW,
    unwrapKey: createKeyUnwrapper({ privateKey: ownKey }),
    ...more,
  };
}

export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

const NAMES = `xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"`;

export const ISSUER = "https://idp.example/metadata";
export const AUDIENCE = "https://docs.example/v1/orgs/org_1/saml/sml_1/metadata";
export const RECIPIENT = "https://docs.example/v1/orgs/org_1/saml/sml_1/acs";
export const REQUEST = "_request";
export const NOW = new Date("2026-03-01T12:00:00.000Z");

export const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();

/** What a response says. */
export interface Said {
  readonly name: string;
  readonly issuer: string;
  readonly responseIssuer: string;
  readonly audience: string;
  readonly recipient: string;
  readonly destination: string;
  readonly inResponseTo: string;
  readonly responseInResponseTo: string;
  readonly notBefore: string;
  readonly notOnOrAfter: string;
  readonly confirmedUntil: string;
  readonly sessionUntil: string;
  readonly status: string;
  readonly version: string;
  readonly responseVersion: string;
  readonly method: string;
  readonly responseId: string;
  readonly assertionId: string;
  /** XML in places where a test puts something. */
  readonly extensions: string;
  readonly conditions: string;
  readonly confirmation: string;
  readonly statement: string | undefined;
  readonly attributes: string;
  readonly format: string;
}

const usual: Said = {
  name: "alice@corp.example",
  issuer: ISSUER,
  responseIssuer: ISSUER,
  audience: AUDIENCE,
  recipient: RECIPIENT,
  destination: RECIPIENT,
  inResponseTo: REQUEST,
  responseInResponseTo: REQUEST,
  notBefore: inMinutes(-1),
  notOnOrAfter: inMinutes(5),
  confirmedUntil: inMinutes(5),
  sessionUntil: inMinutes(480),
  status: "urn:oasis:names:tc:SAML:2.0:status:Success",
  version: "2.0",
  responseVersion: "2.0",
  method: "urn:oasis:names:tc:SAML:2.0:cm:bearer",
  responseId: "_response",
  assertionId: "_assertion",
  extensions: "",
  conditions: "",
  confirmation: "",
  statement: undefined,
  attributes: "",
  format: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
};

export function assertionXml(said: Partial<Said> = {}): string {
  const it = { ...usual, ...said };
  const statement =
    it.statement ??
    `<saml:AuthnStatement AuthnInstant="${inMinutes(0)}" SessionIndex="_session" SessionNotOnOrAfter="${it.sessionUntil}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
  return `<saml:Assertion ${NAMES} ID="${it.assertionId}" Version="${it.version}" IssueInstant="${inMinutes(0)}"><saml:Issuer>${it.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${it.format}">${it.name}</saml:NameID><saml:SubjectConfirmation Method="${it.method}"><saml:SubjectConfirmationData InResponseTo="${it.inResponseTo}" NotOnOrAfter="${it.confirmedUntil}" Recipient="${it.recipient}"${it.confirmation}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${it.notBefore}" NotOnOrAfter="${it.notOnOrAfter}"><saml:AudienceRestriction><saml:Audience>${it.audience}</saml:Audience></saml:AudienceRestriction>${it.conditions}</saml:Conditions>${statement}${it.attributes}</saml:Assertion>`;
}

/** A response around an assertion. */
export function responseXml(assertion: string, said: Partial<Said> = {}): string {
  const it = { ...usual, ...said };
  const extensions = it.extensions && `<samlp:Extensions>${it.extensions}</samlp:Extensions>`;
  return `<samlp:Response ${NAMES} ID="${it.responseId}" Version="${it.responseVersion}" IssueInstant="${inMinutes(0)}" Destination="${it.destination}" InResponseTo="${it.responseInResponseTo}"><saml:Issuer>${it.responseIssuer}</saml:Issuer>${extensions}<samlp:Status><samlp:StatusCode Value="${it.status}"/></samlp:Status>${assertion}</samlp:Response>`;
}

export interface Signing {
  readonly by: Identity;
  readonly id: string;
  readonly method?: string;
  readonly digest?: string;
  readonly transforms?: readonly string[];
  readonly form?: string;
  /** Inside of KeyInfo. Default: the certificate. */
  readonly keyInfo?: string;
}

const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

/** Signs the element with an id. The signature stands behind its issuer. */
export function signed(xml: string, { by, id, ...rest }: Signing): string {
  const method = rest.method ?? "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
  const signing = new SignedXml({
    privateKey: by.key,
    publicCert: by.certificate,
    signatureAlgorithm: method,
    canonicalizationAlgorithm: rest.form ?? EXCLUSIVE,
    ...(rest.keyInfo === undefined ? {} : { getKeyInfoContent: () => rest.keyInfo! }),
  });
  signing.SignatureAlgorithms["http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"] = EcdsaSha256 as never;
  const path = `//*[@ID='${id}']`;
  signing.addReference({
    xpath: path,
    digestAlgorithm: rest.digest ?? "http://www.w3.org/2001/04/xmlenc#sha256",
    transforms: [...(rest.transforms ?? [ENVELOPED, EXCLUSIVE])],
  });
  signing.computeSignature(xml, {
    prefix: "ds",
    location: { reference: `${path}/*[local-name(.)='Issuer']`, action: "after" },
  });
  return signing.getSignedXml();
}

class EcdsaSha256 {
  getAlgorithmName = () => "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
  getSignature = (text: string, key: string) =>
    createSign("SHA256").update(text).sign({ key, dsaEncoding: "ieee-p1363" }, "base64");
}

export interface Encryption {
  readonly content?: "aes128-gcm" | "aes256-gcm" | "aes256-cbc" | "aes128-cbc";
  readonly transport?: "oaep-sha1" | "oaep-sha256" | "rsa-1_5";
}

const XMLENC = "http://www.w3.org/2001/04/xmlenc#";
const XMLENC11 = "http://www.w3.org/2009/xmlenc11#";

/** An encrypted assertion for whoever has the key of a certificate. */
export function encrypted(assertion: string, certificate: string, how: Encryption = {}): string {
  const { content = "aes256-gcm", transport = "oaep-sha1" } = how;
  const isGcm = content.endsWith("gcm");
  const bits = content.slice(3, 6);
  const key = randomBytes(Number(bits) / 8);
  const iv = randomBytes(isGcm ? 12 : 16);
  const plain = Buffer.from(assertion);
  const filled = 16 - (plain.length % 16);
  const filling = Buffer.concat([randomBytes(filled - 1), Buffer.from([filled])]);
  const bytes = isGcm
    ? (() => {
        const cipher = createCipheriv(`aes-${bits as "256"}-gcm`, key, iv);
        return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      })()
    : (() => {
        const cipher = createCipheriv(`aes-${bits}-cbc`, key, iv).setAutoPadding(false);
        return Buffer.concat([iv, cipher.update(plain), cipher.update(filling), cipher.final()]);
      })();
  const padding = transport === "rsa-1_5" ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING;
  const oaepHash = transport === "oaep-sha256" ? "sha256" : "sha1";
  const wrapped = publicEncrypt({ key: createPublicKey(certificate), padding, oaepHash }, key);
  const method = {
    "oaep-sha1": `<xenc:EncryptionMethod Algorithm="${XMLENC}rsa-oaep-mgf1p"/>`,
    "oaep-sha256": `<xenc:EncryptionMethod Algorithm="${XMLENC11}rsa-oaep"><ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${XMLENC}sha256"/><xenc11:MGF xmlns:xenc11="${XMLENC11}" Algorithm="${XMLENC11}mgf1sha256"/></xenc:EncryptionMethod>`,
    "rsa-1_5": `<xenc:EncryptionMethod Algorithm="${XMLENC}rsa-1_5"/>`,
  }[transport];
  return `<saml:EncryptedAssertion ${NAMES}><xenc:EncryptedData xmlns:xenc="${XMLENC}" Type="${XMLENC}Element"><xenc:EncryptionMethod Algorithm="${isGcm ? XMLENC11 : XMLENC}${content}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>${method}<xenc:CipherData><xenc:CipherValue>${wrapped.toString("base64")}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${bytes.toString("base64")}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`;
}
