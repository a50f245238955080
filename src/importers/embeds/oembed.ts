// oEmbed: what a host answers when it is asked how one of its addresses is shown elsewhere.

import { oneLine } from "../html/looking";

/** What an oEmbed answer says, as far as it is used. */
export interface OEmbed {
  readonly title?: string | undefined;
  readonly site?: string | undefined;
  /** HTML of the host, which is not to be passed on. */
  readonly html?: string | undefined;
}

/**
 * Hosts whose oEmbed answer is asked for at once: their pages do not name it, or are not given to programs. The patterns
 * are those that the hosts publish.
 */
const KNOWN: readonly (readonly [host: RegExp, endpoint: string])[] = [
  [/^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$/, "https://www.youtube.com/oembed?format=json"],
  [/^(?:(?:www|player)\.)?vimeo\.com$/, "https://vimeo.com/api/oembed.json"],
  [/^(?:www\.)?loom\.com$/, "https://www.loom.com/v1/oembed?format=json"],
  [/^open\.spotify\.com$/, "https://open.spotify.com/oembed"],
  [/^(?:(?:www|m|on)\.)?soundcloud\.com$/, "https://soundcloud.com/oembed?format=json"],
  [/^(?:www\.)?codepen\.io$/, "https://codepen.io/api/oembed?format=json"],
  [/^(?:www\.)?figma\.com$/, "https://www.figma.com/api/oembed"],
  [/^(?:www\.)?dailymotion\.com$/, "https://www.dailymotion.com/services/oembed?format=json"],
  [/^(?:www\.)?ted\.com$/, "https://www.ted.com/services/v1/oembed.json"],
];

/** Where to ask for the oEmbed answer about an address of a known host. */
export function knownEndpoint(url: URL): string | undefined {
  const [, endpoint] = KNOWN.find(([host]) => host.test(url.hostname)) ?? [];
  if (endpoint === undefined) return undefined;
  return `${endpoint}${endpoint.includes("?") ? "&" : "?"}url=${encodeURIComponent(url.href)}`;
}

/** Reads an answer; undefined when it is none. */
export function readOEmbed(json: string): OEmbed | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  const { title, provider_name: site, html } = answer as Record<string, unknown>;
  return { title: line(title), site: line(site), html: typeof html === "string" ? html : undefined };
}

function line(value: unknown): string | undefined {
  return typeof value === "string" ? oneLine(value) : undefined;
}
