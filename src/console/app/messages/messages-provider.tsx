// Provides the messages of the current language. Each language is loaded when it is selected.

import type { ComponentChildren } from "preact";
import { getLanguageTag, type Language } from "../../../locales/languages";
import { createStore, useStore } from "../api/api";
import { type Messages, MessagesContext } from "./messages";

const LOADERS: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => ({ inLanguage: "en", ...(await import("./catalogs/en")).en }),
  de: async () => ({ inLanguage: "de", ...(await import("./catalogs/de")).de }),
  es: async () => ({ inLanguage: "es", ...(await import("./catalogs/es")).es }),
  fr: async () => ({ inLanguage: "fr", ...(await import("./catalogs/fr")).fr }),
  ja: async () => ({ inLanguage: "ja", ...(await import("./catalogs/ja")).ja }),
  nl: async () => ({ inLanguage: "nl", ...(await import("./catalogs/nl")).nl }),
  no: async () => ({ inLanguage: "no", ...(await import("./catalogs/no")).no }),
  "pt-br": async () => ({ inLanguage: "pt-br", ...(await import("./catalogs/pt-br")).ptBr }),
  ru: async () => ({ inLanguage: "ru", ...(await import("./catalogs/ru")).ru }),
  zh: async () => ({ inLanguage: "zh", ...(await import("./catalogs/zh")).zh }),
};

/** The messages of the current language. Components use `useMessages`. */
export const currentMessages = createStore<Messages | undefined>(undefined);

/** Loads a language and switches to it. */
export async function setLanguage(language: Language): Promise<void> {
  const messages = await LOADERS[language]();
  document.documentElement.lang = getLanguageTag(language);
  currentMessages.set(messages);
}

export function MessagesProvider({ children }: { readonly children: ComponentChildren }) {
  return <MessagesContext.Provider value={useStore(currentMessages)}>{children}</MessagesContext.Provider>;
}
