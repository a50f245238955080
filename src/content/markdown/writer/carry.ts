// A change carried over from the text that we would write to the text that somebody wrote. Both say the same, so most of
// their words stand in the same order. Only what the change touches is replaced; everything else stays as it is written.

import { edited } from "../../edits";
import { type Hunk, hunksBetween, numbering } from "../../merge/sequences";
import type { Steps } from "../steps";

/** A word, a run of space, or any other character. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: "space" | "word" | "sign";
  readonly text: string;
}

/** Tokens of the text before the change, tokens of the text after it that replace them, and their place in the source. */
interface Change {
  readonly before: Stretch;
  readonly after: Stretch;
  readonly place: Stretch;
}

type Stretch = Hunk["before"];

/** A link of the source whose text is the label of its target as well. */
export interface OwnLabel extends Stretch {
  /** Where the label goes when the text is another one, and the label there. */
  readonly at: number;
  readonly label: string;
}

/**
 * The source with what changed between the texts `before` and `after`; the source says what `before` says. A link of
 * `labels` keeps its target when its text changes. `isByWords` says that words are compared before signs are.
 */
export function* carriedOver(
  source: string,
  before: string,
  after: string,
  labels: readonly OwnLabel[],
  isByWords: boolean,
): Steps<string> {
  if (source === before) return after;
  const old = yield* Aligned.inSteps(source, before, isByWords);
  const now = yield* tokensOf(after);
  const changes: Change[] = [];
  for (const hunk of hunksBetween(old.numbers, now.map(old.numberOf))) {
    let change = old.placed(hunk.before, hunk.after);
    for (let last = changes.at(-1); last && overlap(last, change); last = changes.at(-1)) {
      changes.pop();
      change = old.placed(
        { start: Math.min(last.before.start, change.before.start), end: Math.max(last.before.end, change.before.end) },
        { start: Math.min(last.after.start, change.after.start), end: Math.max(last.after.end, change.after.end) },
      );
    }
    changes.push(change);
  }
  const edits = changes.map(({ after: tokens, place }) => {
    return { from: place.start, to: place.end, text: textIn(now, after, tokens) };
  });
  const lost = labels.filter(({ start, end }) => edits.some(({ from, to }) => from > start && to < end));
  return edited(source, [...edits, ...lost.map(({ at, label }) => ({ from: at, to: at, text: label }))]);
}

function overlap(one: Change, next: Change): boolean {
  return next.before.start < one.before.end || next.place.start < one.place.end;
}

function textIn(tokens: readonly Token[], text: string, { start, end }: Stretch): string {
  return start === end ? "" : text.slice(tokens[start]!.start, tokens[end - 1]!.end);
}

/** How many tokens are one step. */
const STEP = 5_000;

function* tokensOf(text: string): Steps<Token[]> {
  const tokens: Token[] = [];
  for (const { 0: token, 1: space, 2: word, index } of text.matchAll(/(\s+)|([\p{L}\p{M}\p{N}]+)|./gsu)) {
    const kind = space !== undefined ? "space" : word !== undefined ? "word" : "sign";
    tokens.push({ start: index, end: index + token.length, kind, text: token });
    if (tokens.length % STEP === 0) yield;
  }
  return tokens;
}

/** The indexes of words among tokens. */
function wordsIn(tokens: readonly Token[]): number[] {
  return tokens.flatMap(({ kind }, i) => (kind === "word" ? [i] : []));
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}

/** The tokens of a text, and where they stand in another one that says the same. Space is not compared: it lies between. */
class Aligned {
  readonly #number = numbering();
  readonly numberOf = ({ text }: Token): number => this.#number(text);
  numbers: readonly number[] = [];
  #places: readonly (Stretch | undefined)[] = [];

  private constructor(
    readonly source: string,
    readonly isByWords: boolean,
  ) {}

  /** Aligns a text with another one, step by step. */
  static *inSteps(source: string, before: string, isByWords: boolean): Steps<Aligned> {
    const aligned = new Aligned(source, isByWords);
    const tokens = yield* tokensOf(before);
    aligned.numbers = tokens.map(aligned.numberOf);
    yield;
    aligned.#places = yield* aligned.#placesOf(tokens);
    yield;
    return aligned;
  }

  *#placesOf(tokens: readonly Token[]): Steps<(Stretch | undefined)[]> {
    const there = (yield* tokensOf(this.source)).filter(({ kind }) => kind !== "space");
    yield;
    const indexes = tokens.flatMap(({ kind }, i) => (kind === "space" ? [] : [i]));
    const pairs = yield* this.#pairs(
      indexes.map((i) => tokens[i]!),
      there,
    );
    yield;
    /** For each token, the index of its partner in the source. */
    const partners: (number | undefined)[] = tokens.map(() => undefined);
    for (const [here, other] of pairs) partners[indexes[here]!] = other;
    return tokens.map(({ kind }, at) => {
      const partner = partners[at];
      if (kind !== "space") return partner === undefined ? undefined : there[partner];
      const [left, right] = [partners[at - 1], partners[at + 1]];
      if (left !== undefined && right !== undefined && right !== left + 1) return undefined;
      const [before, after] = [there[left ?? (right ?? 0) - 1], there[right ?? (left ?? -2) + 1]];
      return before && after ? { start: before.end, end: after.start } : undefined;
    });
  }

  /** Pairs of equal tokens: some words first, then what stands between those. */
  *#pairs(here: readonly Token[], there: readonly Token[]): Steps<[number, number][]> {
    const words = this.isByWords ? yield* this.#equal(wordsIn(here), here, wordsIn(there), there) : [];
    const pairs: [number, number][] = [];
    let [i, j] = [0, 0];
    for (const [k, l] of [...words, [here.length, there.length] as const]) {
      const between = yield* this.#equal(range(i, k), here, range(j, l), there);
      for (const pair of between) pairs.push(pair);
      if (k < here.length) pairs.push([k, l]);
      [i, j] = [k + 1, l + 1];
    }
    return pairs;
  }

  /** Pairs of equal tokens among some of them, by their indexes. */
  *#equal(
    some: readonly number[],
    here: readonly Token[],
    others: readonly number[],
    there: readonly Token[],
  ): Steps<[number, number][]> {
    if (some.length > STEP) yield;
    const hunks = hunksBetween(
      some.map((i) => this.numberOf(here[i]!)),
      others.map((i) => this.numberOf(there[i]!)),
    );
    const pairs: [number, number][] = [];
    let [i, j] = [0, 0];
    const end = { start: some.length, end: some.length };
    for (const { before, after } of [...hunks, { before: end, after: end }]) {
      while (i < before.start) pairs.push([some[i++]!, others[j++]!]);
      [i, j] = [before.end, after.end];
    }
    return pairs;
  }

  /** The place of tokens in the source. Where it is not known, the neighbours are taken along. */
  placed(before: Stretch, after: Stretch): Change {
    let [{ start, end }, from, to] = [before, after.start, after.end];
    for (;;) {
      const [first, last] = start === end ? this.#gap(start) : [this.#startOf(start), this.#endOf(end)];
      if (first !== undefined && last !== undefined) {
        const place = { start: first, end: Math.max(first, last) };
        return { before: { start, end }, after: { start: from, end: to }, place };
      }
      if (first === undefined && start > 0) [start, from] = [start - 1, from - 1];
      if (last === undefined && end < this.numbers.length) [end, to] = [end + 1, to + 1];
    }
  }

  /** Where something is put between two tokens. */
  #gap(at: number): [number | undefined, number | undefined] {
    const place = this.#places[at - 1]?.end ?? this.#places[at]?.start ?? (this.numbers.length === 0 ? 0 : undefined);
    return [place, place];
  }

  #startOf(token: number): number | undefined {
    return this.#places[token]?.start ?? (token === 0 ? 0 : this.#places[token - 1]?.end);
  }

  #endOf(token: number): number | undefined {
    const isLast = token === this.numbers.length;
    return this.#places[token - 1]?.end ?? (isLast ? this.source.length : this.#places[token]?.start);
  }
}
