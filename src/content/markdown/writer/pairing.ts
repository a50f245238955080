// Which blocks of a changed document are which of the one before: those that say the same, and between them those of
// one kind that have most words in common.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block } from "../../document";
import { matching } from "./matching";

/** How many pairs of blocks between two equal ones are compared by their words. */
const MAX_PAIRS = 2_500;

/** How many characters of a block are. */
const MAX_COMPARED = 100_000;

/** What is compared of a block. */
export interface Said {
  readonly type: Block["type"];
  readonly signature: string;
}

/** For each block after, the index of the one before that it is, changed or not; undefined if it is new. Indexes only
 * grow. */
export function* pairing(before: readonly Said[], after: readonly Said[]): Steps<(number | undefined)[]> {
  const matches = matching(
    before.map(({ signature }) => signature),
    after.map(({ signature }) => signature),
  );
  const pairs = [...matches];
  let [from, first] = [0, 0];
  for (let i = 0; i <= after.length; i++) {
    const match = i === after.length ? before.length : matches[i];
    if (match === undefined) continue;
    yield* pairBetween(before, { start: from, end: match }, after, { start: first, end: i }, pairs);
    [from, first] = [match + 1, i + 1];
  }
  return pairs;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Pairs blocks of one kind, so that the sum of what they have in common is the largest. */
function* pairBetween(
  before: readonly Said[],
  old: Stretch,
  after: readonly Said[],
  now: Stretch,
  pairs: (number | undefined)[],
): Steps<void> {
  const [rows, columns] = [old.end - old.start, now.end - now.start];
  if (rows === 0 || columns === 0) return;
  const isShort = rows * columns <= MAX_PAIRS;
  // There is nothing to choose among one and one.
  const isOne = rows === 1 && columns === 1;
  const wordsBefore = isShort && !isOne ? yield* wordsOfEach(before.slice(old.start, old.end)) : [];
  const wordsAfter = isShort && !isOne ? yield* wordsOfEach(after.slice(now.start, now.end)) : [];
  const worth = (i: number, j: number) => {
    if (kindOf(before[old.start + i]!) !== kindOf(after[now.start + j]!)) return 0;
    return isOne ? 1 : isShort ? 1 + 100 * inCommon(wordsBefore[i]!, wordsAfter[j]!) : 0;
  };
  if (!isShort) {
    // So many that changed are paired one by one.
    for (let i = 0; i < Math.min(rows, columns); i++)
      if (kindOf(before[old.start + i]!) === kindOf(after[now.start + i]!)) pairs[now.start + i] = old.start + i;
    return;
  }
  /** The best sum from two places on. */
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const paired = worth(i, j);
      const together = paired === 0 ? 0 : paired + best[i + 1]![j + 1]!;
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

/** Blocks of one kind can become each other. */
function kindOf({ type }: Said): string {
  if (type === "paragraph" || type.startsWith("heading-")) return "text";
  return type === "list-tasks" ? "list-unordered" : type;
}

function* wordsOfEach(many: readonly Said[]): Steps<Set<string>[]> {
  const words: Set<string>[] = [];
  for (const { signature } of many) {
    words.push(new Set(signature.slice(0, MAX_COMPARED).match(/[\p{L}\p{N}]{2,}/gu)));
    yield;
  }
  return words;
}

/** Which part of the words two blocks share. */
function inCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared / Math.max(1, one.size, other.size);
}
