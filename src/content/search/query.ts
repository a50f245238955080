// A query split into what is searched for: each word with the other forms that may be in a page. At most 512 characters
// and 16 terms count.

import { cut } from "./characters";
import { formsOf, germanFormsOf } from "./inflections";
import { allCode, type Reader, read } from "./words";

/** Characters of a query that count. */
export const longestQuery = 512;
/** Terms of a query that count. */
export const mostTerms = 16;

/** One thing that is asked for. */
export interface Wanted {
  readonly term: string;
  /** Whether a page without it lacks something; `false` for terms that only improve a page's rank. */
  readonly needed: boolean;
  /** Its weight among the others: a compound as it was typed weighs more than all its parts. */
  readonly weight: number;
  /** Terms that are as good as this one, or nearly. */
  readonly others: ReadonlyMap<string, number>;
  /** What longer terms that begin with this one are worth; 0: nothing. */
  readonly prefix: number;
  /** How many typing errors are allowed when hardly anything else is found. */
  readonly slips: number;
  /** Whether typing errors may be in the beginning of a longer word, because it is still being typed. */
  readonly begun: boolean;
}

/** The weight of each way to match, with 1 for the word itself. */
export const wayWorth = { form: 0.85, german: 0.5, whole: 1, joined: 0.8, lastPrefix: 0.5, prefix: 0.3 } as const;

/** Words of every text: they count, but no page ranks lower without them. Rarity alone does not show them: `too` is rare in
 * documentation. */
const small = new Set(
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

interface Spoken {
  readonly term: string;
  readonly needed: boolean;
  /** The compound that it is a part of. */
  readonly whole?: string | undefined;
  /** A word or part of one, a compound as a whole, two characters of a script without spaces, or an operator. */
  readonly as: "word" | "whole" | "run" | "sign";
  /** Default 1. */
  readonly weight?: number;
}

/** What a query asks for, in the order of its words. */
export function wantedIn(query: string): Wanted[] {
  const spoken = spokenIn(cut(query, longestQuery));
  const needed = spoken.some((one) => one.needed) ? (one: Spoken) => one.needed : () => true;
  const last = spoken.length - 1;
  return spoken.slice(0, mostTerms).map((one, index) => ({
    term: one.term,
    needed: needed(one),
    weight: one.weight ?? 1,
    others: othersOf(spoken, index),
    prefix: prefixOf(one, index === last),
    slips: one.as === "word" ? slipsIn(one.term) : 0,
    begun: index === last,
  }));
}

function spokenIn(query: string): Spoken[] {
  const spoken: Spoken[] = [];
  const terms = new Set<string>();
  const say = (one: Spoken) => {
    if (terms.has(one.term)) return;
    terms.add(one.term);
    spoken.push(one);
  };
  const reader: Reader = {
    word(parts, wholes) {
      // A flag of one letter is that flag and nothing else.
      if (parts.length === 0) return say({ term: wholes.at(-1)!.term, needed: true, as: "sign" });
      // Whole words come first: the last part is the one that is still being typed.
      for (const { term, parts } of wholes) say({ term, needed: false, as: "whole", weight: 2 * parts + 1 });
      const whole = wholes.at(-1)?.term;
      for (const term of parts) say({ term, whole, needed: !small.has(term), as: "word" });
    },
    run(characters) {
      if (characters.length === 1) return say({ term: characters[0]!, needed: true, as: "run" });
      for (let index = 1; index < characters.length; index++) {
        const [one, other] = [characters[index - 1]!, characters[index]!];
        say({ term: one + other, needed: areOfOneWord(one, other), as: "run" });
      }
    },
    sign: (term) => say({ term, needed: term.length > 1, as: "sign" }),
  };
  read(query, reader, allCode(query));
  return spoken;
}

const scripts = [/\p{sc=Han}/u, /\p{scx=Katakana}/u, /\p{sc=Hangul}/u, /\p{sc=Thai}/u];

/** Endings and particles of Japanese are written in hiragana. So two characters of one other script are likely part of
 * one word. */
function areOfOneWord(one: string, other: string): boolean {
  return scripts.some((script) => script.test(one) && script.test(other));
}

function othersOf(spoken: readonly Spoken[], index: number): Map<string, number> {
  const { term, whole, as } = spoken[index]!;
  const others = new Map<string, number>();
  if (as !== "word") return others;
  for (const form of germanFormsOf(term)) others.set(form, wayWorth.german);
  for (const form of formsOf(term)) others.set(form, wayWorth.form);
  for (const [left, right] of [
    [spoken[index - 1], spoken[index]],
    [spoken[index], spoken[index + 1]],
  ]) {
    if (left?.as !== "word" || right?.as !== "word") continue;
    const joined = left.term + right.term;
    for (const form of formsOf(joined)) others.set(form, wayWorth.joined * wayWorth.form);
    others.set(joined, wayWorth.joined);
  }
  if (whole !== undefined) others.set(whole, wayWorth.whole);
  return others;
}

function prefixOf({ term, as }: Spoken, isLast: boolean): number {
  if (as === "sign") return 0;
  if (as === "word" && isLast) return wayWorth.lastPrefix;
  return as !== "run" && term.length > 2 ? wayWorth.prefix : 0;
}

/** A number with a typing error is another number. */
function slipsIn(term: string): number {
  if (/^[\d.]+$/.test(term)) return 0;
  return term.length >= 8 ? 2 : term.length >= 4 ? 1 : 0;
}
