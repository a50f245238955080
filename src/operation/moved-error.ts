// Follows things that live in another partition than the one in which their id was created.

/** Thrown while a target is loaded: the call runs again in the other partition. */
export class MovedError extends Error {
  constructor(readonly partition: string) {
    super(`It lives in ${partition} now.`);
  }
}

/** The most times that a call follows a thing. A thing that has moved more often is being moved at this moment. */
const MAX_HOPS = 8;

/**
 * Runs a function in the partition in which a thing may live, and again in each partition to which the thing has moved.
 * Returns undefined if there is no such partition, or if the thing is being moved at this moment.
 */
export async function followMoves<Result>(
  partition: string | undefined,
  run: (partition: string, forwardedFrom: string | undefined) => Promise<Result>,
): Promise<Result | undefined> {
  let currentPartition = partition;
  let forwardedFrom: string | undefined;
  for (let hop = 0; currentPartition !== undefined && hop <= MAX_HOPS; hop++) {
    try {
      return await run(currentPartition, forwardedFrom);
    } catch (error) {
      if (!(error instanceof MovedError)) throw error;
      forwardedFrom = currentPartition;
      currentPartition = error.partition;
    }
  }
  return undefined;
}
