// A change carried over from the text that we would write to the text that somebody wrote. Both say the same, so most of
// their words stand in the same order. Only what the change touches is replaced; everything else stays as it is written.

import type { Steps } from "../../../utils/concurrency/steps";
import { createTextNumbering, diffSequencesInSteps, type Hunk } from "../../merge/sequences";
import { applyTextEdits } from "../../text-edits";

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
  const numbers = yield* inSteps(now, old.numberOf);
  for (const hunk of yield* diffSequencesInSteps(old.numbers, numbers)) {
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
  return applyTextEdits(source, [...edits, ...lost.map(({ at, label }) => ({ from: at, to: at, text: label }))]);
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

/** What becomes of each item, step by step. */
function* inSteps<Item, Result>(items: readonly Item[], made: (item: Item, index: number) => Result): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(made(item, index));
    if (results.length % STEP === 0) yield;
  }
  return results;
}

/** The indexes of some of the tokens. */
function* indexesOf(tokens: readonly Token[], isOne: (token: Token) => boolean): Steps<number[]> {
  const indexes: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (isOne(token)) indexes.push(index);
    if (index % STEP === STEP - 1) yield;
  }
  return indexes;
}

const isWord = ({ kind }: Token) => kind === "word";
const isNoSpace = ({ kind }: Token) => kind !== "space";

function range(start: number, end: number): number[] {
  const numbers: number[] = [];
  for (let each = start; each < end; each++) numbers.push(each);
  return numbers;
}

/** The tokens of a text, and where they stand in another one that says the same. Space is not compared: it lies between. */
class Aligned {
  readonly #number = createTextNumbering();
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
    aligned.numbers = yield* inSteps(tokens, aligned.numberOf);
    yield;
    aligned.#places = yield* aligned.#placesOf(tokens);
    yield;
    return aligned;
  }

  *#placesOf(tokens: readonly Token[]): Steps<(Stretch | undefined)[]> {
    const all = yield* tokensOf(this.source);
    const there = yield* inSteps(yield* indexesOf(all, isNoSpace), (i) => all[i]!);
    const indexes = yield* indexesOf(tokens, isNoSpace);
    const here = yield* inSteps(indexes, (i) => tokens[i]!);
    const pairs = yield* this.#pairs(here, there);
    yield;
    /** For each token, the index of its partner in the source. */
    const partners: (number | undefined)[] = new Array(tokens.length);
    for (const [here, other] of pairs) partners[indexes[here]!] = other;
    yield;
    return yield* inSteps(tokens, ({ kind }, at) => {
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
    const words = this.isByWords
      ? yield* this.#equal(yield* indexesOf(here, isWord), here, yield* indexesOf(there, isWord), there)
      : [];
    const pairs: [number, number][] = [];
    let [i, j] = [0, 0];
    for (const [count, [k, l]] of [...words, [here.length, there.length] as const].entries()) {
      if (count % STEP === STEP - 1) yield;
      const between = i < k && j < l ? yield* this.#equal(range(i, k), here, range(j, l), there) : [];
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
    const hunks = yield* diffSequencesInSteps(
      yield* inSteps(some, (i) => this.numberOf(here[i]!)),
      yield* inSteps(others, (i) => this.numberOf(there[i]!)),
    );
    const pairs: [number, number][] = [];
    let [i, j] = [0, 0];
    const end = { start: some.length, end: some.length };
    for (const { before, after } of [...hunks, { before: end, after: end }]) {
      while (i < before.start) {
        pairs.push([some[i++]!, others[j++]!]);
        if (i % STEP === 0) yield;
      }
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
