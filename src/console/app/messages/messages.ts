// The messages of the console in the language of the user.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "../../../locales/languages";
import type { Messages as LocaleMessages } from "../../../locales/messages";

/** The messages of the console, by screen. */
export type Messages = LocaleMessages["console"] & {
  /** The language of the messages. Times and numbers are formatted in it. */
  readonly inLanguage: Language;
};

export const MessagesContext = createContext<Messages | undefined>(undefined);

export function useMessages(): Messages {
  const messages = useContext(MessagesContext);
  if (!messages) throw new Error("Words are used before a language was loaded.");
  return messages;
}
