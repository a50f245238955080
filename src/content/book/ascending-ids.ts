// New ids in ascending order. Each id is as random as any other, but what a book adds one after the other has ids in that
// order. So it is adjacent in the map of a revision, and a part of a large book changes few nodes of the map.

import { runStepsAtOnce, type Steps } from "../../utils/concurrency/steps";
import { sortInSteps } from "../revision/sort-in-steps";
import type { BookTools } from "./apply-context";

/** The number of ids between two yields to the event loop. */
const IDS_PER_YIELD = 1000;

/** Returns a function that returns `count` ids, each greater than the one before, and then further ids in any order. */
export async function createAscendingIds(
  { newId, runSteps = runStepsAtOnce }: Pick<BookTools, "newId" | "runSteps">,
  kind: Parameters<BookTools["newId"]>[0],
  count: number,
): Promise<() => string> {
  function* createIdsInSteps(): Steps<string[]> {
    const ids: string[] = [];
    while (ids.length < count) {
      ids.push(newId(kind));
      if (ids.length % IDS_PER_YIELD === 0) yield;
    }
    return yield* sortInSteps(ids);
  }
  const ids = await runSteps(createIdsInSteps());
  let next = 0;
  return () => ids[next++] ?? newId(kind);
}
