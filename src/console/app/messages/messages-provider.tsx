// Provides the messages of the current language. Each language is loaded when it is selected.

import type { ComponentChildren } from "preact";
import { getLanguageTag, type Language } from "../../../locales/languages";
import { createStore, useStore } from "../api/value-store";
import { type Messages, MessagesContext } from "./messages";

const LOADERS: Readonly<Record<Language, () => Promise<Messages>>> = {
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

const currentMessages = createStore<Messages | undefined>(undefined);

/** Loads a language and switches to it. */
export async function setLanguage(language: Language): Promise<void> {
  const messages = await LOADERS[language]();
  document.documentElement.lang = getLanguageTag(language);
  currentMessages.set(messages);
}

/** Returns the current language, for rendering outside of components. */
export const getCurrentLanguage = (): Language => currentMessages.get()?.inLanguage ?? "en";

export function MessagesProvider({ children }: { readonly children: ComponentChildren }) {
  return <MessagesContext.Provider value={useStore(currentMessages)}>{children}</MessagesContext.Provider>;
}
