// The languages that a space can be translated into, with their names in the language of the user.

import type { TranslationLanguage } from "../../../generated/resources";

const all: Readonly<Record<TranslationLanguage, true>> = {
  ...{ ar: true, bg: true, cs: true, da: true, de: true, el: true, en: true, es: true, et: true, fi: true },
  ...{ fr: true, he: true, hi: true, hr: true, hu: true, id: true, it: true, ja: true, ko: true, lt: true },
  ...{ lv: true, ms: true, nl: true, no: true, pl: true, pt: true, "pt-br": true, ro: true, ru: true, sk: true },
  ...{ sl: true, sv: true, th: true, tr: true, uk: true, vi: true, yue: true, zh: true },
};

/** Returns the name of a language in another language. */
export function getLanguageName(language: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** Lists all languages, sorted by their names. */
export function listLanguageOptions(
  inLanguage: string,
): readonly (readonly [language: TranslationLanguage, name: string])[] {
  const named = (Object.keys(all) as TranslationLanguage[]).map((it) => [it, getLanguageName(it, inLanguage)] as const);
  return named.sort(([, a], [, b]) => a.localeCompare(b, inLanguage));
}
