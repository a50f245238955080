// The language that the console speaks. Each is a file of its own, which is loaded when it is spoken.

import type { ComponentChildren } from "preact";
import { getLanguageTag, type Language } from "../../../locales/languages";
import { createStore, useStore } from "../calls/store";
import { InWords, type Words } from "./words";

const loads: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => ({ inLanguage: "en", ...(await import("./en")).en }),
  de: async () => ({ inLanguage: "de", ...(await import("./de")).de }),
  es: async () => ({ inLanguage: "es", ...(await import("./es")).es }),
  fr: async () => ({ inLanguage: "fr", ...(await import("./fr")).fr }),
  ja: async () => ({ inLanguage: "ja", ...(await import("./ja")).ja }),
  nl: async () => ({ inLanguage: "nl", ...(await import("./nl")).nl }),
  no: async () => ({ inLanguage: "no", ...(await import("./no")).no }),
  "pt-br": async () => ({ inLanguage: "pt-br", ...(await import("./pt-br")).ptBr }),
  ru: async () => ({ inLanguage: "ru", ...(await import("./ru")).ru }),
  zh: async () => ({ inLanguage: "zh", ...(await import("./zh")).zh }),
};

const spoken = createStore<Words | undefined>(undefined);

/** Speaks a language from now on. */
export async function speak(language: Language): Promise<void> {
  const words = await loads[language]();
  document.documentElement.lang = getLanguageTag(language);
  spoken.set(words);
}

/** The language that is spoken now, for what is drawn outside of components. */
export const spokenLanguage = (): Language => spoken.get()?.inLanguage ?? "en";

export function Spoken({ children }: { readonly children: ComponentChildren }) {
  return <InWords.Provider value={useStore(spoken)}>{children}</InWords.Provider>;
}
