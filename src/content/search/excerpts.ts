// Finds the sections of a page that match a query, and their excerpts. It works on the sections of the pages that are shown, in time
// linear in their text, and caches nothing.

import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import type { SearchSection } from "./pages";
import type { TermMatch } from "./ranking";
import {
  analyzeRange,
  type CodeRanges,
  getCharacterWidth,
  truncateText,
  visitRunTerms,
  type WordVisitor,
} from "./words";

/** A section that matches a query. */
export interface SectionHit {
  readonly anchor?: string;
  readonly title?: string;
  /** About 200 characters around the best match, as plain text, with "…" where text was omitted. */
  readonly excerpt: string;
}

const MAX_SECTIONS = 5;
/** The most characters of a page that are read, so that fifty long pages do not block the process. */
const MAX_READ_CHARACTERS = 100_000;
const EXCERPT_LENGTH = 200;
/** The most characters between matches that are shown together. The rest of the excerpt is the text around them. */
const WINDOW_LENGTH = 140;
/** The factor of a match in a title. */
const TITLE_BOOST = 2.5;
/** The highest quality of a match that is not the word as it was typed. */
const PREFIX_QUALITY = 0.4;
/** The factor of repetitions. */
const REPETITION = 0.05;

/** A match in a text. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** The index of the match, doubled. One is added if the word occurs as it was typed. It is an index of the gains. */
  readonly way: number;
}

/** Creates a finder for the pages of a query. `onRead` gets the characters split into words, most of the work. */
export function createSectionFinder(
  matches: readonly TermMatch[],
  onRead: (characters: number) => void = () => {},
): (sections: readonly SearchSection[]) => Steps<SectionHit[]> {
  const findOccurrences = createOccurrenceFinder(matches, onRead);
  const gains = matches.flatMap(({ weight }) => [weight * PREFIX_QUALITY, weight]);
  return function* (sections) {
    let charactersLeft = MAX_READ_CHARACTERS;
    const takeText = (text: string) => {
      const truncated = truncateText(text, charactersLeft);
      charactersLeft -= truncated.length;
      return truncated;
    };

    const hits: { section: SearchSection; occurrences: readonly Occurrence[]; score: number; index: number }[] = [];
    for (const [index, section] of sections.entries()) {
      const title = section.title ?? "";
      const titleOccurrences = yield* findOccurrences(takeText(title), [0, title.length]);
      const occurrences = yield* findOccurrences(takeText(section.text), section.code ?? []);
      // Sections with more of the words come first, then those that have them in the title.
      const textFactors = new Float64Array(gains.length);
      for (const { way } of occurrences) textFactors[way]! += textFactors[way] === 0 ? 1 : REPETITION;
      const titleFactors = new Float64Array(gains.length);
      for (const { way } of titleOccurrences) titleFactors[way] = TITLE_BOOST;
      let sum = 0;
      let words = 0;
      for (let way = 0; way < gains.length; way += 2) {
        const wordScore = Math.max(
          gains[way]! * (Math.min(textFactors[way]!, 1.5) + titleFactors[way]!),
          gains[way + 1]! * (Math.min(textFactors[way + 1]!, 1.5) + titleFactors[way + 1]!),
        );
        sum += wordScore;
        if (wordScore > 0) words++;
      }
      const score = sum * words;
      if (score > 0) hits.push({ section, occurrences, score, index });
    }
    return hits
      .sort((one, other) => other.score - one.score || one.index - other.index)
      .slice(0, MAX_SECTIONS)
      .map(({ section: { anchor, title, text }, occurrences }) => {
        const window = findBestWindow(occurrences, gains);
        const margin = Math.max(0, EXCERPT_LENGTH - (window.end - window.start));
        const idealStart = Math.max(0, Math.min(window.start - margin * 0.4, text.length - EXCERPT_LENGTH));
        const start =
          idealStart < 1 ? 0 : (findCut(text, "start", Math.floor(idealStart), window.start) ?? window.start);
        const maxEnd = start + EXCERPT_LENGTH;
        let end = text.length;
        if (maxEnd < text.length) {
          const cut = findCut(text, "end", maxEnd, window.end <= maxEnd ? window.end : start);
          end = cut ?? (getCharacterWidth(text, maxEnd - 1) === 2 ? maxEnd - 1 : maxEnd);
        }
        const words = text.slice(start, end).replace(/\s+/g, " ").trim();
        const excerpt = words === "" ? "" : `${start > 0 ? "…" : ""}${words}${end < text.length ? "…" : ""}`;
        return { ...omitUndefined({ anchor, title }), excerpt };
      });
  };
}

const CHARACTERS_PER_STEP = 10_000;

/** Characters that are folded into others, or are invisible. The folded form of a text without any is its lower case. */
const FOLDED = /[\u0080-\u1fff\u200b-\u200f\u2060-\u206f\u2100-\u214f\u2c00-\u2fff\ua000-\uabff\ud800-\uffff]/;

function createOccurrenceFinder(
  matches: readonly TermMatch[],
  onRead: (characters: number) => void,
): (text: string, code: CodeRanges) => Steps<Occurrence[]> {
  const prefixes = matches.flatMap(({ prefix }, index) => (prefix === undefined ? [] : [{ prefix, way: index * 2 }]));
  const terms = new Set(matches.flatMap((match) => [...match.terms.keys()]));
  const firstLetters = new Set([...terms, ...prefixes.map(({ prefix }) => prefix)].map((term) => term.charCodeAt(0)));
  const waysByTerm = new Map(
    Array.from(terms, (term) => {
      const ways = matches.flatMap((match, index) => {
        const quality = match.terms.get(term);
        if (quality !== undefined) return [index * 2 + (quality > PREFIX_QUALITY ? 1 : 0)];
        return match.prefix !== undefined && term.startsWith(match.prefix) ? [index * 2] : [];
      });
      return [term, ways] as const;
    }),
  );

  // Every word that matches contains one of these texts in lower case. The symbols between the digits of a number are folded into one.
  const substrings = new Set(prefixes.map(({ prefix }) => prefix));
  for (const term of terms) substrings.add(/^\d+\./.test(term) ? term.slice(0, term.indexOf(".")) : term);
  const needles = [...substrings].filter(
    (needle) => !Array.from(substrings).some((other) => other !== needle && needle.startsWith(other)),
  );

  return function* (text, code) {
    const occurrences: Occurrence[] = [];
    const addOccurrences = (term: string, start: number, end: number) => {
      // Most words of a text begin differently from every term, and are skipped here.
      if (!firstLetters.has(term.charCodeAt(0))) return;
      const ways = waysByTerm.get(term);
      if (ways) for (const way of ways) occurrences.push({ start, end, way });
      else for (const { prefix, way } of prefixes) if (term.startsWith(prefix)) occurrences.push({ start, end, way });
    };
    const visitor: WordVisitor = {
      visitWord(parts, joinedTerms, start, end) {
        for (const part of parts) addOccurrences(part, start, end);
        for (const { term } of joinedTerms) addOccurrences(term, start, end);
      },
      visitRun: (characters, start, end) => visitRunTerms(characters, start, end, addOccurrences),
      visitSymbol: addOccurrences,
    };

    // Most of a text whose folded form is its lower case is never split into words.
    if (!FOLDED.test(text)) {
      let charactersOfStep = 0;
      // The ranges of a text that contain the needles, each with everything that may belong to the same word.
      const lowerCaseText = text.toLowerCase();
      const hits: number[] = [];
      for (const needle of needles) {
        let hit = lowerCaseText.indexOf(needle);
        for (let count = 0; hit >= 0 && count < MAX_NEEDLE_HITS; count++) {
          hits.push(hit);
          hit = lowerCaseText.indexOf(needle, hit + needle.length);
        }
      }
      hits.sort((one, other) => one - other);

      const clusters: [number, number][] = [];
      for (const hit of hits) {
        const last = clusters.at(-1);
        if (last && hit < last[1]) continue;
        let [start, end] = [hit, hit + 1];
        while (start > 0 && hit - start < MAX_CLUSTER_MARGIN && !BLANK.test(text[start - 1]!)) start--;
        while (end < text.length && end - hit < MAX_CLUSTER_MARGIN && !BLANK.test(text[end]!)) end++;
        clusters.push([Math.max(start, last?.[1] ?? 0), end]);
      }
      for (const [start, end] of clusters) {
        analyzeRange(text, visitor, start, end, code);
        onRead(end - start);
        charactersOfStep += end - start;
        if (charactersOfStep < CHARACTERS_PER_STEP) continue;
        charactersOfStep = 0;
        yield;
      }
      yield;
      return occurrences;
    }
    for (let position = 0; position < text.length; ) {
      const start = position;
      position = analyzeRange(text, visitor, start, start + CHARACTERS_PER_STEP, code);
      onRead(position - start);
      yield;
    }
    return occurrences;
  };
}

/** The most places of a needle that are found in a text. More repetitions hardly change what is shown. */
const MAX_NEEDLE_HITS = 12;
const BLANK = /[ \n\t\u3000]/;
/** The most characters before and after a needle that are read, up to the next space. */
const MAX_CLUSTER_MARGIN = 64;

/** Returns the range with the highest gains of all that are short enough to be shown; the first of equal ones. */
function findBestWindow(occurrences: readonly Occurrence[], gains: readonly number[]): { start: number; end: number } {
  const counts = new Uint32Array(gains.length);
  let best = { start: 0, end: 0 };
  let bestGain = 0;
  let gain = 0;
  let first = 0;
  for (const occurrence of occurrences) {
    gain += counts[occurrence.way]!++ === 0 ? gains[occurrence.way]! : gains[occurrence.way]! * REPETITION;
    for (; occurrence.end - occurrences[first]!.start > WINDOW_LENGTH && occurrences[first] !== occurrence; first++) {
      const { way } = occurrences[first]!;
      gain -= --counts[way]! === 0 ? gains[way]! : gains[way]! * REPETITION;
    }
    if (gain > bestGain + 1e-9) {
      bestGain = gain;
      best = { start: occurrences[first]!.start, end: occurrence.end };
    }
  }
  return best;
}

/** The most characters to the nearest space. */
const MAX_SPACE_DISTANCE = 40;
const SPACE = /\s/;
// Characters that are drawn onto the one before. Some are letters by name: Thai and Lao am, half-width voicing of kana.
const JOINS_BEFORE = /\p{M}|\p{Emoji_Modifier}|[\u0e33\u0eb3\uff9e\uff9f\u{e0020}-\u{e007f}]|\u200c|\u200d/u;
// Joiners of emoji, and of consonants in the scripts of India; first letters of Korean syllables; Arabic number signs.
const JOINS_AFTER = /\u200d|[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1100-\u115f\ua960-\ua97c\u0600-\u0605\u06dd]/;
const FLAG = /\p{Regional_Indicator}/u;
const KOREAN_LETTER = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const KOREAN = /[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff]/;

/** Checks that a cut at a position leaves every visible character intact. */
export function isCutAllowed(text: string, position: number): boolean {
  if (position <= 0 || position >= text.length) return true;
  if (getCharacterWidth(text, position - 1) === 2) return false;
  const before = String.fromCodePoint(
    text.codePointAt(getCharacterWidth(text, position - 2) === 2 ? position - 2 : position - 1)!,
  );
  const after = String.fromCodePoint(text.codePointAt(position)!);
  if (before === "\r" && after === "\n") return false;
  if (JOINS_AFTER.test(before) || JOINS_BEFORE.test(after)) return false;
  // Flags are pairs of letters, and Korean letters may form one syllable. Counting from the start would take too long, so rows of them
  // are not cut.
  if (FLAG.test(before) && FLAG.test(after)) return false;
  return !(KOREAN.test(before) && KOREAN_LETTER.test(after));
}

/** Returns the first place for a cut from a position to a limit: outside of a space if one is near, otherwise between two characters. */
function findCut(text: string, side: "start" | "end", from: number, limit: number): number | undefined {
  const step = side === "start" ? 1 : -1;
  const count = 1 + Math.min(Math.abs(limit - from), MAX_SPACE_DISTANCE);
  const positions = Array.from({ length: count }, (_, i) => from + step * i);
  return (
    positions.find((position) => SPACE.test(text[side === "start" ? position - 1 : position]!)) ??
    positions.find((position) => isCutAllowed(text, position))
  );
}
