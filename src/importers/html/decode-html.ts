// Decodes the bytes of a page, in the encoding that they, their sender or the page itself name.

/** The number of bytes in which a page may name its encoding, as in browsers. */
const MAX_SEARCHED_BYTES = 1024;

/** Decodes a page: a byte order mark wins, then the sender's `contentType`, then the page. Never throws; the default is UTF-8. */
export function decodeHtml(bytes: Uint8Array, contentType = ""): string {
  const encoding =
    findByteOrderMark(bytes) ?? resolveEncoding(findCharset(contentType)) ?? findMetaEncoding(bytes) ?? "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function findByteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** Returns the encoding that a page names in a `<meta>`. A page that can be read as ASCII is never in UTF-16. */
function findMetaEncoding(bytes: Uint8Array): string | undefined {
  let start = "";
  for (const byte of bytes.subarray(0, MAX_SEARCHED_BYTES)) start += String.fromCharCode(byte);
  const encoding = resolveEncoding(/<meta\s[^<>]*charset/i.test(start) ? findCharset(start) : undefined);
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

function findCharset(text: string): string | undefined {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i.exec(text)?.[1];
}

/** Returns the standard name of an encoding, or undefined if there is no decoder for it. */
function resolveEncoding(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
