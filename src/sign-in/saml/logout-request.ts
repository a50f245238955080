// A provider's request to sign somebody out. It comes as a redirect, whose signature is over the parameters as they stand in
// the URL: what is read is what was signed.

import { Inflate } from "fflate";
import { fromBase64 } from "./base64";
import { SAML, SAMLP, UNSPECIFIED } from "./names";
import { given, refuseIf, SamlRefused } from "./refused";
import { SKEW_MS } from "./response";
import { methodOf, type Trust } from "./signature";
import { attribute, child, children, isNamed, parseXml, textOf } from "./xml";

export interface LogoutExpectations extends Trust {
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
const NEWS_MS = 5 * 60_000;

/** Reads the request in a URL. Throws `SamlRefused` when anything is not as it must be. */
export async function readLogoutRequest(url: string, expected: LogoutExpectations): Promise<LogoutRequest> {
  const sent = parametersOf(url);
  await checkSignature(sent, expected);
  const root = parseXml(inflated(fromBase64(given(valueIn(sent, "SAMLRequest")))));
  if (!isNamed(root, SAMLP, "LogoutRequest")) throw new SamlRefused("malformed");
  refuseIf(textOf(given(child(root, SAML, "Issuer"))) !== expected.issuer, "logout_issuer");
  refuseIf(attribute(root, "Destination") !== expected.destination, "logout_destination");
  const end = attribute(root, "NotOnOrAfter");
  const until = end === undefined ? Date.parse(attribute(root, "IssueInstant") ?? "") + NEWS_MS : Date.parse(end);
  refuseIf(!(expected.now.getTime() < until + SKEW_MS), "logout_expired");
  const name = given(child(root, SAML, "NameID"));
  return {
    id: given(attribute(root, "ID")),
    nameId: textOf(name),
    nameIdFormat: attribute(name, "Format") ?? UNSPECIFIED,
    sessions: children(root, SAMLP, "SessionIndex").map(textOf),
    relayState: valueIn(sent, "RelayState"),
  };
}

/** The parameters of a URL, each as it stands there. */
function parametersOf(url: string): ReadonlyMap<string, string> {
  const query = url.split("#")[0]!.split("?")[1] ?? "";
  const sent = new Map<string, string>();
  for (const part of query.split("&")) {
    const name = part.split("=")[0]!;
    if (sent.has(name)) throw new SamlRefused("malformed");
    sent.set(name, part);
  }
  return sent;
}

function valueIn(sent: ReadonlyMap<string, string>, name: string): string | undefined {
  const part = sent.get(name);
  if (part === undefined) return undefined;
  return new URLSearchParams(part).get(name) ?? undefined;
}

async function checkSignature(sent: ReadonlyMap<string, string>, trust: Trust): Promise<void> {
  const signed = ["SAMLRequest", "RelayState", "SigAlg"].flatMap((name) => sent.get(name) ?? []).join("&");
  const method = methodOf(valueIn(sent, "SigAlg"), trust);
  const signature = fromBase64(valueIn(sent, "Signature") ?? "");
  const isGood = method !== undefined && (await trust.verify(method, signature, new TextEncoder().encode(signed)));
  refuseIf(!isGood, "logout_signature");
}

const MOST_INFLATED = 64 * 1024;
const PIECE = 512;

/** What was deflated. It stops as soon as there is more than a request can have. */
function inflated(bytes: Uint8Array): string {
  const decoder = new TextDecoder();
  let text = "";
  try {
    const inflate = new Inflate((piece) => {
      text += decoder.decode(piece, { stream: true });
      refuseIf(text.length > MOST_INFLATED, "logout_too_large");
    });
    for (let at = 0; at < bytes.length; at += PIECE)
      inflate.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  } catch (cause) {
    throw cause instanceof SamlRefused ? cause : new SamlRefused("malformed", { cause });
  }
  return text;
}
