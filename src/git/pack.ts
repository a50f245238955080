// Writes a pack of new objects for a push. All objects are whole, without deltas: there are few, and the server repacks
// them anyway. Others get their turn in between, because the first push of a space has all of it.

import { sha1 } from "@noble/hashes/legacy.js";
import { zlibSync } from "fflate";
import { GrowingBytes } from "../bytes";
import { Breaks } from "./effort";
import type { ObjectType } from "./pack-entries";
import { FIRST_ENTRY, MARK, TYPES, VERSION } from "./pack-entries";

/** A pack with these objects; `before` stands before it in the same array. */
export async function packOf(
  objects: readonly { readonly type: ObjectType; readonly bytes: Uint8Array }[],
  before: Uint8Array = new Uint8Array(),
): Promise<Uint8Array<ArrayBuffer>> {
  const start = new DataView(new ArrayBuffer(FIRST_ENTRY));
  start.setUint32(0, MARK);
  start.setUint32(4, VERSION);
  start.setUint32(8, objects.length);
  const [all, digest, breaks] = [new GrowingBytes(), sha1.create(), new Breaks()];
  const add = (bytes: Uint8Array) => {
    all.add(bytes);
    digest.update(bytes);
  };
  all.add(before);
  add(new Uint8Array(start.buffer));
  for (const { type, bytes } of objects) {
    add(headOf(TYPES[type], bytes.length));
    add(zlibSync(bytes));
    await breaks.take();
  }
  all.add(digest.digest());
  return all.whole();
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
