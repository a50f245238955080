// One page translated: what is known already is not asked for again, what comes back without its marks is asked for once
// more, and what still lacks them keeps its source and is counted.

import { openSheet, type Sheet } from "./sheets";
import type { TranslationRequest, Translator } from "./translator";

/** How a sheet is to be translated. */
export interface Wanted extends Omit<TranslationRequest, "texts"> {
  /** The sheet as it was translated before, and what came of it. */
  readonly earlier?: { readonly sheet: Sheet; readonly translated: Sheet } | undefined;
}

/** A sheet that was translated. */
export interface Translated {
  readonly sheet: Sheet;
  /** Words that the translator was given. */
  readonly words: number;
  /** Sentences that kept their source. */
  readonly kept: number;
}

/** The most that a translator is given at once, in texts and in characters; a single longer text goes alone. */
const MAX_TEXTS = 100;
const MAX_CHARACTERS = 20_000;

/** Translates a sheet. What the translator throws is thrown on. */
export async function translateSheet(translator: Translator, sheet: Sheet, wanted: Wanted): Promise<Translated> {
  const { earlier, ...how } = wanted;
  const opened = openSheet(sheet);
  const translations = new Map(earlier && opened.remembered(earlier.sheet, earlier.translated));
  const asked = [...opened.texts].filter(([number]) => !translations.has(number));
  let waiting = asked;
  for (let tries = 0; tries < 2 && waiting.length > 0; tries++) {
    for (const batch of batchesOf(waiting)) {
      const answers = await translator({ ...how, texts: batch.map(([, text]) => text) });
      for (const [i, [number]] of batch.entries()) {
        const answer = answers[i];
        if (typeof answer === "string" && opened.accepts(number, answer)) translations.set(number, answer);
      }
    }
    waiting = waiting.filter(([number]) => !translations.has(number));
  }
  const { sheet: translated, kept } = opened.translated(translations);
  return {
    sheet: translated,
    words: opened.words(asked.map(([number]) => number)),
    kept: kept + waiting.length,
  };
}

function batchesOf(texts: readonly (readonly [number, string])[]): (readonly [number, string])[][] {
  const batches: (readonly [number, string])[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (characters + text[1].length > MAX_CHARACTERS || batches.at(-1)!.length === MAX_TEXTS) {
      batches.push([]);
      characters = 0;
    }
    batches.at(-1)!.push(text);
    characters += text[1].length;
  }
  return batches;
}
