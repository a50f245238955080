// The languages of pages and mails, and how a reader's language is found among them.

/** The names of the languages, each in the language itself. Published sites use the same languages. */
export const languageNames = {
  en: "English",
  fr: "Français",
  es: "Español",
  zh: "中文",
  ja: "日本語",
  de: "Deutsch",
  nl: "Nederlands",
  no: "Norsk",
  "pt-br": "Português (Brasil)",
  ru: "Русский",
} as const;

export type Language = keyof typeof languageNames;

/** Scripts that are written from right to left. None of the languages has one today. */
const RIGHT_TO_LEFT_LANGUAGES = new Set(["ar", "fa", "he", "ur"]);

/** Returns the direction in which a language is written. */
export function getTextDirection(language: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT_LANGUAGES.has(language.split("-")[0]!) ? "rtl" : "ltr";
}

/** Returns the tag of a language in HTML. */
export function getLanguageTag(language: Language): string {
  return language === "pt-br" ? "pt-BR" : language;
}

/** The languages by each of their tags. */
const languagesByTag = new Map<string, Language>([
  ...(Object.keys(languageNames) as Language[]).map((language) => [language, language] as const),
  ["nb", "no"],
  ["nn", "no"],
  ["pt", "pt-br"],
]);

/** Returns the language that a tag such as `de-AT` names, or undefined if it is not one of ours. */
export function findLanguage(tag: string | null | undefined): Language | undefined {
  const fullTag = tag?.trim().toLowerCase() ?? "";
  return languagesByTag.get(fullTag) ?? languagesByTag.get(fullTag.split("-")[0]!);
}

/** Returns the language that an `Accept-Language` header prefers. Default: English. */
export function negotiateLanguage(header: string | null): Language {
  const acceptedTags = (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";");
      const weight = parameters.map((parameter) => parameter.trim().match(/^q=([\d.]+)$/)?.[1]).find(Boolean);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return acceptedTags.map(({ tag }) => findLanguage(tag)).find(Boolean) ?? "en";
}
