// The hosts that an operator opens to outbound requests although their addresses are not public.

import { isIPv6 } from "node:net";

/** Makes the test whether a URL's host, or its host with its port, is on the list. */
export function allowList(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(entries.map(normalized));
  return (url) => {
    const host = bare(url.hostname);
    return allowed.has(host) || allowed.has(`${host}:${url.port || (url.protocol === "https:" ? 443 : 80)}`);
  };
}

/** An entry as the URL parser would spell it: lower case, Punycode, one spelling of an address. */
function normalized(entry: string): string {
  const written = isIPv6(entry) ? `[${entry}]` : entry;
  const [, host, port] = written.match(/^(\[[^\]]+\]|[^:/?#@*\s]+)(:\d{1,5})?$/) ?? [];
  if (host === undefined || !URL.canParse(`http://${host}${port ?? ""}`))
    throw new TypeError(
      `guardedFetch: ${JSON.stringify(entry)} in \`allow\` is neither a host nor a host with a port.`,
    );
  return bare(new URL(`http://${host}`).hostname) + (port ?? "");
}

/** A name without the dot that marks it as complete. */
function bare(hostname: string): string {
  return hostname.replace(/\.$/, "");
}
