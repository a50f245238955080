// Deltas: an object described as pieces of another object, with new bytes in between.

import { byteAt, damaged, sizeAt } from "./pack-entries";

/** Shorter pieces are copied byte by byte: creating a view for each would cost more than the copy. */
const SHORT = 32;
/** The size of a copy instruction that states none. */
const FULL_COPY = 0x10000;

/** The size of the result, as the delta states it. */
export function resultSize(delta: Uint8Array): number {
  return sizeAt(delta, sizeAt(delta, 0).next).value;
}

/** Applies a delta to its base. Refuses a delta that does not fit the sizes that it states. */
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
    // Bytes that are not copied from the base follow in the delta itself.
    let from = delta;
    let start = at;
    let size = instruction;
    if (instruction & 128) {
      // Offset and size are written without their zero bytes. The bits of the instruction say which bytes follow.
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
