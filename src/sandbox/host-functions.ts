// Functions that the host computes for a script at once: encodings, URLs and random bytes. Each takes JSON and bytes,
// trusts neither, and reaches nothing.

import { MAX_HOST_LENGTH, MAX_URL_LENGTH, parseUrl, tryParseUrl } from "../utils/url";
import type { HostResult } from "./instance";
import { getMember } from "./untrusted";

/** A function of the host. Returns undefined for arguments that are not in the form that our own world sends. */
export type HostFunction = (value: unknown, bytes: Uint8Array | undefined) => HostResult;

/** The steps of every call: leaving the engine and coming back. */
const CALL_STEPS = 600;
/** The bytes that are copied in or out for one step. */
const BYTES_PER_STEP = 16;
/** Additional steps for each byte of the arguments of some functions. */
const STEPS_PER_INPUT_BYTE: Readonly<Record<string, number>> = { url: 2, "url-set": 2 };
/** Additional steps for each byte of the results of some functions. */
const STEPS_PER_OUTPUT_BYTE: Readonly<Record<string, number>> = { random: 0.5 };

const MAX_RANDOM_BYTES = 65_536;

/** Returns the steps that a call costs before it is executed. */
export function getCallSteps(name: string, json: string, bytes: Uint8Array | undefined): number {
  const size = json.length + (bytes?.length ?? 0);
  const steps = CALL_STEPS + size / BYTES_PER_STEP + size * (STEPS_PER_INPUT_BYTE[name] ?? 0);
  // Hosts with letters beyond ASCII, or with escapes for them, take time with the square of the length that is parsed.
  const hasCostlyHost = (name === "url" || name === "url-set") && /[^\0-\x7f]|%/.test(json);
  return hasCostlyHost ? steps + Math.min(json.length, MAX_HOST_LENGTH) ** 2 : steps;
}

export function getResultSteps(name: string, result: HostResult): number {
  const size = result?.length ?? 0;
  return size / BYTES_PER_STEP + size * (STEPS_PER_OUTPUT_BYTE[name] ?? 0);
}

/** Returns the functions by the names that the world calls. */
export function createHostFunctions(random: (bytes: number) => Uint8Array): ReadonlyMap<string, HostFunction> {
  return new Map<string, HostFunction>([
    ["encode", (value) => (typeof value === "string" ? new TextEncoder().encode(value) : undefined)],
    [
      "decode",
      // If the bytes cannot be decoded, the result names the part of the call that is invalid.
      (value, bytes) => {
        const options = {
          fatal: getMember(value, "fatal") === true,
          ignoreBOM: getMember(value, "ignoreBOM") === true,
        };
        let decoder: TextDecoder;
        try {
          decoder = new TextDecoder(String(getMember(value, "label")), options);
        } catch {
          return JSON.stringify({ error: "label" });
        }
        try {
          return JSON.stringify({ encoding: decoder.encoding, text: decoder.decode(bytes ?? new Uint8Array()) });
        } catch {
          return JSON.stringify({ error: "bytes" });
        }
      },
    ],
    [
      "url",
      (value) => {
        const isValid = Array.isArray(value) && value.every((text) => typeof text === "string");
        const [text = "", base] = isValid ? (value as string[]) : [];
        const url = isValid ? tryParseUrl(text, base) : undefined;
        return JSON.stringify(url ? toUrlParts(url) : null);
      },
    ],
    [
      "url-set",
      (value) => {
        const [href, name, text] = Array.isArray(value) ? value : [];
        const part = URL_PARTS.find((part) => part === name);
        const isValid = part !== undefined && typeof href === "string" && typeof text === "string";
        const url = isValid ? tryParseUrl(href) : undefined;
        if (!isValid || !url) return JSON.stringify(null);
        // A part that cannot be set leaves the URL as it is.
        const maxLength = part === "host" || part === "hostname" ? MAX_HOST_LENGTH : MAX_URL_LENGTH - href.length;
        if (text.length <= maxLength) url[part] = text;
        return JSON.stringify(toUrlParts(tryParseUrl(url.href) ?? parseUrl(href)));
      },
    ],
    [
      "random",
      (value) => {
        const isByteCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_RANDOM_BYTES;
        return isByteCount ? random(Number(value)) : undefined;
      },
    ],
  ]);
}

const URL_PARTS = [
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

function toUrlParts(url: URL): object {
  return { href: url.href, origin: url.origin, ...Object.fromEntries(URL_PARTS.map((name) => [name, url[name]])) };
}
