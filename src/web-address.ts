// URLs that others wrote, parsed within bounds. Runtimes turn the host of a URL into ASCII in time that grows with the square
// of its length: 60,000 letters took nine seconds. So whatever is not ours goes through here, and a test holds that.

/** The longest text that is parsed as a URL; what is not its host costs little. */
export const LONGEST_ADDRESS = 65_536;
/** The longest host; a name in DNS has 253 characters. */
export const LONGEST_HOST = 255;

/** Tabs and line breaks are dropped wherever they stand, so `ht\ntp:` begins as `http:` does. */
const DROPPED = /^[\0-\x20]+|[\t\n\r]+/g;
/** What stands before the path, in an address with a scheme that has a host, or in one that leaves its scheme out. */
const AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i;

/** The URL that a text means, from a base if it is relative; undefined when it is none, or longer than one that is parsed. */
export function readAddress(text: string, base?: string | URL): URL | undefined {
  if (isTooLong(text) || (typeof base === "string" && isTooLong(base))) return undefined;
  try {
    const url = new URL(text, base);
    // ASCII may be longer than what it stands for; what was read once can be read again.
    return url.hostname.length > LONGEST_HOST ? undefined : url;
  } catch {
    return undefined;
  }
}

/** The same, for what is a URL already: throws the TypeError of `new URL` where it is none. */
export function parseAddress(text: string, base?: string | URL): URL {
  const url = readAddress(text, base);
  if (!url) throw new TypeError("Invalid URL");
  return url;
}

/** A path or an address without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  // Begun at the first of them alone, which keeps it linear.
  return text.replace(/(?<!\/)\/+$/, "");
}

function isTooLong(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return true;
  const authority = AUTHORITY.exec(text.replace(DROPPED, ""))?.[1] ?? "";
  return authority.length - (authority.lastIndexOf("@") + 1) > LONGEST_HOST;
}
