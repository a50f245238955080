// Sorting much step by step, so that others get their turn in between.

/** Items that are sorted in one step. */
const RUN = 4000;

/** Says which of two items comes first, as `sort` asks for it. */
type Compare<Item> = (a: Item, b: Item) => number;

/** Items in their order. Default: texts in the order of their characters. */
export function* sortInSteps<Item>(items: readonly Item[], compare: Compare<Item> = inOrder): Generator<void, Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    // The order of characters is the one that is built in, and much faster.
    const run = items.slice(at, at + RUN);
    runs.push(compare === inOrder ? run.sort() : run.sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergedInSteps(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function inOrder(a: unknown, b: unknown): number {
  return (a as string) < (b as string) ? -1 : 1;
}

function* mergedInSteps<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: Compare<Item>,
): Generator<void, Item[]> {
  const all: Item[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const isOne = j >= other.length || (i < one.length && compare(one[i]!, other[j]!) <= 0);
    all.push(isOne ? one[i++]! : other[j++]!);
    if (all.length % RUN === 0) yield;
  }
  return all;
}
