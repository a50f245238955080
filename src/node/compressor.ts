// The content codings of node:zlib. Everything runs on the thread pool; Zstandard is there from Node 22.15 on.

import { pipeline, Readable, type Transform } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import * as zlib from "node:zlib";
import type { Compressor, ContentCoding } from "../utils/compression";
import { omitUndefined } from "../utils/objects";

/** About as quick as gzip at its usual level, for fewer bytes. The usual quality is meant for content that never changes. */
const BROTLI_QUALITY = 5;

type Compress = (body: Uint8Array, done: (error: Error | null, compressed: Uint8Array) => void) => void;

interface Coder {
  readonly compress: Compress;
  readonly createStream: () => Transform;
}

/** What newer versions of Node have beside. */
const newer = zlib as { readonly zstdCompress?: Compress; readonly createZstdCompress?: () => Transform };
const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };

const coders: Partial<Record<ContentCoding, Coder>> = {
  br: {
    compress: (body, done) =>
      zlib.brotliCompress(
        body,
        { params: { ...brotli.params, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length } },
        done,
      ),
    createStream: () => zlib.createBrotliCompress(brotli),
  },
  ...omitUndefined({
    zstd:
      newer.zstdCompress && newer.createZstdCompress
        ? { compress: newer.zstdCompress, createStream: newer.createZstdCompress }
        : undefined,
  }),
  gzip: { compress: (body, done) => zlib.gzip(body, done), createStream: () => zlib.createGzip() },
};

export const nodeCompressor: Compressor = {
  codings: Object.keys(coders) as ContentCoding[],
  compress: (body, coding) =>
    new Promise((resolve, reject) => {
      coders[coding]!.compress(body, (error, compressed) => (error ? reject(error) : resolve(compressed)));
    }),
  compressStream(body, coding) {
    const compressed = pipeline(Readable.fromWeb(body as WebStream), coders[coding]!.createStream(), () => undefined);
    return Readable.toWeb(compressed) as ReadableStream<Uint8Array>;
  },
};
