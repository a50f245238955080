// Compresses with node:zlib, on the thread pool. Zstandard is available from Node 22.15 on.

import { pipeline, Readable, type Transform } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import * as zlib from "node:zlib";
import type { Compressor, ContentCoding } from "../utils/compression";
import { omitUndefined } from "../utils/objects";

/** About as fast as gzip at its default level, for fewer bytes. The default quality is meant for content that never changes. */
const BROTLI_QUALITY = 5;

type Compress = (body: Uint8Array, done: (error: Error | null, compressed: Uint8Array) => void) => void;

interface Encoder {
  readonly compress: Compress;
  readonly createStream: () => Transform;
}

/** Functions that only newer versions of Node have. */
const newerZlib = zlib as { readonly zstdCompress?: Compress; readonly createZstdCompress?: () => Transform };
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };

const encoders: Partial<Record<ContentCoding, Encoder>> = {
  br: {
    compress: (body, done) =>
      zlib.brotliCompress(
        body,
        { params: { ...brotliOptions.params, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length } },
        done,
      ),
    createStream: () => zlib.createBrotliCompress(brotliOptions),
  },
  ...omitUndefined({
    zstd:
      newerZlib.zstdCompress && newerZlib.createZstdCompress
        ? { compress: newerZlib.zstdCompress, createStream: newerZlib.createZstdCompress }
        : undefined,
  }),
  gzip: { compress: (body, done) => zlib.gzip(body, done), createStream: () => zlib.createGzip() },
};

export const nodeCompressor: Compressor = {
  codings: Object.keys(encoders) as ContentCoding[],
  compress: (body, coding) =>
    new Promise((resolve, reject) => {
      encoders[coding]!.compress(body, (error, compressed) => (error ? reject(error) : resolve(compressed)));
    }),
  compressStream(body, coding) {
    const compressed = pipeline(Readable.fromWeb(body as WebStream), encoders[coding]!.createStream(), () => undefined);
    return Readable.toWeb(compressed) as ReadableStream<Uint8Array>;
  },
};
