// Answers that are bytes: a file, a document to print, a specification; and JSON that is written already.

import * as v from "valibot";
import type { ByteChunk } from "../utils/bytes";

/** Bytes to send, with headers that keep browsers from running them. */
export class BinaryResponse {
  constructor(
    readonly body: Uint8Array | ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
    /** Default: that of the operation. */
    readonly status?: number,
  ) {}
}

/** The shape of an answer that is bytes, for `returns` of an operation. */
export const BinarySchema = v.instance(BinaryResponse);

/** An answer whose JSON is written already, in UTF-8. Others may be sent the same pieces: nobody changes them. */
export class SerializedJson {
  readonly length: number;

  constructor(
    readonly chunks: readonly ByteChunk[],
    /** A tag of what is written. Default: the version that the operation names. */
    readonly etag?: string,
  ) {
    this.length = chunks.reduce((length, piece) => length + piece.length, 0);
  }
}
