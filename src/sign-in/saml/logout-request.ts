// A provider's request to sign somebody out. It comes as a redirect, whose signature is over the parameters as they stand in
// the URL: what is read is what was signed.

import { Inflate } from "fflate";
import { fromBase64 } from "./base64";
import { SAML, SAMLP, UNSPECIFIED } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { CLOCK_SKEW_MS } from "./response";
import { findSignatureMethod, type SignaturePolicy } from "./signature";
import { getElementText, getOnlyChild, isElement, listChildren, parseXml, readXmlAttribute } from "./xml";

export interface LogoutExpectations extends SignaturePolicy {
  /** The `entityID` of the provider. */
  readonly issuer: string;
  /** The URL that the request came to, without its parameters. */
  readonly destination: string;
  readonly now: Date;
}

/** Whom a provider wants to be signed out. */
export interface LogoutRequest {
  readonly id: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  /** The sessions, by the provider's own names; none: all of them. */
  readonly sessions: readonly string[];
  readonly relayState: string | undefined;
}

/** How old a request may be that does not say so itself. */
const REQUEST_MAX_AGE_MS = 5 * 60_000;

/** Reads the request in a URL. Throws `SamlRefusal` when anything is not as it must be. */
export async function readLogoutRequest(url: string, expected: LogoutExpectations): Promise<LogoutRequest> {
  const sent = splitQuery(url);
  await checkQuerySignature(sent, expected);
  const root = parseXml(inflateMessage(fromBase64(requirePresent(decodeParameter(sent, "SAMLRequest")))));
  if (!isElement(root, SAMLP, "LogoutRequest")) throw new SamlRefusal("malformed");
  refuseIf(getElementText(requirePresent(getOnlyChild(root, SAML, "Issuer"))) !== expected.issuer, "logout_issuer");
  refuseIf(readXmlAttribute(root, "Destination") !== expected.destination, "logout_destination");
  const end = readXmlAttribute(root, "NotOnOrAfter");
  const until =
    end === undefined ? Date.parse(readXmlAttribute(root, "IssueInstant") ?? "") + REQUEST_MAX_AGE_MS : Date.parse(end);
  refuseIf(!(expected.now.getTime() < until + CLOCK_SKEW_MS), "logout_expired");
  const name = requirePresent(getOnlyChild(root, SAML, "NameID"));
  return {
    id: requirePresent(readXmlAttribute(root, "ID")),
    nameId: getElementText(name),
    nameIdFormat: readXmlAttribute(name, "Format") ?? UNSPECIFIED,
    sessions: listChildren(root, SAMLP, "SessionIndex").map(getElementText),
    relayState: decodeParameter(sent, "RelayState"),
  };
}

/** The parameters of a URL, each as it stands there. */
function splitQuery(url: string): ReadonlyMap<string, string> {
  const query = url.split("#")[0]!.split("?")[1] ?? "";
  const sent = new Map<string, string>();
  for (const part of query.split("&")) {
    const name = part.split("=")[0]!;
    if (sent.has(name)) throw new SamlRefusal("malformed");
    sent.set(name, part);
  }
  return sent;
}

function decodeParameter(sent: ReadonlyMap<string, string>, name: string): string | undefined {
  const part = sent.get(name);
  if (part === undefined) return undefined;
  return new URLSearchParams(part).get(name) ?? undefined;
}

async function checkQuerySignature(sent: ReadonlyMap<string, string>, trust: SignaturePolicy): Promise<void> {
  const signed = ["SAMLRequest", "RelayState", "SigAlg"].flatMap((name) => sent.get(name) ?? []).join("&");
  const method = findSignatureMethod(decodeParameter(sent, "SigAlg"), trust);
  const signature = fromBase64(decodeParameter(sent, "Signature") ?? "");
  const isGood =
    method !== undefined && (await trust.verifySignature(method, signature, new TextEncoder().encode(signed)));
  refuseIf(!isGood, "logout_signature");
}

const MAX_CHARACTERS = 64 * 1024;
const CHUNK_BYTES = 512;

/** What was deflated. It stops as soon as there is more than a request can have. */
function inflateMessage(bytes: Uint8Array): string {
  const decoder = new TextDecoder();
  let text = "";
  try {
    const inflate = new Inflate((piece) => {
      text += decoder.decode(piece, { stream: true });
      refuseIf(text.length > MAX_CHARACTERS, "logout_too_large");
    });
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      inflate.push(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length);
  } catch (cause) {
    throw cause instanceof SamlRefusal ? cause : new SamlRefusal("malformed", { cause });
  }
  return text;
}
