// Matches the equal blocks of a changed document and the one before, in an order that both have.

/** Returns the index of the equal item before for each item after; undefined for a new one. The indexes ascend. */
export function matchEqualItems(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const places = new Map<string, number[]>();
  for (const [i, item] of before.entries()) {
    const known = places.get(item);
    if (known) known.push(i);
    else places.set(item, [i]);
  }
  const pairs = collectEqualItems(before, after, places);
  const matches: (number | undefined)[] = after.map(() => undefined);
  for (const { at, match } of findLongestAscending(pairs)) matches[at] = match;
  return matches;
}

interface ItemPair {
  at: number;
  match: number;
}

/** Pairs equal items: first those at the start and the end, then the others of equal text in their order. */
function collectEqualItems(
  before: readonly string[],
  after: readonly string[],
  places: ReadonlyMap<string, number[]>,
): ItemPair[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;

  const pairs: ItemPair[] = [];
  const next = new Map<string, number>();
  for (const [at, item] of after.entries()) {
    if (at < start) pairs.push({ at, match: at });
    else if (at >= after.length - end) pairs.push({ at, match: before.length - after.length + at });
    else {
      const known = places.get(item) ?? [];
      let n = next.get(item) ?? known.findIndex((place) => place >= start);
      while (n >= 0 && n < known.length && known[n]! < start) n++;
      const match = n < 0 ? undefined : known[n];
      if (match !== undefined && match < before.length - end) pairs.push({ at, match });
      next.set(item, n < 0 ? n : n + 1);
    }
  }
  return pairs;
}

/** Returns the longest selection of pairs whose matches ascend. */
function findLongestAscending(pairs: readonly ItemPair[]): ItemPair[] {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [i, { match }] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]!.match < match) low = middle + 1;
      else high = middle;
    }
    previous[i] = tails[low - 1];
    tails[low] = i;
  }
  const chosen: ItemPair[] = [];
  for (let i = tails.at(-1); i !== undefined; i = previous[i]) chosen.push(pairs[i]!);
  return chosen.reverse();
}
