// Writes a pack of new objects for a push. All objects are whole, without deltas: there are few, and the server repacks
// them anyway.

import { sha1 } from "@noble/hashes/legacy.js";
import { zlibSync } from "fflate";
import { joined } from "../bytes";
import type { ObjectType } from "./pack-entries";
import { FIRST_ENTRY, MARK, TYPES, VERSION } from "./pack-entries";

/** A pack with these objects. */
export function packOf(objects: readonly { readonly type: ObjectType; readonly bytes: Uint8Array }[]): Uint8Array {
  const start = new DataView(new ArrayBuffer(FIRST_ENTRY));
  start.setUint32(0, MARK);
  start.setUint32(4, VERSION);
  start.setUint32(8, objects.length);
  const entries = objects.flatMap(({ type, bytes }) => [headOf(TYPES[type], bytes.length), zlibSync(bytes)]);
  const body = joined([new Uint8Array(start.buffer), ...entries]);
  return joined([body, sha1(body)]);
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
