// Deltas: an object told as pieces of another one and bytes in between.

import { byteAt, damaged, sizeAt } from "./pack-entries";

/** Pieces shorter than this are copied byte by byte: a view of each would cost more than the copy. */
const SHORT = 32;
/** What a copy without a size means. */
const FULL_COPY = 0x10000;

/** The size that a delta promises for its result. */
export function resultSize(delta: Uint8Array): number {
  return sizeAt(delta, sizeAt(delta, 0).next).value;
}

/** The object that a delta makes of its base. Refuses one that does not keep what it promises. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const source = sizeAt(delta, 0);
  const target = sizeAt(delta, source.next);
  if (source.value !== base.length) throw damaged();
  const result = new Uint8Array(target.value);
  let made = 0;
  let at = target.next;
  while (at < delta.length) {
    const instruction = delta[at++]!;
    if (instruction === 0) throw damaged();
    // What is not copied from the base stands in the delta itself.
    let from = delta;
    let start = at;
    let size = instruction;
    if (instruction & 128) {
      // Of both numbers only the bytes that are not zero are written; the bits of the instruction say which.
      from = base;
      start = 0;
      size = 0;
      for (let index = 0; index < 4; index++)
        if (instruction & (1 << index)) start += byteAt(delta, at++) * 256 ** index;
      for (let index = 0; index < 3; index++)
        if (instruction & (16 << index)) size += byteAt(delta, at++) * 256 ** index;
      size ||= FULL_COPY;
    } else at += instruction;
    if (start + size > from.length || made + size > result.length) throw damaged();
    if (size < SHORT) for (let index = 0; index < size; index++) result[made + index] = from[start + index]!;
    else result.set(from.subarray(start, start + size), made);
    made += size;
  }
  if (made !== result.length) throw damaged();
  return result;
}
