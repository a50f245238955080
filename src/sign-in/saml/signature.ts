// Verifies XML signatures. The library implements XML Signature: it resolves the reference, canonicalizes the element and compares
// digests. Its primitives come from here, so that it runs without Node: synchronous hashes, and the keys of WebCrypto. The result is
// the signed text, and nothing else of the message is read afterwards.

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SignedXml } from "xml-crypto/lib/signed-xml.js";
import { toBase64 } from "../../utils/bytes";
import { fromBase64 } from "./base64";
import { DSIG, ENVELOPED, EXCLUSIVE_C14N, XMLENC } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { getChildElements, getOnlyChild, isElement, readXmlAttribute, requireChild } from "./xml";

const XMLDSIG_MORE = "http://www.w3.org/2001/04/xmldsig-more#";

/** A signature algorithm of WebCrypto. */
export interface SignatureMethod {
  readonly name: "RSASSA-PKCS1-v1_5" | "RSA-PSS" | "ECDSA";
  readonly hash: string;
  readonly saltLength?: number;
}

const SIGNATURE_METHODS: ReadonlyMap<string, SignatureMethod> = new Map([
  [`${XMLDSIG_MORE}rsa-sha256`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
  [`${XMLDSIG_MORE}rsa-sha384`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" }],
  [`${XMLDSIG_MORE}rsa-sha512`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }],
  ["http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 }],
  ["http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1", { name: "RSA-PSS", hash: "SHA-384", saltLength: 48 }],
  ["http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1", { name: "RSA-PSS", hash: "SHA-512", saltLength: 64 }],
  [`${XMLDSIG_MORE}ecdsa-sha256`, { name: "ECDSA", hash: "SHA-256" }],
  [`${XMLDSIG_MORE}ecdsa-sha384`, { name: "ECDSA", hash: "SHA-384" }],
  [`${XMLDSIG_MORE}ecdsa-sha512`, { name: "ECDSA", hash: "SHA-512" }],
]);
const SHA1_SIGNATURE_METHODS: ReadonlyMap<string, SignatureMethod> = new Map([
  [`${DSIG}rsa-sha1`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" }],
]);

type DigestFunction = (bytes: Uint8Array) => Uint8Array;
const DIGEST_METHODS: ReadonlyMap<string, DigestFunction> = new Map<string, DigestFunction>([
  [`${XMLENC}sha256`, sha256],
  [`${XMLDSIG_MORE}sha384`, sha384],
  [`${XMLENC}sha512`, sha512],
]);
const SHA1_DIGEST_METHODS: ReadonlyMap<string, DigestFunction> = new Map<string, DigestFunction>([
  [`${DSIG}sha1`, sha1],
]);

/** Verifies a signature with the key of the identity provider. Returns false if the key is of another type than the method. */
export type VerifySignature = (method: SignatureMethod, signature: Uint8Array, signed: Uint8Array) => Promise<boolean>;

/** The key and the algorithms that a provider may sign with. */
export interface SignaturePolicy {
  readonly verifySignature: VerifySignature;
  /** Accepts signatures and digests with SHA-1. */
  readonly allowsSha1: boolean;
}

/** Returns the method of an algorithm, or undefined if it isn't supported. */
export function findSignatureMethod(
  algorithm: string | undefined,
  { allowsSha1 }: Pick<SignaturePolicy, "allowsSha1">,
): SignatureMethod | undefined {
  const sha1Method = SHA1_SIGNATURE_METHODS.get(algorithm ?? "");
  refuseIf(sha1Method !== undefined && !allowsSha1, "signature_algorithm");
  return sha1Method ?? SIGNATURE_METHODS.get(algorithm ?? "");
}

/** The elements that may occur once in a signature, in any namespace, because the library finds some by their local name. */
const UNIQUE_ELEMENTS = [
  ...["SignedInfo", "CanonicalizationMethod", "SignatureMethod", "SignatureValue"],
  ...["Reference", "Transforms", "DigestMethod", "DigestValue"],
];

/**
 * Verifies the signature of an element, and returns the canonical text that it covers. The signature must be made with the key of the
 * provider, and refer to the element that contains it.
 */
export async function extractSignedText(text: string, element: Element, policy: SignaturePolicy): Promise<string> {
  const signature = requirePresent(getOnlyChild(element, DSIG, "Signature"));

  // The signature must have the structure that identity providers create: one reference, to the element that contains it.
  const all = Array.from(signature.getElementsByTagNameNS("*", "*"));
  for (const name of UNIQUE_ELEMENTS) {
    const matches = all.filter(({ localName }) => localName === name);
    refuseIf(matches.length !== 1 || matches[0]!.namespaceURI !== DSIG, "signature_shape");
  }
  const isAllowedChild = (it: Element) =>
    ["SignedInfo", "SignatureValue", "KeyInfo"].some((name) => isElement(it, DSIG, name));
  refuseIf(!getChildElements(signature).every(isAllowedChild), "signature_parts");
  const info = requireChild(signature, DSIG, "SignedInfo");
  const reference = requireChild(info, DSIG, "Reference");
  const id = readXmlAttribute(element, "ID");
  refuseIf(!id || readXmlAttribute(reference, "URI") !== `#${id}`, "reference");
  const transforms = getChildElements(requireChild(reference, DSIG, "Transforms")).map((transform) =>
    readXmlAttribute(transform, "Algorithm"),
  );
  refuseIf(transforms.join(" ") !== `${ENVELOPED} ${EXCLUSIVE_C14N}`, "transform");
  const canonicalization = readXmlAttribute(requireChild(info, DSIG, "CanonicalizationMethod"), "Algorithm");
  refuseIf(canonicalization !== EXCLUSIVE_C14N, "canonicalization");
  const algorithm = readXmlAttribute(requireChild(info, DSIG, "SignatureMethod"), "Algorithm");
  const method = findSignatureMethod(algorithm, policy);
  const digest = readXmlAttribute(requireChild(reference, DSIG, "DigestMethod"), "Algorithm");
  const sha1Hash = SHA1_DIGEST_METHODS.get(digest ?? "");
  refuseIf(sha1Hash !== undefined && !policy.allowsSha1, "digest_algorithm");
  const digestFunction = sha1Hash ?? DIGEST_METHODS.get(digest ?? "");
  if (!method || !digestFunction) throw new SamlRefusal(method ? "digest_algorithm" : "signature_algorithm");

  // The library is synchronous, and WebCrypto isn't. The first run collects the text to verify, the second gets the result.
  const hash = { name: digest!, hash: digestFunction };
  const verifications: { readonly signed: string; readonly value: string }[] = [];
  const collect = (signed: string, value: string) => verifications.push({ signed, value }) > 1;
  runSignatureLibrary(text, signature, hash, collect, algorithm!);
  const [verification] = verifications;
  if (!verification) throw new SamlRefusal("digest");
  const { signed, value } = verification;
  const isVerified = await policy.verifySignature(method, fromBase64(value), utf8ToBytes(signed));
  refuseIf(!isVerified, "signature");
  const isSame = (otherSigned: string, otherValue: string) => otherSigned === signed && otherValue === value;
  const texts = runSignatureLibrary(text, signature, hash, isSame, algorithm!);
  const [covered, more] = texts;
  if (covered === undefined || more !== undefined) throw new SamlRefusal("digest");
  return covered;
}

/** Runs the library with the checked algorithms only. Returns the signed texts, or none if `verify` returns false. */
function runSignatureLibrary(
  text: string,
  signature: Element,
  { name, hash }: { readonly name: string; readonly hash: DigestFunction },
  verify: (signed: string, value: string) => boolean,
  algorithm: string,
): readonly string[] {
  // The library requires a key, but `verify` has its own. The key in KeyInfo is ignored.
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
      verifySignature = ((signed: string, _key: unknown, value: string) => verify(signed, value)) as never;
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
