// Headers that come out of a sandbox. They are checked again, because a script may have replaced the checks inside.

import type { HeaderPairs } from "./port";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const line = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers of a value out of JSON; undefined when it holds anything else, or more than may be. */
export function headersOf(value: unknown, mostBytes: number): HeaderPairs | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs: [string, string][] = [];
  let bytes = 0;
  for (const pair of value) {
    if (!Array.isArray(pair) || pair.length !== 2) return undefined;
    const [name, text] = pair;
    if (typeof name !== "string" || typeof text !== "string" || !token.test(name) || !line.test(text)) return undefined;
    bytes += name.length + text.length;
    if (bytes > mostBytes) return undefined;
    pairs.push([name.toLowerCase(), text]);
  }
  return pairs;
}

/** Headers of the connection, which a script may not set. */
const ofConnections =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/;

/** The headers without those of the connection. */
export function withoutConnection(headers: HeaderPairs): HeaderPairs {
  return headers.filter(([name]) => !ofConnections.test(name));
}
