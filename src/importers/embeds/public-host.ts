// The hosts that embeds may use: those with a name in the public DNS. The guarded fetch checks IP addresses as well. This check
// also covers hosts that the operator opened for other uses, and frames, which the browser of a reader loads.

import { tryParseUrl } from "../../utils/url";

/** Endings that lead nowhere but into a local network. */
const LOCAL_ENDINGS = new Set(
  "arpa corp home internal intranet invalid lan local localdomain localhost onion private".split(" "),
);

/** Returns whether a host has a public name: not an IP address, not a single word, and without a local ending. */
export function hasPublicHost({ hostname }: URL): boolean {
  const labels = hostname.replace(/\.$/, "").split(".");
  const last = labels.at(-1)!;
  // The last label of an IPv4 address is a number, and an IPv6 address is in brackets.
  return labels.length > 1 && /^(?:xn--[a-z0-9-]+|[a-z]+)$/.test(last) && !LOCAL_ENDINGS.has(last);
}

/** Parses an http or https URL at a host with a public name. Returns undefined for every other. */
export function parsePublicUrl(text: string, baseUrl?: string): URL | undefined {
  const url = tryParseUrl(text, baseUrl);
  return url && /^https?:$/.test(url.protocol) && hasPublicHost(url) ? url : undefined;
}
