// The traits of a visitor that are counted: classes that many people share, and nothing else. The texts that they are derived from aren't
// stored.

import { tryParseUrl } from "../../../utils/url";

/** The traits of a visitor when an event is counted. Null means unknown. */
export interface VisitorTraits {
  readonly device: string | null;
  readonly browser: string | null;
  readonly language: string | null;
  readonly referrer: string | null;
}

/** The browsers by a part of their user agent. The first match counts, because most browsers name others as well. */
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

/** The data of a visitor that a renderer sends. */
export interface VisitorSession {
  readonly url?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly language?: string | null | undefined;
  readonly referrer?: string | null | undefined;
}

export function getVisitorTraits({ url, userAgent, language, referrer }: VisitorSession): VisitorTraits {
  // The site itself is no referrer.
  const referrerHost = getWebHost(referrer);
  return {
    device: classifyUserAgent(userAgent, devices),
    browser: classifyUserAgent(userAgent, browsers),
    language: /^[a-z]{2,3}(?=[-_]|$)/.exec(language?.toLowerCase() ?? "")?.[0] ?? null,
    referrer: referrerHost === getWebHost(url) ? null : referrerHost,
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

function getWebHost(text: string | null | undefined): string | null {
  const url = text ? tryParseUrl(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.hostname : null;
}

/** The limit of characters up to which the text of a search is counted. */
const MAX_QUERY_LENGTH = 80;

/**
 * Returns the text of a search as it is counted: in lower case, with single spaces. Returns null if it is empty or long, or looks like the
 * address or a number of a person.
 */
export function anonymizeQuery(query: string | undefined): string | null {
  const text = query?.trim().toLowerCase().replace(/\s+/g, " ") ?? "";
  if (text === "" || [...text].length > MAX_QUERY_LENGTH) return null;
  return text.includes("@") || /\d(?:[ ./-]?\d){5}/.test(text) ? null : text;
}
