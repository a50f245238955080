// New ids that rise. Each id is as random as any other, but what a book adds one after the other has ids in that order. So
// it stands side by side in the map of a revision, and a part of a large book changes few nodes of the map.

import { runStepsAtOnce, type Steps } from "../markdown/steps";
import { sortInSteps } from "../revision/sort-in-steps";
import type { BookTools } from "./laying";

/** Ids that are made in one step. */
const AT_ONCE = 1000;

/** Gives as many ids as were asked for, each greater than the one before, and further ones in any order. */
export async function risingIds(
  { newId, runSteps: inTurns = runStepsAtOnce }: Pick<BookTools, "newId" | "runSteps">,
  kind: Parameters<BookTools["newId"]>[0],
  count: number,
): Promise<() => string> {
  const ids = await inTurns(sorted(() => newId(kind), count));
  let next = 0;
  return () => ids[next++] ?? newId(kind);
}

function* sorted(newId: () => string, count: number): Steps<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    ids.push(newId());
    if (ids.length % AT_ONCE === 0) yield;
  }
  return yield* sortInSteps(ids);
}
