// The messages that people see, in every language. `<language>.json` has those of one language, by area; the keys of English are
// the keys of all. A language is loaded when it is first needed. The package leaves out the area of the console, and the
// console leaves out those of the server: see scripts/packaging/locale-areas.ts.

import { loadLazily } from "../utils/lazy";
import type english from "./en.json";
import type { PluralForms } from "./format-message";
import type { Language } from "./languages";

/** The messages of English with the plural forms of any language. */
type Localized<English> = {
  readonly [Key in keyof English]: English[Key] extends string
    ? string
    : English[Key] extends { readonly other: string }
      ? PluralForms
      : Localized<English[Key]>;
};

/** The messages of a language, by area. A language without a message is a type error. */
export type Messages = Localized<typeof english>;

const loaders: Readonly<Record<Language, () => Promise<{ readonly default: Messages }>>> = {
  en: loadLazily(() => import("./en.json")),
  de: loadLazily(() => import("./de.json")),
  fr: loadLazily(() => import("./fr.json")),
  es: loadLazily(() => import("./es.json")),
  zh: loadLazily(() => import("./zh.json")),
  ja: loadLazily(() => import("./ja.json")),
  nl: loadLazily(() => import("./nl.json")),
  no: loadLazily(() => import("./no.json")),
  "pt-br": loadLazily(() => import("./pt-br.json")),
  ru: loadLazily(() => import("./ru.json")),
};

/** Returns the messages of a language. */
export async function loadMessages(language: Language): Promise<Messages> {
  return (await loaders[language]()).default;
}
