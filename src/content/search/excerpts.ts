// The sections of a page that answer a query, and what to show of them. Works on the sections of pages that are shown, in
// time linear in their text; nothing of it is kept.

import { omitUndefined } from "../../utils/objects";
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

/** A function that finds the sections of a page that answer, best first, step by step. One serves all pages of a query. `onRead`
 * is called with how many characters were taken apart into words, which is most of the work. */
export function sectionsFor(
  matches: readonly Match[],
  onRead: (characters: number) => void = () => {},
): (sections: readonly Section[]) => Steps<SectionHit[]> {
  const look = lookFor(matches, onRead);
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
        ...omitUndefined({ anchor, title }),
        excerpt: excerptOf(text, bestWindow(places, gains)),
      }));
  };
}

/** How many characters are looked at in one step. */
const STEP = 10_000;

/** A function that finds all matches in a text. */
function lookFor(
  matches: readonly Match[],
  onRead: (characters: number) => void,
): (text: string, code: CodeRanges) => Steps<Occurrence[]> {
  const starts = startsOf(matches);
  const needles = needlesOf(matches);
  const waysByTerm = findWaysByTerm(matches);
  const prefixes = matches.flatMap(({ prefix }, index) => (prefix === undefined ? [] : [{ prefix, way: index * 2 }]));
  return function* (text, code) {
    const places: Occurrence[] = [];
    const check = (term: string, start: number, end: number) => {
      // Most words of a text begin differently from every term, and are skipped here.
      if (!starts.has(term.charCodeAt(0))) return;
      const ways = waysByTerm.get(term);
      if (ways) for (const way of ways) places.push({ start, end, way });
      else for (const { prefix, way } of prefixes) if (term.startsWith(prefix)) places.push({ start, end, way });
    };
    const reader: Reader = {
      word(parts, wholes, start, end) {
        for (const part of parts) check(part, start, end);
        for (const whole of wholes) check(whole.term, start, end);
      },
      run: (characters, start, end) => eachOfRun(characters, start, end, check),
      sign: check,
    };
    if (isWrittenAsFolded(text)) {
      let read = 0;
      for (const [start, end] of clustersOf(text, needles)) {
        readSome(text, reader, start, end, code);
        onRead(end - start);
        read += end - start;
        if (read < STEP) continue;
        read = 0;
        yield;
      }
      yield;
      return places;
    }
    for (let at = 0; at < text.length; ) {
      const from = at;
      at = readSome(text, reader, from, from + STEP, code);
      onRead(at - from);
      yield;
    }
    return places;
  };
}

/** Letters that are folded into others, and characters that are not seen: of a text that has none, lower case is the folded form. */
const FOLDED = /[\u0080-\u1fff\u200b-\u200f\u2060-\u206f\u2100-\u214f\u2c00-\u2fff\ua000-\uabff\ud800-\uffff]/;

function isWrittenAsFolded(text: string): boolean {
  return !FOLDED.test(text);
}

/** Texts of which one stands, in lower case, in every word that is looked for. */
function needlesOf(matches: readonly Match[]): readonly string[] {
  const all = new Set<string>();
  for (const { terms, prefix } of matches) {
    // The signs between the digits of a number are folded into one.
    for (const term of terms.keys()) all.add(/^\d+\./.test(term) ? term.slice(0, term.indexOf(".")) : term);
    if (prefix !== undefined) all.add(prefix);
  }
  return [...all].filter((needle) => !Array.from(all).some((other) => other !== needle && needle.startsWith(other)));
}

/** How often a needle is looked for in a text. More repetitions hardly change what is shown. */
const MOST_HITS = 12;
/** What stands around a needle up to the next space, or so many characters, is read as words. */
const AROUND = 64;

/** Where needles stand in a text, with all that may be of the same word. Most of a text is never read. */
function clustersOf(text: string, needles: readonly string[]): (readonly [start: number, end: number])[] {
  const lower = text.toLowerCase();
  const hits: number[] = [];
  for (const needle of needles)
    for (let at = lower.indexOf(needle), count = 0; at >= 0 && count < MOST_HITS; count++) {
      hits.push(at);
      at = lower.indexOf(needle, at + needle.length);
    }
  hits.sort((one, other) => one - other);
  const clusters: [number, number][] = [];
  for (const hit of hits) {
    const last = clusters.at(-1);
    if (last && hit < last[1]) continue;
    let [start, end] = [hit, hit + 1];
    while (start > 0 && hit - start < AROUND && !isBlank(text.charCodeAt(start - 1))) start--;
    while (end < text.length && end - hit < AROUND && !isBlank(text.charCodeAt(end))) end++;
    clusters.push([Math.max(start, last?.[1] ?? 0), end]);
  }
  return clusters;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x3000;
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

/** Returns the ways in which each known term matches. */
function findWaysByTerm(matches: readonly Match[]): ReadonlyMap<string, readonly number[]> {
  const known = new Set(matches.flatMap(({ terms }) => [...terms.keys()]));
  const waysOf = (term: string) =>
    matches.flatMap(({ terms, prefix }, index) => {
      const worth = terms.get(term);
      if (worth !== undefined) return [index * 2 + (worth > prefixWorth ? 1 : 0)];
      return prefix !== undefined && term.startsWith(prefix) ? [index * 2] : [];
    });
  return new Map(Array.from(known, (term) => [term, waysOf(term)]));
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
