// Responses whose bytes exist already: files, documents to print, specifications, and serialized JSON.

import * as v from "valibot";
import { type ByteChunk, concatBytes } from "../utils/bytes";

const utf8 = new TextDecoder();

/** Bytes to send, with headers that keep browsers from running them. */
export class BinaryResponse {
  constructor(
    readonly body: Uint8Array | ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
    /** Default: the status of the operation. */
    readonly status?: number,
  ) {}
}

/** The schema of a response that is bytes, for `returns` of an operation. */
export const BinarySchema = v.instance(BinaryResponse);

/** A response that is serialized JSON in UTF-8. Several responses may share the chunks, so nobody changes them. */
export class SerializedJson {
  readonly length: number;

  constructor(
    readonly chunks: readonly ByteChunk[],
    /** The tag of the JSON. Default: the version that the operation computes. */
    readonly etag?: string,
  ) {
    this.length = chunks.reduce((length, chunk) => length + chunk.length, 0);
  }

  toText(): string {
    return utf8.decode(concatBytes(this.chunks));
  }
}
