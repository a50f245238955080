// The URLs of the servers that an operation can be called at. Anybody may write a specification, so only absolute URLs of the web
// are accepted, and origins are validated strictly before they become part of the policy of a page.

import { getListMember, getMemberEntries } from "../../openapi/specifications/pages/resolve-references";
import { fillServerUrl } from "../../openapi/specifications/pages/servers";
import { tryParseUrl } from "../../utils/url";

/** The most URLs that a reader chooses from. */
const MAX_URLS = 12;

/** Returns the URLs of servers, with every value that the specification lists for their variables. */
export function listServerUrls(servers: readonly unknown[]): string[] {
  const urls = new Set<string>();
  for (const server of servers.slice(0, MAX_URLS)) {
    // All combinations of the variables' values, within limits. The first has the defaults.
    let combinations: Record<string, string>[] = [{}];
    for (const [name, variable] of getMemberEntries(server, "variables").slice(0, MAX_URLS)) {
      const values = getListMember(variable, "enum").filter((it): it is string => typeof it === "string");
      const more = values
        .slice(0, MAX_URLS)
        .flatMap((value) => combinations.map((combination) => ({ ...combination, [name]: value })));
      combinations = [...combinations, ...more].slice(0, MAX_URLS * 4);
    }
    for (const values of combinations) {
      const url = fillServerUrl(server, values);
      if (urls.size < MAX_URLS && getCallableOrigin(url) !== undefined) urls.add(url);
    }
  }
  return [...urls];
}

/** The URL parser accepts `*`, `;`, `,` and quotes in a host, which have a meaning in a policy. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Returns the origin of a URL as a source of a policy, or undefined if the URL cannot be called. */
export function getCallableOrigin(address: string): string | undefined {
  if (/[{}\s]/.test(address)) return undefined;
  const url = tryParseUrl(address);
  if (url?.username !== "" || url.password !== "") return undefined;
  return ORIGIN.test(url.origin) ? url.origin : undefined;
}
