// Pairs the blocks of a changed document with those before the change: equal ones, and between them those of one kind that have
// the most words in common.

import type { Steps } from "../../../utils/concurrency/steps";
import { findLongestIncreasingSubsequence } from "../../../utils/longest-increasing-subsequence";
import type { Block } from "../../document";

/** The maximum number of pairs between two equal blocks that are compared by their words. */
const MAX_PAIRS = 2_500;

/** The maximum number of characters of a block that are compared. */
const MAX_COMPARED = 100_000;

export interface ComparedBlock {
  readonly type: Block["type"];
  readonly signature: string;
}

/** Returns for each block the index of its former one, or undefined if it is new. The indexes ascend. */
export function* matchBlocks(
  before: readonly ComparedBlock[],
  after: readonly ComparedBlock[],
): Steps<(number | undefined)[]> {
  // Equal blocks are pairs: first those at the start and the end, then the others in their order.
  const [oldItems, newItems] = [before.map(({ signature }) => signature), after.map(({ signature }) => signature)];
  const places = new Map<string, number[]>();
  for (const [i, item] of oldItems.entries()) {
    const known = places.get(item);
    if (known) known.push(i);
    else places.set(item, [i]);
  }
  let start = 0;
  while (start < before.length && start < after.length && oldItems[start] === newItems[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && oldItems[before.length - 1 - end] === newItems[after.length - 1 - end]) end++;

  const equalPairs: ItemPair[] = [];
  const next = new Map<string, number>();
  for (const [at, item] of newItems.entries()) {
    if (at < start) equalPairs.push({ at, match: at });
    else if (at >= after.length - end) equalPairs.push({ at, match: before.length - after.length + at });
    else {
      const known = places.get(item) ?? [];
      let n = next.get(item) ?? known.findIndex((place) => place >= start);
      while (n >= 0 && n < known.length && known[n]! < start) n++;
      const match = n < 0 ? undefined : known[n];
      if (match !== undefined && match < before.length - end) equalPairs.push({ at, match });
      next.set(item, n < 0 ? n : n + 1);
    }
  }

  const matches: (number | undefined)[] = after.map(() => undefined);
  for (const i of yield* findLongestIncreasingSubsequence(equalPairs.map(({ match }) => match)))
    matches[equalPairs[i]!.at] = equalPairs[i]!.match;
  const pairs = [...matches];
  let [from, first] = [0, 0];
  for (let i = 0; i <= after.length; i++) {
    const match = i === after.length ? before.length : matches[i];
    if (match === undefined) continue;
    yield* matchSimilarBlocks(before, { start: from, end: match }, after, { start: first, end: i }, pairs);
    [from, first] = [match + 1, i + 1];
  }
  return pairs;
}

interface IndexRange {
  readonly start: number;
  readonly end: number;
}

/** Pairs blocks of one kind, so that the sum of their common words is the largest. */
function* matchSimilarBlocks(
  before: readonly ComparedBlock[],
  old: IndexRange,
  after: readonly ComparedBlock[],
  now: IndexRange,
  pairs: (number | undefined)[],
): Steps<void> {
  const [rows, columns] = [old.end - old.start, now.end - now.start];
  if (rows === 0 || columns === 0) return;
  const isShort = rows * columns <= MAX_PAIRS;
  // One block before and one after need no comparison.
  const isOne = rows === 1 && columns === 1;
  const [wordsBefore, wordsAfter]: [Set<string>[], Set<string>[]] = [[], []];
  if (isShort && !isOne) {
    const blocks = [...before.slice(old.start, old.end), ...after.slice(now.start, now.end)];
    for (const [i, { signature }] of blocks.entries()) {
      const words = new Set(signature.slice(0, MAX_COMPARED).match(/[\p{L}\p{N}]{2,}/gu));
      (i < rows ? wordsBefore : wordsAfter).push(words);
      yield;
    }
  }
  const getScore = (i: number, j: number) => {
    if (getBlockKind(before[old.start + i]!) !== getBlockKind(after[now.start + j]!)) return 0;
    if (isOne || !isShort) return isOne ? 1 : 0;
    // The share of the words that both have.
    const [one, other] = [wordsBefore[i]!, wordsAfter[j]!];
    let shared = 0;
    for (const word of one) if (other.has(word)) shared++;
    return 1 + (100 * shared) / Math.max(1, one.size, other.size);
  };
  if (!isShort) {
    // Too many changed blocks are paired in their order.
    for (let i = 0; i < Math.min(rows, columns); i++)
      if (getBlockKind(before[old.start + i]!) === getBlockKind(after[now.start + i]!))
        pairs[now.start + i] = old.start + i;
    return;
  }
  /** The best sum from two indexes on. */
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const score = getScore(i, j);
      const together = score === 0 ? 0 : score + best[i + 1]![j + 1]!;
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, together);
      yield;
    }
  }
  for (let [i, j] = [0, 0]; i < rows && j < columns; ) {
    if (best[i]![j] === best[i + 1]![j]) i++;
    else if (best[i]![j] === best[i]![j + 1]) j++;
    else pairs[now.start + j++] = old.start + i++;
  }
}

function getBlockKind({ type }: ComparedBlock): string {
  if (type === "paragraph" || type.startsWith("heading-")) return "text";
  return type === "list-tasks" ? "list-unordered" : type;
}

interface ItemPair {
  at: number;
  match: number;
}
