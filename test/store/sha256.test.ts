// The platform's hash and the library's hash are equal, so processes find each other's objects.

import { expect, test } from "vitest";
import { portable, sha256Hex } from "../../src/sha256";

test.each([
  ["nothing", ""],
  ["ASCII", "abc"],
  ["text of many scripts", "Größe, Ελληνικά, 漢字, 👩‍🚀"],
  ["half a character", "a\ud83db"],
  ["a null character", "a\0b"],
  ["a long text", "word ".repeat(100_000)],
])("%s has one hash, as text and as bytes", (_, text) => {
  const bytes = new TextEncoder().encode(text);
  expect(new Set([sha256Hex(text), sha256Hex(bytes), portable(text), portable(bytes)]).size).toBe(1);
});

test("it is SHA-256", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
