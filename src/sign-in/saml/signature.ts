// Signatures of XML. The library does what XML Signature is: it finds what is referenced, makes the canonical form and
// compares digests. Its two primitives come from here: hashes that do not wait, and keys of WebCrypto, so that it runs
// where there is no Node. What comes out is the text that was signed, and nothing else of the message is read after that.

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SignedXml } from "xml-crypto/lib/signed-xml.js";
import { fromBase64, toBase64 } from "./base64";
import { DSIG, ENVELOPED, EXCLUSIVE_C14N, XMLENC } from "./names";
import { given, refuseIf, SamlRefused } from "./refused";
import { attribute, child, childrenOf, isNamed } from "./xml";

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";

/** A way to sign, as WebCrypto names it. */
export interface Method {
  readonly name: "RSASSA-PKCS1-v1_5" | "RSA-PSS" | "ECDSA";
  readonly hash: string;
  readonly saltLength?: number;
}

const METHODS: ReadonlyMap<string, Method> = new Map([
  [`${MORE}rsa-sha256`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
  [`${MORE}rsa-sha384`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" }],
  [`${MORE}rsa-sha512`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }],
  ["http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 }],
  ["http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1", { name: "RSA-PSS", hash: "SHA-384", saltLength: 48 }],
  ["http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1", { name: "RSA-PSS", hash: "SHA-512", saltLength: 64 }],
  [`${MORE}ecdsa-sha256`, { name: "ECDSA", hash: "SHA-256" }],
  [`${MORE}ecdsa-sha384`, { name: "ECDSA", hash: "SHA-384" }],
  [`${MORE}ecdsa-sha512`, { name: "ECDSA", hash: "SHA-512" }],
]);
const WEAK_METHODS: ReadonlyMap<string, Method> = new Map([
  [`${DSIG}rsa-sha1`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" }],
]);

type Hash = (bytes: Uint8Array) => Uint8Array;
const DIGESTS: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  [`${XMLENC}sha256`, sha256],
  [`${MORE}sha384`, sha384],
  [`${XMLENC}sha512`, sha512],
]);
const WEAK_DIGESTS: ReadonlyMap<string, Hash> = new Map<string, Hash>([[`${DSIG}sha1`, sha1]]);

/** Says whether something was signed with the key of the identity provider. A key that does not fit the method: false. */
export type Verify = (method: Method, signature: Uint8Array, signed: Uint8Array) => Promise<boolean>;

export interface Trust {
  readonly verify: Verify;
  /** Signatures and digests with SHA-1 are accepted. */
  readonly allowsSha1: boolean;
}

/** The way to sign that an algorithm names; undefined when it is not accepted. */
export function methodOf(algorithm: string | undefined, { allowsSha1 }: Pick<Trust, "allowsSha1">): Method | undefined {
  const weak = WEAK_METHODS.get(algorithm ?? "");
  refuseIf(weak !== undefined && !allowsSha1, "signature_algorithm");
  return weak ?? METHODS.get(algorithm ?? "");
}

/** The signature of an element: a child, by the schema. */
export function signatureOf(element: Element): Element | undefined {
  return child(element, DSIG, "Signature");
}

/**
 * The canonical text of an element, as its own signature covers it. The signature must be good, by the key of the
 * provider, and must be about the element that it stands in.
 */
export async function signedText(text: string, element: Element, trust: Trust): Promise<string> {
  const signature = given(signatureOf(element));
  const { method, algorithm, hash } = checkShape(signature, element, trust);
  // The library does not wait for an answer. So the first run says what was signed, and the second gets the answer.
  const asked: { readonly signed: string; readonly value: string }[] = [];
  run(text, signature, hash, (signed, value) => asked.push({ signed, value }) > 1, algorithm);
  const [question] = asked;
  if (!question) throw new SamlRefused("digest");
  const { signed, value } = question;
  const isGood = await trust.verify(method, fromBase64(value), utf8ToBytes(signed));
  refuseIf(!isGood, "signature");
  const texts = run(text, signature, hash, (again, sent) => again === signed && sent === value, algorithm);
  const [covered, more] = texts;
  if (covered === undefined || more !== undefined) throw new SamlRefused("digest");
  return covered;
}

/** The parts of a signature that a signature has once, in any namespace: the library looks for some by their name alone. */
const ONCE = [
  ...["SignedInfo", "CanonicalizationMethod", "SignatureMethod", "SignatureValue"],
  ...["Reference", "Transforms", "DigestMethod", "DigestValue"],
];

/** Refuses every signature that is not as identity providers make them: one reference, to the element that it stands in. */
function checkShape(signature: Element, element: Element, trust: Trust) {
  const all = Array.from(signature.getElementsByTagNameNS("*", "*"));
  for (const name of ONCE) {
    const named = all.filter(({ localName }) => localName === name);
    refuseIf(named.length !== 1 || named[0]!.namespaceURI !== DSIG, "signature_shape");
  }
  refuseIf(!childrenOf(signature).every(isPartOfSignature), "signature_parts");
  const info = given(child(signature, DSIG, "SignedInfo"));
  const reference = given(child(info, DSIG, "Reference"));
  const id = attribute(element, "ID");
  refuseIf(!id || attribute(reference, "URI") !== `#${id}`, "reference");
  const transforms = childrenOf(given(child(reference, DSIG, "Transforms"))).map((one) => attribute(one, "Algorithm"));
  refuseIf(transforms.join(" ") !== `${ENVELOPED} ${EXCLUSIVE_C14N}`, "transform");
  const form = attribute(given(child(info, DSIG, "CanonicalizationMethod")), "Algorithm");
  refuseIf(form !== EXCLUSIVE_C14N, "canonicalization");
  const algorithm = attribute(given(child(info, DSIG, "SignatureMethod")), "Algorithm");
  const method = methodOf(algorithm, trust);
  const digest = attribute(given(child(reference, DSIG, "DigestMethod")), "Algorithm");
  const weak = WEAK_DIGESTS.get(digest ?? "");
  refuseIf(weak !== undefined && !trust.allowsSha1, "digest_algorithm");
  const hash = weak ?? DIGESTS.get(digest ?? "");
  if (!method || !hash) throw new SamlRefused(method ? "digest_algorithm" : "signature_algorithm");
  return { method, algorithm: algorithm!, hash: { name: digest!, hash } };
}

function isPartOfSignature(part: Element): boolean {
  return ["SignedInfo", "SignatureValue", "KeyInfo"].some((name) => isNamed(part, DSIG, name));
}

/** Runs the library once, with nothing but what was checked. The texts that are signed; none while the answer is no. */
function run(
  text: string,
  signature: Element,
  { name, hash }: { readonly name: string; readonly hash: Hash },
  answer: (signed: string, value: string) => boolean,
  algorithm: string,
): readonly string[] {
  // The key is none of the library's business; it only insists on having one. KeyInfo is never asked for another.
  const library = new SignedXml({ publicCert: "pinned", getCertFromKeyInfo: () => null });
  library.idAttributes = ["ID"];
  library.HashAlgorithms = {
    [name]: class {
      getAlgorithmName = () => name;
      getHash = (xml: string) => toBase64(hash(utf8ToBytes(xml)));
    },
  };
  library.SignatureAlgorithms = {
    [algorithm]: class {
      getAlgorithmName = () => algorithm;
      getSignature = () => {
        throw new Error("Nothing is signed here.");
      };
      verifySignature = ((signed: string, _key: unknown, value: string) => answer(signed, value)) as never;
    },
  };
  const { [ENVELOPED]: enveloped, [EXCLUSIVE_C14N]: exclusive } = library.CanonicalizationAlgorithms;
  library.CanonicalizationAlgorithms = { [ENVELOPED]: enveloped!, [EXCLUSIVE_C14N]: exclusive! };
  try {
    library.loadSignature(signature);
    return library.checkSignature(text) ? library.getSignedReferences() : [];
  } catch {
    return [];
  }
}
