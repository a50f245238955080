// The hosts that an operator opens to outbound requests although their addresses are not public.

import { isIPv6 } from "node:net";

/** The dot that marks a name as complete. */
const TRAILING_DOT = /\.$/;

/** Creates a function that checks if a URL's host, or its host with its port, is on the list. */
export function createAllowList(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(
    entries.map((entry) => {
      const bracketed = isIPv6(entry) ? `[${entry}]` : entry;
      const [, host, port] = bracketed.match(/^(\[[^\]]+\]|[^:/?#@*\s]+)(:\d{1,5})?$/) ?? [];
      if (host === undefined || !URL.canParse(`http://${host}${port ?? ""}`))
        throw new TypeError(
          `guardedFetch: ${JSON.stringify(entry)} in \`allow\` is neither a host nor a host with a port.`,
        );
      // As the URL parser spells it: lower case, Punycode, one spelling of an address.
      return new URL(`http://${host}`).hostname.replace(TRAILING_DOT, "") + (port ?? "");
    }),
  );
  return (url) => {
    const host = url.hostname.replace(TRAILING_DOT, "");
    return allowed.has(host) || allowed.has(`${host}:${url.port || (url.protocol === "https:" ? 443 : 80)}`);
  };
}
