// Files: their type and dimensions from their bytes, safe names, and the headers of downloads.

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFile, sanitizeFileName } from "../../../src/content/files";
import { createDownloadHeaders } from "../../../src/content/files/download";
import { runs } from "../../support/test-length";

/** One byte a character. */
const bytes = (...parts: readonly (string | number | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "number"
        ? [part]
        : typeof part === "string"
          ? [...part].map((it) => it.charCodeAt(0))
          : [...part],
    ),
  );
const utf8 = (text: string) => new TextEncoder().encode(text);
const big = (value: number) => [24, 16, 8, 0].map((shift) => (value >> shift) & 255);
const little = (value: number, size = 4) => big(value).reverse().slice(0, size);
const raw = (numbers: readonly number[]) => Uint8Array.from(numbers);
const typeOf = (content: Uint8Array, name = "file.bin", contentType?: string) =>
  describeFile(content, { name, ...(contentType !== undefined && { contentType }) }).contentType;
const sizeOf = (content: Uint8Array) => describeFile(content, { name: "x" }).dimensions;

const box = (type: string, ...parts: readonly Uint8Array[]): Uint8Array => {
  const inside = bytes(...parts);
  return bytes(raw(big(inside.length + 8)), type, inside);
};
const entry = (name: string, content = "") =>
  bytes("PK\x03\x04", "\0".repeat(22), raw(little(name.length, 2)), "\0\0", name, content);

const png = bytes("\x89PNG\r\n\x1a\n", raw(big(13)), "IHDR", raw(big(640)), raw(big(480)), "\x08\x06\0\0\0");
const frame = (height: number, width: number) =>
  bytes("\xff\xc0\0\x11\x08", raw(big(height)).slice(2), raw(big(width)).slice(2));
const jpeg = bytes("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0", frame(48, 64), "\x03".repeat(20));
const gif = bytes("GIF89a", raw(little(30, 2)), raw(little(20, 2)), "\0\0\0");
const webp = bytes(
  "RIFF",
  raw(little(40)),
  "WEBPVP8X",
  raw(little(10)),
  "\0\0\0\0",
  raw(little(99, 3)),
  raw(little(49, 3)),
);
const bmp = bytes(
  "BM",
  raw(little(100)),
  "\0\0\0\0",
  raw(little(54)),
  raw(little(40)),
  raw(little(7)),
  raw(little(9)),
  "\0\0",
);
const ico = bytes("\0\0\x01\0\x01\0", raw([32, 16]), "\0".repeat(14));
const avif = bytes(
  box("ftyp", bytes("avif\0\0\0\0avifmif1")),
  box(
    "meta",
    bytes("\0\0\0\0"),
    box("iprp", box("ipco", box("ispe", bytes("\0\0\0\0"), raw(big(320)), raw(big(200))))),
  ),
);
const svg = utf8('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="x" width="12" height="34"><script/></svg>');

describe("detecting the type of a file", () => {
  test.each<[string, Uint8Array]>([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/gif", gif],
    ["image/webp", webp],
    ["image/bmp", bmp],
    ["image/vnd.microsoft.icon", ico],
    ["image/avif", avif],
    ["image/avif", box("ftyp", bytes("mif1\0\0\0\0mif1avif"))],
    ["image/heic", box("ftyp", bytes("heic\0\0\0\0mif1"))],
    ["image/tiff", bytes("II*\0\x08\0\0\0")],
    ["image/svg+xml", svg],
    ["application/pdf", bytes("%PDF-1.7\n%\xe2\xe3\xcf\xd3")],
    ["application/zip", bytes(entry("a.txt", "hello"))],
    ["application/zip", bytes("PK\x05\x06", "\0".repeat(18))],
    ["application/zip", bytes(entry("[Content_Types].xml"), "xl/word/")],
    [
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      bytes(entry("[Content_Types].xml", "<Types/>"), entry("_rels/.rels"), entry("word/document.xml")),
    ],
    [
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      bytes(entry("[Content_Types].xml"), entry("xl/workbook.xml")),
    ],
    [
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      bytes(entry("ppt/presentation.xml"), entry("[Content_Types].xml")),
    ],
    ["application/epub+zip", bytes(entry("mimetype", "application/epub+zip"), entry("a"))],
    ["video/mp4", box("ftyp", bytes("isom\0\0\x02\0isomiso2"))],
    ["audio/mp4", box("ftyp", bytes("M4A \0\0\0\0"))],
    ["video/quicktime", box("ftyp", bytes("qt  \0\0\0\0"))],
    ["video/webm", bytes("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm")],
    ["video/x-matroska", bytes("\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska")],
    ["audio/mpeg", bytes("ID3\x04\0\0\0\0\0\0")],
    ["audio/mpeg", bytes("\xff\xfb\x90\x64\0\0")],
    ["audio/ogg", bytes("OggS\0\x02", "\0".repeat(22), "\x01vorbis")],
    ["video/ogg", bytes("OggS\0\x02", "\0".repeat(22), "\x80theora")],
    ["audio/wav", bytes("RIFF", raw(little(36)), "WAVEfmt ")],
    ["audio/flac", bytes("fLaC\0\0\0\x22")],
    ["font/woff", bytes("wOFF\0\x01\0\0", "\0".repeat(36))],
    ["font/woff2", bytes("wOF2\0\x01\0\0", "\0".repeat(40))],
    ["application/gzip", new Uint8Array(gzipSync("hello"))],
    ["application/octet-stream", bytes("\0\x01\x02\x03")],
    ["application/octet-stream", box("ftyp", bytes("xxxx\0\0\0\0"))],
    ["application/octet-stream", bytes("plain text, then\0nothing")],
    ["application/octet-stream", bytes("\xff\xfe\0\0\x01\0")],
  ])("the type of a file follows from its bytes: %s", (contentType, content) => {
    for (const claim of [undefined, "image/png", "text/html", "text/plain; charset=utf-8", "nonsense"])
      expect(typeOf(content, "name.txt", claim)).toBe(contentType);
  });

  test.each([
    ["text/plain", "Just words.", "notes", undefined],
    ["text/plain", "BMW, GIF, ID3 and %PDF are words.", "notes.txt", "text/plain"],
    ["text/plain", "Words.", "picture.png", "image/png"],
    ["text/plain", "Words.", "data.json", "application/json"],
    ["text/plain", "[a link](b.md)", "x", undefined],
    ["text/plain", "Grüße", "x", "video/mp4"],
    ["text/plain", "", "x", undefined],
    ["text/markdown", "# Title", "page.md", undefined],
    ["text/markdown", "<div align=center>", "README.md", "text/plain"],
    ["text/csv", "a,b\n1,2", "t.csv", "application/octet-stream"],
    ["text/csv", "a,b\n1,2", "t.txt", "text/csv; header=present"],
    ["application/json", '{"a": 1}', "x", undefined],
    ["application/json", "[true, null]", "x.json", undefined],
    ["application/yaml", "a: 1", "x.yml", "text/plain"],
    ["application/yaml", "a: 1", "x", "text/x-yaml"],
    ["text/css", "a {}", "x.css", undefined],
    ["text/javascript", "alert(1)", "x", "application/javascript"],
    ["text/html", "<p>x", "x", undefined],
    ["application/xml", "<note/>", "x.xml", undefined],
    ["text/plain", "<note/>", "x", undefined],
  ])(
    "the type of a text file follows from its name and declared type: %s: %j as %s, %s",
    (contentType, text, name, claim) => {
      expect(typeOf(utf8(text), name, claim)).toBe(contentType);
    },
  );

  test.each([
    ["text/html", "<!DOCTYPE html><html><script>alert(1)</script>"],
    ["text/html", "  \n<!-- x --><!-- y -->\n<HTML>"],
    ["text/html", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>"],
    ["text/html", "<script>alert(1)</script>"],
    ["text/html", "\ufeff<body onload=alert(1)>"],
    ["image/svg+xml", "<svg onload=alert(1)>"],
    ["image/svg+xml", "<svg:svg xmlns:svg='http://www.w3.org/2000/svg'/>"],
    ["image/svg+xml", '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>'],
    ["application/xml", "<?xml version='1.0'?><a/>"],
    ["application/xml", "<?xml-stylesheet href='x'?><?a?><b/>"],
  ])("S15: %s is detected even if it is declared as an image: %j", (contentType, text) => {
    for (const claim of ["image/png", "image/jpeg", "text/plain", "application/json", undefined])
      expect(typeOf(utf8(text), "picture.png", claim)).toBe(contentType);
    const wide = bytes(0xff, 0xfe, ...[...text.replace("\ufeff", "")].map((it) => raw(little(it.charCodeAt(0), 2))));
    expect(typeOf(wide, "picture.png", "image/png")).toBe(contentType);
    const swapped = wide.map((_, i) => wide[i ^ 1]!);
    expect(typeOf(swapped, "picture.png", "image/png")).toBe(contentType);
  });
});

describe("the dimensions of an image", () => {
  test.each<[string, Uint8Array, number, number]>([
    ["PNG", png, 640, 480],
    ["JPEG", jpeg, 64, 48],
    ["GIF", gif, 30, 20],
    ["WebP", webp, 100, 50],
    ["BMP", bmp, 7, 9],
    ["ICO", ico, 32, 16],
    ["AVIF", avif, 320, 200],
    ["SVG", svg, 12, 34],
    ["SVG by its view box", utf8('<svg viewBox="0 0 24 16"></svg>'), 24, 16],
  ])("the dimensions of an image are read: %s", (_, content, width, height) => {
    expect(sizeOf(content)).toEqual({ width, height });
    const apart = bytes("before", content).subarray(6);
    expect(sizeOf(apart)).toEqual({ width, height });
  });

  test("the dimensions of a rotated photo are those that are displayed", () => {
    const orientation = bytes("\x01\0", "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0", "\0\0\0\0");
    const exif = bytes("Exif\0\0", "II*\0\x08\0\0\0", orientation);
    const turned = bytes(
      "\xff\xd8\xff\xe1",
      raw(big(exif.length + 2)).slice(2),
      exif,
      frame(48, 64),
      "\x03".repeat(20),
    );
    expect(sizeOf(turned)).toEqual({ width: 48, height: 64 });
  });

  test("files without dimensions have none", () => {
    expect(sizeOf(bytes("%PDF-1.7"))).toBeUndefined();
    expect(sizeOf(utf8("<svg width='100%'></svg>"))).toBeUndefined();
    expect(sizeOf(bytes("\x89PNG\r\n\x1a\n", raw(big(13)), "IHDR", raw(big(0)), raw(big(1))))).toBeUndefined();
  });

  test("malformed images neither throw nor hang", () => {
    for (const image of [png, jpeg, gif, webp, bmp, ico, avif, svg]) {
      for (let length = 0; length < image.length; length++) sizeOf(image.slice(0, length));
      fc.assert(
        fc.property(fc.nat(image.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, change) => {
          const broken = image.slice();
          broken.set(change.slice(0, image.length - at), at);
          const found = sizeOf(broken);
          if (found) expect(Math.min(found.width, found.height)).toBeGreaterThan(0);
        }),
      );
    }
  });

  test("S39: a megabyte crafted to be slow is read in time", () => {
    const size = 1_000_000;
    const ispe = box("ispe", bytes("\0\0\0\0"), raw(big(1)), raw(big(1)));
    const many = (piece: Uint8Array) => {
      const filled = new Uint8Array(size);
      for (let at = 0; at + piece.length <= size; at += piece.length) filled.set(piece, at);
      return filled;
    };
    const joined = (start: Uint8Array, rest: Uint8Array) => {
      const all = new Uint8Array(start.length + rest.length);
      all.set(start);
      all.set(rest, start.length);
      return all;
    };
    const started = avif.slice(0, avif.length - 20);
    for (const content of [
      joined(bytes("\xff\xd8\xff\xe0"), new Uint8Array(size)),
      joined(bytes("\xff\xd8\xff\xe0"), many(bytes("\xff\xe1\0\x08Exif\0\0"))),
      joined(bytes("\xff\xd8\xff"), many(raw([255]))),
      joined(started, many(ispe)),
      joined(bytes("\0\0\x01\0\xff\0"), many(raw([1]))),
      joined(utf8("<svg "), many(utf8("<svg "))),
      joined(utf8("<svg "), many(utf8('"'))),
      joined(utf8("<!--"), many(utf8("<!--"))),
      joined(utf8("<?"), many(utf8("?><?"))),
      joined(entry("[Content_Types].xml"), many(entry("x"))),
      many(utf8(" ")),
      many(utf8("[")),
    ])
      describeFile(content, { name: "x" });
  });
});

describe("file names", () => {
  test.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\a.txt", "a.txt"],
    ["C:a.txt", "a.txt"],
    ["a/b\\c.png", "c.png"],
    ["..", "file"],
    ["a/..", "file"],
    ["/", "file"],
    ["", "file"],
    [" \u0000\n", "file"],
    ["a\r\nSet-Cookie: b.txt", "aSet-Cookie: b.txt"],
    ["exe.\u202egnp.txt", "exe.gnp.txt"],
    ["\ufeffa\u2066b\ud800.txt", "ab.txt"],
    ["e\u0301te\u0301.md", "été.md"],
    [".gitignore", ".gitignore"],
    ["👩‍👩‍👧.png", "👩‍👩‍👧.png"],
    ["%2e%2e%2fa", "%2e%2e%2fa"],
  ])("the file name %j is stored as %j", (given, name) => {
    expect(sanitizeFileName(given)).toBe(name);
    expect(describeFile(png, { name: given }).name).toBe(name);
  });

  test("a file name is at most 256 characters long and keeps its extension", () => {
    expect(sanitizeFileName(`${"a".repeat(300)}.tar.gz`)).toBe(`${"a".repeat(253)}.gz`);
    expect(sanitizeFileName(`${"a".repeat(251)}😀.png`)).toBe(`${"a".repeat(251)}.png`);
    expect(sanitizeFileName("a".repeat(300))).toHaveLength(256);
  });

  test("the safe form of a file name is stable", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (given) => {
        const name = sanitizeFileName(given);
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Bidi_Control}]|^\.*$/u);
        expect(name.length).toBeLessThanOrEqual(256);
        expect(sanitizeFileName(name)).toBe(name);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("S15: active content in downloads", () => {
  test.each(["text/javascript", "application/javascript", "application/x-javascript", "text/css", "application/wasm"])(
    "S15: %s is served as plain text, so that no page can run or apply it",
    (contentType) => {
      const headers = createDownloadHeaders({ contentType, name: "a", size: 1 });
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    },
  );

  test("a download has security headers", () => {
    expect(createDownloadHeaders({ contentType: "image/png", name: "a.png", size: 12 })).toEqual({
      "cache-control": "private, max-age=3600",
      "content-type": "image/png",
      "content-length": "12",
      "content-disposition": "inline; filename=\"a.png\"; filename*=UTF-8''a.png",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
  });

  const disposition = (contentType: string, name = "x") =>
    createDownloadHeaders({ contentType, name, size: 0 })["content-disposition"]!;

  test("only images, audio and video are displayed inline", () => {
    for (const type of ["image/png", "image/jpeg", "image/avif", "image/vnd.microsoft.icon", "audio/mpeg", "video/mp4"])
      expect(disposition(type)).toMatch(/^inline;/);
    for (const type of [
      ...["image/svg+xml", "text/html", "application/xml", "text/xml", "application/xhtml+xml", "text/javascript"],
      ...["application/pdf", "text/plain", "application/octet-stream", "application/zip", "image/png, text/html", ""],
    ])
      expect(disposition(type)).toMatch(/^attachment;/);
  });

  test("the file name in Content-Disposition follows RFC 6266", () => {
    expect(disposition("image/png", 'Grüße "1" (a)*\'%.png')).toBe(
      "inline; filename=\"Gr__e _1_ (a)*'_.png\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22%20%28a%29%2A%27%25.png",
    );
    expect(disposition("image/png", "../a\r\nx: y\\b\ud800")).toBe("inline; filename=\"b\"; filename*=UTF-8''b");
  });

  test("no file name and no type can break out of its header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, contentType) => {
        const headers = new Headers(createDownloadHeaders({ contentType, name, size: 1 }));
        expect(headers.get("content-disposition")).toMatch(
          /^(?:inline|attachment); filename="[^"\\\r\n]+"; filename\*=UTF-8''[\w.~!%-]+$/,
        );
        expect(headers.get("content-type")).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
      }),
      { numRuns: runs(2000) },
    );
  });
});
