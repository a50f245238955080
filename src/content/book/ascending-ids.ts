// New ids in ascending order. Each id is as random as any other, but what a book adds one after the other has ids in that
// order. So it is adjacent in the map of a revision, and a part of a large book changes few nodes of the map.

import { runStepsAtOnce, yieldOnce } from "../../utils/concurrency/steps";
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
  const unsortedIds: string[] = [];
  while (unsortedIds.length < count) {
    unsortedIds.push(newId(kind));
    if (unsortedIds.length % IDS_PER_YIELD === 0) await runSteps(yieldOnce());
  }
  const ids = await runSteps(sortInSteps(unsortedIds));
  let next = 0;
  return () => ids[next++] ?? newId(kind);
}
