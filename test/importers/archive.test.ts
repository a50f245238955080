import fc from "fast-check";
import { deflateSync, strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { DEFAULT_ARCHIVE_LIMITS } from "../../src/importers/archive/limits";
import { openZip } from "../../src/importers/archive/zip";
import { ImportError } from "../../src/importers/errors";
import { crc32 } from "../../src/utils/crc32";
import { runs } from "../support/test-length";
import { zipOf } from "./archive-bytes";

const hello = strToU8("hello");
const limits = (changes: Partial<typeof DEFAULT_ARCHIVE_LIMITS>) => ({ ...DEFAULT_ARCHIVE_LIMITS, ...changes });

/** An entry that is deflated, with whatever it says of itself. */
function deflated(name: string, content: Uint8Array, said: { size?: number; crc?: number } = {}) {
  const data = deflateSync(content);
  return { name, data, method: 8, size: content.length, crc: crc32(content), ...said };
}

describe("valid archives", () => {
  test("an archive lists its files in order and reads them, stored and deflated", () => {
    const zip = openZip(zipSync({ "b.md": [hello, { level: 0 }], "a/c.md": strToU8("x".repeat(5000)) }));
    expect(zip.paths).toEqual(["b.md", "a/c.md"]);
    expect(zip.read("b.md")).toEqual(hello);
    expect(zip.read("a/c.md")).toEqual(strToU8("x".repeat(5000)));
    expect(zip.read("c.md")).toBeUndefined();
    expect(zip.skipped).toEqual([]);
  });

  test("an archive restores whatever was packed", () => {
    const content = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?\.md$/),
      fc.uint8Array({ maxLength: 3000 }),
    );
    fc.assert(
      fc.property(content, (files) => {
        const zip = openZip(zipSync(files));
        for (const [path, bytes] of Object.entries(files)) expect(zip.read(path)).toEqual(Uint8Array.from(bytes));
        expect(zip.paths.length).toBe(Object.keys(files).length);
      }),
      { numRuns: 50 },
    );
  });

  test("folders and files that only the packing system added are omitted", () => {
    const names = ["docs/", "docs/a.md", "__MACOSX/docs/._a.md", "docs/.DS_Store", "docs/Thumbs.db", "docs/._b.md"];
    const zip = openZip(zipOf(names.map((name) => ({ name, data: name.endsWith("/") ? new Uint8Array() : hello }))));
    expect(zip.paths).toEqual(["docs/a.md"]);
    expect(zip.skipped).toEqual([]);
  });

  test("names are read in UTF-8 with and without the flag and in code page 437, and are normalized", () => {
    const zip = openZip(
      zipOf([
        { name: "größe.md", flags: 0x800, data: hello },
        { name: "日本.md", data: hello },
        { name: Uint8Array.of(0x67, 0x72, 0x94, 0xe1, 0x65, 0x2e, 0x74), data: hello },
        { name: "cafe\u0301.md", data: hello },
      ]),
    );
    expect(zip.paths).toEqual(["größe.md", "日本.md", "größe.t", "caf\u00e9.md"]);
  });

  test("an archive may be zip64, have a comment and contain an empty file", () => {
    const extra = Uint8Array.of(1, 0, 16, 0, 5, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0);
    const entry = { name: "a.md", data: hello, extra };
    const wide = zipOf([{ ...entry, size: 0xffffffff, compressed: 0xffffffff }, { name: "empty.md" }], {
      isZip64: true,
    });
    expect(openZip(wide).read("a.md")).toEqual(hello);
    expect(openZip(wide).read("empty.md")).toEqual(new Uint8Array());
    expect(openZip(zipOf([entry], { comment: "made by hand" })).paths).toEqual(["a.md"]);
  });

  test("an archive may contain another one, which may not contain a third", () => {
    const innermost = zipSync({ "deep.md": hello });
    const inner = zipSync({ "a.md": hello, "third.zip": innermost });
    const zip = openZip(zipSync({ "part-1.zip": inner }));
    const nested = zip.open("part-1.zip");
    expect(nested?.read("a.md")).toEqual(hello);
    expect(nested?.open("third.zip")).toBeUndefined();
  });
});

describe("S9: path traversal", () => {
  const hostile = [
    ["../evil.md", "is outside the archive"],
    ["docs/../../evil.md", "is outside the archive"],
    ["docs/..", "is outside the archive"],
    ["..\\evil.md", "is outside the archive"],
    ["/etc/passwd", "absolute path"],
    ["\\\\host\\share", "absolute path"],
    ["C:\\evil.md", "drive letter"],
    ["c:evil.md", "drive letter"],
    ["good.md\0.exe", "NUL"],
  ] as const;

  test.each(hostile)("S9: %j causes the archive to be rejected", (name, reason) => {
    const bytes = zipOf([
      { name: "good.md", data: hello },
      { name, data: hello },
    ]);
    expect(() => openZip(bytes)).toThrow(ImportError);
    expect(() => openZip(bytes)).toThrow(reason);
  });

  test("names with backslashes or control characters are skipped with the reason", () => {
    const zip = openZip(zipOf(["docs\\a.md", "a\nb.md", "ok.md"].map((name) => ({ name, data: hello }))));
    expect(zip.paths).toEqual(["ok.md"]);
    expect(zip.skipped).toEqual([
      { resource: "docs\\a.md", reason: "Its name contains backslashes." },
      { resource: "a\uFFFDb.md", reason: "Its name contains control characters." },
    ]);
  });

  test("S7: names with a meaning in JavaScript are ordinary names", () => {
    const zip = openZip(zipOf(["__proto__", "constructor", "a/__proto__/b.md"].map((name) => ({ name, data: hello }))));
    expect(zip.paths).toEqual(["__proto__", "constructor", "a/__proto__/b.md"]);
    expect(zip.read("toString")).toBeUndefined();
    expect(zip.read("__proto__")).toEqual(hello);
  });

  test("symbolic links, devices and encrypted files are skipped", () => {
    const zip = openZip(
      zipOf([
        { name: "link", data: strToU8("/etc/passwd"), mode: 0o120777 },
        { name: "device", data: hello, mode: 0o060644 },
        { name: "secret.md", data: hello, flags: 1 },
        { name: "plain.md", data: hello, mode: 0o100644 },
      ]),
    );
    expect(zip.paths).toEqual(["plain.md"]);
    expect(zip.skipped.map(({ reason }) => reason)).toEqual([
      "It is a symbolic link.",
      "It is not a plain file.",
      "It is encrypted.",
    ]);
  });

  test("the first of two files with one name is taken", () => {
    const zip = openZip(
      zipOf([
        { name: "a.md", data: hello },
        { name: "./a.md", data: strToU8("other") },
      ]),
    );
    expect(zip.read("a.md")).toEqual(hello);
    expect(zip.skipped).toEqual([{ resource: "./a.md", reason: "The archive has two files of this name." }]);
  });
});

test("S10: a name that is too long is skipped and never cut", () => {
  const long = `${"a/".repeat(3000)}evil.md`;
  const zip = openZip(
    zipOf([
      { name: long, data: hello },
      { name: "ok.md", data: hello },
    ]),
  );
  expect(zip.paths).toEqual(["ok.md"]);
  expect(zip.skipped).toEqual([{ resource: long.slice(0, 200), reason: "Its name has more than 1024 bytes." }]);
});

describe("S40: decompression bombs", () => {
  test("S40: more than may be held is rejected before anything is inflated", () => {
    const bytes = zipOf([
      { name: "a.md", data: hello, size: 60, method: 8 },
      { name: "b.md", data: hello, size: 60, method: 8 },
    ]);
    expect(() => openZip(bytes, limits({ maxBytes: 100 }))).toThrow("more than 100 bytes");
  });

  test("S40: a file larger than declared is detected while it is inflated", () => {
    const bytes = zipOf([deflated("bomb.txt", new Uint8Array(50_000_000), { size: 1000 })]);
    const zip = openZip(bytes);
    expect(() => zip.read("bomb.txt")).toThrow(ImportError);
    expect(() => zip.read("bomb.txt")).toThrow("holds more than it says");
  });

  test("S40: a file that is too large or expands too much is skipped", () => {
    const bytes = zipOf([
      deflated("large.bin", new Uint8Array(3_000_000)),
      { name: "huge.bin", data: hello, method: 8, size: 0xfffffff0 },
      deflated("small.bin", new Uint8Array(900_000)),
    ]);
    const zip = openZip(bytes);
    expect(zip.paths).toEqual(["small.bin"]);
    expect(zip.skipped).toEqual([
      { resource: "large.bin", reason: "It is more than 250 times larger than its compressed form." },
      { resource: "huge.bin", reason: "It has more than 67108864 bytes." },
    ]);
  });

  test("S40: nested archives share the budget for inflating", () => {
    const inner = zipSync({ "a.md": [strToU8("a".repeat(600)), { level: 0 }] });
    const outer = zipSync({ "1.zip": [inner, { level: 0 }] });
    expect(() => openZip(outer, limits({ maxBytes: inner.length + 100 })).open("1.zip")).toThrow(ImportError);
    expect(
      openZip(outer, limits({ maxBytes: inner.length + 600 }))
        .open("1.zip")
        ?.read("a.md")?.length,
    ).toBe(600);
  });

  test("S40: a file that is read again counts once", () => {
    const zip = openZip(zipSync({ "a.md": strToU8("a".repeat(600)) }), limits({ maxBytes: 600 }));
    expect(zip.read("a.md")?.length).toBe(600);
    expect(zip.read("a.md")?.length).toBe(600);
  });

  test("S40: too many entries are rejected, whether present or only declared", () => {
    const names = Array.from({ length: 11 }, (_, i) => ({ name: `${i}.md` }));
    expect(() => openZip(zipOf(names), limits({ maxEntries: 10 }))).toThrow("more than 10 entries");
    expect(() => openZip(zipOf([], { count: 60_000 }))).toThrow(ImportError);
    expect(() => openZip(zipOf([], { count: 2 ** 40, isZip64: true }))).toThrow(ImportError);
  });

  test("S40: entries that share bytes are rejected", () => {
    const kernel = deflated("a.md", new Uint8Array(100_000));
    expect(() => openZip(zipOf([kernel, { ...kernel, name: "b.md", offset: 0 }]))).toThrow("overlap");
    expect(() => openZip(zipOf([{ ...kernel, compressed: 5000 }]))).toThrow("overlap");
  });
});

describe("damaged archives", () => {
  test.each([
    ["nothing", new Uint8Array()],
    ["text", strToU8("just a text, and no archive at all, however long it may be")],
    ["a directory beyond the end", zipOf([{ name: "a.md" }], { start: 9000 })],
    ["a directory larger than the file", zipOf([{ name: "a.md" }], { size: 9000 })],
    ["an entry beyond the end", zipOf([{ name: "a.md", offset: 70_000 }])],
    ["an entry that is none", zipOf([{ name: "a.md", data: hello, offset: 3 }])],
    ["fewer entries than said", zipOf([{ name: "a.md" }], { count: 2 })],
  ])("a damaged archive is rejected: %s", (_, bytes) => {
    expect(() => openZip(bytes)).toThrow(ImportError);
  });

  test("a damaged file does not prevent reading the others", () => {
    const zip = openZip(
      zipOf([
        { name: "wrong.md", data: hello, crc: 1 },
        { name: "broken.md", data: hello, method: 8, size: 900 },
        { name: "odd.md", data: hello, method: 12 },
        { name: "good.md", data: hello },
      ]),
    );
    expect(["wrong.md", "broken.md", "odd.md", "good.md"].map((path) => zip.read(path)?.length)).toEqual([
      undefined,
      undefined,
      undefined,
      5,
    ]);
    expect(zip.skipped.map(({ resource }) => resource)).toEqual(["odd.md", "wrong.md", "broken.md"]);
  });

  test("an archive with any damage is either rejected or read", () => {
    const good = zipSync({ "a.md": hello, "b/c.md": strToU8("x".repeat(300)) });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const bytes = good.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        try {
          const zip = openZip(bytes);
          for (const path of zip.paths) zip.read(path);
        } catch (error) {
          expect(error).toBeInstanceOf(ImportError);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
