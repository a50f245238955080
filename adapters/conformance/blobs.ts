// Blobs: named binary objects that are written once, and either completely or not at all.

import { type Blobs, concatBytes } from "../adapter";
import { assert, assertEqual, assertRefuses } from "./assert";
import { type Cases, collectAll } from "./cases";

let longestPattern = new Uint8Array();

/** Creates bytes that vary with their position, so that a misplaced chunk is detected. */
function createPattern(size: number): Uint8Array {
  if (size > longestPattern.length) {
    longestPattern = new Uint8Array(size);
    for (let i = 0; i < size; i++) longestPattern[i] = (i * 31 + (i >> 8) * 7 + (i >> 16)) & 255;
  }
  return longestPattern.slice(0, size);
}

/** Creates a stream of the bytes in chunks whose sizes repeat. If `failure` is given, the stream fails after the last chunk. */
function createStream(bytes: Uint8Array, sizes: readonly number[], failure?: Error): ReadableStream<Uint8Array> {
  let offset = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset < bytes.length) {
        const end = offset + sizes[turn++ % sizes.length]!;
        controller.enqueue(bytes.slice(offset, end));
        offset = end;
      } else if (failure) controller.error(failure);
      else controller.close();
    },
  });
}

async function assertBlob(
  blobs: Blobs,
  name: string,
  bytes: Uint8Array,
  range?: { start?: number; end?: number },
): Promise<void> {
  const blob = await blobs.get(name, range);
  assert(blob, `the blob ${name} is absent`);
  assertEqual(blob.size, bytes.length, `the size of the blob ${name}`);
  const expected = bytes.subarray(range?.start ?? 0, range?.end ?? bytes.length);
  const actual = concatBytes(await collectAll(blob.stream));
  const what = `of the blob ${name} in ${JSON.stringify(range ?? "full")}`;
  assertEqual(actual.length, expected.length, `how many bytes came ${what}`);
  // A plain loop is fast, and the cases compare megabytes.
  let equal = 0;
  while (equal < actual.length && actual[equal] === expected[equal]) equal++;
  assert(equal === actual.length, `byte ${equal} ${what} is wrong`);
}

const MEGABYTE = 1024 * 1024;

export const blobs: Cases = {
  "a blob that was never put is absent": async ({ storage }) => {
    assertEqual(await storage.blobs.get("none"), undefined, "the blob");
    assertEqual(await storage.blobs.get("none", { start: 5, end: 9 }), undefined, "a range of it");
    assertEqual(await collectAll(storage.blobs.list()), [], "the list");
  },

  "bytes come back as they were put": async ({ storage, reopen }) => {
    const bytes = createPattern(1000);
    const given = bytes.slice();
    assertEqual(await storage.blobs.put("a", given), { size: 1000 }, "the answer");
    given.fill(0);
    await assertBlob(storage.blobs, "a", bytes);
    const [piece] = await collectAll((await storage.blobs.get("a"))!.stream);
    piece!.fill(0);
    await assertBlob(storage.blobs, "a", bytes);
    await assertBlob((await reopen()).blobs, "a", bytes);
  },

  "a view into a larger buffer is put as what it shows": async ({ storage }) => {
    await storage.blobs.put("a", createPattern(1000).subarray(100, 200));
    await assertBlob(storage.blobs, "a", createPattern(1000).slice(100, 200));
  },

  "a stream comes back as it was put, whatever its pieces": async ({ storage }) => {
    const bytes = createPattern(300_000);
    for (const [i, sizes] of [[300_000], [1000], [1, 65_536, 3], [262_144], [262_143, 1]].entries()) {
      assertEqual(await storage.blobs.put(`s${i}`, createStream(bytes, sizes)), { size: 300_000 }, "the answer");
      await assertBlob(storage.blobs, `s${i}`, bytes);
    }
  },

  "a stream may reuse its buffer": async ({ storage }) => {
    const buffer = new Uint8Array(100);
    let turn = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          buffer.fill(turn);
          controller.enqueue(buffer);
          if (++turn === 3) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    await storage.blobs.put("a", stream);
    await assertBlob(
      storage.blobs,
      "a",
      Uint8Array.from({ length: 300 }, (_, i) => Math.floor(i / 100)),
    );
  },

  "nothing at all is a blob, too": async ({ storage, reopen }) => {
    assertEqual(await storage.blobs.put("bytes", new Uint8Array()), { size: 0 }, "the answer for no bytes");
    assertEqual(
      await storage.blobs.put("stream", createStream(new Uint8Array(), [1])),
      { size: 0 },
      "that for an empty stream",
    );
    const again = await reopen();
    for (const name of ["bytes", "stream"]) await assertBlob(again.blobs, name, new Uint8Array());
    assertEqual(await collectAll(again.blobs.list()), ["bytes", "stream"], "the list");
  },

  "five megabytes come back, from bytes and from a stream": async ({ storage, reopen }) => {
    const bytes = createPattern(5 * MEGABYTE);
    await storage.blobs.put("bytes", bytes);
    assertEqual(await storage.blobs.put("stream", createStream(bytes, [70_001])), { size: bytes.length }, "the answer");
    for (const name of ["bytes", "stream"]) await assertBlob(storage.blobs, name, bytes);
    const again = await reopen();
    for (const name of ["bytes", "stream"]) await assertBlob(again.blobs, name, bytes);
  },

  "a range is what it says, and ends with the blob": async ({ storage }) => {
    const bytes = createPattern(MEGABYTE + 7);
    await storage.blobs.put("a", bytes);
    const near = [0, 1, 65_536, 262_143, 262_144, 262_145, 524_288];
    const far = [MEGABYTE, MEGABYTE + 6, MEGABYTE + 7];
    for (const edge of [...near, ...far]) {
      await assertBlob(storage.blobs, "a", bytes, { start: edge });
      await assertBlob(storage.blobs, "a", bytes, { end: edge });
    }
    // Only some pairs with a distant end are tested, because each of them covers most of the blob.
    for (const edges of [near, far, [1, MEGABYTE + 6], [262_143, MEGABYTE]])
      for (const start of edges)
        for (const end of edges.filter((end) => end >= start))
          await assertBlob(storage.blobs, "a", bytes, { start, end });
    await assertBlob(storage.blobs, "a", bytes, { start: 10, end: 10 * MEGABYTE });
    await assertBlob(storage.blobs, "a", bytes, { start: 2 * MEGABYTE });
    await assertBlob(storage.blobs, "a", bytes, { start: 2 * MEGABYTE, end: 3 * MEGABYTE });
  },

  "a stream that is given up does no harm": async ({ storage }) => {
    const bytes = createPattern(MEGABYTE);
    await storage.blobs.put("a", bytes);
    await (await storage.blobs.get("a"))!.stream.cancel();
    const reader = (await storage.blobs.get("a"))!.stream.getReader();
    await reader.read();
    await reader.cancel();
    await assertBlob(storage.blobs, "a", bytes);
  },

  "a stream that fails leaves nothing, and the error comes back": async ({ storage, reopen }) => {
    for (const [i, size] of [0, 10, 300_000, MEGABYTE].entries()) {
      const failure = new Error(`the stream broke behind ${size} bytes`);
      let thrown: unknown;
      await storage.blobs.put(`s${i}`, createStream(createPattern(size), [50_000], failure)).catch((error) => {
        thrown = error;
      });
      assert(thrown === failure, `put answered ${thrown} to a stream that failed`);
      assertEqual(await storage.blobs.get(`s${i}`), undefined, "the blob");
    }
    assertEqual(await collectAll(storage.blobs.list()), [], "the list");
    const bytes = createPattern(20);
    await storage.blobs.put("s3", bytes);
    const again = await reopen();
    assertEqual(await collectAll(again.blobs.list()), ["s3"], "the list after one of the names was used after all");
    await assertBlob(again.blobs, "s3", bytes);
  },

  "a name is used once": async ({ storage }) => {
    const bytes = createPattern(500_000);
    await storage.blobs.put("a", bytes);
    await assertRefuses("too_large", () => storage.blobs.put("a", createPattern(10)), "a second put of bytes");
    await assertRefuses(
      "too_large",
      () => storage.blobs.put("a", createStream(createPattern(600_000), [1000])),
      "one of a stream",
    );
    await assertBlob(storage.blobs, "a", bytes);
  },

  "of two puts under one name at the same time, one wins": async ({ storage }) => {
    const sizes = [300_000, 400_000];
    const answers = await Promise.allSettled(
      sizes.map((n) => storage.blobs.put("a", createStream(createPattern(n), [5000]))),
    );
    assertEqual(answers.filter(({ status }) => status === "fulfilled").length, 1, "how many have won");
    const winner = answers.findIndex(({ status }) => status === "fulfilled");
    await assertBlob(storage.blobs, "a", createPattern(sizes[winner]!));
  },

  "a deleted blob is gone, and deleting what is absent is no error": async ({ storage, reopen }) => {
    await storage.blobs.put("a", createPattern(600_000));
    await storage.blobs.put("b", createPattern(10));
    await storage.blobs.delete("a");
    await storage.blobs.delete("a");
    await storage.blobs.delete("none");
    assertEqual(await storage.blobs.get("a"), undefined, "the deleted one");
    const again = await reopen();
    assertEqual(await again.blobs.get("a"), undefined, "the deleted one, opened again");
    assertEqual(await collectAll(again.blobs.list()), ["b"], "the list");
    await assertBlob(again.blobs, "b", createPattern(10));
  },

  "blobs are listed in order": async ({ storage }) => {
    const names = Array.from({ length: 230 }, (_, i) => `${i % 2 ? "b" : "a"}${String(i).padStart(3, "0")}`);
    await Promise.all(names.map((name) => storage.blobs.put(name, new Uint8Array([1]))));
    names.sort();
    assertEqual(await collectAll(storage.blobs.list()), names, "all names");
    assertEqual(
      await collectAll(storage.blobs.list("a100")),
      names.slice(names.indexOf("a100") + 1),
      "those after a name",
    );
    assertEqual(
      await collectAll(storage.blobs.list("a9")),
      names.slice(names.indexOf("b001")),
      "those after a name that none has",
    );
    assertEqual(await collectAll(storage.blobs.list("b229")), [], "those after the last");
  },

  "blobs whose names begin alike are apart": async ({ storage }) => {
    for (const name of ["a", "a-", "a0", "aa"]) await storage.blobs.put(name, createPattern(name.length * 200_000));
    await storage.blobs.delete("a");
    for (const name of ["a-", "a0", "aa"]) await assertBlob(storage.blobs, name, createPattern(400_000));
    assertEqual(await collectAll(storage.blobs.list()), ["a-", "a0", "aa"], "the list");
    assertEqual(await collectAll(storage.partitions()), [], "the partitions, which blobs are not");
  },

  "a name that no blob may have is refused": async ({ storage }) => {
    for (const name of ["", "A", "-a", "a_b", "a/b", "../a", "ü", "a".repeat(129)])
      await assertRefuses("too_large", () => storage.blobs.put(name, createPattern(1)), JSON.stringify(name));
    await storage.blobs.put("a".repeat(128), createPattern(3));
    await assertBlob(storage.blobs, "a".repeat(128), createPattern(3));
  },
};
