// The sections of a page that answer a query, and what to show of them. Works on the sections of pages that are shown, in
// time linear in their text; nothing of it is kept.

import type { Steps } from "../markdown/steps";
import { endUpTo, startFrom } from "./boundaries";
import { cut } from "./characters";
import type { Section } from "./pages";
import type { Match } from "./ranking";
import { allCode, type CodeRanges, eachOfRun, type Reader, readSome } from "./words";

/** A section that answers a query. */
export interface SectionHit {
  readonly anchor?: string;
  readonly title?: string;
  /** About 200 characters around the best match, as plain text; "…" where something was left off. */
  readonly excerpt: string;
}

const mostSections = 5;
/** Of a longer page only this much is read, so that fifty of them do not block the process. */
const mostLookedAt = 100_000;
const excerptLength = 200;
/** Matches this near to each other are shown together; the rest of the excerpt is what stands around them. */
const windowLength = 140;
const titleCounts = 2.5;
const prefixWorth = 0.4;
const repeated = 0.05;

/** A match in a text. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** The match's number, doubled; plus one when the word stands there as it was asked for. */
  readonly way: number;
}

/** A function that finds the sections of a page that answer, best first, step by step. One serves all pages of a query. */
export function sectionsFor(matches: readonly Match[]): (sections: readonly Section[]) => Steps<SectionHit[]> {
  const look = lookFor(matches);
  const gains = matches.flatMap(({ weight }) => [weight * prefixWorth, weight]);
  return function* (sections) {
    let left = mostLookedAt;
    function* lookAtMost(text: string, code: CodeRanges): Steps<Occurrence[]> {
      const seen = cut(text, left);
      left -= seen.length;
      return yield* look(seen, code);
    }
    const answering: { section: Section; places: readonly Occurrence[]; score: number; index: number }[] = [];
    for (const [index, section] of sections.entries()) {
      const inTitle = yield* lookAtMost(section.title ?? "", allCode(section.title ?? ""));
      const places = yield* lookAtMost(section.text, section.code ?? []);
      const score = scoreOf(inTitle, places, gains);
      if (score > 0) answering.push({ section, places, score, index });
    }
    return answering
      .sort((one, other) => other.score - one.score || one.index - other.index)
      .slice(0, mostSections)
      .map(({ section: { anchor, title, text }, places }) => ({
        ...(anchor !== undefined && { anchor }),
        ...(title !== undefined && { title }),
        excerpt: excerptOf(text, bestWindow(places, gains)),
      }));
  };
}

/** How many characters are looked at in one step. */
const STEP = 10_000;

/** A function that finds all matches in a text. */
function lookFor(matches: readonly Match[]): (text: string, code: CodeRanges) => Steps<Occurrence[]> {
  const starts = startsOf(matches);
  return function* (text, code) {
    const places: Occurrence[] = [];
    const check = (term: string, start: number, end: number) => {
      // Most words of a text begin differently from every term, and are skipped here.
      if (!starts.has(term.charCodeAt(0))) return;
      for (const [index, match] of matches.entries()) {
        const way = wayOf(term, match, index);
        if (way !== undefined) places.push({ start, end, way });
      }
    };
    const reader: Reader = {
      word(parts, wholes, start, end) {
        for (const part of parts) check(part, start, end);
        for (const whole of wholes) check(whole.term, start, end);
      },
      run: (characters, start, end) => eachOfRun(characters, start, end, check),
      sign: check,
    };
    for (let at = 0; at < text.length; ) {
      at = readSome(text, reader, at, at + STEP, code);
      yield;
    }
    return places;
  };
}

/** The first letters of all that is looked for. */
function startsOf(matches: readonly Match[]): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const { terms, prefix } of matches) {
    for (const term of terms.keys()) starts.add(term.charCodeAt(0));
    if (prefix !== undefined) starts.add(prefix.charCodeAt(0));
  }
  return starts;
}

function wayOf(term: string, match: Match, index: number): number | undefined {
  const worth = match.terms.get(term);
  if (worth !== undefined) return index * 2 + (worth > prefixWorth ? 1 : 0);
  return match.prefix !== undefined && term.startsWith(match.prefix) ? index * 2 : undefined;
}

/** Sections with more of the words come first, then those that have them in the title. */
function scoreOf(title: readonly Occurrence[], text: readonly Occurrence[], gains: readonly number[]): number {
  const often = new Float64Array(gains.length);
  for (const { way } of text) often[way]! += often[way] === 0 ? 1 : repeated;
  const inTitle = new Float64Array(gains.length);
  for (const { way } of title) inTitle[way] = titleCounts;
  let score = 0;
  let words = 0;
  for (let way = 0; way < gains.length; way += 2) {
    const here = Math.max(
      gains[way]! * (Math.min(often[way]!, 1.5) + inTitle[way]!),
      gains[way + 1]! * (Math.min(often[way + 1]!, 1.5) + inTitle[way + 1]!),
    );
    score += here;
    if (here > 0) words++;
  }
  return score * words;
}

/** The matches, near to each other, that say most; the first of those that say as much. */
function bestWindow(places: readonly Occurrence[], gains: readonly number[]): { start: number; end: number } {
  const inside = new Uint32Array(gains.length);
  let best = { start: 0, end: 0 };
  let most = 0;
  let value = 0;
  let left = 0;
  for (const place of places) {
    value += inside[place.way]!++ === 0 ? gains[place.way]! : gains[place.way]! * repeated;
    for (; place.end - places[left]!.start > windowLength && places[left] !== place; left++) {
      const { way } = places[left]!;
      value -= --inside[way]! === 0 ? gains[way]! : gains[way]! * repeated;
    }
    if (value > most + 1e-9) {
      most = value;
      best = { start: places[left]!.start, end: place.end };
    }
  }
  return best;
}

function excerptOf(text: string, window: { start: number; end: number }): string {
  const around = Math.max(0, excerptLength - (window.end - window.start));
  const wanted = Math.max(0, Math.min(window.start - around * 0.4, text.length - excerptLength));
  const start = startFrom(text, Math.floor(wanted), window.start);
  const latest = start + excerptLength;
  const end = endUpTo(text, latest, window.end <= latest ? window.end : start);
  const shown = text.slice(start, end).replace(/\s+/g, " ").trim();
  if (shown === "") return "";
  return `${start > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}
