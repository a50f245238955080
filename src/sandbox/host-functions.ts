// What the host computes for a script at once: encodings, URLs and random bytes. Each takes JSON and bytes, trusts neither,
// and reaches nothing.

import { MAX_HOST_LENGTH, MAX_URL_LENGTH, parseUrl, tryParseUrl } from "../utils/url";
import type { HostAnswer } from "./instance";

/** Computes something from what a script sent; undefined when that is not in the form that our own world sends. */
export type Ability = (value: unknown, bytes: Uint8Array | undefined) => HostAnswer;

/** Additional cost of single calls, in steps for each byte that goes in. */
const stepsIn: Readonly<Record<string, number>> = { url: 2, "url-set": 2 };
/** Likewise for each byte that comes out. */
const stepsOut: Readonly<Record<string, number>> = { random: 0.5 };
/** Steps of every call: leaving the engine and coming back. */
const STEPS_A_CALL = 600;
/** Bytes that one step carries in or out. */
const BYTES_A_STEP = 16;

const MOST_RANDOM_BYTES = 65_536;

/** What a call costs before it is carried out, in steps. */
export function costOf(name: string, json: string, bytes: Uint8Array | undefined): number {
  const size = json.length + (bytes?.length ?? 0);
  const cost = STEPS_A_CALL + size / BYTES_A_STEP + size * (stepsIn[name] ?? 0);
  return name === "url" || name === "url-set" ? cost + costOfHosts(json) : cost;
}

/** What an answer costs. */
export function costOfAnswer(name: string, answer: HostAnswer): number {
  const size = answer?.length ?? 0;
  return size / BYTES_A_STEP + size * (stepsOut[name] ?? 0);
}

/** Letters beyond ASCII, or escapes for them, cost time with the square of the host's length, up to the length that is
 * parsed. */
function costOfHosts(json: string): number {
  return /[^\0-\x7f]|%/.test(json) ? Math.min(json.length, MAX_HOST_LENGTH) ** 2 : 0;
}

const nothing = new Uint8Array();

/** The abilities, by the name that they are called by. */
export function abilities(random: (bytes: number) => Uint8Array): ReadonlyMap<string, Ability> {
  return new Map<string, Ability>([
    ["encode", (value) => (typeof value === "string" ? new TextEncoder().encode(value) : undefined)],
    ["decode", (value, bytes) => JSON.stringify(decoded(value, bytes ?? nothing))],
    ["url", (value) => JSON.stringify(urlOf(value))],
    ["url-set", (value) => JSON.stringify(changedUrl(value))],
    ["random", (value) => (isCount(value) ? random(value) : undefined)],
  ]);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_RANDOM_BYTES;
}

/** A field of any value. */
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
  if (!Array.isArray(value) || !value.every((text) => typeof text === "string")) return null;
  const [url = "", base] = value as string[];
  const read = tryParseUrl(url, base);
  return read ? partsOf(read) : null;
}

function changedUrl(value: unknown): object | null {
  const [href, name, text] = Array.isArray(value) ? value : [];
  const part = settable.find((one) => one === name);
  if (part === undefined || typeof href !== "string" || typeof text !== "string") return null;
  const url = tryParseUrl(href);
  if (!url) return null;
  // A part that cannot be set leaves the URL as it is.
  const longest = part === "host" || part === "hostname" ? MAX_HOST_LENGTH : MAX_URL_LENGTH - href.length;
  if (text.length <= longest) url[part] = text;
  return partsOf(tryParseUrl(url.href) ?? parseUrl(href));
}

function partsOf(url: URL): object {
  return { href: url.href, origin: url.origin, ...Object.fromEntries(settable.map((name) => [name, url[name]])) };
}
