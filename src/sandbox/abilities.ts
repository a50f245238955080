// What the host computes for a script: encodings, URLs, hashes and random bytes. Each takes JSON and bytes, trusts neither,
// and reaches nothing.

import { hmac } from "@noble/hashes/hmac.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { parseAddress, readAddress } from "../web-address";
import type { HostAnswer } from "./instance";

/** Computes something of what a script sent; undefined when that has another form than our own world sends. */
export type Ability = (value: unknown, bytes: Uint8Array) => HostAnswer;

/** What an ability costs, in steps for each byte that it is given. */
export const STEPS_A_BYTE: Readonly<Record<string, number>> = { digest: 4, hmac: 4, url: 2, "url-set": 2 };

const MOST_RANDOM_BYTES = 65_536;
const LONGEST_URL = 65_536;

/** The abilities, by the name that they are called by. */
export function abilities(random: (bytes: number) => Uint8Array): ReadonlyMap<string, Ability> {
  return new Map<string, Ability>([
    ["encode", (value) => (typeof value === "string" ? new TextEncoder().encode(value) : undefined)],
    ["decode", (value, bytes) => JSON.stringify(decoded(value, bytes))],
    ["url", (value) => JSON.stringify(urlOf(value))],
    ["url-set", (value) => JSON.stringify(changedUrl(value))],
    ["random", (value) => (isCount(value) ? random(value) : undefined)],
    ["digest", (value, bytes) => hashOf(value)?.(bytes)],
    ["hmac", (value, bytes) => mac(value, bytes)],
  ]);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_RANDOM_BYTES;
}

/** A member of a value, whatever that is. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function decoded(value: unknown, bytes: Uint8Array): object {
  const options = { fatal: member(value, "fatal") === true, ignoreBOM: member(value, "ignoreBOM") === true };
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(String(member(value, "label")), options);
  } catch {
    return { error: "label" };
  }
  try {
    return { encoding: decoder.encoding, text: decoder.decode(bytes) };
  } catch {
    return { error: "bytes" };
  }
}

const settable = [
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

function urlOf(value: unknown): object | null {
  if (!Array.isArray(value) || !value.every((text) => typeof text === "string" && text.length <= LONGEST_URL))
    return null;
  const [url, base] = value as [string, string?];
  try {
    return partsOf(parseAddress(url, base));
  } catch {
    return null;
  }
}

function changedUrl(value: unknown): object | null {
  const [href, name, text] = Array.isArray(value) ? value : [];
  const part = settable.find((one) => one === name);
  if (part === undefined || typeof href !== "string" || typeof text !== "string") return null;
  if (href.length > LONGEST_URL || text.length > LONGEST_URL || !readAddress(href)) return null;
  const url = parseAddress(href);
  url[part] = text;
  return partsOf(url);
}

function partsOf(url: URL): object {
  return { href: url.href, origin: url.origin, ...Object.fromEntries(settable.map((name) => [name, url[name]])) };
}

const hashes = new Map([
  ["SHA-1", sha1],
  ["SHA-256", sha256],
  ["SHA-384", sha384],
  ["SHA-512", sha512],
]);

function hashOf(value: unknown): typeof sha256 | undefined {
  return hashes.get(String(member(value, "hash"))) as typeof sha256 | undefined;
}

/** The key comes first in the bytes. */
function mac(value: unknown, bytes: Uint8Array): Uint8Array | undefined {
  const hash = hashOf(value);
  const length = member(value, "keyLength");
  if (!hash || !Number.isInteger(length) || (length as number) < 0 || (length as number) > bytes.length)
    return undefined;
  return hmac(hash, bytes.subarray(0, length as number), bytes.subarray(length as number));
}
