// The bytes of a page as text, in the encoding that they, their sender or the page itself name.

/** How far into a page its encoding may be named, as browsers have it. */
const LOOK = 1024;

/** Decodes a page: a byte order mark wins, then the sender's `contentType`, then the page. Never throws; the default is UTF-8. */
export function decodeHtml(bytes: Uint8Array, contentType = ""): string {
  const encoding = marked(bytes) ?? usable(charsetIn(contentType)) ?? stated(bytes) ?? "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function marked([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** What a page says in a `<meta>`; one that can be read as ASCII is not in UTF-16, whatever it says. */
function stated(bytes: Uint8Array): string | undefined {
  let start = "";
  for (const byte of bytes.subarray(0, LOOK)) start += String.fromCharCode(byte);
  const encoding = usable(/<meta\s[^<>]*charset/i.test(start) ? charsetIn(start) : undefined);
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i.exec(text)?.[1];
}

/** The name of an encoding, when there is a decoder for it. */
function usable(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
