// LZ-string is read as its own library writes it, and never grows beyond its limit.

import fc from "fast-check";
import LZString from "lz-string";
import { describe, expect, test } from "vitest";
import { decompress } from "../../src/resources/integrations/calls/lz-string";

describe("what LZ-string compressed", () => {
  test("is read again, in both alphabets, whatever it holds", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ unit: fc.constantFrom("a", "b", "é", "漢", "😀"), maxLength: 3000 }),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (it) => {
        expect(decompress(LZString.compressToEncodedURIComponent(it), 1e6)).toBe(it);
        expect(decompress(LZString.compressToBase64(it), 1e6)).toBe(it);
        expect(decompress(LZString.compressToEncodedURIComponent(it).replaceAll("+", " "), 1e6)).toBe(it);
      }),
    );
  });

  test("is given up where it is damaged or longer than it may be", () => {
    const packed = LZString.compressToEncodedURIComponent("x".repeat(1000));
    expect(decompress(packed, 1000)).toBe("x".repeat(1000));
    expect(decompress(packed, 999)).toBeUndefined();
    expect(decompress(packed.slice(0, -3), 1000)).toBeUndefined();
    expect(decompress("%%%", 1000)).toBeUndefined();
    expect(decompress("", 1000)).toBeUndefined();
  });

  test("of nonsense is nonsense or nothing, and never an exception", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (it) => {
        expect((decompress(it, 500) ?? "").length).toBeLessThanOrEqual(500);
      }),
    );
  });
});
