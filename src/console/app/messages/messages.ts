// The messages of the console in the language of the user, and their formatting.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "../../../locales/languages";
import type { en } from "./catalogs/en";
import type { PluralForms, TranslatedMessages } from "./translated-messages";

export interface Messages extends TranslatedMessages<typeof en> {
  /** The language of the messages. Times and numbers are formatted in it. */
  readonly inLanguage: Language;
}

export const MessagesContext = createContext<Messages | undefined>(undefined);

export function useMessages(): Messages {
  const messages = useContext(MessagesContext);
  if (!messages) throw new Error("Words are used before a language was loaded.");
  return messages;
}

type MessageValues = Readonly<Record<string, string | number>>;

/** Fills the placeholders of a message, such as `{name}`. */
export function fillMessage(sentence: string, parts: MessageValues): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));
}

/** Formats a message with the plural form of a number. `{count}` is the number. */
export function formatPlural(
  { inLanguage }: Messages,
  forms: PluralForms,
  count: number,
  parts: MessageValues = {},
): string {
  const form = forms[new Intl.PluralRules(inLanguage).select(count)] ?? forms.other;
  return fillMessage(form, { ...parts, count: formatLocalizedNumber(inLanguage, count) });
}

/** Formats a number in a language. */
export function formatLocalizedNumber(language: Language, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language, options).format(value);
}
