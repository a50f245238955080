// Verifies the response of an identity provider. The assertion is read only from text that was signed with the provider's key, and
// is accepted only for this service provider, for a known request and for now. The rest of the message must agree with it.

import { decryptAssertion, type UnwrapKey } from "./decryption";
import { BEARER, DSIG, EMAIL_ADDRESS, SAML, SAMLP, SUCCESS, TRANSIENT, UNSPECIFIED } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { extractSignedText, type SignaturePolicy } from "./signature";
import {
  getChildElements,
  getElementText,
  getOnlyChild,
  isElement,
  listChildren,
  listElements,
  parseXml,
  readXmlAttribute,
  requireChild,
} from "./xml";

/** The values that a response must have to be accepted. */
export interface ResponseExpectations extends SignaturePolicy {
  /** The `entityID` of the provider. */
  readonly issuer: string;
  /** The `entityID` of this service provider. */
  readonly audience: string;
  /** The URL that the response was posted to. */
  readonly recipient: string;
  /** Checks whether this server recently sent a request with an id to this provider. */
  readonly isKnownRequest: (requestId: string) => boolean;
  readonly now: Date;
  /** Decrypts the content keys of encrypted assertions. */
  readonly unwrapKey: UnwrapKey;
}

export interface VerifiedAssertion {
  /** The id of the assertion, which may be used once. */
  readonly assertion: string;
  /** The time after which the assertion would be refused as expired. */
  readonly validUntil: Date;
  readonly requestId: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  /** The session index of the provider, which a logout names. */
  readonly sessionIndex: string | undefined;
  /** The end of the session, if the provider sets one. */
  readonly sessionUntil: Date | undefined;
  readonly email: string | undefined;
  readonly displayName: string | undefined;
}

/** The tolerated difference between the clocks. */
export const CLOCK_SKEW_MS = 60_000;

/** Verifies a response, and returns its assertion. Throws a `SamlRefusal` if a check fails. */
export async function verifyResponse(xml: string, expected: ResponseExpectations): Promise<VerifiedAssertion> {
  let text = xml;
  let response = parseXml(text);
  checkStructure(response);
  let isSigned = false;
  if (getOnlyChild(response, DSIG, "Signature")) {
    // From here on, only the signed text is read.
    text = await extractSignedText(text, response, expected);
    response = parseXml(text);
    isSigned = true;
  }
  // The response element may be unsigned, so the assertion doesn't rely on these checks.
  refuseIf(readXmlAttribute(response, "Version") !== "2.0", "response_version");
  const destination = readXmlAttribute(response, "Destination");
  refuseIf(destination !== undefined && destination !== expected.recipient, "destination");
  const requestId = readXmlAttribute(response, "InResponseTo");
  refuseIf(requestId !== undefined && !expected.isKnownRequest(requestId), "response_in_response_to");
  const issuer = getOnlyChild(response, SAML, "Issuer");
  refuseIf(issuer !== undefined && getElementText(issuer) !== expected.issuer, "response_issuer");
  const statusCode = requireChild(requireChild(response, SAMLP, "Status"), SAMLP, "StatusCode");
  refuseIf(readXmlAttribute(statusCode, "Value") !== SUCCESS, "status");

  let assertion = requirePresent(getChildElements(response).find(isAssertionElement));
  if (isElement(assertion, SAML, "EncryptedAssertion")) {
    text = await decryptAssertion(assertion, expected.unwrapKey, isSigned);
    assertion = parseXml(text);
    checkStructure(assertion);
  }
  if (getOnlyChild(assertion, DSIG, "Signature")) {
    text = await extractSignedText(text, assertion, expected);
    assertion = parseXml(text);
    isSigned = true;
  }
  refuseIf(!isSigned, "unsigned");
  if (!isElement(assertion, SAML, "Assertion")) throw new SamlRefusal("malformed");
  return readAssertion(assertion, expected);
}

/** Checks whether an element is an assertion, encrypted or not. */
function isAssertionElement(element: Element): boolean {
  return isElement(element, SAML, "Assertion") || isElement(element, SAML, "EncryptedAssertion");
}

/**
 * Checks that there is a single assertion in its place, and that signatures are only children of the message or of this assertion.
 * So no other element can be mistaken for the signed one.
 */
function checkStructure(root: Element): void {
  const isResponse = isElement(root, SAMLP, "Response");
  if (!isResponse && !isElement(root, SAML, "Assertion")) throw new SamlRefusal("malformed");
  const all = [...listElements(root, SAML, "Assertion"), ...listElements(root, SAML, "EncryptedAssertion")];
  const assertion = isResponse ? getChildElements(root).find(isAssertionElement) : root;
  refuseIf(
    all.some((it) => it !== assertion),
    "several_assertions",
  );
  const isInPlace = ({ parentNode }: Element) => parentNode === root || parentNode === assertion;
  refuseIf(!listElements(root, DSIG, "Signature").every(isInPlace), "signature_place");
}

/** Reads and verifies an assertion from signed text. */
function readAssertion(assertion: Element, expected: ResponseExpectations): VerifiedAssertion {
  refuseIf(readXmlAttribute(assertion, "Version") !== "2.0", "version");
  refuseIf(getElementText(requireChild(assertion, SAML, "Issuer")) !== expected.issuer, "issuer");

  // The conditions are met now, and for this service provider.
  const time = expected.now.getTime();
  const conditions = requireChild(assertion, SAML, "Conditions");
  const conditionsFrom = readTime(conditions, "NotBefore");
  refuseIf(conditionsFrom !== undefined && time < conditionsFrom - CLOCK_SKEW_MS, "not_before");
  const conditionsUntil = readTime(conditions, "NotOnOrAfter") ?? time;
  refuseIf(time >= conditionsUntil + CLOCK_SKEW_MS, "expired");
  const audiences = listChildren(conditions, SAML, "AudienceRestriction");
  const includesAudience = (restriction: Element) =>
    listChildren(restriction, SAML, "Audience").some((it) => getElementText(it) === expected.audience);
  refuseIf(audiences.length === 0 || !audiences.every(includesAudience), "audience");
  const isKnown = (it: Element) => audiences.includes(it) || MET_CONDITIONS.some((name) => isElement(it, SAML, name));
  refuseIf(!getChildElements(conditions).every(isKnown), "condition");

  const subject = requireChild(assertion, SAML, "Subject");

  // The bearer of the assertion is its subject, for this service provider, for a known request, and for now.
  const confirmation = requireChild(subject, SAML, "SubjectConfirmation");
  refuseIf(readXmlAttribute(confirmation, "Method") !== BEARER, "bearer");
  const data = requireChild(confirmation, SAML, "SubjectConfirmationData");
  refuseIf(readXmlAttribute(data, "Recipient") !== expected.recipient, "recipient");
  const requestId = readXmlAttribute(data, "InResponseTo") ?? "";
  refuseIf(!expected.isKnownRequest(requestId), "in_response_to");
  refuseIf(readXmlAttribute(data, "NotBefore") !== undefined, "confirmation_not_before");
  const confirmedUntil = readTime(data, "NotOnOrAfter") ?? 0;
  refuseIf(expected.now.getTime() >= confirmedUntil + CLOCK_SKEW_MS, "confirmation_expired");

  // The statement proves that the user has authenticated at the provider.
  const [statement] = listChildren(assertion, SAML, "AuthnStatement");
  refuseIf(statement === undefined, "no_statement");
  const sessionUntil = statement && readTime(statement, "SessionNotOnOrAfter");
  const hasEnded = sessionUntil !== undefined && expected.now.getTime() >= sessionUntil + CLOCK_SKEW_MS;
  refuseIf(hasEnded, "session_ended");

  // The name becomes a part of a key, so it is short and has no control characters.
  const name = requireChild(subject, SAML, "NameID");
  const nameId = getElementText(name);
  refuseIf(nameId === "" || nameId.length > 255 || /[\p{Cc}\p{Surrogate}]/u.test(nameId), "name_id");
  const nameIdFormat = readXmlAttribute(name, "Format") ?? UNSPECIFIED;

  // The first value of each attribute, by its name and by its friendly name, in lower case.
  const attributes = new Map<string, string>();
  const attributeElements = listChildren(assertion, SAML, "AttributeStatement").flatMap((it) =>
    listChildren(it, SAML, "Attribute"),
  );
  for (const attribute of attributeElements) {
    const [value] = listChildren(attribute, SAML, "AttributeValue");
    if (!value || getChildElements(value).length > 0) continue;
    for (const key of [readXmlAttribute(attribute, "Name"), readXmlAttribute(attribute, "FriendlyName")])
      if (key !== undefined && !attributes.has(key.toLowerCase()))
        attributes.set(key.toLowerCase(), getElementText(value));
  }
  const isEmailName =
    nameIdFormat === EMAIL_ADDRESS || (nameIdFormat !== TRANSIENT && /^[^@\s]+@[^@\s]+$/.test(nameId));
  const names = [findFirstValue(attributes, GIVEN_NAME_ATTRIBUTES), findFirstValue(attributes, FAMILY_NAME_ATTRIBUTES)];
  const fullName = names.filter((it) => it !== undefined).join(" ");
  return {
    assertion: requirePresent(readXmlAttribute(assertion, "ID")),
    validUntil: new Date(Math.max(conditionsUntil, confirmedUntil) + CLOCK_SKEW_MS),
    requestId,
    nameId,
    nameIdFormat,
    sessionIndex: statement && readXmlAttribute(statement, "SessionIndex"),
    sessionUntil: sessionUntil === undefined ? undefined : new Date(sessionUntil),
    email: findFirstValue(attributes, EMAIL_ATTRIBUTES) ?? (isEmailName ? nameId : undefined),
    displayName: findFirstValue(attributes, DISPLAY_NAME_ATTRIBUTES) ?? (fullName || undefined),
  };
}

/** Reads an attribute with a time. Returns undefined if it's absent. */
function readTime(element: Element, name: string): number | undefined {
  const text = readXmlAttribute(element, name);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new SamlRefusal("malformed");
  return time;
}

/** Conditions that are always met. An unknown condition refuses the assertion. */
const MET_CONDITIONS = ["OneTimeUse", "ProxyRestriction"];

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/";
/** The names of attributes in the forms that the large providers use, in order of preference. */
const EMAIL_ATTRIBUTES = [
  "email",
  "mail",
  "emailaddress",
  "urn:oid:0.9.2342.19200300.100.1.3",
  `${CLAIMS}emailaddress`,
];
const DISPLAY_NAME_ATTRIBUTES = [
  "http://schemas.microsoft.com/identity/claims/displayname",
  ...["displayname", "urn:oid:2.16.840.1.113730.3.1.241", "cn", "urn:oid:2.5.4.3", "name"],
];
const GIVEN_NAME_ATTRIBUTES = ["givenname", "firstname", "urn:oid:2.5.4.42", `${CLAIMS}givenname`];
const FAMILY_NAME_ATTRIBUTES = ["sn", "surname", "lastname", "urn:oid:2.5.4.4", `${CLAIMS}surname`];

/** Returns the first value that isn't empty. */
function findFirstValue(values: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => values.get(name)).find((value) => value !== undefined && value !== "");
}
