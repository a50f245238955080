// What is counted of a visitor: classes that many people share, and nothing else. The texts that they are found in are
// not kept.

import { tryParseUrl } from "../../../utils/url";

/** What is known of a visitor when an event is counted. Null: not said. */
export interface VisitorTraits {
  readonly device: string | null;
  readonly browser: string | null;
  readonly language: string | null;
  readonly referrer: string | null;
}

/** The first that a user agent contains. The order matters: most browsers name others, too. */
const browsers: readonly (readonly [sign: string, family: string])[] = [
  ["edg", "edge"],
  ["opr/", "opera"],
  ["opera", "opera"],
  ["samsungbrowser", "samsung"],
  ["firefox", "firefox"],
  ["fxios", "firefox"],
  ["crios", "chrome"],
  ["chrome", "chrome"],
  ["chromium", "chrome"],
  ["safari", "safari"],
];

const devices: readonly (readonly [sign: string, device: string])[] = [
  ["bot", "bot"],
  ["crawl", "bot"],
  ["spider", "bot"],
  ["ipad", "tablet"],
  ["tablet", "tablet"],
  ["mobile", "mobile"],
  ["iphone", "mobile"],
  ["android", "tablet"],
  ["windows", "desktop"],
  ["macintosh", "desktop"],
  ["linux", "desktop"],
  ["cros", "desktop"],
];

/** What a renderer says of a visitor. */
export interface Said {
  readonly url?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly language?: string | null | undefined;
  readonly referrer?: string | null | undefined;
}

export function getVisitorTraits({ url, userAgent, language, referrer }: Said): VisitorTraits {
  return {
    device: classifyUserAgent(userAgent, devices),
    browser: classifyUserAgent(userAgent, browsers),
    language: /^[a-z]{2,3}(?=[-_]|$)/.exec(language?.toLowerCase() ?? "")?.[0] ?? null,
    referrer: hostOf(referrer, url),
  };
}

function classifyUserAgent(
  text: string | undefined,
  classes: readonly (readonly [sign: string, name: string])[],
): string | null {
  if (!text) return null;
  const lower = text.toLowerCase();
  return classes.find(([sign]) => lower.includes(sign))?.[1] ?? "other";
}

/** The host that a visitor came from; null where that is the site itself. */
function hostOf(referrer: string | null | undefined, url: string | undefined): string | null {
  const host = getWebHost(referrer);
  return host === getWebHost(url) ? null : host;
}

function getWebHost(text: string | null | undefined): string | null {
  const address = text ? tryParseUrl(text) : undefined;
  return address && /^https?:$/.test(address.protocol) ? address.hostname : null;
}

/** The longest text of a search that is counted as a text. */
const MAX_QUERY_LENGTH = 80;

/**
 * The text of a search as it is counted: in small letters, with single spaces. Null for one that is empty or long, and
 * for one that looks like an address of a person or a number of theirs.
 */
export function anonymizeQuery(query: string | undefined): string | null {
  const text = query?.trim().toLowerCase().replace(/\s+/g, " ") ?? "";
  if (text === "" || [...text].length > MAX_QUERY_LENGTH) return null;
  return text.includes("@") || /\d(?:[ ./-]?\d){5}/.test(text) ? null : text;
}
