// Work on a file that asks for the stretches which it needs. So the same work is done on a file that is held, and on one
// that is not.

/** Bytes of a file: from a place up to but not including another one. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Work that asks for stretches. Where it asks for none, others may have their turn. A stretch that leads beyond the file is
 * given as far as the file goes. */
// biome-ignore lint/suspicious/noConfusingVoidType: steps of other work, which give nothing, are steps of this as well.
export type Reading<Result> = Generator<Stretch | void, Result, Uint8Array>;

/** The result of work on a file that is held. */
export function readHeld<Result>(file: Uint8Array, reading: Reading<Result>): Result {
  let given = file.subarray(0, 0);
  for (;;) {
    const { done, value } = reading.next(given);
    if (done) return value;
    if (value) given = file.subarray(value.from, value.to);
  }
}
