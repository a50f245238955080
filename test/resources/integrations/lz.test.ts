// LZ-string is read as its own library writes it, and never grows beyond its limit.

import fc from "fast-check";
import LZString from "lz-string";
import { describe, expect, test } from "vitest";
import { decompressLzString } from "../../../src/resources/integrations/calls/lz-string";

describe("LZ-string", () => {
  test("LZ-string data is decompressed in both alphabets, whatever it contains", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ unit: fc.constantFrom("a", "b", "é", "漢", "😀"), maxLength: 3000 }),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (it) => {
        expect(decompressLzString(LZString.compressToEncodedURIComponent(it), 1e6)).toBe(it);
        expect(decompressLzString(LZString.compressToBase64(it), 1e6)).toBe(it);
        expect(decompressLzString(LZString.compressToEncodedURIComponent(it).replaceAll("+", " "), 1e6)).toBe(it);
      }),
    );
  });

  test("damaged or oversized LZ-string data is abandoned", () => {
    const packed = LZString.compressToEncodedURIComponent("x".repeat(1000));
    expect(decompressLzString(packed, 1000)).toBe("x".repeat(1000));
    expect(decompressLzString(packed, 999)).toBeUndefined();
    expect(decompressLzString(packed.slice(0, -3), 1000)).toBeUndefined();
    expect(decompressLzString("%%%", 1000)).toBeUndefined();
    expect(decompressLzString("", 1000)).toBeUndefined();
  });

  test("nonsense is decompressed to nonsense or nothing, and never throws", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (it) => {
        expect((decompressLzString(it, 500) ?? "").length).toBeLessThanOrEqual(500);
      }),
    );
  });
});
