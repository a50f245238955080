// Base64 in XML, which may contain line breaks and other white space.

import { SamlRefusal } from "./refusal";

/** Decodes base64. Throws a `SamlRefusal` if the text is malformed. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const dense = text.replace(/[\t\n\r ]+/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(dense)) throw new SamlRefusal("malformed");
  try {
    return Uint8Array.from(atob(dense), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new SamlRefusal("malformed", { cause });
  }
}
