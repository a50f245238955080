// Writes a pack of new objects for a push. All objects are whole, without deltas: there are few, and the server repacks
// them anyway. The first push of a space holds all of its content, so writing yields to the event loop.

import { sha1 } from "@noble/hashes/legacy.js";
import { Zlib } from "fflate";
import { concatBytes } from "../utils/bytes";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { type ObjectType, PACK_HEADER_BYTES, PACK_SIGNATURE, PACK_VERSION, TYPE_NUMBERS } from "./pack-entries";

/** The bytes that are deflated between two yields to the event loop. The names in a directory are so similar that 64 KiB take 30 to 60 ms. */
export const DEFLATE_PIECE_BYTES = 16 * 1024;

/** An object of a pack. A function reads its bytes when they are written. */
export interface PackInput {
  readonly type: ObjectType;
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>);
}

/** Yields a pack piece by piece. Only one object is held in memory at a time. */
export async function* writePack(objects: readonly PackInput[]): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const digest = sha1.create();
  const header = new DataView(new ArrayBuffer(PACK_HEADER_BYTES));
  header.setUint32(0, PACK_SIGNATURE);
  header.setUint32(4, PACK_VERSION);
  header.setUint32(8, objects.length);
  const headerBytes = new Uint8Array(header.buffer);
  digest.update(headerBytes);
  yield headerBytes;

  for (const { type, bytes: given } of objects) {
    const bytes = typeof given === "function" ? await given() : given;
    // The head has the type and four bits of the size, then seven bits a byte, the lowest first.
    const head = [(TYPE_NUMBERS[type] << 4) | (bytes.length % 16)];
    for (let rest = Math.floor(bytes.length / 16); rest > 0; rest = Math.floor(rest / 128)) {
      head[head.length - 1]! |= 128;
      head.push(rest % 128);
    }

    let output: Uint8Array[] = [Uint8Array.from(head)];
    const zlib = new Zlib((chunk) => output.push(chunk));
    for (let offset = 0; offset === 0 || offset < bytes.length; offset += DEFLATE_PIECE_BYTES) {
      zlib.push(bytes.slice(offset, offset + DEFLATE_PIECE_BYTES), offset + DEFLATE_PIECE_BYTES >= bytes.length);
      const piece = concatBytes(output);
      output = [];
      if (piece.length === 0) continue;
      digest.update(piece);
      yield piece;
      await yieldToEventLoop();
    }
  }
  yield new Uint8Array(digest.digest());
}
