// oEmbed: the response of a host that is asked how one of its URLs is shown elsewhere.

import { collapseWhitespace } from "../html/elements";

/** The members of an oEmbed response that are used. */
export interface OEmbedResponse {
  readonly title?: string | undefined;
  readonly site?: string | undefined;
  /** HTML of the host, which must not be passed on. */
  readonly html?: string | undefined;
}

/**
 * Hosts whose oEmbed endpoint is requested first: their pages do not name it, or are not sent to programs. The patterns are those
 * that the hosts publish.
 */
const KNOWN_ENDPOINTS: readonly (readonly [host: RegExp, endpoint: string])[] = [
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

/** Returns the URL of the oEmbed response about a URL of a known host. */
export function findOEmbedEndpoint(url: URL): string | undefined {
  const [, endpoint] = KNOWN_ENDPOINTS.find(([host]) => host.test(url.hostname)) ?? [];
  if (endpoint === undefined) return undefined;
  return `${endpoint}${endpoint.includes("?") ? "&" : "?"}url=${encodeURIComponent(url.href)}`;
}

/** Parses an oEmbed response. Returns undefined if it is none. */
export function parseOEmbed(json: string): OEmbedResponse | undefined {
  let response: unknown;
  try {
    response = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof response !== "object" || response === null) return undefined;
  const { title, provider_name: site, html } = response as Record<string, unknown>;
  const toLine = (value: unknown) => (typeof value === "string" ? collapseWhitespace(value) : undefined);
  return { title: toLine(title), site: toLine(site), html: typeof html === "string" ? html : undefined };
}
