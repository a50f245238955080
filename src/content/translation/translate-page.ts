// Translates one page. Known translations are reused, a translation that comes back without its marks is requested once more, and a text
// that still lacks them keeps its source and is counted.

import { type PageTexts, splitPageTexts } from "./page-texts";
import type { TranslationRequest, Translator } from "./translator";

export interface PageTranslationOptions extends Omit<TranslationRequest, "texts"> {
  /** The page when it was translated before, and the result. */
  readonly earlier?: { readonly source: PageTexts; readonly translated: PageTexts } | undefined;
}

/** The most texts and characters of one request. A longer text is sent alone. */
const MAX_TEXTS_PER_REQUEST = 100;
const MAX_CHARACTERS_PER_REQUEST = 20_000;

/** Translates a page. Errors of the translator are thrown. */
export async function translatePage(
  translator: Translator,
  source: PageTexts,
  { earlier, ...requestOptions }: PageTranslationOptions,
) {
  const page = splitPageTexts(source);
  const translations = new Map(earlier && page.reuseTranslations(earlier.source, earlier.translated));
  const requested = [...page.texts].filter(([number]) => !translations.has(number));
  let missing = requested;
  for (let tries = 0; tries < 2 && missing.length > 0; tries++) {
    const batches: (readonly [number, string])[][] = [];
    let characters = Number.POSITIVE_INFINITY;
    for (const text of missing) {
      const isFull = batches.at(-1)?.length === MAX_TEXTS_PER_REQUEST;
      if (isFull || characters + text[1].length > MAX_CHARACTERS_PER_REQUEST) {
        batches.push([]);
        characters = 0;
      }
      batches.at(-1)!.push(text);
      characters += text[1].length;
    }
    for (const batch of batches) {
      const results = await translator({ ...requestOptions, texts: batch.map(([, text]) => text) });
      for (const [i, [number]] of batch.entries()) {
        const result = results[i];
        if (typeof result === "string" && page.hasAllMarks(number, result)) translations.set(number, result);
      }
    }
    missing = missing.filter(([number]) => !translations.has(number));
  }

  const { texts, revertedCount } = page.insertTranslations(translations);
  return {
    texts,
    wordCount: page.countWords(requested.map(([number]) => number)),
    untranslatedCount: revertedCount + missing.length,
  };
}
