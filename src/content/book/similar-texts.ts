// Rename detection for files that were renamed and changed at once. Texts are compared by the lines they share, through an index
// of lines, so the time is that of reading them.

import type { Steps } from "../../utils/concurrency/steps";

export interface KeyedText {
  readonly key: string;
  readonly text: string;
}

/** The share of common lines that makes two texts the same, by the length of all their lines. */
const MIN_SIMILARITY = 0.5;
/** Shorter lines say nothing about a text. */
const MIN_LINE_LENGTH = 4;
/** A line that more texts have says nothing about one of them. */
const MAX_TEXTS_PER_LINE = 8;
/** More texts, or longer ones together, are not compared. */
export const MAX_COMPARED_TEXTS = 5000;
const MAX_COMPARED_LENGTH = 64 * 1024 * 1024;

/** Matches new texts with earlier ones, the most similar first. Returns pairs of keys, each key at most once. */
export function* matchSimilarTextsInSteps(
  earlierTexts: readonly KeyedText[],
  newTexts: readonly KeyedText[],
): Steps<ReadonlyMap<string, string>> {
  if (earlierTexts.length === 0 || newTexts.length === 0) return new Map();
  const all = [...earlierTexts, ...newTexts];
  const length = all.reduce((sum, { text }) => sum + text.length, 0);
  if (all.length > MAX_COMPARED_TEXTS || length > MAX_COMPARED_LENGTH) return new Map();

  const earlierWeights: number[] = [];
  const textsByLine = new Map<string, number[]>();
  for (const [i, { text }] of earlierTexts.entries()) {
    const { lines, weight } = splitLines(text);
    earlierWeights.push(weight);
    for (const line of lines) {
      const texts = textsByLine.get(line);
      if (!texts) textsByLine.set(line, [i]);
      else if (texts.length <= MAX_TEXTS_PER_LINE) texts.push(i);
    }
    yield;
  }

  const pairs: { readonly newKey: string; readonly earlierKey: string; readonly similarity: number }[] = [];
  for (const { key, text } of newTexts) {
    const { lines, weight } = splitLines(text);
    const sharedWeights = new Map<number, number>();
    for (const line of lines) {
      const texts = textsByLine.get(line) ?? [];
      if (texts.length > MAX_TEXTS_PER_LINE) continue;
      for (const i of texts) sharedWeights.set(i, (sharedWeights.get(i) ?? 0) + line.length);
    }
    for (const [i, shared] of sharedWeights) {
      const similarity = (2 * shared) / (weight + earlierWeights[i]!);
      pairs.push({ newKey: key, earlierKey: earlierTexts[i]!.key, similarity });
    }
    yield;
  }

  const matches = new Map<string, string>();
  const usedEarlierKeys = new Set<string>();
  for (const { newKey, earlierKey, similarity } of pairs.sort((a, b) => b.similarity - a.similarity)) {
    if (similarity < MIN_SIMILARITY) break;
    if (matches.has(newKey) || usedEarlierKeys.has(earlierKey)) continue;
    matches.set(newKey, earlierKey);
    usedEarlierKeys.add(earlierKey);
  }
  return matches;
}

/** Splits a text into different lines, without the short ones. The weight is their length together. */
function splitLines(text: string): { readonly lines: ReadonlySet<string>; readonly weight: number } {
  const lines = new Set<string>();
  let weight = 0;
  for (const untrimmed of text.split("\n")) {
    const line = untrimmed.trim();
    if (line.length < MIN_LINE_LENGTH || lines.has(line)) continue;
    lines.add(line);
    weight += line.length;
  }
  return { lines, weight };
}
