// Which hosts embeds have to do with: those with a name of the public DNS. The guarded fetch checks addresses as well. This
// holds also for hosts that the operator opened for other uses, and for frames, which the reader's browser loads.

import { tryParseUrl } from "../../utils/url";

/** Endings that lead nowhere but into a local network. */
const LOCAL = new Set(
  "arpa corp home internal intranet invalid lan local localdomain localhost onion private".split(" "),
);

/** Whether a host has a public name: no address, no single word, no local ending. */
export function hasPublicName({ hostname }: URL): boolean {
  const labels = hostname.replace(/\.$/, "").split(".");
  const last = labels.at(-1)!;
  // The last label of an IPv4 address is a number, and an IPv6 address stands in brackets.
  return labels.length > 1 && /^(?:xn--[a-z0-9-]+|[a-z]+)$/.test(last) && !LOCAL.has(last);
}

/** An http or https address at a host with a public name; undefined for every other. */
export function publicAddress(text: string, base?: string): URL | undefined {
  const url = tryParseUrl(text, base);
  return url && /^https?:$/.test(url.protocol) && hasPublicName(url) ? url : undefined;
}
