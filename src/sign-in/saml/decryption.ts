// Encrypted assertions: a key for the content, encrypted for us, and the content. Only what WebCrypto has is accepted.

import { fromBase64 } from "./base64";
import { DSIG, XMLENC, XMLENC11 } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { getElementText, getOnlyChild, listElements, readXmlAttribute } from "./xml";

/** Our private key, for each of the two hashes of RSA-OAEP. */
export type UnwrapKey = (hash: "SHA-1" | "SHA-256", wrapped: Uint8Array) => Promise<Uint8Array>;

const GCM = [`${XMLENC11}aes128-gcm`, `${XMLENC11}aes192-gcm`, `${XMLENC11}aes256-gcm`];
const CBC = [`${XMLENC}aes128-cbc`, `${XMLENC}aes192-cbc`, `${XMLENC}aes256-cbc`];

/**
 * The text of an encrypted assertion. `isHeadSigned`: a good signature covers it, so nobody has changed it on the way. Without
 * that, CBC is refused: whoever may send changed texts, and hears what becomes of them, reads what is encrypted.
 */
export async function decryptAssertion(encrypted: Element, unwrap: UnwrapKey, isSigned: boolean): Promise<string> {
  const data = requirePresent(getOnlyChild(encrypted, XMLENC, "EncryptedData"));
  const algorithm = getEncryptionAlgorithm(data);
  const isCbc = CBC.includes(algorithm);
  refuseIf(isCbc && !isSigned, "cbc_unsigned");
  if (!isCbc && !GCM.includes(algorithm)) throw new SamlRefusal("encryption_algorithm");
  // Whatever goes wrong from here on is one answer.
  try {
    const key = await unwrapEncryptedKey(requirePresent(listElements(encrypted, XMLENC, "EncryptedKey")[0]), unwrap);
    const bytes = getCipherValue(data);
    const text = isCbc ? await decryptCbc(key, bytes) : await decryptGcm(key, bytes);
    return new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch (cause) {
    throw cause instanceof SamlRefusal && cause.why === "key_transport"
      ? cause
      : new SamlRefusal("decryption", { cause });
  }
}

function getEncryptionAlgorithm(element: Element): string {
  return readXmlAttribute(requirePresent(getOnlyChild(element, XMLENC, "EncryptionMethod")), "Algorithm") ?? "";
}

function getCipherValue(element: Element): Uint8Array<ArrayBuffer> {
  const value = requirePresent(
    getOnlyChild(requirePresent(getOnlyChild(element, XMLENC, "CipherData")), XMLENC, "CipherValue"),
  );
  return fromBase64(getElementText(value));
}

/** The older name always masks with SHA-1, which is safe there. WebCrypto knows one hash for both. */
async function unwrapEncryptedKey(encrypted: Element, unwrap: UnwrapKey): Promise<Uint8Array<ArrayBuffer>> {
  const method = requirePresent(getOnlyChild(encrypted, XMLENC, "EncryptionMethod"));
  const digest = getOnlyChild(method, DSIG, "DigestMethod");
  const hash = digest ? readXmlAttribute(digest, "Algorithm") : `${DSIG}sha1`;
  const mask = getOnlyChild(method, XMLENC11, "MGF");
  const masking = mask ? readXmlAttribute(mask, "Algorithm") : `${XMLENC11}mgf1sha1`;
  const known = [
    [`${DSIG}sha1`, `${XMLENC11}mgf1sha1`, "SHA-1"],
    [`${XMLENC}sha256`, `${XMLENC11}mgf1sha256`, "SHA-256"],
  ] as const;
  const isOaep = [`${XMLENC}rsa-oaep-mgf1p`, `${XMLENC11}rsa-oaep`].includes(
    readXmlAttribute(method, "Algorithm") ?? "",
  );
  const found = known.find(([of, by]) => of === hash && by === masking);
  if (!isOaep || !found) throw new SamlRefusal("key_transport");
  return new Uint8Array(await unwrap(found[2], getCipherValue(encrypted)));
}

async function decryptGcm(key: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  return crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, 12) }, imported, bytes.slice(12));
}

const BLOCK_BYTES = 16;

/**
 * XML Encryption fills the last block with anything, and says in the last byte how much that is. WebCrypto wants the
 * filling of PKCS 7. So a block that is nothing but such a filling is put behind, for WebCrypto to take away.
 */
async function decryptCbc(key: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["encrypt", "decrypt"]);
  const filling = await crypto.subtle.encrypt(
    { name: "AES-CBC", iv: bytes.slice(-BLOCK_BYTES) },
    imported,
    new Uint8Array(),
  );
  const whole = new Uint8Array([...bytes.slice(BLOCK_BYTES), ...new Uint8Array(filling)]);
  const open = await crypto.subtle.decrypt({ name: "AES-CBC", iv: bytes.slice(0, BLOCK_BYTES) }, imported, whole);
  const text = new Uint8Array(open);
  const filled = text.at(-1) ?? 0;
  if (filled < 1 || filled > BLOCK_BYTES || filled > text.length) throw new SamlRefusal("decryption");
  return text.subarray(0, -filled);
}
