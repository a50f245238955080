// Reads of byte ranges, as generators that ask for the ranges which they need. So the same code reads a file in memory, and one
// that is not.

/** The bytes of a file from an offset up to another one, which is not included. */
export interface ArchiveByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * A read that yields the ranges it needs, and gets their bytes. It may yield to the event loop where it yields nothing. A range
 * that reaches beyond the file is cut off there.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: steps of other work, which give nothing, are steps of this as well.
export type RangedRead<Result> = Generator<ArchiveByteRange | void, Result, Uint8Array>;

/** Runs a read on a file in memory. */
export function runRangedRead<Result>(file: Uint8Array, read: RangedRead<Result>): Result {
  let bytes = file.subarray(0, 0);
  for (;;) {
    const { done, value } = read.next(bytes);
    if (done) return value;
    if (value) bytes = file.subarray(value.from, value.to);
  }
}
