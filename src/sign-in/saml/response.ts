// The answer of an identity provider: who somebody is. Everything that is read of it was signed with the provider's key,
// for us, for this request and for now. What the message says outside of that must agree with it.

import { decrypted, type Unwrap } from "./decryption";
import { BEARER, DSIG, EMAIL_ADDRESS, SAML, SAMLP, SUCCESS, TRANSIENT, UNSPECIFIED } from "./names";
import { given, refuseIf, SamlRefused } from "./refused";
import { signatureOf, signedText, type Trust } from "./signature";
import { attribute, child, children, childrenOf, everywhere, isNamed, parseXml, textOf } from "./xml";

/** What a response must say to be accepted. */
export interface Expectations extends Trust {
  /** The `entityID` of the provider. */
  readonly issuer: string;
  /** Our own `entityID`. */
  readonly audience: string;
  /** The URL that the response was posted to. */
  readonly recipient: string;
  /** Whether we have asked with this id, for this provider and lately. */
  readonly isAsked: (requestId: string) => boolean;
  readonly now: Date;
  /** Our private key, for encrypted assertions. */
  readonly unwrap: Unwrap;
}

/** Whom a provider vouches for. */
export interface Vouched {
  /** The id of the assertion, which is accepted once, and the time until which it could be shown again. */
  readonly assertion: string;
  readonly validUntil: Date;
  /** The id of our request that this answers. */
  readonly requestId: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  /** The provider's own name of the session, for a logout. */
  readonly sessionIndex: string | undefined;
  /** The end of the session, if the provider sets one. */
  readonly sessionUntil: Date | undefined;
  readonly email: string | undefined;
  readonly displayName: string | undefined;
}

/** Clocks differ by as much. */
export const SKEW_MS = 60_000;

/** Reads a response. Throws `SamlRefused` when anything is not as it must be. */
export async function verifyResponse(xml: string, expected: Expectations): Promise<Vouched> {
  let text = xml;
  let response = parseXml(text);
  checkOutline(response);
  let isSigned = false;
  if (signatureOf(response)) {
    // From here on nothing is seen of the message but what was signed.
    text = await signedText(text, response, expected);
    response = parseXml(text);
    isSigned = true;
  }
  checkEnvelope(response, expected);
  let assertion = given(childrenOf(response).find(isAssertion));
  if (isNamed(assertion, SAML, "EncryptedAssertion")) {
    text = await decrypted(assertion, expected.unwrap, isSigned);
    assertion = parseXml(text);
    checkOutline(assertion);
  }
  if (signatureOf(assertion)) {
    text = await signedText(text, assertion, expected);
    assertion = parseXml(text);
    isSigned = true;
  }
  refuseIf(!isSigned, "unsigned");
  if (!isNamed(assertion, SAML, "Assertion")) throw new SamlRefused("malformed");
  return read(assertion, expected);
}

/** Every element that an assertion could be taken from. */
function isAssertion(element: Element): boolean {
  return isNamed(element, SAML, "Assertion") || isNamed(element, SAML, "EncryptedAssertion");
}

/**
 * There is one assertion, where it belongs, and signatures stand only where they can be about the message or about its
 * assertion. So there is nothing that could be taken for the signed one.
 */
function checkOutline(root: Element): void {
  const isResponse = isNamed(root, SAMLP, "Response");
  if (!isResponse && !isNamed(root, SAML, "Assertion")) throw new SamlRefused("malformed");
  const all = [...everywhere(root, SAML, "Assertion"), ...everywhere(root, SAML, "EncryptedAssertion")];
  const assertion = isResponse ? childrenOf(root).find(isAssertion) : root;
  refuseIf(
    all.some((one) => one !== assertion),
    "several_assertions",
  );
  const isInPlace = ({ parentNode }: Element) => parentNode === root || parentNode === assertion;
  refuseIf(!everywhere(root, DSIG, "Signature").every(isInPlace), "signature_place");
}

/** What the response says about itself. Its own signature may be missing, so this is not what is relied on. */
function checkEnvelope(response: Element, expected: Expectations): void {
  refuseIf(attribute(response, "Version") !== "2.0", "response_version");
  const destination = attribute(response, "Destination");
  refuseIf(destination !== undefined && destination !== expected.recipient, "destination");
  const answered = attribute(response, "InResponseTo");
  refuseIf(answered !== undefined && !expected.isAsked(answered), "response_in_response_to");
  const issuer = child(response, SAML, "Issuer");
  refuseIf(issuer !== undefined && textOf(issuer) !== expected.issuer, "response_issuer");
  const status = given(child(given(child(response, SAMLP, "Status")), SAMLP, "StatusCode"));
  refuseIf(attribute(status, "Value") !== SUCCESS, "status");
}

/** Reads an assertion whose every byte was signed. */
function read(assertion: Element, expected: Expectations): Vouched {
  refuseIf(attribute(assertion, "Version") !== "2.0", "version");
  refuseIf(textOf(given(child(assertion, SAML, "Issuer"))) !== expected.issuer, "issuer");
  const conditionsUntil = checkConditions(given(child(assertion, SAML, "Conditions")), expected);
  const subject = given(child(assertion, SAML, "Subject"));
  const { requestId, confirmedUntil } = confirmation(subject, expected);
  const { sessionIndex, sessionUntil } = statement(assertion, expected);
  const name = given(child(subject, SAML, "NameID"));
  const nameId = textOf(name);
  refuseIf(!isName(nameId), "name_id");
  const nameIdFormat = attribute(name, "Format") ?? UNSPECIFIED;
  const said = attributesOf(assertion);
  return {
    assertion: given(attribute(assertion, "ID")),
    validUntil: new Date(Math.max(conditionsUntil, confirmedUntil) + SKEW_MS),
    requestId,
    nameId,
    nameIdFormat,
    sessionIndex,
    sessionUntil,
    email: emailOf(said, nameId, nameIdFormat),
    displayName: displayNameOf(said),
  };
}

/** A name without control characters, of a length that can be a key. */
function isName(name: string): boolean {
  return name.length > 0 && name.length <= 255 && !/[\p{Cc}\p{Surrogate}]/u.test(name);
}

/** The time of an attribute; undefined when it is absent. */
function timeOf(element: Element, name: string): number | undefined {
  const text = attribute(element, name);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new SamlRefused("malformed");
  return time;
}

/** Conditions that ask nothing of us. Every other one that is not understood is one that is not met. */
const HARMLESS = ["OneTimeUse", "ProxyRestriction"];

function checkConditions(conditions: Element, { audience, now }: Expectations): number {
  const time = now.getTime();
  const from = timeOf(conditions, "NotBefore");
  refuseIf(from !== undefined && time < from - SKEW_MS, "not_before");
  const until = timeOf(conditions, "NotOnOrAfter") ?? time;
  refuseIf(time >= until + SKEW_MS, "expired");
  const audiences = children(conditions, SAML, "AudienceRestriction");
  const isForUs = (restriction: Element) =>
    children(restriction, SAML, "Audience").some((it) => textOf(it) === audience);
  refuseIf(audiences.length === 0 || !audiences.every(isForUs), "audience");
  const isKnown = (it: Element) => audiences.includes(it) || HARMLESS.some((name) => isNamed(it, SAML, name));
  refuseIf(!childrenOf(conditions).every(isKnown), "condition");
  return until;
}

/** The confirmation that whoever brings the assertion is its subject: for us, now, and for a request of ours. */
function confirmation(subject: Element, { recipient, isAsked, now }: Expectations) {
  const time = now.getTime();
  const confirmed = given(child(subject, SAML, "SubjectConfirmation"));
  refuseIf(attribute(confirmed, "Method") !== BEARER, "bearer");
  const data = given(child(confirmed, SAML, "SubjectConfirmationData"));
  refuseIf(attribute(data, "Recipient") !== recipient, "recipient");
  const requestId = attribute(data, "InResponseTo") ?? "";
  refuseIf(!isAsked(requestId), "in_response_to");
  refuseIf(attribute(data, "NotBefore") !== undefined, "confirmation_not_before");
  const confirmedUntil = timeOf(data, "NotOnOrAfter") ?? 0;
  refuseIf(time >= confirmedUntil + SKEW_MS, "confirmation_expired");
  return { requestId, confirmedUntil };
}

/** What the provider says of its own session. There must be one: somebody has shown there who they are. */
function statement(assertion: Element, { now }: Expectations) {
  const [stated] = children(assertion, SAML, "AuthnStatement");
  refuseIf(stated === undefined, "no_statement");
  const until = stated && timeOf(stated, "SessionNotOnOrAfter");
  refuseIf(until !== undefined && now.getTime() >= until + SKEW_MS, "session_ended");
  const sessionIndex = stated && attribute(stated, "SessionIndex");
  return { sessionIndex, sessionUntil: until === undefined ? undefined : new Date(until) };
}

/** The first value of every attribute, by its name and by its friendly name, in small letters. */
function attributesOf(assertion: Element): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const stated of children(assertion, SAML, "AttributeStatement"))
    for (const one of children(stated, SAML, "Attribute")) {
      const [value] = children(one, SAML, "AttributeValue");
      if (!value || childrenOf(value).length > 0) continue;
      for (const name of [attribute(one, "Name"), attribute(one, "FriendlyName")])
        if (name !== undefined && !said.has(name.toLowerCase())) said.set(name.toLowerCase(), textOf(value));
    }
  return said;
}

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/";
const EMAIL = ["email", "mail", "emailaddress", "urn:oid:0.9.2342.19200300.100.1.3", `${CLAIMS}emailaddress`];
const NAME = ["displayname", "urn:oid:2.16.840.1.113730.3.1.241", "cn", "urn:oid:2.5.4.3", "name"];
const FULL_NAME = ["http://schemas.microsoft.com/identity/claims/displayname"];
const GIVEN = ["givenname", "firstname", "urn:oid:2.5.4.42", `${CLAIMS}givenname`];
const FAMILY = ["sn", "surname", "lastname", "urn:oid:2.5.4.4", `${CLAIMS}surname`];

function firstOf(said: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => said.get(name)).find((value) => value !== undefined && value !== "");
}

/** The address: what the provider calls one, else a name that is one. */
function emailOf(said: ReadonlyMap<string, string>, nameId: string, format: string): string | undefined {
  const isAddress = format === EMAIL_ADDRESS || (format !== TRANSIENT && /^[^@\s]+@[^@\s]+$/.test(nameId));
  return firstOf(said, EMAIL) ?? (isAddress ? nameId : undefined);
}

function displayNameOf(said: ReadonlyMap<string, string>): string | undefined {
  const whole = firstOf(said, [...FULL_NAME, ...NAME]);
  const parts = [firstOf(said, GIVEN), firstOf(said, FAMILY)].filter((part) => part !== undefined);
  return whole ?? (parts.length > 0 ? parts.join(" ") : undefined);
}
