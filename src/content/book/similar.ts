// Which texts are likely the same as earlier ones: files that were renamed and changed at once. Texts are compared by the
// lines they share, through an index of lines, so the time is that of reading them.

import type { Steps } from "../markdown/steps";

/** A text with what it is known by. */
export interface Candidate {
  readonly key: string;
  readonly text: string;
}

/** How much of two texts must be shared lines, of all that they have. */
const ENOUGH = 0.5;
/** Shorter lines tell nothing. */
const SHORTEST = 4;
/** A line that more texts have tells nothing. */
const MOST = 8;
/** More texts, or longer ones together, are not compared. */
export const MAX_TEXTS = 5000;
const MAX_LENGTH = 64 * 1024 * 1024;

/** Pairs of a new text's key and an earlier one's, each of either at most once. */
export function* similarTexts(
  earlier: readonly Candidate[],
  now: readonly Candidate[],
): Steps<ReadonlyMap<string, string>> {
  const all = [...earlier, ...now];
  const length = all.reduce((sum, { text }) => sum + text.length, 0);
  if (earlier.length === 0 || now.length === 0 || all.length > MAX_TEXTS || length > MAX_LENGTH) return new Map();
  const weights: number[] = [];
  const index = new Map<string, number[]>();
  for (const [i, { text }] of earlier.entries()) {
    const lines = linesOf(text);
    weights.push(weightOf(lines));
    enter(index, lines, i);
    yield;
  }
  const pairs: { readonly one: string; readonly other: string; readonly score: number }[] = [];
  for (const { key, text } of now) {
    const mine = linesOf(text);
    const weight = weightOf(mine);
    for (const [i, shared] of sharedBy(mine, index))
      pairs.push({ one: key, other: earlier[i]!.key, score: (2 * shared) / (weight + weights[i]!) });
    yield;
  }
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { one, other, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (score < ENOUGH) break;
    if (found.has(one) || taken.has(other)) continue;
    found.set(one, other);
    taken.add(other);
  }
  return found;
}

function linesOf(text: string): Set<string> {
  return new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= SHORTEST),
  );
}

const weightOf = (lines: ReadonlySet<string>) => [...lines].reduce((sum, line) => sum + line.length, 0);

/** Enters the lines of a text into the index of lines. */
function enter(index: Map<string, number[]>, lines: ReadonlySet<string>, text: number): void {
  for (const line of lines) {
    const places = index.get(line);
    if (!places) index.set(line, [text]);
    else if (places.length <= MOST) places.push(text);
  }
}

/** How much of some lines each of the earlier texts has. */
function sharedBy(lines: ReadonlySet<string>, index: ReadonlyMap<string, readonly number[]>): Map<number, number> {
  const shared = new Map<number, number>();
  for (const line of lines) {
    const places = index.get(line) ?? [];
    if (places.length > MOST) continue;
    for (const i of places) shared.set(i, (shared.get(i) ?? 0) + line.length);
  }
  return shared;
}
