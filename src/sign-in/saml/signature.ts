// Signatures of XML. The library does what XML Signature is: it finds what is referenced, makes the canonical form and
// compares digests. Its two primitives come from here: hashes that do not wait, and keys of WebCrypto, so that it runs
// where there is no Node. What comes out is the text that was signed, and nothing else of the message is read after that.

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SignedXml } from "xml-crypto/lib/signed-xml.js";
import { fromBase64, toBase64 } from "./base64";
import { DSIG, ENVELOPED, EXCLUSIVE_C14N, XMLENC } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { getChildElements, getOnlyChild, isElement, readXmlAttribute } from "./xml";

const XMLDSIG_MORE = "http://www.w3.org/2001/04/xmldsig-more#";

/** A way to sign, as WebCrypto names it. */
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

/** Says whether something was signed with the key of the identity provider. A key that does not fit the method: false. */
export type VerifySignature = (method: SignatureMethod, signature: Uint8Array, signed: Uint8Array) => Promise<boolean>;

export interface SignaturePolicy {
  readonly verifySignature: VerifySignature;
  /** Signatures and digests with SHA-1 are accepted. */
  readonly allowsSha1: boolean;
}

/** The way to sign that an algorithm names; undefined when it is not accepted. */
export function findSignatureMethod(
  algorithm: string | undefined,
  { allowsSha1 }: Pick<SignaturePolicy, "allowsSha1">,
): SignatureMethod | undefined {
  const weak = SHA1_SIGNATURE_METHODS.get(algorithm ?? "");
  refuseIf(weak !== undefined && !allowsSha1, "signature_algorithm");
  return weak ?? SIGNATURE_METHODS.get(algorithm ?? "");
}

/** The signature of an element: a child, by the schema. */
export function findSignature(element: Element): Element | undefined {
  return getOnlyChild(element, DSIG, "Signature");
}

/**
 * The canonical text of an element, as its own signature covers it. The signature must be good, by the key of the
 * provider, and must be about the element that it stands in.
 */
export async function extractSignedText(text: string, element: Element, trust: SignaturePolicy): Promise<string> {
  const signature = requirePresent(findSignature(element));
  const { method, algorithm, hash } = checkSignatureStructure(signature, element, trust);
  // The library does not wait for an answer. So the first run says what was signed, and the second gets the answer.
  const asked: { readonly signed: string; readonly value: string }[] = [];
  runSignatureLibrary(text, signature, hash, (signed, value) => asked.push({ signed, value }) > 1, algorithm);
  const [question] = asked;
  if (!question) throw new SamlRefusal("digest");
  const { signed, value } = question;
  const isGood = await trust.verifySignature(method, fromBase64(value), utf8ToBytes(signed));
  refuseIf(!isGood, "signature");
  const texts = runSignatureLibrary(
    text,
    signature,
    hash,
    (again, sent) => again === signed && sent === value,
    algorithm,
  );
  const [covered, more] = texts;
  if (covered === undefined || more !== undefined) throw new SamlRefusal("digest");
  return covered;
}

/** The parts of a signature that a signature has once, in any namespace: the library looks for some by their name alone. */
const UNIQUE_ELEMENTS = [
  ...["SignedInfo", "CanonicalizationMethod", "SignatureMethod", "SignatureValue"],
  ...["Reference", "Transforms", "DigestMethod", "DigestValue"],
];

/** Refuses every signature that is not as identity providers make them: one reference, to the element that it stands in. */
function checkSignatureStructure(signature: Element, element: Element, trust: SignaturePolicy) {
  const all = Array.from(signature.getElementsByTagNameNS("*", "*"));
  for (const name of UNIQUE_ELEMENTS) {
    const named = all.filter(({ localName }) => localName === name);
    refuseIf(named.length !== 1 || named[0]!.namespaceURI !== DSIG, "signature_shape");
  }
  refuseIf(!getChildElements(signature).every(isPartOfSignature), "signature_parts");
  const info = requirePresent(getOnlyChild(signature, DSIG, "SignedInfo"));
  const reference = requirePresent(getOnlyChild(info, DSIG, "Reference"));
  const id = readXmlAttribute(element, "ID");
  refuseIf(!id || readXmlAttribute(reference, "URI") !== `#${id}`, "reference");
  const transforms = getChildElements(requirePresent(getOnlyChild(reference, DSIG, "Transforms"))).map((one) =>
    readXmlAttribute(one, "Algorithm"),
  );
  refuseIf(transforms.join(" ") !== `${ENVELOPED} ${EXCLUSIVE_C14N}`, "transform");
  const form = readXmlAttribute(requirePresent(getOnlyChild(info, DSIG, "CanonicalizationMethod")), "Algorithm");
  refuseIf(form !== EXCLUSIVE_C14N, "canonicalization");
  const algorithm = readXmlAttribute(requirePresent(getOnlyChild(info, DSIG, "SignatureMethod")), "Algorithm");
  const method = findSignatureMethod(algorithm, trust);
  const digest = readXmlAttribute(requirePresent(getOnlyChild(reference, DSIG, "DigestMethod")), "Algorithm");
  const weak = SHA1_DIGEST_METHODS.get(digest ?? "");
  refuseIf(weak !== undefined && !trust.allowsSha1, "digest_algorithm");
  const hash = weak ?? DIGEST_METHODS.get(digest ?? "");
  if (!method || !hash) throw new SamlRefusal(method ? "digest_algorithm" : "signature_algorithm");
  return { method, algorithm: algorithm!, hash: { name: digest!, hash } };
}

function isPartOfSignature(part: Element): boolean {
  return ["SignedInfo", "SignatureValue", "KeyInfo"].some((name) => isElement(part, DSIG, name));
}

/** Runs the library once, with nothing but what was checked. The texts that are signed; none while the answer is no. */
function runSignatureLibrary(
  text: string,
  signature: Element,
  { name, hash }: { readonly name: string; readonly hash: DigestFunction },
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
