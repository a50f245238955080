// Parses URLs from outside, with limits. Runtimes convert the host of a URL to ASCII in time that grows with the square
// of its length: 60,000 letters took nine seconds. So every URL from outside is parsed here, and a test checks that.

/** The longest text that is parsed as a URL. Everything except the host is cheap to parse. */
export const MAX_URL_LENGTH = 65_536;
/** The longest host; a name in DNS has at most 253 characters. */
export const MAX_HOST_LENGTH = 255;

/** URL parsers drop tabs and line breaks wherever they are, so `ht\ntp:` is the same as `http:`. */
const IGNORED_CHARACTERS = /^[\0-\x20]+|[\t\n\r]+/g;
/** Matches up to the path: a URL with a scheme that has a host, or one without a scheme. */
const AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i;

/** Parses a URL, relative to a base if given. Returns undefined if it is invalid or too long. */
export function tryParseUrl(text: string, base?: string | URL): URL | undefined {
  for (const part of typeof base === "string" ? [text, base] : [text]) {
    if (part.length <= MAX_HOST_LENGTH) continue;
    if (part.length > MAX_URL_LENGTH) return undefined;
    const authority = AUTHORITY.exec(part.replace(IGNORED_CHARACTERS, ""))?.[1] ?? "";
    if (authority.length - (authority.lastIndexOf("@") + 1) > MAX_HOST_LENGTH) return undefined;
  }
  try {
    const url = new URL(text, base);
    // The ASCII form may be longer than the text. A URL that was parsed once must be accepted again.
    return url.hostname.length > MAX_HOST_LENGTH ? undefined : url;
  } catch {
    return undefined;
  }
}

/** Parses a text that is known to be a URL. Throws the TypeError of `new URL` if it is not. */
export function parseUrl(text: string, base?: string | URL): URL {
  const url = tryParseUrl(text, base);
  if (!url) throw new TypeError("Invalid URL");
  return url;
}

/**
 * Returns the value of a `Location` header: an absolute URL of visible ASCII characters. `to` is a URL, or a path of `origin`,
 * which has no slash at its end. Throws the TypeError of `new URL` if `to` is neither.
 */
export function toLocation(to: string, origin = ""): string {
  // Only URLs without a host keep their spaces.
  return parseUrl(to.startsWith("/") ? origin + to : to).href.replaceAll(" ", "%20");
}

/** Returns a path or URL without the slashes at its end. */
export function trimTrailingSlashes(text: string): string {
  // Matches only from the first slash of the run, which keeps it linear.
  return text.replace(/(?<!\/)\/+$/, "");
}

/** Returns a text without its percent-encoding. Returns undefined if it is not encoded correctly. */
export function tryDecodeUriComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
