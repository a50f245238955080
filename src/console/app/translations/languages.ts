// The languages that a space can be translated into, in the words of whoever reads.

import type { TranslationLanguage } from "../../../generated/resources";

const all: Readonly<Record<TranslationLanguage, true>> = {
  ...{ ar: true, bg: true, cs: true, da: true, de: true, el: true, en: true, es: true, et: true, fi: true },
  ...{ fr: true, he: true, hi: true, hr: true, hu: true, id: true, it: true, ja: true, ko: true, lt: true },
  ...{ lv: true, ms: true, nl: true, no: true, pl: true, pt: true, "pt-br": true, ro: true, ru: true, sk: true },
  ...{ sl: true, sv: true, th: true, tr: true, uk: true, vi: true, yue: true, zh: true },
};

/** A language, as another one calls it. */
export function languageName(language: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** Every language with its name, in the order of the names. */
export function languageOptions(
  inLanguage: string,
): readonly (readonly [language: TranslationLanguage, name: string])[] {
  const named = (Object.keys(all) as TranslationLanguage[]).map((it) => [it, languageName(it, inLanguage)] as const);
  return named.sort(([, a], [, b]) => a.localeCompare(b, inLanguage));
}
