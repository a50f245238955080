// Signals that a thing now lives in another partition than the one in which its id was made.

/** Thrown while a target is loaded: the call runs again in the other partition. */
export class Moved extends Error {
  constructor(readonly partition: string) {
    super(`It lives in ${partition} now.`);
  }
}

/** How often a call follows a thing from partition to partition. After that the thing is being moved at this moment. */
export const MAX_HOPS = 8;
