// Writes a pack of new objects for a push. All objects are whole, without deltas: there are few, and the server repacks
// them anyway. Others get their turn in between, because the first push of a space has all of it.

import { sha1 } from "@noble/hashes/legacy.js";
import { Zlib } from "fflate";
import { concatBytes } from "../utils/bytes";
import { Breaks } from "./effort";
import type { ObjectType } from "./pack-entries";
import { FIRST_ENTRY, MARK, TYPES, VERSION } from "./pack-entries";

/** An object of a pack; a function reads its bytes when it is its turn. */
export interface Packed {
  readonly type: ObjectType;
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>);
}

/** A pack with these objects, piece by piece: one object is held at a time. */
export async function* packOf(objects: readonly Packed[]): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const [digest, breaks] = [sha1.create(), new Breaks()];
  const hashed = (bytes: Uint8Array<ArrayBuffer>) => {
    digest.update(bytes);
    return bytes;
  };
  yield hashed(startOf(objects.length));
  for (const { type, bytes } of objects) {
    const whole = typeof bytes === "function" ? await bytes() : bytes;
    for (const packed of entryOf(type, whole)) {
      yield hashed(packed);
      await breaks.take();
    }
  }
  yield new Uint8Array(digest.digest());
}

/** Bytes that are packed in one step: others wait no longer than that takes. */
const PIECE = 64 * 1024;

/** An object as it is packed, piece by piece. None of them is empty. */
function* entryOf(type: ObjectType, bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  let packed: Uint8Array[] = [headOf(TYPES[type], bytes.length)];
  const zlib = new Zlib((piece) => packed.push(piece));
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
    zlib.push(bytes.slice(at, at + PIECE), at + PIECE >= bytes.length);
    const piece = concatBytes(packed);
    packed = [];
    if (piece.length > 0) yield piece;
  }
}

function startOf(count: number): Uint8Array<ArrayBuffer> {
  const start = new DataView(new ArrayBuffer(FIRST_ENTRY));
  start.setUint32(0, MARK);
  start.setUint32(4, VERSION);
  start.setUint32(8, count);
  return new Uint8Array(start.buffer);
}

/** The head of an entry: the type and four bits of the size, then seven bits a byte, the lowest first. */
function headOf(type: number, size: number): Uint8Array {
  const bytes = [(type << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest % 128);
  }
  return Uint8Array.from(bytes);
}
