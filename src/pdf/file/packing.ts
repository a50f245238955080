// Deflating and inflating, by the platform where it can. Node and its kin have zlib, which is many times faster than
// anything in JavaScript and works beside the event loop; others have the streams of the web.

import { zlibSync } from "fflate";
import { joined } from "../../bytes";

type Answer = (error: Error | null, bytes: Uint8Array) => void;

interface NativeZlib {
  deflateSync(bytes: Uint8Array): Uint8Array;
  deflate(bytes: Uint8Array, options: { level: number }, answer: Answer): void;
  createInflate(options: { chunkSize: number }): NativeStream;
}

interface NativeStream {
  on(event: "data", listener: (part: Uint8Array) => void): NativeStream;
  on(event: "end" | "error", listener: () => void): NativeStream;
  end(bytes: Uint8Array): void;
  destroy(): void;
}

/** Chunks of what is inflated: one for most pictures, so that nothing is copied. */
const LARGEST_CHUNK = 16 * 1024 * 1024;
const LEAST_CHUNK = 1024;

/** For pixels: a third of the work of the usual level, for a tenth more bytes. */
const QUICK = 3;

/** Deflates a small number of bytes at once. */
export function packSmall(bytes: Uint8Array): Uint8Array {
  const zlib = native();
  return zlib ? zlib.deflateSync(bytes) : zlibSync(bytes, { level: 6 });
}

/** Deflates any number of bytes, without holding up others. */
export async function pack(bytes: Uint8Array): Promise<Uint8Array> {
  const zlib = native();
  if (!zlib) return joined(await through(new CompressionStream("deflate"), bytes, Number.POSITIVE_INFINITY));
  return new Promise((resolve, reject) => {
    zlib.deflate(bytes, { level: QUICK }, (error, packed) => {
      if (error) reject(error);
      else resolve(packed);
    });
  });
}

/** Inflates to exactly this many bytes; undefined when there are fewer. What follows them is not unpacked. */
export async function unpack(packed: Uint8Array, expected: number): Promise<Uint8Array | undefined> {
  const whole = await inflated(packed, expected);
  return whole.length >= expected ? whole.subarray(0, expected) : undefined;
}

/** Inflates all there is: only for what is our own. */
export function unpackAll(packed: Uint8Array): Promise<Uint8Array> {
  return inflated(packed, Number.POSITIVE_INFINITY);
}

async function inflated(packed: Uint8Array, enough: number): Promise<Uint8Array> {
  const zlib = native();
  const parts = zlib
    ? await nativeInflate(zlib, packed, enough)
    : await through(new DecompressionStream("deflate"), packed, enough);
  return parts.length === 1 ? parts[0]! : joined(parts);
}

/** Stops where enough is unpacked, or where it breaks. */
function nativeInflate(zlib: NativeZlib, packed: Uint8Array, expected: number): Promise<Uint8Array[]> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let length = 0;
    const stream = zlib.createInflate({ chunkSize: Math.min(Math.max(expected, LEAST_CHUNK), LARGEST_CHUNK) });
    const end = () => resolve(parts);
    stream.on("end", end).on("error", end);
    stream.on("data", (part) => {
      parts.push(part);
      length += part.length;
      if (length < expected) return;
      stream.destroy();
      end();
    });
    stream.end(packed);
  });
}

/** What comes out of a stream of the web, until that is enough, or the stream breaks. */
async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array, enough: number) {
  const writer = stream.writable.getWriter();
  // A stream that breaks says so to its reader as well.
  writer
    .write(bytes as BufferSource)
    .then(() => writer.close())
    .catch(() => {});
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  for (let length = 0; length < enough; ) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return parts;
    parts.push(value!);
    length += value!.length;
  }
  await reader.cancel().catch(() => {});
  return parts;
}

function native(): NativeZlib | undefined {
  // Looked up at run time: Workers may not have this module, and bundlers must not resolve it.
  const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeZlib | undefined } };
  return host.process?.getBuiltinModule?.("zlib");
}
