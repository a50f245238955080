// Decodes the bytes of a page, in the encoding that they, their sender or the page itself name.

/** The number of bytes in which a page may name its encoding, as in browsers. */
const MAX_SEARCHED_BYTES = 1024;

const CHARSET = /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i;

/** Decodes a page: a byte order mark wins, then the sender's `contentType`, then the page. Never throws; the default is UTF-8. */
export function decodeHtml(bytes: Uint8Array, contentType = ""): string {
  const [first, second, third] = bytes;
  let encoding: string | undefined;
  if (first === 0xef && second === 0xbb && third === 0xbf) encoding = "utf-8";
  else if (first === 0xfe && second === 0xff) encoding = "utf-16be";
  else if (first === 0xff && second === 0xfe) encoding = "utf-16le";
  else encoding = resolveEncoding(CHARSET.exec(contentType)?.[1]);
  if (encoding === undefined) {
    let start = "";
    for (const byte of bytes.subarray(0, MAX_SEARCHED_BYTES)) start += String.fromCharCode(byte);
    encoding = resolveEncoding(/<meta\s[^<>]*charset/i.test(start) ? CHARSET.exec(start)?.[1] : undefined);
    // A page whose beginning can be read as ASCII is never in UTF-16.
    if (encoding?.startsWith("utf-16")) encoding = "utf-8";
  }
  return new TextDecoder(encoding ?? "utf-8").decode(bytes);
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
