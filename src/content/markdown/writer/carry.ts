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
  /** Equal tokens have the same number. */
  readonly number: number;
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
  const getNumber = createTextNumbering();
  const tokens = yield* tokenize(before, getNumber);
  const now = yield* tokenize(after, getNumber);
  const places = yield* findPlaces(tokens, yield* tokenize(source, getNumber), isByWords);
  const old = new AlignedText(source, tokens, places);
  const changes: TokenChange[] = [];
  const [oldNumbers, newNumbers] = [tokens, now].map((all) => all.map(({ number }) => number));
  for (const hunk of yield* diffSequencesInSteps(oldNumbers!, newNumbers!)) {
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
const STEP = 2_000;

function* tokenize(text: string, getNumber: (text: string) => number): Steps<Token[]> {
  const tokens: Token[] = [];
  for (const { 0: token, 1: space, 2: word, index } of text.matchAll(/(\s+)|([\p{L}\p{M}\p{N}]+)|./gsu)) {
    const kind = space !== undefined ? "space" : word !== undefined ? "word" : "sign";
    tokens.push({ start: index, end: index + token.length, kind, number: getNumber(token) });
    if (tokens.length % STEP === 0) yield;
  }
  return tokens;
}

/** Finds the places of the tokens of a text in a source with the same content. Space is not compared. */
function* findPlaces(
  tokens: readonly Token[],
  source: readonly Token[],
  isByWords: boolean,
): Steps<(OffsetRange | undefined)[]> {
  const there = source.filter(({ kind }) => kind !== "space");
  const indexes = [...tokens.keys()].filter((i) => tokens[i]!.kind !== "space");
  const here = indexes.map((i) => tokens[i]!);
  yield;
  const pairs = yield* pairTokens(here, there, isByWords);
  yield;
  /** For each token, the index of its partner in the source. */
  const partners: (number | undefined)[] = new Array(tokens.length);
  for (const [here, other] of pairs) partners[indexes[here]!] = other;
  yield;
  const places: (OffsetRange | undefined)[] = [];
  for (const [at, { kind }] of tokens.entries()) {
    if (at % STEP === STEP - 1) yield;
    const partner = partners[at];
    if (kind !== "space") {
      places.push(partner === undefined ? undefined : there[partner]);
      continue;
    }
    const [left, right] = [partners[at - 1], partners[at + 1]];
    const isApart = left !== undefined && right !== undefined && right !== left + 1;
    const [before, after] = [there[left ?? (right ?? 0) - 1], there[right ?? (left ?? -2) + 1]];
    places.push(!isApart && before && after ? { start: before.end, end: after.start } : undefined);
  }
  return places;
}

/** Pairs equal tokens: with `isByWords` words first, then the tokens between those. */
function* pairTokens(here: readonly Token[], there: readonly Token[], isByWords: boolean): Steps<[number, number][]> {
  const listWords = (tokens: readonly Token[]) => [...tokens.keys()].filter((i) => tokens[i]!.kind === "word");
  const words = isByWords ? yield* pairEqual(listWords(here), here, listWords(there), there) : [];
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  for (const [count, [k, l]] of [...words, [here.length, there.length] as const].entries()) {
    if (count % STEP === STEP - 1) yield;
    const [from, after] = [i, j];
    const some = Array.from({ length: k - from }, (_, n) => from + n);
    const others = Array.from({ length: l - after }, (_, n) => after + n);
    const isBetween = some.length > 0 && others.length > 0;
    const between = isBetween ? yield* pairEqual(some, here, others, there) : [];
    for (const pair of between) pairs.push(pair);
    if (k < here.length) pairs.push([k, l]);
    [i, j] = [k + 1, l + 1];
  }
  return pairs;
}

/** Pairs equal tokens among some of them, by their indexes. */
function* pairEqual(
  some: readonly number[],
  here: readonly Token[],
  others: readonly number[],
  there: readonly Token[],
): Steps<[number, number][]> {
  const hunks = yield* diffSequencesInSteps(
    some.map((i) => here[i]!.number),
    others.map((i) => there[i]!.number),
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

/** The tokens of a text, and their places in a source. */
class AlignedText {
  constructor(
    readonly source: string,
    readonly tokens: readonly Token[],
    readonly places: readonly (OffsetRange | undefined)[],
  ) {}

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
      if (last === undefined && end < this.tokens.length) [end, to] = [end + 1, to + 1];
    }
  }

  /** Finds the place between two tokens. */
  #findGap(at: number): [number | undefined, number | undefined] {
    const place = this.places[at - 1]?.end ?? this.places[at]?.start ?? (this.tokens.length === 0 ? 0 : undefined);
    return [place, place];
  }

  #findStart(token: number): number | undefined {
    return this.places[token]?.start ?? (token === 0 ? 0 : this.places[token - 1]?.end);
  }

  #findEnd(token: number): number | undefined {
    const isLast = token === this.tokens.length;
    return this.places[token - 1]?.end ?? (isLast ? this.source.length : this.places[token]?.start);
  }
}
