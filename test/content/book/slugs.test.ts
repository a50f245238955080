// Slugs that are made from titles.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addNumberToSlug, createSlug, isSlug } from "../../../src/content/slugs";
import { runs } from "../../support/test-length";

describe("slugs of titles", () => {
  test.each([
    ["Getting started", "getting-started"],
    ["  What's  new? -- (v2.1) ", "what-s-new-v2-1"],
    ["Übergrößen & Ærøskøbing", "ubergrossen-aeroskobing"],
    ["Łódź, İstanbul, Đà Nẵng", "lodz-istanbul-da-nang"],
    ["ＡＢＣ ﬁle №5 x²", "abc-file-no5-x2"],
    ["はじめに", "はじめに"],
    ["ガイド", "ガイド"],
    ["हिन्दी में", "हिन्दी-में"],
    ["Привет, мир", "привет-мир"],
    ["Ёлка и й", "ёлка-и-й"],
    ["1️⃣ First 🚀 step", "1-first-step"],
    ["𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐐀", "unicode-𐐨"],
    ["snake_case.md", "snake-case-md"],
    ["", "page"],
    ["🚀", "page"],
    ["---", "page"],
    ["\u0301", "page"],
  ])("the slug of %j is %j", (title, slug) => {
    expect(createSlug(title)).toBe(slug);
  });

  test("a slug is cut to a hundred characters, never within a character or after a dash", () => {
    expect(createSlug("a".repeat(500))).toBe("a".repeat(100));
    expect(createSlug(`${"a".repeat(99)} b`)).toBe("a".repeat(99));
    expect(createSlug(`${"a".repeat(99)}𐐨`)).toBe("a".repeat(99));
    expect(createSlug(`${"a".repeat(98)}𐐨b`)).toBe(`${"a".repeat(98)}𐐨`);
  });

  test("S11: a slug is never a path, an escape or a control character", () => {
    for (const title of [".", "..", "/", "../..", "a/../b", "a\\b", "%2e%2e%2f", "a\u0000b", "a\u202eb", "∕", "．．"])
      expect(createSlug(title)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [".", "..", "a/b", "a\\b", "a%2fb", "a b", "a\nb", "a.md", "-a", "a-", "a--b", "A", "é", ""])
      expect(isSlug(text)).toBe(false);
  });

  test("a slug made of every letter, digit and mark is valid", () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      if (!/[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(point))) continue;
      const slug = createSlug(`x${String.fromCodePoint(point)}`);
      if (!isSlug(slug)) throw new Error(`U+${point.toString(16)} becomes ${JSON.stringify(slug)}.`);
    }
  });

  test("any title has a valid slug that is its own slug", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
        const slug = createSlug(title);
        expect(slug).toMatch(/^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u);
        expect(slug.length).toBeLessThanOrEqual(100);
        expect(isSlug(slug)).toBe(true);
      }),
      { numRuns: runs(5000) },
    );
  });
});

test("a slug with a number is never too long", () => {
  const wanted = `${"a".repeat(97)}-bc`;
  expect(addNumberToSlug(wanted, 1)).toBe(`${"a".repeat(97)}-1`);
  for (let n = 1; n < 2_000; n++) expect(isSlug(addNumberToSlug(wanted, n))).toBe(true);
});
