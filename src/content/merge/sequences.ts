// Compares sequences, and merges two changes of one sequence. The items are numbers that stand for lines or blocks. The
// comparison is bounded: if two sequences are too long and too different, a whole range counts as replaced.

import { diffIndices } from "node-diff3";
import { runStepsSync, type Steps } from "../markdown/steps";

/** From the first of some items up to, but not including, the last. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A range of one sequence, and the range that replaces it in another. */
export interface Hunk {
  readonly before: Stretch;
  readonly after: Stretch;
}

/** A range of three sequences, and which of the two sides changed it. */
export interface Region {
  readonly changedBy: "nobody" | "ours" | "theirs" | "both";
  readonly base: Stretch;
  readonly ours: Stretch;
  readonly theirs: Stretch;
}

/** How many pairs of items one comparison may look at: a fixed number, and some for each item. node-diff3 takes time
 * with their number. */
const MAX_PAIRS = 40_000;
const MAX_PAIRS_EACH = 64;
/** Those of one step. Longer ranges are parted by their unique items first. */
const MAX_PAIRS_AT_ONCE = 250_000;
/** Items that are gone through in one step, and how many pairs take as long as one. */
const STEP = 10_000;
const PAIRS_FOR_AN_ITEM = 50;
/** How often ranges between unique items are compared in the same way. */
const MAX_ROUNDS = 4;

/** Gives equal texts equal numbers. */
export function createTextNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

/** Where two sequences differ, in order. Between two hunks there is always something that is equal. */
export function hunksBetween(before: readonly number[], after: readonly number[]): Hunk[] {
  return runStepsSync(diffSequencesInSteps(before, after));
}

/** The same, step by step. */
export function* diffSequencesInSteps(before: readonly number[], after: readonly number[]): Steps<Hunk[]> {
  const comparison = new Comparison(before, after);
  yield* comparison.compare({ start: 0, end: before.length }, { start: 0, end: after.length }, 0);
  return comparison.hunks;
}

class Comparison {
  readonly hunks: Hunk[] = [];
  #pairs: number;
  #done = 0;

  constructor(
    readonly before: readonly number[],
    readonly after: readonly number[],
  ) {
    this.#pairs = MAX_PAIRS + MAX_PAIRS_EACH * (before.length + after.length);
  }

  *compare(before: Stretch, after: Stretch, round: number): Steps<void> {
    const [old, now] = this.#trimmed(before, after);
    const pairs = lengthOf(old) * lengthOf(now);
    if (this.#isOver(lengthOf(before) - lengthOf(old) + pairs / PAIRS_FOR_AN_ITEM)) yield;
    if (lengthOf(old) === 0 && lengthOf(now) === 0) return;
    if (pairs <= Math.min(this.#pairs, MAX_PAIRS_AT_ONCE)) {
      this.#pairs -= pairs;
      this.#compareAll(old, now);
      return;
    }
    const anchors = round < MAX_ROUNDS ? yield* this.#anchors(old, now) : [];
    if (anchors.length === 0) this.hunks.push({ before: old, after: now });
    else yield* this.#compareBetween(anchors, old, now, round + 1);
  }

  /** Counts items that were gone through; says whether they are enough for a step. */
  #isOver(items: number): boolean {
    this.#done += items;
    if (this.#done < STEP) return false;
    this.#done = 0;
    return true;
  }

  /** Leaves out what is equal at both ends. */
  #trimmed(before: Stretch, after: Stretch): [Stretch, Stretch] {
    let [i, j, k, l] = [before.start, after.start, before.end, after.end];
    while (i < k && j < l && this.before[i] === this.after[j]) {
      i++;
      j++;
    }
    while (k > i && l > j && this.before[k - 1] === this.after[l - 1]) {
      k--;
      l--;
    }
    return [
      { start: i, end: k },
      { start: j, end: l },
    ];
  }

  #compareAll(old: Stretch, now: Stretch): void {
    const found = diffIndices(this.before.slice(old.start, old.end), this.after.slice(now.start, now.end));
    for (const { buffer1, buffer2 } of found) {
      this.hunks.push({
        before: { start: old.start + buffer1[0], end: old.start + buffer1[0] + buffer1[1] },
        after: { start: now.start + buffer2[0], end: now.start + buffer2[0] + buffer2[1] },
      });
    }
  }

  *#compareBetween(anchors: readonly [number, number][], old: Stretch, now: Stretch, round: number): Steps<void> {
    let [i, j] = [old.start, now.start];
    for (const [k, l] of [...anchors, [old.end, now.end] as const]) {
      yield* this.compare({ start: i, end: k }, { start: j, end: l }, round);
      [i, j] = [k + 1, l + 1];
    }
  }

  /** Positions of items that occur once on either side, as many as are in the same order. */
  *#anchors(old: Stretch, now: Stretch): Steps<[number, number][]> {
    const once = yield* placesOfOnce(this.after, now);
    const pairs: [number, number][] = [];
    for (const [item, at] of yield* placesOfOnce(this.before, old)) {
      const there = once.get(item);
      if (there !== undefined) pairs.push([at, there]);
      if (this.#isOver(1)) yield;
    }
    return yield* longestRising(pairs);
  }
}

const lengthOf = ({ start, end }: Stretch) => end - start;

/** Where the items stand that occur once, in their order. */
function* placesOfOnce(items: readonly number[], { start, end }: Stretch): Steps<Map<number, number>> {
  const places = new Map<number, number>();
  const often = new Set<number>();
  for (let i = start; i < end; i++) {
    const item = items[i]!;
    if ((i - start) % STEP === STEP - 1) yield;
    if (often.has(item)) continue;
    if (places.delete(item)) often.add(item);
    else places.set(item, i);
  }
  return places;
}

/** Of pairs with rising first numbers, the longest choice whose second numbers rise as well. */
function* longestRising(pairs: readonly [number, number][]): Steps<[number, number][]> {
  /** The pair that ends the best row of each length, by its index; and the pair before each pair in its row. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [i, [, second]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < second) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = i;
    if (i % STEP === STEP - 1) yield;
  }
  const row: [number, number][] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]!) row.push(pairs[i]!);
  return row.reverse();
}

interface SidedHunk extends Hunk {
  readonly side: "ours" | "theirs";
}

/** Walks through three sequences and tells which side changed what. Changes that overlap are one region. */
export function regionsOf(base: readonly number[], ours: readonly number[], theirs: readonly number[]): Region[] {
  const hunks = [
    ...hunksBetween(base, ours).map((hunk): SidedHunk => ({ ...hunk, side: "ours" })),
    ...hunksBetween(base, theirs).map((hunk): SidedHunk => ({ ...hunk, side: "theirs" })),
  ].sort((a, b) => a.before.start - b.before.start || a.before.end - b.before.end);
  const regions: Region[] = [];
  /** How far each side is ahead of the base. */
  const ahead = { ours: 0, theirs: 0 };
  let done = 0;
  const add = (changedBy: Region["changedBy"], end: number, grown = { ours: 0, theirs: 0 }) => {
    const start = done;
    const along = (side: "ours" | "theirs") => {
      const from = start + ahead[side];
      ahead[side] += grown[side];
      return { start: from, end: end + ahead[side] };
    };
    if (end > start || changedBy !== "nobody")
      regions.push({ changedBy, base: { start, end }, ours: along("ours"), theirs: along("theirs") });
    done = end;
  };
  for (let i = 0; i < hunks.length; ) {
    const { group, end } = groupFrom(hunks, i);
    i += group.length;
    add("nobody", group[0]!.before.start);
    const grown = { ours: 0, theirs: 0 };
    for (const hunk of group) grown[hunk.side] += growth(hunk);
    const isOne = group.every(({ side }) => side === group[0]!.side);
    add(isOne ? group[0]!.side : "both", end, grown);
  }
  add("nobody", base.length);
  return regions;
}

/** A hunk and the following ones that overlap with it, and where they end in the base. */
function groupFrom(hunks: readonly SidedHunk[], first: number): { readonly group: SidedHunk[]; readonly end: number } {
  const group = [hunks[first]!];
  let last = [hunks[first]!];
  let { end } = hunks[first]!.before;
  for (let i = first + 1; i < hunks.length; i++) {
    const next = hunks[i]!;
    const { before } = next;
    const isInTheWay = before.start < end || (before.start === end && last.some((hunk) => clash(hunk, next)));
    if (!isInTheWay) break;
    group.push(next);
    if (before.end > end) last = [];
    end = Math.max(end, before.end);
    if (before.end === end) last.push(next);
  }
  return { group, end };
}

/** Whether two changes that touch each other conflict. They do when one adds something and the other adds or removes
 * something: then the order of the new parts is unknown. */
function clash(one: Hunk, other: Hunk): boolean {
  const [first, second] = [growth(one), growth(other)];
  return first !== 0 && second !== 0 && (first > 0 || second > 0);
}

const growth = ({ before, after }: Hunk) => lengthOf(after) - lengthOf(before);
