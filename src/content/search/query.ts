// Parses a query into the terms that are searched for: each word with the other forms that a page may have. At most 512 characters and
// 16 terms count. The forms of a word are its plurals, -ed, -ing and cases in English and German. They are looked up when a query runs;
// the index has no stems. So a word is always found first as it was written, and words of other languages are affected only if such a
// form occurs.

import { analyzeRange, truncateText, type WordVisitor } from "./words";

/** The most characters of a query that count. */
export const MAX_QUERY_CHARACTERS = 512;
/** The most terms of a query that count. */
export const MAX_QUERY_TERMS = 16;

export interface QueryTerm {
  readonly term: string;
  /** A page without a required term ranks lower. Other terms only improve the rank of a page. */
  readonly isRequired: boolean;
  /** The weight among the other terms: a compound as it was typed weighs more than all its parts. */
  readonly weight: number;
  /** The qualities of other terms that match as well, or nearly as well. */
  readonly alternatives: ReadonlyMap<string, number>;
  /** The quality of longer terms that begin with this one. 0: they do not match. */
  readonly prefixQuality: number;
  /** The most typing errors of a match if hardly anything else matches. */
  readonly maxTypos: number;
  /** The term may still be being typed, so typing errors may be in the beginning of a longer word. */
  readonly isLast: boolean;
}

/** The quality of each way to match. The quality of the word itself is 1. */
export const MATCH_QUALITIES = {
  form: 0.85,
  german: 0.5,
  compound: 1,
  joinedWithNeighbor: 0.8,
  prefixOfLast: 0.5,
  prefix: 0.3,
} as const;

/** Common words: they count, but no page ranks lower without them. Rarity does not reveal them, as with `too`. */
const STOP_WORDS = new Set(
  (
    "a about after all also an and any are as at be because been before being both but by can could do does doing done each " +
    "every everything for from get gets got had has have having he her here his how i if in instead into is it its just like " +
    "make makes many may me might more most much must my need needs no nobody nor not nothing of off on only or other our " +
    "out own same several she should so some something somewhere such than that the their them then there these they this " +
    "those to too under until up us use used uses using very via want wants was we were what when where which while who " +
    "whose why will with within without would you your " +
    "aber alle als am auch auf aus bei bin bis da das dass dem den der des die dies diese dieser dieses doch durch ein eine " +
    "einem einen einer eines er es fur gegen haben hat hier ich ihr im immer ins ist ja jede jeder jedes kann kein keine " +
    "konnen man mehr mein mit muss nach nicht noch nur ob oder ohne schon sehr sein sich sie sind soll uber um und uns unter " +
    "vom von vor wann warum was welche welcher wenn wer werden wie wieder wir wird wo zu zum zur " +
    "au aux avec ce ces comment dans de du elle en est et il je la le les mon ne ou par pas pour que qui sans se si son sur " +
    "un une vous"
  ).split(" "),
);

interface TypedTerm {
  readonly term: string;
  readonly isRequired: boolean;
  /** A word or part of one, a whole compound, characters of a script without spaces, or an operator or flag. */
  readonly kind: "word" | "compound" | "run" | "symbol";
  /** The compound that the word is a part of. */
  readonly compound?: string | undefined;
  /** Default: 1. */
  readonly weight?: number;
}

export function parseQuery(query: string): QueryTerm[] {
  const typedByTerm = new Map<string, TypedTerm>();
  const add = (typed: TypedTerm) => {
    if (!typedByTerm.has(typed.term)) typedByTerm.set(typed.term, typed);
  };
  const visitor: WordVisitor = {
    visitWord(parts, joinedTerms) {
      const compound = joinedTerms.at(-1)?.term;
      // A flag of one letter matches only that flag.
      if (parts.length === 0) return add({ term: compound!, isRequired: true, kind: "symbol" });
      // Compounds come first, because the last part is the one that may still be being typed.
      for (const { term, parts } of joinedTerms)
        add({ term, isRequired: false, kind: "compound", weight: 2 * parts + 1 });
      for (const term of parts) add({ term, compound, isRequired: !STOP_WORDS.has(term), kind: "word" });
    },
    visitRun(characters) {
      if (characters.length === 1) return add({ term: characters[0]!, isRequired: true, kind: "run" });
      for (let i = 1; i < characters.length; i++) {
        const [one, other] = [characters[i - 1]!, characters[i]!];
        // Endings and particles of Japanese are written in hiragana, so two characters of one other script are probably one word.
        const isOneWord = SCRIPTS.some((script) => script.test(one) && script.test(other));
        add({ term: one + other, isRequired: isOneWord, kind: "run" });
      }
    },
    visitSymbol: (term) => add({ term, isRequired: term.length > 1, kind: "symbol" }),
  };
  const truncated = truncateText(query, MAX_QUERY_CHARACTERS);
  analyzeRange(truncated, visitor, 0, truncated.length, [0, truncated.length]);

  const typedTerms = [...typedByTerm.values()];
  const hasRequired = typedTerms.some(({ isRequired }) => isRequired);
  return typedTerms.slice(0, MAX_QUERY_TERMS).map(({ term, compound, kind, weight = 1, isRequired }, index) => {
    const isLast = index === typedTerms.length - 1;
    const isLongEnough = (kind === "word" || kind === "compound") && term.length > 2;
    let prefixQuality: number = isLongEnough ? MATCH_QUALITIES.prefix : 0;
    if (kind === "word" && isLast) prefixQuality = MATCH_QUALITIES.prefixOfLast;

    // A page may have other terms instead of a word: its forms, compounds with its neighbors, and its own.
    const alternatives = new Map<string, number>();
    if (kind === "word") {
      for (const form of listGermanInflections(term)) alternatives.set(form, MATCH_QUALITIES.german);
      for (const form of listInflections(term)) alternatives.set(form, MATCH_QUALITIES.form);
      for (const [left, right] of [
        [typedTerms[index - 1], typedTerms[index]],
        [typedTerms[index], typedTerms[index + 1]],
      ]) {
        if (left?.kind !== "word" || right?.kind !== "word") continue;
        const joined = left.term + right.term;
        for (const form of listInflections(joined))
          alternatives.set(form, MATCH_QUALITIES.joinedWithNeighbor * MATCH_QUALITIES.form);
        alternatives.set(joined, MATCH_QUALITIES.joinedWithNeighbor);
      }
      if (compound !== undefined) alternatives.set(compound, MATCH_QUALITIES.compound);
    }

    // A number with a typing error is another number.
    const mayHaveTypos = kind === "word" && !/^[\d.]+$/.test(term);
    return {
      term,
      isRequired: isRequired || !hasRequired,
      weight,
      alternatives,
      prefixQuality,
      maxTypos: !mayHaveTypos || term.length < 4 ? 0 : term.length < 8 ? 1 : 2,
      isLast,
    };
  });
}

const SCRIPTS = [/\p{sc=Han}/u, /\p{scx=Katakana}/u, /\p{sc=Hangul}/u, /\p{sc=Thai}/u];

const ENGLISH = /^[a-z]{3,}$/;

/** Returns the forms that an English word may also have. Some of them do not exist, which costs one lookup each. */
export function listInflections(word: string): readonly string[] {
  if (!ENGLISH.test(word)) return [];
  const bases = [word];
  const addBase = (base: string) => {
    if (base.length >= 3) bases.push(base);
  };
  if (word.endsWith("ies")) addBase(`${word.slice(0, -3)}y`);
  else if (/(?:s|x|z|ch|sh)es$/.test(word)) addBase(word.slice(0, -2));
  else if (/[^sui]s$/.test(word)) addBase(word.slice(0, -1));
  for (const ending of ["ing", "ed"]) {
    const stem = word.endsWith(ending) ? word.slice(0, -ending.length) : "";
    if (stem.length < 3) continue;
    addBase(stem);
    addBase(`${stem}e`);
    if (stem.at(-1) === stem.at(-2)) addBase(stem.slice(0, -1));
    if (ending === "ed" && stem.endsWith("i")) addBase(`${stem.slice(0, -1)}y`);
  }

  const forms = bases.flatMap((base) => {
    const stem = base.slice(0, -1);
    if (base.endsWith("e")) return [base, `${base}s`, `${base}d`, `${stem}ing`];
    if (/[^aeiou]y$/.test(base)) return [base, `${stem}ies`, `${stem}ied`, `${base}ing`];
    const regular = [base, `${base}s`, `${base}es`, `${base}ed`, `${base}ing`];
    const doubled = base + base.at(-1);
    return /[^aeiou][aeiou][bdgklmnprt]$/.test(base) ? [...regular, `${doubled}ed`, `${doubled}ing`] : regular;
  });
  return [...new Set(forms)].filter((form) => form !== word);
}

const GERMAN = /^[a-z]{4,}$/;
const GERMAN_ENDINGS = ["e", "en", "er", "ern", "n", "s", "es", "em"] as const;
/** The least letters before an ending. In a shorter word, the letters are part of the word. */
const MIN_STEM_LENGTH = 4;

/** Returns the cases and plurals that a German word may also have. They are uncertain, because languages are not detected. */
function listGermanInflections(word: string): readonly string[] {
  if (!GERMAN.test(word)) return [];
  const endings = GERMAN_ENDINGS.filter(
    (ending) => word.endsWith(ending) && word.length - ending.length >= MIN_STEM_LENGTH,
  );
  const stems = [word, ...endings.map((ending) => word.slice(0, -ending.length))];
  const forms = new Set(stems.flatMap((stem) => [stem, ...GERMAN_ENDINGS.map((ending) => stem + ending)]));
  forms.delete(word);
  return [...forms];
}
