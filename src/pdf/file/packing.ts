// Deflating and inflating, by the platform where it can. Node and its kin have zlib, which is many times faster than
// anything in JavaScript and works beside the event loop; others have the streams of the web.

import { zlibSync } from "fflate";
import { concatBytes } from "../../utils/bytes";

interface NativeZlib {
  deflateSync(bytes: Uint8Array): Uint8Array;
  createDeflate(options: { level: number }): NativeStream;
  createInflate(options: { chunkSize: number }): NativeStream;
}

interface NativeStream extends AsyncIterable<Uint8Array> {
  on(event: "data", listener: (part: Uint8Array) => void): NativeStream;
  on(event: "end", listener: () => void): NativeStream;
  on(event: "error", listener: (error: Error) => void): NativeStream;
  write(bytes: Uint8Array, answer: (error?: Error | null) => void): void;
  end(bytes?: Uint8Array): void;
  destroy(): void;
}

/** Bytes that are inflated at once: all that is in memory of something large. */
const INFLATED_AT_ONCE = 256 * 1024;
/** Bytes that a stream of the web is given at once: it may make a thousand times as many of them. */
const GIVEN_AT_ONCE = 4 * 1024;

/** For pixels: a third of the work of the usual level, for a tenth more bytes. */
const QUICK = 3;

/** Deflates a small number of bytes at once. */
export function packSmall(bytes: Uint8Array): Uint8Array {
  const zlib = native();
  return zlib ? zlib.deflateSync(bytes) : zlibSync(bytes, { level: 6 });
}

/** Deflates what is written to it piece by piece. Bytes may be changed when `write` is done with them. */
export interface Packer {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<Uint8Array>;
}

export function createPacker(): Packer {
  const zlib = native();
  return zlib ? createNativePacker(zlib) : createWebPacker();
}

function createNativePacker(zlib: NativeZlib): Packer {
  const stream = zlib.createDeflate({ level: QUICK });
  const parts: Uint8Array[] = [];
  const ended = new Promise<Uint8Array>((resolve, reject) => {
    stream.on("data", (part) => parts.push(part)).on("error", reject);
    stream.on("end", () => resolve(concatBytes(parts)));
  });
  ended.catch(() => {});
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve()))),
    finish() {
      stream.end();
      return ended;
    },
  };
}

function createWebPacker(): Packer {
  const stream = new CompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const ended = readAll(stream.readable);
  ended.catch(() => {});
  return {
    write: (bytes) => writer.write(bytes as BufferSource),
    async finish() {
      await writer.close();
      return ended;
    },
  };
}

async function readAll(readable: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = readable.getReader();
  const parts: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(parts);
    parts.push(value);
  }
}

/** Inflates piece by piece, as far as it is asked for, so that little of it is in memory. Ends where the bytes break. */
export async function* unpackInParts(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const zlib = native();
  try {
    if (zlib) {
      const stream = zlib.createInflate({ chunkSize: INFLATED_AT_ONCE });
      stream.end(packed);
      yield* stream;
    } else yield* inflateByWeb(packed);
  } catch {}
}

async function* inflateByWeb(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const give = async () => {
    for (let at = 0; at < packed.length; at += GIVEN_AT_ONCE)
      await writer.write(packed.subarray(at, at + GIVEN_AT_ONCE) as BufferSource);
    await writer.close();
  };
  // A stream that breaks says so to its reader as well.
  give().catch(() => {});
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Inflates to exactly this many bytes; undefined when there are fewer. What follows them is not unpacked. */
export async function unpack(packed: Uint8Array, expected: number): Promise<Uint8Array | undefined> {
  const whole = new Uint8Array(expected);
  let length = 0;
  for await (const part of unpackInParts(packed)) {
    whole.set(part.subarray(0, expected - length), length);
    length += part.length;
    if (length >= expected) return whole;
  }
  return length >= expected ? whole : undefined;
}

/** Inflates all there is: only for what is our own. */
export async function unpackAll(packed: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of unpackInParts(packed)) parts.push(part);
  return concatBytes(parts);
}

function native(): NativeZlib | undefined {
  // Looked up at run time: Workers may not have this module, and bundlers must not resolve it.
  const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeZlib | undefined } };
  return host.process?.getBuiltinModule?.("zlib");
}
