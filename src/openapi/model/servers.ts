// The servers of an API. Anybody may write a specification, so only absolute URLs of the web are called, and origins are validated
// strictly before they become part of the policy of a page.

import { trimTrailingSlashes, tryParseUrl } from "../../utils/url";
import { getListMember, getMemberEntries, getOwnMember, getTextMember } from "./document";
import type { SpecificationOperation } from "./operations";

/** The longest address of a server. */
export const MAX_ADDRESS = 500;
/** The most URLs that a reader chooses from. */
const MAX_URLS = 12;

/** Lists the servers that apply: those of the operation, of its path, or of the specification. */
export function listServers({ value, item, root }: Pick<SpecificationOperation, "value" | "item" | "root">) {
  for (const place of [value, item, root.value]) {
    const servers = getListMember(place, "servers");
    if (servers.length > 0) return servers;
  }
  // Swagger 2 has a host and a base path.
  const host = getTextMember(root.value, "host");
  const basePath = (getTextMember(root.value, "basePath") ?? "").slice(0, MAX_ADDRESS);
  const scheme = getListMember(root.value, "schemes").find((it) => it === "http" || it === "https") ?? "https";
  const url = host === undefined ? basePath : `${scheme}://${host.slice(0, MAX_ADDRESS)}${basePath}`;
  return url === "" ? [] : [{ url }];
}

/** Returns the address of a server, without slashes at its end. Variables without a given value have their defaults. */
export function fillServerUrl(server: unknown, values: Readonly<Record<string, string>> = {}): string {
  const variables = getOwnMember(server, "variables");
  const url = (getTextMember(server, "url") ?? "").slice(0, MAX_ADDRESS);
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : getOwnMember(getOwnMember(variables, name), "default");
    return typeof value === "string" || typeof value === "number" ? String(value).slice(0, MAX_ADDRESS) : written;
  });
  return trimTrailingSlashes(filled);
}

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
