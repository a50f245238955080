// The answer of an identity provider: who somebody is. Everything that is read of it was signed with the provider's key,
// for us, for this request and for now. What the message says outside of that must agree with it.

import { decryptAssertion, type UnwrapKey } from "./decryption";
import { BEARER, DSIG, EMAIL_ADDRESS, SAML, SAMLP, SUCCESS, TRANSIENT, UNSPECIFIED } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { extractSignedText, findSignature, type SignaturePolicy } from "./signature";
import {
  getChildElements,
  getElementText,
  getOnlyChild,
  isElement,
  listChildren,
  listElements,
  parseXml,
  readXmlAttribute,
} from "./xml";

/** What a response must say to be accepted. */
export interface ResponseExpectations extends SignaturePolicy {
  /** The `entityID` of the provider. */
  readonly issuer: string;
  /** Our own `entityID`. */
  readonly audience: string;
  /** The URL that the response was posted to. */
  readonly recipient: string;
  /** Whether we have asked with this id, for this provider and lately. */
  readonly isKnownRequest: (requestId: string) => boolean;
  readonly now: Date;
  /** Our private key, for encrypted assertions. */
  readonly unwrapKey: UnwrapKey;
}

/** Whom a provider vouches for. */
export interface VerifiedAssertion {
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
export const CLOCK_SKEW_MS = 60_000;

/** Reads a response. Throws `SamlRefusal` when anything is not as it must be. */
export async function verifyResponse(xml: string, expected: ResponseExpectations): Promise<VerifiedAssertion> {
  let text = xml;
  let response = parseXml(text);
  checkStructure(response);
  let isSigned = false;
  if (findSignature(response)) {
    // From here on nothing is seen of the message but what was signed.
    text = await extractSignedText(text, response, expected);
    response = parseXml(text);
    isSigned = true;
  }
  checkResponseElement(response, expected);
  let assertion = requirePresent(getChildElements(response).find(isAssertionElement));
  if (isElement(assertion, SAML, "EncryptedAssertion")) {
    text = await decryptAssertion(assertion, expected.unwrapKey, isSigned);
    assertion = parseXml(text);
    checkStructure(assertion);
  }
  if (findSignature(assertion)) {
    text = await extractSignedText(text, assertion, expected);
    assertion = parseXml(text);
    isSigned = true;
  }
  refuseIf(!isSigned, "unsigned");
  if (!isElement(assertion, SAML, "Assertion")) throw new SamlRefusal("malformed");
  return readAssertion(assertion, expected);
}

/** Every element that an assertion could be taken from. */
function isAssertionElement(element: Element): boolean {
  return isElement(element, SAML, "Assertion") || isElement(element, SAML, "EncryptedAssertion");
}

/**
 * There is one assertion, where it belongs, and signatures stand only where they can be about the message or about its
 * assertion. So there is nothing that could be taken for the signed one.
 */
function checkStructure(root: Element): void {
  const isResponse = isElement(root, SAMLP, "Response");
  if (!isResponse && !isElement(root, SAML, "Assertion")) throw new SamlRefusal("malformed");
  const all = [...listElements(root, SAML, "Assertion"), ...listElements(root, SAML, "EncryptedAssertion")];
  const assertion = isResponse ? getChildElements(root).find(isAssertionElement) : root;
  refuseIf(
    all.some((one) => one !== assertion),
    "several_assertions",
  );
  const isInPlace = ({ parentNode }: Element) => parentNode === root || parentNode === assertion;
  refuseIf(!listElements(root, DSIG, "Signature").every(isInPlace), "signature_place");
}

/** What the response says about itself. Its own signature may be missing, so this is not what is relied on. */
function checkResponseElement(response: Element, expected: ResponseExpectations): void {
  refuseIf(readXmlAttribute(response, "Version") !== "2.0", "response_version");
  const destination = readXmlAttribute(response, "Destination");
  refuseIf(destination !== undefined && destination !== expected.recipient, "destination");
  const answered = readXmlAttribute(response, "InResponseTo");
  refuseIf(answered !== undefined && !expected.isKnownRequest(answered), "response_in_response_to");
  const issuer = getOnlyChild(response, SAML, "Issuer");
  refuseIf(issuer !== undefined && getElementText(issuer) !== expected.issuer, "response_issuer");
  const status = requirePresent(
    getOnlyChild(requirePresent(getOnlyChild(response, SAMLP, "Status")), SAMLP, "StatusCode"),
  );
  refuseIf(readXmlAttribute(status, "Value") !== SUCCESS, "status");
}

/** Reads an assertion whose every byte was signed. */
function readAssertion(assertion: Element, expected: ResponseExpectations): VerifiedAssertion {
  refuseIf(readXmlAttribute(assertion, "Version") !== "2.0", "version");
  refuseIf(getElementText(requirePresent(getOnlyChild(assertion, SAML, "Issuer"))) !== expected.issuer, "issuer");
  const conditionsUntil = checkConditions(requirePresent(getOnlyChild(assertion, SAML, "Conditions")), expected);
  const subject = requirePresent(getOnlyChild(assertion, SAML, "Subject"));
  const { requestId, confirmedUntil } = checkSubjectConfirmation(subject, expected);
  const { sessionIndex, sessionUntil } = checkAuthnStatement(assertion, expected);
  const name = requirePresent(getOnlyChild(subject, SAML, "NameID"));
  const nameId = getElementText(name);
  refuseIf(!isName(nameId), "name_id");
  const nameIdFormat = readXmlAttribute(name, "Format") ?? UNSPECIFIED;
  const said = readAttributes(assertion);
  return {
    assertion: requirePresent(readXmlAttribute(assertion, "ID")),
    validUntil: new Date(Math.max(conditionsUntil, confirmedUntil) + CLOCK_SKEW_MS),
    requestId,
    nameId,
    nameIdFormat,
    sessionIndex,
    sessionUntil,
    email: findEmailAddress(said, nameId, nameIdFormat),
    displayName: findDisplayName(said),
  };
}

/** A name without control characters, of a length that can be a key. */
function isName(name: string): boolean {
  return name.length > 0 && name.length <= 255 && !/[\p{Cc}\p{Surrogate}]/u.test(name);
}

/** The time of an attribute; undefined when it is absent. */
function readTime(element: Element, name: string): number | undefined {
  const text = readXmlAttribute(element, name);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new SamlRefusal("malformed");
  return time;
}

/** Conditions that ask nothing of us. Every other one that is not understood is one that is not met. */
const HARMLESS = ["OneTimeUse", "ProxyRestriction"];

function checkConditions(conditions: Element, { audience, now }: ResponseExpectations): number {
  const time = now.getTime();
  const from = readTime(conditions, "NotBefore");
  refuseIf(from !== undefined && time < from - CLOCK_SKEW_MS, "not_before");
  const until = readTime(conditions, "NotOnOrAfter") ?? time;
  refuseIf(time >= until + CLOCK_SKEW_MS, "expired");
  const audiences = listChildren(conditions, SAML, "AudienceRestriction");
  const isForUs = (restriction: Element) =>
    listChildren(restriction, SAML, "Audience").some((it) => getElementText(it) === audience);
  refuseIf(audiences.length === 0 || !audiences.every(isForUs), "audience");
  const isKnown = (it: Element) => audiences.includes(it) || HARMLESS.some((name) => isElement(it, SAML, name));
  refuseIf(!getChildElements(conditions).every(isKnown), "condition");
  return until;
}

/** The confirmation that whoever brings the assertion is its subject: for us, now, and for a request of ours. */
function checkSubjectConfirmation(subject: Element, { recipient, isKnownRequest: isAsked, now }: ResponseExpectations) {
  const time = now.getTime();
  const confirmed = requirePresent(getOnlyChild(subject, SAML, "SubjectConfirmation"));
  refuseIf(readXmlAttribute(confirmed, "Method") !== BEARER, "bearer");
  const data = requirePresent(getOnlyChild(confirmed, SAML, "SubjectConfirmationData"));
  refuseIf(readXmlAttribute(data, "Recipient") !== recipient, "recipient");
  const requestId = readXmlAttribute(data, "InResponseTo") ?? "";
  refuseIf(!isAsked(requestId), "in_response_to");
  refuseIf(readXmlAttribute(data, "NotBefore") !== undefined, "confirmation_not_before");
  const confirmedUntil = readTime(data, "NotOnOrAfter") ?? 0;
  refuseIf(time >= confirmedUntil + CLOCK_SKEW_MS, "confirmation_expired");
  return { requestId, confirmedUntil };
}

/** What the provider says of its own session. There must be one: somebody has shown there who they are. */
function checkAuthnStatement(assertion: Element, { now }: ResponseExpectations) {
  const [stated] = listChildren(assertion, SAML, "AuthnStatement");
  refuseIf(stated === undefined, "no_statement");
  const until = stated && readTime(stated, "SessionNotOnOrAfter");
  refuseIf(until !== undefined && now.getTime() >= until + CLOCK_SKEW_MS, "session_ended");
  const sessionIndex = stated && readXmlAttribute(stated, "SessionIndex");
  return { sessionIndex, sessionUntil: until === undefined ? undefined : new Date(until) };
}

/** The first value of every attribute, by its name and by its friendly name, in small letters. */
function readAttributes(assertion: Element): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const stated of listChildren(assertion, SAML, "AttributeStatement"))
    for (const one of listChildren(stated, SAML, "Attribute")) {
      const [value] = listChildren(one, SAML, "AttributeValue");
      if (!value || getChildElements(value).length > 0) continue;
      for (const name of [readXmlAttribute(one, "Name"), readXmlAttribute(one, "FriendlyName")])
        if (name !== undefined && !said.has(name.toLowerCase())) said.set(name.toLowerCase(), getElementText(value));
    }
  return said;
}

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/";
const EMAIL = ["email", "mail", "emailaddress", "urn:oid:0.9.2342.19200300.100.1.3", `${CLAIMS}emailaddress`];
const NAME = ["displayname", "urn:oid:2.16.840.1.113730.3.1.241", "cn", "urn:oid:2.5.4.3", "name"];
const FULL_NAME = ["http://schemas.microsoft.com/identity/claims/displayname"];
const GIVEN = ["givenname", "firstname", "urn:oid:2.5.4.42", `${CLAIMS}givenname`];
const FAMILY = ["sn", "surname", "lastname", "urn:oid:2.5.4.4", `${CLAIMS}surname`];

function findFirstValue(said: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => said.get(name)).find((value) => value !== undefined && value !== "");
}

/** The address: what the provider calls one, else a name that is one. */
function findEmailAddress(said: ReadonlyMap<string, string>, nameId: string, format: string): string | undefined {
  const isAddress = format === EMAIL_ADDRESS || (format !== TRANSIENT && /^[^@\s]+@[^@\s]+$/.test(nameId));
  return findFirstValue(said, EMAIL) ?? (isAddress ? nameId : undefined);
}

function findDisplayName(said: ReadonlyMap<string, string>): string | undefined {
  const whole = findFirstValue(said, [...FULL_NAME, ...NAME]);
  const parts = [findFirstValue(said, GIVEN), findFirstValue(said, FAMILY)].filter((part) => part !== undefined);
  return whole ?? (parts.length > 0 ? parts.join(" ") : undefined);
}
