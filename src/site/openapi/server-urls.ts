// The addresses of the servers that an operation can be called at. A specification is written by anybody: only whole
// addresses of the web count, and what goes into the policy of a page is checked letter by letter.

import { listIn, membersIn } from "../../openapi/specifications/pages/pointers";
import { filled } from "../../openapi/specifications/pages/servers";
import { trimTrailingSlashes, tryParseUrl } from "../../utils/url";

/** The most addresses that a reader chooses from. */
const MOST_ADDRESSES = 12;

/** The addresses of servers, with every value that a variable lists put in. */
export function listServerUrls(servers: readonly unknown[]): string[] {
  const found = new Set<string>();
  for (const server of servers.slice(0, MOST_ADDRESSES))
    for (const values of listVariableCombinations(server)) {
      const address = trimTrailingSlashes(filled(server, values));
      if (found.size < MOST_ADDRESSES && getCallableOrigin(address) !== undefined) found.add(address);
    }
  return [...found];
}

/** Every combination of the values of a server's variables, as far as there is room; first that of the defaults. */
function listVariableCombinations(server: unknown): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, variable] of membersIn(server, "variables").slice(0, MOST_ADDRESSES)) {
    const values = listIn(variable, "enum").filter((it): it is string => typeof it === "string");
    const more = values.slice(0, MOST_ADDRESSES).flatMap((value) => all.map((it) => ({ ...it, [name]: value })));
    all = [...all, ...more].slice(0, MOST_ADDRESSES * 4);
  }
  return all;
}

/** The parser of addresses lets stars, semicolons, commas and quotes through in a host. In a policy they would mean more. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The origin of an address, as a policy may name it; undefined where it cannot be called. */
export function getCallableOrigin(address: string): string | undefined {
  if (/[{}\s]/.test(address)) return undefined;
  const url = tryParseUrl(address);
  if (url?.username !== "" || url.password !== "") return undefined;
  return ORIGIN.test(url.origin) ? url.origin : undefined;
}
