// Sorting many texts step by step, so that others get their turn in between.

/** Texts that are sorted in one step. */
const RUN = 4000;

/** Texts in the order of their characters. */
export function* sortedInSteps(texts: readonly string[]): Generator<void, string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += RUN) {
    runs.push(texts.slice(at, at + RUN).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergedInSteps(runs[at]!, runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInSteps(one: readonly string[], other: readonly string[]): Generator<void, string[]> {
  const all: string[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const isOne = j >= other.length || (i < one.length && one[i]! < other[j]!);
    all.push(isOne ? one[i++]! : other[j++]!);
    if (all.length % RUN === 0) yield;
  }
  return all;
}
