// Compression by the platform. Node and compatible runtimes have zlib, which is many times faster than JavaScript and works
// outside the event loop. Others have the web's compression streams.

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

/** The number of bytes that are inflated at a time, which limits the memory for a large stream. */
const INFLATE_CHUNK_BYTES = 256 * 1024;
/** The number of bytes that are written to a web stream at a time. They may inflate to a thousand times as many. */
const WEB_INPUT_CHUNK_BYTES = 4 * 1024;

/** The compression level for pixels: a third of the work of the default level, for a tenth more bytes. */
const FAST_LEVEL = 3;

/** Compresses a small number of bytes synchronously. */
export function deflateAtOnce(bytes: Uint8Array): Uint8Array {
  const zlib = getNativeZlib();
  return zlib ? zlib.deflateSync(bytes) : zlibSync(bytes, { level: 6 });
}

/** Compresses chunks. The bytes of a chunk may be reused when `write` has finished. */
export interface Deflater {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<Uint8Array>;
}

export function createDeflater(): Deflater {
  const zlib = getNativeZlib();
  if (zlib) {
    const stream = zlib.createDeflate({ level: FAST_LEVEL });
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
  const stream = new CompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const ended = new Response(stream.readable).arrayBuffer().then((buffer) => new Uint8Array(buffer));
  ended.catch(() => {});
  return {
    write: (bytes) => writer.write(bytes as BufferSource),
    async finish() {
      await writer.close();
      return ended;
    },
  };
}

/** Inflates in parts on demand, so that little is in memory. Ends at the first damaged byte. */
export async function* inflateInParts(deflated: Uint8Array): AsyncGenerator<Uint8Array> {
  const zlib = getNativeZlib();
  try {
    if (zlib) {
      const stream = zlib.createInflate({ chunkSize: INFLATE_CHUNK_BYTES });
      stream.end(deflated);
      yield* stream;
      return;
    }
    const stream = new DecompressionStream("deflate");
    const writer = stream.writable.getWriter();
    const feed = async () => {
      for (let at = 0; at < deflated.length; at += WEB_INPUT_CHUNK_BYTES)
        await writer.write(deflated.subarray(at, at + WEB_INPUT_CHUNK_BYTES) as BufferSource);
      await writer.close();
    };
    // The reader reports errors of the stream, too.
    feed().catch(() => {});
    const reader = stream.readable.getReader();
    try {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
    } finally {
      await reader.cancel().catch(() => {});
    }
  } catch {}
}

function getNativeZlib(): NativeZlib | undefined {
  // The module is looked up at run time, because Workers may not have it, and bundlers must not resolve it.
  const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeZlib | undefined } };
  return host.process?.getBuiltinModule?.("zlib");
}
