// AES-256-GCM: by the platform where it has a synchronous cipher, otherwise by Web Crypto. Both give the same result. What
// is sealed here is short, and Web Crypto hands each text to another thread, which takes longer than the work.

import { joined } from "./bytes";

interface NativeCipher {
  setAAD(context: Uint8Array): void;
  setAuthTag(tag: Uint8Array): void;
  getAuthTag(): Uint8Array;
  update(bytes: Uint8Array): Uint8Array;
  final(): Uint8Array;
}
type NewCipher = (name: "aes-256-gcm", key: Uint8Array, iv: Uint8Array) => NativeCipher;
interface NativeCrypto {
  readonly createCipheriv?: NewCipher;
  readonly createDecipheriv?: NewCipher;
}

/** The cipher of one key. What is sealed has its tag at the end. */
export interface Aes {
  seal(iv: Uint8Array, bytes: Uint8Array, context: Uint8Array): Promise<Uint8Array>;
  /** Throws when it was not sealed with this key, this `iv` and this context. */
  open(iv: Uint8Array, sealed: Uint8Array, context: Uint8Array): Promise<Uint8Array>;
}

const TAG_BYTES = 16;

/** With Web Crypto. */
export function portableAes(key: Uint8Array): Aes {
  let imported: Promise<CryptoKey> | undefined;
  const importKey = () => {
    imported ??= crypto.subtle.importKey("raw", key as BufferSource, "AES-GCM", false, ["encrypt", "decrypt"]);
    return imported;
  };
  const options = (iv: Uint8Array, context: Uint8Array) => ({
    name: "AES-GCM",
    iv: iv as BufferSource & Uint8Array,
    additionalData: context as BufferSource,
  });
  return {
    async seal(iv, bytes, context) {
      const sealed = await crypto.subtle.encrypt(options(iv, context), await importKey(), bytes as BufferSource);
      return new Uint8Array(sealed);
    },
    async open(iv, sealed, context) {
      const bytes = await crypto.subtle.decrypt(options(iv, context), await importKey(), sealed as BufferSource);
      return new Uint8Array(bytes);
    },
  };
}

/** With the platform's synchronous cipher. */
function nativeAes(key: Uint8Array, newCipher: NewCipher, newDecipher: NewCipher): Aes {
  return {
    async seal(iv, bytes, context) {
      const cipher = newCipher("aes-256-gcm", key, iv);
      cipher.setAAD(context);
      return joined([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    async open(iv, sealed, context) {
      if (sealed.length < TAG_BYTES) throw new Error("The tag is missing.");
      const cipher = newDecipher("aes-256-gcm", key, iv);
      cipher.setAAD(context);
      cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return joined([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]);
    },
  };
}

// Looked up at run time: Workers may not have this module, and bundlers must not resolve it.
const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } };
const { createCipheriv, createDecipheriv } = host.process?.getBuiltinModule?.("crypto") ?? {};

/** Whether the platform's cipher does what it should: some runtimes have its name and not the cipher. */
let isSound: boolean | undefined;

function soundness(newCipher: NewCipher): boolean {
  try {
    const cipher = newCipher("aes-256-gcm", new Uint8Array(32), new Uint8Array(12));
    cipher.setAAD(new Uint8Array());
    // The case of the standard: nothing but zeros.
    return (
      cipher.update(new Uint8Array(16))[0] === 0xce && cipher.final().length === 0 && cipher.getAuthTag()[0] === 0xd0
    );
  } catch {
    return false;
  }
}

export function aesOf(key: Uint8Array): Aes {
  if (!createCipheriv || !createDecipheriv) return portableAes(key);
  isSound ??= soundness(createCipheriv);
  return isSound ? nativeAes(key, createCipheriv, createDecipheriv) : portableAes(key);
}
