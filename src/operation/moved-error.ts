// Things that live in another partition than the one in which their id was made.

/** Thrown while a target is loaded: the call runs again in the other partition. */
export class MovedError extends Error {
  constructor(readonly partition: string) {
    super(`It lives in ${partition} now.`);
  }
}

/** How often a call follows a thing from partition to partition. After that the thing is being moved at this moment. */
const MAX_HOPS = 8;

/**
 * Runs something in the partition where a thing may live, and again wherever the thing has moved to. Gives undefined when
 * there is no such partition, or the thing is being moved at this moment.
 */
export async function followMoves<Result>(
  partition: string | undefined,
  run: (partition: string, cameFrom: string | undefined) => Promise<Result>,
): Promise<Result | undefined> {
  let cameFrom: string | undefined;
  let at = partition;
  for (let hop = 0; at !== undefined && hop <= MAX_HOPS; hop++) {
    try {
      return await run(at, cameFrom);
    } catch (error) {
      if (!(error instanceof MovedError)) throw error;
      cameFrom = at;
      at = error.partition;
    }
  }
  return undefined;
}
