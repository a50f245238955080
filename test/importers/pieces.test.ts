// Archives in pieces: most of them are not held, and what is read is the same.

import { zipSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { ChunkedFile } from "../../src/importers/archive/chunked-file";
import { importZip } from "../../src/importers/archive/import-zip";
import { openZip, openZipFile } from "../../src/importers/archive/zip";
import { ImportError } from "../../src/importers/errors";
import { zipOf } from "./archive-bytes";

const MIB = 1024 * 1024;

/** Keeps pieces as copies, as a storage does, and counts them. */
function shelf() {
  const put: Uint8Array[] = [];
  const reads: number[] = [];
  const setAside = async (bytes: Uint8Array) => {
    const at = put.push(bytes.slice()) - 1;
    return async () => {
      reads.push(at);
      return put[at]!.slice();
    };
  };
  return { put, reads, setAside };
}

async function inPieces(bytes: Uint8Array, pieces: ChunkedFile, chunk = 60_001): Promise<ChunkedFile> {
  for (let at = 0; at < bytes.length; at += chunk) await pieces.add(bytes.subarray(at, at + chunk));
  return pieces;
}

describe("a 40 MiB archive", () => {
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      `file-${n}.bin`,
      Uint8Array.from({ length: 2 * MIB }, (_, at) => at * (n + 3)),
    ]),
  );
  const bytes = zipSync(files, { level: 0 });

  test("a 40 MiB archive is held in part, and its files are the same in any order", async () => {
    const { put, reads, setAside } = shelf();
    const pieces = await inPieces(bytes, new ChunkedFile(setAside));
    expect(pieces.size).toBe(bytes.length);
    expect(put.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(23 * MIB);
    const zip = await openZipFile(pieces);
    expect(zip.paths).toEqual(Object.keys(files));
    for (const path of [...zip.paths].reverse())
      expect(Buffer.compare((await zip.read(path))!, files[path]!), path).toBe(0);
    const before = reads.length;
    await zip.read("file-0.bin");
    await zip.read("file-10.bin");
    await zip.read("file-10.bin");
    // What was read a moment ago is still there.
    expect(reads.length - before).toBeLessThanOrEqual(5);
  });

  test("a 40 MiB archive is held completely where nothing can be set aside", async () => {
    const zip = await openZipFile(await inPieces(bytes, new ChunkedFile(), bytes.length));
    expect(Buffer.compare((await zip.read("file-19.bin"))!, files["file-19.bin"]!)).toBe(0);
  });

  test("a 40 MiB archive is rejected when it cannot be set aside, and its sender is told to stop", async () => {
    const cancel = vi.fn();
    const body = () =>
      new ReadableStream<Uint8Array>(
        { pull: (to) => to.enqueue(bytes.subarray(0, MIB)), cancel },
        { highWaterMark: 0 },
      );
    const fetch = async () => new Response(body());
    const url = "https://host.example/book.zip";
    const limits = { maxBytes: 100 * MIB };
    const setAside = async () => Promise.reject(new Error("The disk is full."));
    await expect(importZip({ url, fetch, limits, spillBytes: setAside })).rejects.toThrow("The disk is full.");
    expect(cancel).toHaveBeenCalledOnce();
    await expect(importZip({ url, fetch, limits: { maxBytes: 3 * MIB }, spillBytes: setAside })).rejects.toThrow(
      ImportError,
    );
    expect(cancel).toHaveBeenCalledTimes(2);
  });
});

test("an archive in pieces is rejected, skipped and read like one in memory", async () => {
  const hello = new TextEncoder().encode("hello");
  const wide = { name: "w.md", data: hello };
  const archives = [
    zipOf([{ name: "a.md", data: hello }], { comment: "made by hand" }),
    zipOf([wide], { isZip64: true }),
    zipOf([{ name: "wrong.md", data: hello, crc: 1 }, wide]),
    zipOf([{ name: "a.md", data: hello, offset: 70_000 }]),
    zipOf([{ name: "a.md", data: hello }], { start: 9000 }),
    zipOf([{ name: "a.md", data: hello }], { count: 2 }),
    new Uint8Array(),
    ...Array.from({ length: 30 }, (_, n) => zipOf([wide], { comment: "cut" }).subarray(0, 20 + 5 * n)),
  ];
  const tell = async (run: () => Promise<unknown>) => run().catch((error: Error) => `${error.name}: ${error.message}`);
  for (const bytes of archives) {
    const held = await tell(async () => {
      const zip = openZip(bytes);
      const found = zip.paths.map((path) => [path, zip.read(path)]);
      return { found, skipped: zip.skipped };
    });
    const pieced = await tell(async () => {
      const zip = await openZipFile(await inPieces(bytes, new ChunkedFile(shelf().setAside), 7));
      const found = [];
      for (const path of zip.paths) found.push([path, await zip.read(path)]);
      return { found, skipped: zip.skipped };
    });
    expect(pieced).toEqual(held);
  }
});

test("a damaged file that is read twice at once is reported once", async () => {
  const data = new TextEncoder().encode("hello");
  const zip = await openZipFile(await inPieces(zipOf([{ name: "wrong.md", data, crc: 1 }]), new ChunkedFile()));
  expect(await Promise.all([zip.read("wrong.md"), zip.read("wrong.md")])).toEqual([undefined, undefined]);
  expect(zip.skipped).toHaveLength(1);
});
