// Applies a change of generated Markdown to the source that an author has written. Both have the same content, so most of
// their words are in the same order. Only the parts that the change affects are replaced; the rest of the source stays.

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
interface TokenChange {
  readonly before: OffsetRange;
  readonly after: OffsetRange;
  readonly place: OffsetRange;
}

type OffsetRange = Hunk["before"];

/** A link of the source whose text is also the label of its definition. */
export interface OwnLabel extends OffsetRange {
  /** The offset of the explicit label that the link needs once its text changes, and that label. */
  readonly at: number;
  readonly label: string;
}

/**
 * Applies the changes between the texts `before` and `after` to the source, which has the same content as `before`. A link of
 * `labels` keeps its destination when its text changes. With `isByWords` words are compared before other characters.
 */
export function* applyTextChanges(
  source: string,
  before: string,
  after: string,
  labels: readonly OwnLabel[],
  isByWords: boolean,
): Steps<string> {
  if (source === before) return after;
  const old = yield* AlignedText.createInSteps(source, before, isByWords);
  const now = yield* tokenize(after);
  const changes: TokenChange[] = [];
  const numbers = yield* mapInSteps(now, old.numberOf);
  for (const hunk of yield* diffSequencesInSteps(old.numbers, numbers)) {
    let change = old.locate(hunk.before, hunk.after);
    for (let last = changes.at(-1); last; last = changes.at(-1)) {
      const isOverlapping = change.before.start < last.before.end || change.place.start < last.place.end;
      if (!isOverlapping) break;
      changes.pop();
      change = old.locate(
        { start: Math.min(last.before.start, change.before.start), end: Math.max(last.before.end, change.before.end) },
        { start: Math.min(last.after.start, change.after.start), end: Math.max(last.after.end, change.after.end) },
      );
    }
    changes.push(change);
  }
  const edits = changes.map(({ after: { start, end }, place }) => {
    const text = start === end ? "" : after.slice(now[start]!.start, now[end - 1]!.end);
    return { from: place.start, to: place.end, text };
  });
  const lost = labels.filter(({ start, end }) => edits.some(({ from, to }) => from > start && to < end));
  return applyTextEdits(source, [...edits, ...lost.map(({ at, label }) => ({ from: at, to: at, text: label }))]);
}

/** The number of tokens that are handled in one step. */
const STEP = 5_000;

function* tokenize(text: string): Steps<Token[]> {
  const tokens: Token[] = [];
  for (const { 0: token, 1: space, 2: word, index } of text.matchAll(/(\s+)|([\p{L}\p{M}\p{N}]+)|./gsu)) {
    const kind = space !== undefined ? "space" : word !== undefined ? "word" : "sign";
    tokens.push({ start: index, end: index + token.length, kind, text: token });
    if (tokens.length % STEP === 0) yield;
  }
  return tokens;
}

/** Maps items, step by step. */
function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (results.length % STEP === 0) yield;
  }
  return results;
}

/** Finds the indexes of some of the tokens. */
function* findIndexes(tokens: readonly Token[], isIncluded: (token: Token) => boolean): Steps<number[]> {
  const indexes: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (isIncluded(token)) indexes.push(index);
    if (index % STEP === STEP - 1) yield;
  }
  return indexes;
}

/** The tokens of a text, and their places in a source with the same content. Space is not compared. */
class AlignedText {
  readonly #number = createTextNumbering();
  readonly numberOf = ({ text }: Token): number => this.#number(text);
  numbers: readonly number[] = [];
  #places: readonly (OffsetRange | undefined)[] = [];

  private constructor(
    readonly source: string,
    readonly isByWords: boolean,
  ) {}

  /** Aligns a text with another one, step by step. */
  static *createInSteps(source: string, before: string, isByWords: boolean): Steps<AlignedText> {
    const aligned = new AlignedText(source, isByWords);
    const tokens = yield* tokenize(before);
    aligned.numbers = yield* mapInSteps(tokens, aligned.numberOf);
    yield;
    aligned.#places = yield* aligned.#findPlaces(tokens);
    yield;
    return aligned;
  }

  *#findPlaces(tokens: readonly Token[]): Steps<(OffsetRange | undefined)[]> {
    const all = yield* tokenize(this.source);
    const there = yield* mapInSteps(yield* findIndexes(all, ({ kind }) => kind !== "space"), (i) => all[i]!);
    const indexes = yield* findIndexes(tokens, ({ kind }) => kind !== "space");
    const here = yield* mapInSteps(indexes, (i) => tokens[i]!);
    const pairs = yield* this.#pairTokens(here, there);
    yield;
    /** For each token, the index of its partner in the source. */
    const partners: (number | undefined)[] = new Array(tokens.length);
    for (const [here, other] of pairs) partners[indexes[here]!] = other;
    yield;
    return yield* mapInSteps(tokens, ({ kind }, at) => {
      const partner = partners[at];
      if (kind !== "space") return partner === undefined ? undefined : there[partner];
      const [left, right] = [partners[at - 1], partners[at + 1]];
      if (left !== undefined && right !== undefined && right !== left + 1) return undefined;
      const [before, after] = [there[left ?? (right ?? 0) - 1], there[right ?? (left ?? -2) + 1]];
      return before && after ? { start: before.end, end: after.start } : undefined;
    });
  }

  /** Pairs equal tokens: words first, then the tokens between those. */
  *#pairTokens(here: readonly Token[], there: readonly Token[]): Steps<[number, number][]> {
    const isWord = ({ kind }: Token) => kind === "word";
    const words = this.isByWords
      ? yield* this.#pairEqual(yield* findIndexes(here, isWord), here, yield* findIndexes(there, isWord), there)
      : [];
    const pairs: [number, number][] = [];
    let [i, j] = [0, 0];
    for (const [count, [k, l]] of [...words, [here.length, there.length] as const].entries()) {
      if (count % STEP === STEP - 1) yield;
      const [from, after] = [i, j];
      const some = Array.from({ length: k - from }, (_, n) => from + n);
      const others = Array.from({ length: l - after }, (_, n) => after + n);
      const isBetween = some.length > 0 && others.length > 0;
      const between = isBetween ? yield* this.#pairEqual(some, here, others, there) : [];
      for (const pair of between) pairs.push(pair);
      if (k < here.length) pairs.push([k, l]);
      [i, j] = [k + 1, l + 1];
    }
    return pairs;
  }

  /** Pairs equal tokens among some of them, by their indexes. */
  *#pairEqual(
    some: readonly number[],
    here: readonly Token[],
    others: readonly number[],
    there: readonly Token[],
  ): Steps<[number, number][]> {
    const hunks = yield* diffSequencesInSteps(
      yield* mapInSteps(some, (i) => this.numberOf(here[i]!)),
      yield* mapInSteps(others, (i) => this.numberOf(there[i]!)),
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

  /** Finds the place of tokens in the source. If it is unknown, the neighbors are included. */
  locate(before: OffsetRange, after: OffsetRange): TokenChange {
    let [{ start, end }, from, to] = [before, after.start, after.end];
    for (;;) {
      const [first, last] = start === end ? this.#findGap(start) : [this.#findStart(start), this.#findEnd(end)];
      if (first !== undefined && last !== undefined) {
        const place = { start: first, end: Math.max(first, last) };
        return { before: { start, end }, after: { start: from, end: to }, place };
      }
      if (first === undefined && start > 0) [start, from] = [start - 1, from - 1];
      if (last === undefined && end < this.numbers.length) [end, to] = [end + 1, to + 1];
    }
  }

  /** Finds the place between two tokens. */
  #findGap(at: number): [number | undefined, number | undefined] {
    const place = this.#places[at - 1]?.end ?? this.#places[at]?.start ?? (this.numbers.length === 0 ? 0 : undefined);
    return [place, place];
  }

  #findStart(token: number): number | undefined {
    return this.#places[token]?.start ?? (token === 0 ? 0 : this.#places[token - 1]?.end);
  }

  #findEnd(token: number): number | undefined {
    const isLast = token === this.numbers.length;
    return this.#places[token - 1]?.end ?? (isLast ? this.source.length : this.#places[token]?.start);
  }
}
