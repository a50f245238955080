// A translator that uses LibreTranslate, which people can host themselves.

import type { GlossaryEntry, Translator } from "../content/translation/translator";
import { omitUndefined } from "../utils/objects";
import { mergeGlossaries, replaceTerms } from "./glossary";
import { createHostClient, createInvalidResponseError, type HostOptions, splitIntoBatches } from "./requests";

export interface LibreTranslateOptions extends HostOptions {
  /** The API key. A self-hosted server may need none. */
  readonly key?: string;
  /** Terms and their translations, by target language. */
  readonly glossaries?: Readonly<Record<string, readonly GlossaryEntry[]>>;
}

const MAX_BATCH_TEXTS = 50;
const MAX_BATCH_CHARACTERS = 4_000;

/** The codes of languages that LibreTranslate calls differently. */
const LANGUAGE_CODES: Readonly<Record<string, string>> = { "pt-br": "pt-BR", zh: "zh-Hans", no: "nb", yue: "zh-Hant" };

/** Translates with a LibreTranslate server. It observes the glossary and ignores instructions. */
export function libreTranslator(options: LibreTranslateOptions): Translator {
  const send = createHostClient(options);
  return async ({ texts, from, to, glossary }) => {
    const terms = mergeGlossaries(options.glossaries?.[to], glossary);
    const maskedTexts = texts.map((text) => replaceTerms(text, terms));
    const batches = splitIntoBatches(
      maskedTexts.map(({ text }) => text),
      MAX_BATCH_TEXTS,
      MAX_BATCH_CHARACTERS,
    );

    const translations: string[] = [];
    for (const batch of batches) {
      const response = await send({
        path: "/translate",
        headers: {},
        body: {
          q: batch,
          source: from === undefined ? "auto" : (LANGUAGE_CODES[from] ?? from),
          target: LANGUAGE_CODES[to] ?? to,
          format: "html",
          ...omitUndefined({ api_key: options.key }),
        },
      });
      const translated = (response as { translatedText?: unknown } | null)?.translatedText;
      if (!Array.isArray(translated) || translated.length !== batch.length)
        throw createInvalidResponseError(options.url);
      translations.push(...translated.map(String));
    }
    return translations.map((text, index) => maskedTexts[index]!.restore(text));
  };
}
