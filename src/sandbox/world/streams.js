// Streams: those of the standard, from a library that implements all of it, and the two that carry texts.

import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from "web-streams-polyfill/dist/ponyfill.mjs";
import { encode, joined, TextDecoder } from "./bytes.js";

/** Whether anybody has read or cancelled a stream. */
export const isDisturbed = (stream) => stream._disturbed;

/** A stream of these bytes, which are not to be changed, in one piece. */
export function streamOf(bytes) {
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes.slice());
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
}

/** All bytes of a stream. */
export async function readAll(stream) {
  const reader = stream.getReader();
  const pieces = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(pieces);
    if (!(value instanceof Uint8Array)) throw new TypeError("A body is made of pieces that are a Uint8Array.");
    pieces.push(value);
  }
}

export class TextEncoderStream {
  #pair;

  constructor() {
    // Half a pair of surrogates waits for the other half.
    let waiting = "";
    this.#pair = new TransformStream({
      transform(piece, controller) {
        const text = `${waiting}${piece}`;
        const isHalf = /[\ud800-\udbff]$/.test(text);
        waiting = isHalf ? text.slice(-1) : "";
        const whole = isHalf ? text.slice(0, -1) : text;
        if (whole !== "") controller.enqueue(encode(whole));
      },
      flush(controller) {
        if (waiting !== "") controller.enqueue(encode(waiting));
      },
    });
  }

  get encoding() {
    return "utf-8";
  }

  get readable() {
    return this.#pair.readable;
  }

  get writable() {
    return this.#pair.writable;
  }
}

export class TextDecoderStream {
  #pair;
  #decoder;

  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    const send = (text, controller) => {
      if (text !== "") controller.enqueue(text);
    };
    this.#decoder = decoder;
    this.#pair = new TransformStream({
      transform: (piece, controller) => send(decoder.decode(piece, { stream: true }), controller),
      flush: (controller) => send(decoder.decode(), controller),
    });
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  get fatal() {
    return this.#decoder.fatal;
  }

  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }

  get readable() {
    return this.#pair.readable;
  }

  get writable() {
    return this.#pair.writable;
  }
}

/** Everything of the standard, by name. */
export const streams = {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TextDecoderStream,
  TextEncoderStream,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
};

export { ReadableStream };
