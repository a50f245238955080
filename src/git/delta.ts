// Deltas: an object described as pieces of another object, with new bytes in between.

import { createDamagedPackError, readByte, readSize } from "./pack-entries";

/** Shorter pieces are copied byte by byte: creating a view for each would cost more than the copy. */
const MIN_VIEW_BYTES = 32;
/** The size of a copy instruction that states none. */
const DEFAULT_COPY_BYTES = 0x10000;

/** Applies a delta to its base. Throws if the delta does not fit the sizes that it states. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const baseSize = readSize(delta, 0);
  const resultSize = readSize(delta, baseSize.end);
  if (baseSize.value !== base.length) throw createDamagedPackError();

  const result = new Uint8Array(resultSize.value);
  let length = 0;
  let offset = resultSize.end;
  while (offset < delta.length) {
    const instruction = delta[offset++]!;
    if (instruction === 0) throw createDamagedPackError();
    // An insert instruction states the number of new bytes, which follow it in the delta.
    let source = delta;
    let start = offset;
    let size = instruction;
    if (instruction & 128) {
      // A copy instruction has an offset and a size, both without their zero bytes. Its bits say which bytes follow.
      source = base;
      start = 0;
      size = 0;
      for (let index = 0; index < 4; index++)
        if (instruction & (1 << index)) start += readByte(delta, offset++) * 256 ** index;
      for (let index = 0; index < 3; index++)
        if (instruction & (16 << index)) size += readByte(delta, offset++) * 256 ** index;
      size ||= DEFAULT_COPY_BYTES;
    } else offset += instruction;

    if (start + size > source.length || length + size > result.length) throw createDamagedPackError();
    if (size < MIN_VIEW_BYTES)
      for (let index = 0; index < size; index++) result[length + index] = source[start + index]!;
    else result.set(source.subarray(start, start + size), length);
    length += size;
  }
  if (length !== result.length) throw createDamagedPackError();
  return result;
}
