// Answers that are bytes instead of JSON: a file, a document to print, a specification as it came.

import * as v from "valibot";

/** Bytes on their way out, with the headers that make them harmless. */
export class Sent {
  constructor(
    readonly body: Uint8Array | ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
    /** Default: that of the operation. */
    readonly status?: number,
  ) {}
}

/** The shape of an answer that is bytes: what an operation names in `returns`. */
export const Bytes = v.instance(Sent);
