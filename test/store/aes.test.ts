// The platform's cipher and that of Web Crypto open what the other has sealed, and nothing that was changed.

import { describe, expect, test } from "vitest";
import { type Aes, aesOf, portableAes } from "../../src/aes";

const utf8 = new TextEncoder();
const key = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const iv = Uint8Array.from({ length: 12 }, (_, i) => i);
const context = utf8.encode("org-1 record member");
const ciphers: [name: string, cipher: (key: Uint8Array) => Aes, other: (key: Uint8Array) => Aes][] = [
  ["the platform", aesOf, portableAes],
  ["Web Crypto", portableAes, aesOf],
];

describe.each(ciphers)("what %s has sealed", (_, cipher, other) => {
  test.each(["", "a", "Größe, 漢字, 👩‍🚀", "word ".repeat(20_000)])("is opened by both: %#", async (text) => {
    const sealed = await cipher(key).seal(iv, utf8.encode(text), context);
    expect(sealed).toEqual(await other(key).seal(iv, utf8.encode(text), context));
    for (const of of [cipher, other])
      expect(new TextDecoder().decode(await of(key).open(iv, sealed, context))).toBe(text);
  });

  test("is opened by nobody with another key, place or context, when a byte differs, or without its end", async () => {
    const sealed = await cipher(key).seal(iv, utf8.encode("secret"), context);
    const changed = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
    for (const of of [cipher, other]) {
      await expect(of(changed(key, 5)).open(iv, sealed, context)).rejects.toThrow();
      await expect(of(key).open(changed(iv, 5), sealed, context)).rejects.toThrow();
      await expect(of(key).open(iv, sealed, changed(context, 5))).rejects.toThrow();
      for (let at = 0; at < sealed.length; at++)
        await expect(of(key).open(iv, changed(sealed, at), context)).rejects.toThrow();
      for (let end = 0; end < sealed.length; end++)
        await expect(of(key).open(iv, sealed.slice(0, end), context)).rejects.toThrow();
    }
  });
});
