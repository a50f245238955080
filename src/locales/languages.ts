// The languages of the pages and mails, and which of them somebody reads.

/** The languages, each under its own name. They are those of published sites. */
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

/** Texts of a part in every language. */
export type MessageCatalog<Words> = Readonly<Record<Language, Words>>;

/** Every name of our languages. */
const known = new Map<string, Language>([
  ...(Object.keys(languageNames) as Language[]).map((it) => [it, it] as const),
  ["nb", "no"],
  ["nn", "no"],
  ["pt", "pt-br"],
]);

/** Scripts that are written from right to left. None of the languages has one today. */
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** How a language is written. */
export function getTextDirection(language: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(language.split("-")[0]!) ? "rtl" : "ltr";
}

/** The tag of a language in HTML. */
export function getLanguageTag(language: Language): string {
  return language === "pt-br" ? "pt-BR" : language;
}

/** The language of ours that a tag such as `de-AT` names; undefined when we have none. */
export function findLanguage(tag: string | null | undefined): Language | undefined {
  const wanted = tag?.trim().toLowerCase() ?? "";
  const [first = ""] = wanted.split("-");
  return [wanted, first].map((it) => known.get(it)).find(Boolean);
}

/** The language that an `Accept-Language` header prefers. Default: English. */
export function negotiateLanguage(header: string | null): Language {
  const wanted = (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";");
      const weight = parameters.map((it) => it.trim().match(/^q=([\d.]+)$/)?.[1]).find(Boolean);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return wanted.map(({ tag }) => findLanguage(tag)).find(Boolean) ?? "en";
}
