// A change carried over from the text that we would write to the text that somebody wrote. Both say the same, so most of
// their words stand in the same order. Only what the change touches is replaced; everything else stays as it is written.

import { edited } from "../../edits";
import { type Hunk, hunksBetween, numbering } from "../../merge/sequences";

/** A word, a run of space, or any other character. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly isSpace: boolean;
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
 * `labels` keeps its target when its text changes.
 */
export function carriedOver(source: string, before: string, after: string, labels: readonly OwnLabel[] = []): string {
  if (source === before) return after;
  const old = new Aligned(source, before);
  const now = tokensOf(after);
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

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(/(\s+)|[\p{L}\p{M}\p{N}]+|./gsu), ({ 0: token, 1: space, index }) => {
    return { start: index, end: index + token.length, isSpace: space !== undefined, text: token };
  });
}

/** The tokens of a text, and where they stand in another one that says the same. Space is not compared: it lies between. */
class Aligned {
  readonly numberOf: (token: Token) => number;
  readonly numbers: number[];
  readonly #places: (Stretch | undefined)[];

  constructor(
    readonly source: string,
    before: string,
  ) {
    const number = numbering();
    this.numberOf = ({ text }) => number(text);
    const tokens = tokensOf(before);
    this.numbers = tokens.map(this.numberOf);
    this.#places = this.#placesOf(tokens);
  }

  #placesOf(tokens: readonly Token[]): (Stretch | undefined)[] {
    const there = tokensOf(this.source).filter(({ isSpace }) => !isSpace);
    const indexes = tokens.flatMap(({ isSpace }, i) => (isSpace ? [] : [i]));
    const here = indexes.map((i) => this.numbers[i]!);
    /** For each token, the number of its partner among those of the source. */
    const partners: (number | undefined)[] = tokens.map(() => undefined);
    let [i, j] = [0, 0];
    const end = { start: here.length, end: here.length };
    for (const hunk of [...hunksBetween(here, there.map(this.numberOf)), { before: end, after: end }]) {
      while (i < hunk.before.start) partners[indexes[i++]!] = j++;
      [i, j] = [hunk.before.end, hunk.after.end];
    }
    return tokens.map(({ isSpace }, at) => {
      const partner = partners[at];
      if (!isSpace) return partner === undefined ? undefined : there[partner];
      const [left, right] = [partners[at - 1], partners[at + 1]];
      if (left !== undefined && right !== undefined && right !== left + 1) return undefined;
      const [before, after] = [there[left ?? (right ?? 0) - 1], there[right ?? (left ?? -2) + 1]];
      return before && after ? { start: before.end, end: after.start } : undefined;
    });
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
