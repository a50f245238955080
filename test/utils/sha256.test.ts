// The platform's hash and the library's hash are equal, so processes find each other's objects.

import { expect, test } from "vitest";
import { toBase64url } from "../../src/storage/secrets";
import { runStepsSync } from "../../src/utils/concurrency/steps";
import {
  computePortableHmac,
  computePortableSha256,
  hmacSha256,
  sha256Hex,
  sha256HexInSteps,
} from "../../src/utils/sha256";

test.each([
  ["nothing", ""],
  ["ASCII", "abc"],
  ["text of many scripts", "Größe, Ελληνικά, 漢字, 👩‍🚀"],
  ["half a character", "a\ud83db"],
  ["a null character", "a\0b"],
  ["a long text", "word ".repeat(300_000)],
])("%s has the same hash as text and as bytes", (_, text) => {
  const bytes = new TextEncoder().encode(text);
  const inSteps = runStepsSync(sha256HexInSteps(bytes));
  const portable = [computePortableSha256(text), computePortableSha256(bytes)];
  expect(new Set([sha256Hex(text), sha256Hex(bytes), inSteps, ...portable]).size).toBe(1);
  const key = sha256Bytes("key");
  expect(hmacSha256(key, text)).toEqual(computePortableHmac(key, text));
});

test("the hash is SHA-256", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("bytes of every length are base64url as the platform encodes them", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => 255 - i);
  for (let length = 0; length <= bytes.length; length++)
    expect(toBase64url(bytes.subarray(0, length))).toBe(Buffer.from(bytes.subarray(0, length)).toString("base64url"));
});

function sha256Bytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(sha256Hex(text), "hex"));
}
