// Decrypts assertions: first the content key, which is encrypted for this service provider, then the content. Only algorithms that
// WebCrypto implements are accepted.

import { fromBase64 } from "./base64";
import { DSIG, XMLENC, XMLENC11 } from "./names";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";
import { getElementText, getOnlyChild, listElements, readXmlAttribute, requireChild } from "./xml";

/** Decrypts a content key with the private key of this service provider, for one of the two hashes of RSA-OAEP. */
export type UnwrapKey = (hash: "SHA-1" | "SHA-256", wrapped: Uint8Array) => Promise<Uint8Array>;

const GCM = [`${XMLENC11}aes128-gcm`, `${XMLENC11}aes192-gcm`, `${XMLENC11}aes256-gcm`];
const BLOCK_BYTES = 16;
const CBC = [`${XMLENC}aes128-cbc`, `${XMLENC}aes192-cbc`, `${XMLENC}aes256-cbc`];

/**
 * Returns the text of an encrypted assertion. `isSigned`: a verified signature covers it, so that nobody can have changed it. CBC
 * is refused without one: an attacker who can send changed texts and observe the responses could decrypt the content.
 */
export async function decryptAssertion(encrypted: Element, unwrapKey: UnwrapKey, isSigned: boolean): Promise<string> {
  const data = requireChild(encrypted, XMLENC, "EncryptedData");
  const algorithm = readXmlAttribute(requireChild(data, XMLENC, "EncryptionMethod"), "Algorithm") ?? "";
  const isCbc = CBC.includes(algorithm);
  refuseIf(isCbc && !isSigned, "cbc_unsigned");
  if (!isCbc && !GCM.includes(algorithm)) throw new SamlRefusal("encryption_algorithm");
  // From here on all failures have the same reason, so that it reveals nothing about the content.
  try {
    const encryptedKey = requirePresent(listElements(encrypted, XMLENC, "EncryptedKey")[0]);
    // The content key is encrypted with RSA-OAEP. The mask function of the older algorithm is always SHA-1, which is safe
    // there. WebCrypto uses one hash for the digest and the mask, so both have to be the same.
    const method = requireChild(encryptedKey, XMLENC, "EncryptionMethod");
    const digest = getOnlyChild(method, DSIG, "DigestMethod");
    const hash = digest ? readXmlAttribute(digest, "Algorithm") : `${DSIG}sha1`;
    const maskFunction = getOnlyChild(method, XMLENC11, "MGF");
    const mask = maskFunction ? readXmlAttribute(maskFunction, "Algorithm") : `${XMLENC11}mgf1sha1`;
    const supported = [
      [`${DSIG}sha1`, `${XMLENC11}mgf1sha1`, "SHA-1"],
      [`${XMLENC}sha256`, `${XMLENC11}mgf1sha256`, "SHA-256"],
    ] as const;
    const isOaep = [`${XMLENC}rsa-oaep-mgf1p`, `${XMLENC11}rsa-oaep`].includes(
      readXmlAttribute(method, "Algorithm") ?? "",
    );
    const combination = supported.find((it) => it[0] === hash && it[1] === mask);
    if (!isOaep || !combination) throw new SamlRefusal("key_transport");
    const key = new Uint8Array(await unwrapKey(combination[2], readCipherValue(encryptedKey)));
    const bytes = readCipherValue(data);
    if (isCbc) {
      // The padding of XML Encryption is any bytes, of which the last is their number. WebCrypto requires the padding of PKCS #7, so a
      // block that consists of such padding is appended, which WebCrypto then removes.
      const imported = await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["encrypt", "decrypt"]);
      const paddingBlock = await crypto.subtle.encrypt(
        { name: "AES-CBC", iv: bytes.slice(-BLOCK_BYTES) },
        imported,
        new Uint8Array(),
      );
      const padded = new Uint8Array([...bytes.slice(BLOCK_BYTES), ...new Uint8Array(paddingBlock)]);
      const iv = bytes.slice(0, BLOCK_BYTES);
      const content = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CBC", iv }, imported, padded));
      const paddingLength = content.at(-1) ?? 0;
      if (paddingLength < 1 || paddingLength > BLOCK_BYTES || paddingLength > content.length)
        throw new SamlRefusal("decryption");
      return new TextDecoder("utf-8", { fatal: true }).decode(content.subarray(0, -paddingLength));
    }
    const imported = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
    const algorithm = { name: "AES-GCM", iv: bytes.slice(0, 12) };
    const content = await crypto.subtle.decrypt(algorithm, imported, bytes.slice(12));
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    throw cause instanceof SamlRefusal && cause.why === "key_transport"
      ? cause
      : new SamlRefusal("decryption", { cause });
  }
}

function readCipherValue(element: Element): Uint8Array<ArrayBuffer> {
  const value = requireChild(requireChild(element, XMLENC, "CipherData"), XMLENC, "CipherValue");
  return fromBase64(getElementText(value));
}
