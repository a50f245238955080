// The logout request of a provider, in the query of a redirect. The signature covers the parameters as they are encoded in the URL,
// and only these are read.

import { Inflate } from "fflate";
import { fromBase64 } from "./base64";
import { SAML, SAMLP, UNSPECIFIED } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { CLOCK_SKEW_MS } from "./response";
import { findSignatureMethod, type SignaturePolicy } from "./signature";
import { getElementText, isElement, listChildren, parseXml, readXmlAttribute, requireChild } from "./xml";

export interface LogoutExpectations extends SignaturePolicy {
  /** The `entityID` of the provider. */
  readonly issuer: string;
  /** The URL that the request came to, without its parameters. */
  readonly destination: string;
  readonly now: Date;
}

/** A verified request to sign a user out. */
export interface LogoutRequest {
  readonly id: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  /** The session indexes of the provider. An empty list means all sessions. */
  readonly sessions: readonly string[];
  readonly relayState: string | undefined;
}

/** The validity of a request that sets none itself. */
const REQUEST_MAX_AGE_MS = 5 * 60_000;

/** Reads and verifies the logout request in a URL. Throws a `SamlRefusal` if a check fails. */
export async function readLogoutRequest(url: string, expected: LogoutExpectations): Promise<LogoutRequest> {
  // The parameters stay encoded, as they were signed.
  const query = url.split("#")[0]!.split("?")[1] ?? "";
  const parameters = new Map<string, string>();
  for (const parameter of query.split("&")) {
    const name = parameter.split("=")[0]!;
    if (parameters.has(name)) throw new SamlRefusal("malformed");
    parameters.set(name, parameter);
  }

  const signedText = ["SAMLRequest", "RelayState", "SigAlg"].flatMap((name) => parameters.get(name) ?? []).join("&");
  const method = findSignatureMethod(decodeParameter(parameters, "SigAlg"), expected);
  const signature = fromBase64(decodeParameter(parameters, "Signature") ?? "");
  const isVerified =
    method !== undefined && (await expected.verifySignature(method, signature, new TextEncoder().encode(signedText)));
  refuseIf(!isVerified, "logout_signature");

  // Decompressing stops as soon as the message is larger than a request can be.
  const bytes = fromBase64(requirePresent(decodeParameter(parameters, "SAMLRequest")));
  const decoder = new TextDecoder();
  let text = "";
  try {
    const inflate = new Inflate((chunk) => {
      text += decoder.decode(chunk, { stream: true });
      refuseIf(text.length > MAX_CHARACTERS, "logout_too_large");
    });
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
      inflate.push(bytes.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= bytes.length);
  } catch (cause) {
    throw cause instanceof SamlRefusal ? cause : new SamlRefusal("malformed", { cause });
  }
  const root = parseXml(text);
  if (!isElement(root, SAMLP, "LogoutRequest")) throw new SamlRefusal("malformed");
  refuseIf(getElementText(requireChild(root, SAML, "Issuer")) !== expected.issuer, "logout_issuer");
  refuseIf(readXmlAttribute(root, "Destination") !== expected.destination, "logout_destination");
  const end = readXmlAttribute(root, "NotOnOrAfter");
  const until =
    end === undefined ? Date.parse(readXmlAttribute(root, "IssueInstant") ?? "") + REQUEST_MAX_AGE_MS : Date.parse(end);
  refuseIf(!(expected.now.getTime() < until + CLOCK_SKEW_MS), "logout_expired");
  const name = requireChild(root, SAML, "NameID");
  return {
    id: requirePresent(readXmlAttribute(root, "ID")),
    nameId: getElementText(name),
    nameIdFormat: readXmlAttribute(name, "Format") ?? UNSPECIFIED,
    sessions: listChildren(root, SAMLP, "SessionIndex").map(getElementText),
    relayState: decodeParameter(parameters, "RelayState"),
  };
}

function decodeParameter(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const parameter = parameters.get(name);
  if (parameter === undefined) return undefined;
  return new URLSearchParams(parameter).get(name) ?? undefined;
}

const MAX_CHARACTERS = 64 * 1024;
const CHUNK_BYTES = 512;
