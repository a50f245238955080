// Answers that are bytes instead of JSON: a file, a document to print, a specification.

import * as v from "valibot";

/** Bytes to send, with headers that keep browsers from running them. */
export class Sent {
  constructor(
    readonly body: Uint8Array | ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
    /** Default: that of the operation. */
    readonly status?: number,
  ) {}
}

/** The shape of an answer that is bytes, for `returns` of an operation. */
export const Bytes = v.instance(Sent);
