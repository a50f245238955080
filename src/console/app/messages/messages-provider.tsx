// Provides the messages of the current language. Each language is loaded when it is selected.

import type { ComponentChildren } from "preact";
import { getLanguageTag, type Language } from "../../../locales/languages";
import { loadMessages } from "../../../locales/messages";
import { createStore, useStore } from "../api/value-store";
import { type Messages, MessagesContext } from "./messages";

/** The messages of the current language. Components use `useMessages`. */
export const currentMessages = createStore<Messages | undefined>(undefined);

/** Loads a language and switches to it. */
export async function setLanguage(language: Language): Promise<void> {
  const messages = await loadMessages(language);
  document.documentElement.lang = getLanguageTag(language);
  currentMessages.set({ inLanguage: language, ...messages.console });
}

export function MessagesProvider({ children }: { readonly children: ComponentChildren }) {
  return <MessagesContext.Provider value={useStore(currentMessages)}>{children}</MessagesContext.Provider>;
}
