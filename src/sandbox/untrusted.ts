// Reads values that come out of a sandbox. They are checked again, because a script may have replaced the checks inside.

import type { HeaderPairs } from "./port";

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Parses headers from JSON. Returns undefined if the value is not a list of headers, or exceeds the limit. */
export function parseHeaders(value: unknown, maxBytes: number): HeaderPairs | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs: [string, string][] = [];
  let bytes = 0;
  for (const pair of value) {
    if (!Array.isArray(pair) || pair.length !== 2) return undefined;
    const [name, text] = pair;
    if (typeof name !== "string" || typeof text !== "string") return undefined;
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(text)) return undefined;
    bytes += name.length + text.length;
    if (bytes > maxBytes) return undefined;
    pairs.push([name.toLowerCase(), text]);
  }
  return pairs;
}
